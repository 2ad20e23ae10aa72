//! `ravel todos`.

use ravel_testkit::{SessionBuilder, TestHome, Version};
use serde_json::{Value, json};

use crate::{home, parsed};

fn with_lists() -> (TestHome, String) {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_29, "todos");
    session.prompt("Glaze the bowls.");
    session.write_todos(&[("Mix", "in_progress"), ("Dip", "pending")]);
    session.write_todos(&[("Mix", "completed"), ("Dip", "in_progress")]);
    home.add_session(&session);
    home.add_todos(session.session_id(), session.todos());
    (home, session.session_id().to_owned())
}

#[test]
fn lists_of_all_sessions() {
    let (home, id) = with_lists();
    home.add_todos("another", &json!([]));
    let tasks =
        json!({"id": "2", "subject": "Fire \u{1b}[31m", "status": "pending", "blockedBy": ["1"]});
    home.add_task("0e0e0e0e", &tasks);
    let output = home.ravel(["todos"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(output.stdout.contains("1 of 2"), "{}", output.stdout);
    assert!(
        output.stdout.contains("Glaze the bowls."),
        "{}",
        output.stdout
    );
    assert!(output.stdout.contains("  ☑ Mix\n  ◐ "), "{}", output.stdout);
    assert!(
        output.stdout.contains("☐ 2. Fire ␛[31m  (waits for 1)"),
        "{}",
        output.stdout
    );
    assert!(!output.stdout.contains("another"));

    let all = parsed(&home.ravel(["todos", "--all", "--json"]));
    let lists = all["lists"].as_array().unwrap();
    assert_eq!(lists.len(), 3);
    let own = lists.iter().find(|list| list["session_id"] == *id).unwrap();
    assert_eq!(own["done"], 1);
    assert_eq!(own["items"][1]["status"], "in_progress");
}

#[test]
fn how_they_changed() {
    let (home, id) = with_lists();
    let output = home.ravel(["todos", &id, "--over-time"]);
    insta::assert_snapshot!(output.stdout, @r"
    2026-01-20 09:00:00  0 of 2  line 2
        + ◐ Mix
        + ☐ Dip
    2026-01-20 09:00:02  1 of 2  line 4
      ◐ → ☑ Mix
      ☐ → ◐ Dip
    ");
    let document = parsed(&home.ravel(["todos", "--over-time", "--json"]));
    assert_eq!(document["changes"][1]["changes"][0]["from"], "in_progress");
    assert_eq!(document["changes"][1]["changes"][0]["to"], "completed");
}

#[test]
fn without_its_file_the_session_itself_tells() {
    let (home, id) = with_lists();
    std::fs::remove_dir_all(home.claude().join("todos")).unwrap();
    let document = parsed(&home.ravel(["todos", &id, "--json"]));
    assert_eq!(document["lists"][0]["kind"], "transcript");
    assert_eq!(document["lists"][0]["session_id"], Value::from(id));
    assert_eq!(document["lists"][0]["items"][0]["text"], "Mix");
}

#[test]
fn nothing_to_do_is_fine_and_a_wrong_name_is_not() {
    let home = home();
    let output = home.ravel(["todos"]);
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (0, "nothing to do here\n")
    );
    let output = home.ravel(["todos", "nosuch"]);
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("hint: "), "{}", output.stderr);
}

#[test]
fn the_sample_has_some() {
    let document = parsed(&home().ravel(["--demo", "todos", "--json"]));
    assert!(document["lists"].as_array().unwrap().len() >= 3);
}
