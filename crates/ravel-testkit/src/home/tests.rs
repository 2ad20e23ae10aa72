use serde_json::json;

use super::TestHome;
use crate::session::SessionBuilder;
use crate::version::Version;

#[test]
fn a_home_has_the_places_the_client_uses() {
    let home = TestHome::new("unused");
    let mut session = SessionBuilder::new(Version::V2_1_29, "home").in_folder("/w/x");
    session.prompt("hello");
    let path = home.add_session(&session);
    assert_eq!(std::fs::read(&path).unwrap(), session.to_bytes());
    assert!(path.starts_with(home.claude().join("projects/-w-x")));
    home.add_todos("S", &json!([]));
    home.add_task("S", &json!({"id": "3"}));
    home.add_plan("calm-blue-otter", "# Plan");
    let hash = home.add_paste("text");
    home.add_history(&[("hello", "/w/x", "S", 1)]);
    home.add_settings(&json!({"model": "opus"}));
    for expected in [
        "todos/S-agent-S.json",
        "tasks/S/3.json",
        "plans/calm-blue-otter.md",
        "history.jsonl",
        "settings.json",
    ] {
        assert!(home.claude().join(expected).is_file(), "{expected}");
    }
    assert!(
        home.claude()
            .join(format!("paste-cache/{hash}.txt"))
            .is_file()
    );
}

#[cfg(unix)]
#[test]
fn a_run_has_a_clean_environment_and_reports_everything() {
    let home = TestHome::new("/bin/sh");
    let script = "cat; echo \"$HOME|$NO_COLOR|$TZ|$COLUMNS|${CARGO_MANIFEST_DIR-unset}\"; echo oops >&2; exit 3";
    let output = home
        .command()
        .args(["-c", script])
        .stdin("in ")
        .run()
        .unwrap();
    let expected = format!("in {}|1|UTC|100|unset\n", home.path().display());
    assert_eq!(
        (output.stdout, output.stderr.as_str(), output.code),
        (expected, "oops\n", 3)
    );
}
