use std::borrow::Cow;

use ravel_model::branch::branches;
use ravel_model::{Thread, Transcript};
use ravel_testkit::{AgentTask, Outcome, SessionBuilder, Trigger};
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::raw::mended;
use super::*;
use crate::testing::{hostile, session_files, with_session};

fn bytes_of(session: &Session<'_>) -> Vec<u8> {
    let segments = session.history();
    let branches = session
        .main()
        .map(|main| branches(&main.graph, &segments))
        .unwrap_or_default();
    let mut out = Vec::new();
    let diagnostics = [json!({"code": "x"})];
    show(session, &segments, &branches, &diagnostics, &mut out).unwrap();
    out
}

fn shown(write: impl FnOnce(&mut SessionBuilder)) -> Value {
    let bytes = with_session(write, bytes_of);
    serde_json::from_slice(&bytes).unwrap()
}

#[test]
fn thread_and_turns_say_what_was_said() {
    let json = shown(|session| {
        session.prompt("count");
        let count = json!({"command": "wc -l a"});
        session.call("Bash", count, &Outcome::bash("3 a"));
        session.reply("three");
    });
    let types: Vec<&str> = json["thread"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["type"].as_str().unwrap())
        .collect();
    assert_eq!(types, ["user", "assistant", "user", "assistant"]);
    assert_eq!(json["thread"][1]["parentUuid"], json["thread"][0]["uuid"]);
    assert_eq!(json["thread"][3]["message"]["content"][0]["text"], "three");
    let turn = &json["turns"][0];
    assert_eq!(turn["prompt"]["text"], "count");
    assert_eq!(turn["prompt"]["asker"], "words");
    let call = turn["steps"]
        .as_array()
        .unwrap()
        .iter()
        .find(|step| step["kind"] == "tool")
        .unwrap();
    assert_eq!(call["tool"]["name"], "Bash");
    assert_eq!(call["tool"]["input"]["command"], "wc -l a");
    assert_eq!(call["tool"]["result"]["text"], "3 a");
    assert_eq!(call["tool"]["result"]["outcome"]["stdout"], "3 a");
    assert_eq!(json["diagnostics"], json!([{"code": "x"}]));
    assert_eq!(json["facts"]["n_turns"], 1);
}

#[test]
fn agents_branches_and_segments_are_listed() {
    let json = shown(|session| {
        let first = session.prompt("first");
        session.reply("old");
        session.branch_at(&first);
        session.agent(
            &AgentTask::new("Look", "look").of_kind("Explore"),
            |agent| {
                agent.reply("seen");
            },
        );
        session.compact(Trigger::Auto, "so far");
        session.prompt("second");
    });
    assert_eq!(json["segments"].as_array().unwrap().len(), 2);
    assert_eq!(json["branches"][0]["origin"], "retry");
    assert_eq!(json["branches"][0]["messages"], 1);
    let agent = &json["agents"][0];
    assert_eq!(agent["kind"], "Explore");
    assert_eq!(agent["depth"], 0);
    assert_eq!(agent["parent"]["agent"], Value::Null);
    assert!(agent["parent"]["tool_use_id"].is_string());
    assert_eq!(agent["messages"], agent["thread"].as_array().unwrap().len());
}

#[test]
fn raw_values_pass_unchanged_or_mended() {
    let same = |json: &str| {
        assert!(
            matches!(mended(json.as_bytes()), Cow::Borrowed(_)),
            "{json}"
        );
    };
    same(r#"{"n":1.50,"s":"\ud800","t":"日\n"}"#);
    let check = |json: &[u8], expected: &str| {
        let found = mended(json);
        assert_eq!(String::from_utf8_lossy(&found), expected);
        serde_json::from_slice::<IgnoredAny>(&found).unwrap();
    };
    check(b"{\"a\":\"x\x01\ty\"}", "{\"a\":\"x\\u0001\\u0009y\"}");
    check(b"[\"\xff\"]", "[\"\u{fffd}\"]");
    check(br#"["\x41\u12","\\"]"#, r#"["\\x41\\u12","\\"]"#);
}

#[test]
fn hostile_sessions_are_valid_json() {
    shown(hostile);
}

#[test]
fn all_fixtures_are_valid_json_with_the_main_thread() {
    for path in session_files() {
        let transcripts = [Transcript::from_bytes(std::fs::read(&path).unwrap())];
        let session = Session::build(&transcripts);
        let bytes = bytes_of(&session);
        serde_json::from_slice::<IgnoredAny>(&bytes)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // Half a surrogate pair and deep nesting are valid JSON that this reader has no value for.
        let Ok(json) = serde_json::from_slice::<Value>(&bytes) else {
            continue;
        };
        let graph = &session.main().unwrap().graph;
        let uuid = |index: usize| graph.outline().text(graph.entry(index).unwrap().uuid);
        let expected: Vec<String> = Thread::main(graph).visible(graph).map(uuid).collect();
        let thread = json["thread"].as_array().unwrap().iter();
        let found: Vec<&str> = thread
            .map(|entry| entry["uuid"].as_str().unwrap())
            .collect();
        assert_eq!(found, expected, "{}", path.display());
    }
}
