//! `ravel paths`.

use ravel_testkit::{AgentTask, SessionBuilder, Version};
use serde_json::json;

use crate::{home, parsed};

#[test]
fn places_of_the_home() {
    let home = home();
    home.add_plan("calm-red-fox", "12345");
    let document = parsed(&home.ravel(["paths", "--json"]));
    assert_eq!(document["home"], json!(home.claude()));
    assert_eq!(document["origin"], "the default place");
    let places = document["places"].as_array().unwrap();
    let plans = places
        .iter()
        .find(|place| place["name"] == "plans")
        .unwrap();
    assert_eq!(plans["exists"], true);
    assert_eq!((&plans["files"], &plans["bytes"]), (&json!(1), &json!(5)));
    let tasks = places
        .iter()
        .find(|place| place["name"] == "tasks")
        .unwrap();
    assert_eq!(tasks["exists"], false);
    let text = home.ravel(["paths"]).stdout;
    assert!(text.starts_with("~/.claude  the default place\n"), "{text}");
}

#[test]
fn files_of_a_session() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_325, "paths").interactive();
    session.put_file("cup.txt", "x");
    session.prompt("Go.");
    session.edit_file("cup.txt", "x", "y");
    session.agent(&AgentTask::new("Look", "Look around."), |agent| {
        agent.reply("Nothing here.");
    });
    home.add_session(&session);
    let id = session.session_id();
    home.add_task(id, &json!({"id": "1", "subject": "a"}));
    home.add_todos(id, &json!([]));
    home.write(&format!("debug/{id}.txt"), "log");
    let document = parsed(&home.ravel(["paths", "latest", "--json"]));
    let files = document["files"].as_array().unwrap();
    let roles: Vec<&str> = files
        .iter()
        .map(|file| file["role"].as_str().unwrap())
        .collect();
    let expected = [
        "session",
        "agent",
        "agent meta",
        "todos",
        "task",
        "file version",
        "debug log",
    ];
    assert_eq!(roles, expected);
    let text = home.ravel(["paths", id]).stdout;
    assert_eq!(text.lines().count(), expected.len());
    assert_eq!(home.ravel(["paths", "-"]).code, 2);
    assert_eq!(home.ravel(["paths", "nosuch"]).code, 2);
}

#[test]
fn the_sample_says_so() {
    let output = home().ravel(["--demo", "paths"]);
    assert!(
        output.stdout.contains("the bundled sample"),
        "{}",
        output.stdout
    );
}
