//! `ravel plans`.

use ravel_testkit::{SessionBuilder, Version};

use crate::{home, parsed};

#[test]
fn plans_with_their_sessions() {
    let home = home();
    home.add_plan("calm-red-fox", "# A cart\n\nSome *text*.\n");
    home.add_plan("calm-old-owl", "no heading\u{1b}[2J\n");
    let mut session = SessionBuilder::new(Version::V2_1_29, "plans").with_slug("calm-red-fox");
    session.prompt("Plan a cart.");
    home.add_session(&session);

    let document = parsed(&home.ravel(["plans", "--json"]));
    let items = document.as_array().unwrap();
    assert_eq!(items.len(), 2);
    let fox = items
        .iter()
        .find(|plan| plan["name"] == "calm-red-fox")
        .unwrap();
    assert_eq!(fox["title"], "A cart");
    assert_eq!(fox["sessions"][0], *session.session_id());

    let text = home.ravel(["plans"]).stdout;
    assert!(text.contains("calm-red-fox  A cart"), "{text}");
    let read = home.ravel(["plans", "calm-red"]);
    assert_eq!(read.stdout, "A cart\n\nSome text.\n");
    let raw = home.ravel(["plans", "calm-red-fox.md", "--raw"]);
    assert_eq!(raw.stdout, "# A cart\n\nSome *text*.\n");
    let hostile = home.ravel(["plans", "calm-old-owl"]);
    assert!(!hostile.stdout.contains('\u{1b}'));
    let document = parsed(&home.ravel(["plans", "calm-red-fox", "--json"]));
    assert_eq!(document["text"], "# A cart\n\nSome *text*.\n");
}

#[test]
fn names_that_fit_none_or_two() {
    let home = home();
    let output = home.ravel(["plans"]);
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (0, "no plans here yet\n")
    );
    home.add_plan("calm-red-fox", "");
    home.add_plan("calm-old-owl", "");
    for name in ["nosuch", "calm", "../calm-red-fox"] {
        let output = home.ravel(["plans", name]);
        assert_eq!(output.code, 2, "{name}");
        assert!(output.stderr.contains("hint: "), "{}", output.stderr);
    }
}

#[test]
fn the_sample_has_one() {
    let output = home().ravel(["--demo", "plans"]);
    assert!(
        output.stdout.contains("Search for the trail guide"),
        "{}",
        output.stdout
    );
    assert_eq!(
        parsed(&home().ravel(["--demo", "plans", "--json"]))
            .as_array()
            .unwrap()
            .len(),
        1
    );
}
