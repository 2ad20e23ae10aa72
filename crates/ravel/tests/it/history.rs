//! `ravel history`.

use ravel_testkit::TestHome;
use serde_json::json;

use crate::{home, parsed};

const DAY_MS: i64 = 86_400_000;
/// 2026-01-20, 09:00.
const START_MS: i64 = 1_768_899_600_000;

fn typed() -> TestHome {
    let home = home();
    let entries = [
        ("first", "/srv/shop", "s1", START_MS),
        (
            "second \u{1b}]0;x\u{7}",
            "/srv/shop",
            "s1",
            START_MS + DAY_MS,
        ),
        ("third", "/srv/blog", "s2", START_MS + 2 * DAY_MS),
    ];
    home.add_history(&entries);
    home
}

#[test]
fn the_last_typed_first() {
    let home = typed();
    insta::assert_snapshot!(home.ravel(["history"]).stdout, @r"
    2026-01-22 09:00  /srv/blog  third
    2026-01-21 09:00  /srv/shop  second ␛]0;x␇
    2026-01-20 09:00  /srv/shop  first
    ");
    let texts = |arguments: &[&str]| {
        let arguments = [&["history", "--json"], arguments].concat();
        let document = parsed(&home.ravel(arguments));
        let texts = document.as_array().unwrap().iter();
        let texts = texts.map(|entry| entry["text"].as_str().unwrap().split(' ').next().unwrap());
        texts.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(texts(&["-n", "2"]), "third second");
    assert_eq!(texts(&["-n", "0"]), "third second first");
    assert_eq!(texts(&["--project", "SHOP"]), "second first");
    assert_eq!(texts(&["--text", "Ir"]), "third first");
    assert_eq!(texts(&["--since", "2026-01-21"]), "third second");
    assert_eq!(texts(&["--project", "nosuch"]), "");
    assert_eq!(home.ravel(["history", "--since", "soon"]).code, 2);
}

#[test]
fn pasted_text_is_put_in() {
    let home = home();
    let hash = home.add_paste("one\ntwo");
    let entry = |display: &str, pasted: serde_json::Value| {
        let entry = json!({"display": display, "pastedContents": pasted, "timestamp": START_MS, "project": "/p"});
        format!("{entry}\n")
    };
    let lines = [
        entry(
            "a [Pasted text #1 +1 lines] b",
            json!({"1": {"id": 1, "type": "text", "contentHash": hash}}),
        ),
        entry(
            "[Pasted text #2 +9 lines]",
            json!({"2": {"id": 2, "type": "text", "contentHash": "../../x"}}),
        ),
        "{not json\n".to_owned(),
        entry(
            "[Pasted text #3]",
            json!({"3": {"id": 3, "type": "text", "content": "inline"}}),
        ),
    ];
    home.write("history.jsonl", lines.concat());
    let output = home.ravel(["history", "--pastes"]);
    insta::assert_snapshot!(output.stdout, @r"
    2026-01-20 09:00  /p  inline
    2026-01-20 09:00  /p  [Pasted text #2 +9 lines]
    2026-01-20 09:00  /p  a one
                          two b
    ");
    assert!(
        output.stderr.contains("history.jsonl:3: not JSON"),
        "{}",
        output.stderr
    );
    let document = parsed(&home.ravel(["history", "--pastes", "--json"]));
    assert_eq!(document[2]["expanded"], "a one\ntwo b");
    assert_eq!(document[2]["text"], "a [Pasted text #1 +1 lines] b");
}

#[test]
fn nothing_typed_is_fine() {
    let output = home().ravel(["history"]);
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (0, "nothing was typed here yet\n")
    );
    assert_eq!(parsed(&home().ravel(["history", "--json"])), json!([]));
    let demo = parsed(&home().ravel(["--demo", "history", "--json", "-n", "0"]));
    assert!(demo.as_array().unwrap().len() > 10);
}
