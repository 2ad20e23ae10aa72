use serde_json::{Value, json};

use super::{SessionBuilder, project_slug};
use crate::outcome::Outcome;
use crate::session::agent::AgentTask;
use crate::version::Version;

fn lines(session: &SessionBuilder) -> Vec<Value> {
    let text = String::from_utf8(session.to_bytes()).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn keys(line: &Value) -> String {
    line.as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn lines_have_the_keys_of_their_version_in_order() {
    let check = |version, expected: [&str; 3]| {
        let mut session = SessionBuilder::new(version, "keys");
        session.prompt("hello");
        session.call("Bash", json!({"command": "true"}), &Outcome::bash("ok"));
        let lines = lines(&session);
        assert_eq!(
            [keys(&lines[0]), keys(&lines[1]), keys(&lines[2])],
            expected
        );
    };
    let envelope = "parentUuid isSidechain userType cwd sessionId version gitBranch";
    check(
        Version::V1_0_128,
        [
            &format!("{envelope} type message uuid timestamp"),
            &format!("{envelope} message requestId type uuid timestamp"),
            &format!("{envelope} type message uuid timestamp toolUseResult"),
        ],
    );
    check(
        Version::V2_1_29,
        [
            &format!("{envelope} type message uuid timestamp permissionMode"),
            &format!("{envelope} message requestId type uuid timestamp"),
            &format!(
                "{envelope} type message uuid timestamp toolUseResult sourceToolAssistantUUID"
            ),
        ],
    );
    let envelope = "userType entrypoint cwd sessionId version gitBranch";
    check(
        Version::V2_1_325,
        [
            &format!(
                "parentUuid isSidechain promptId type message uuid timestamp permissionMode promptSource turnOrigin turnPosition {envelope}"
            ),
            &format!(
                "parentUuid isSidechain message toolInputStreamMs apiBlockIndex requestId requestRef requestedModel promptCacheRequested type uuid timestamp effort perTurnEffort madeBy {envelope}"
            ),
            &format!(
                "parentUuid isSidechain promptId type message uuid timestamp toolUseResult sandboxed sourceToolAssistantUUID permissionDecision {envelope}"
            ),
        ],
    );
}

#[test]
fn the_stop_reason_follows_the_rule_of_the_version() {
    let check = |version, expected: [Value; 3]| {
        let mut session = SessionBuilder::new(version, "stop");
        session.prompt("hello");
        session.thinking("hm");
        session.call("Bash", json!({}), &Outcome::bash("ok"));
        session.reply("done");
        let lines = lines(&session);
        let reasons = [1, 2, 4].map(|index| lines[index]["message"]["stop_reason"].clone());
        assert_eq!(reasons, expected);
    };
    check(
        Version::V2_0_77,
        [Value::Null, json!("tool_use"), json!("end_turn")],
    );
    check(Version::V2_1_29, [Value::Null, Value::Null, Value::Null]);
    check(
        Version::V2_1_325,
        [json!("tool_use"), json!("tool_use"), json!("end_turn")],
    );
}

#[test]
fn parallel_results_branch_in_2_x_and_chain_in_1_0() {
    let check = |version, expected: [usize; 2]| {
        let mut session = SessionBuilder::new(version, "parallel");
        session.prompt("hello");
        let bash = |output| ("Bash", json!({}), Outcome::bash(output));
        session.parallel_tools(vec![bash("one"), bash("two")]);
        let lines = lines(&session);
        let parents = [
            lines[3]["parentUuid"].clone(),
            lines[4]["parentUuid"].clone(),
        ];
        assert_eq!(parents, expected.map(|index| lines[index]["uuid"].clone()));
    };
    check(Version::V1_0_128, [2, 3]);
    check(Version::V2_1_29, [1, 2]);
}

#[test]
fn agents_lie_where_their_version_puts_them() {
    let check = |version, expected: &[&str]| {
        let mut session = SessionBuilder::new(version, "agents").with_session_id("S");
        session.prompt("hello");
        session.agent(&AgentTask::new("look", "Look around."), |agent| {
            agent.reply("Nothing here.");
        });
        let files = session.files();
        let paths: Vec<&str> = files.iter().map(|(path, _)| path).collect();
        assert_eq!(paths, expected);
    };
    check(Version::V1_0_128, &["S.jsonl"]);
    check(Version::V2_0_77, &["S.jsonl", "agent-a6d1b5c.jsonl"]);
    check(
        Version::V2_1_29,
        &["S.jsonl", "S/subagents/agent-a6d1b5c.jsonl"],
    );
}

#[test]
fn edits_are_backed_up_when_the_client_is_interactive() {
    let mut session = SessionBuilder::new(Version::V2_1_29, "history").interactive();
    session.put_file("a.txt", "one\n");
    session.prompt("edit");
    session.edit_file("a.txt", "one", "two");
    session.prompt("again");
    let history = session.file_history();
    let texts: Vec<&[u8]> = history.iter().map(|(_, bytes)| bytes).collect();
    assert_eq!(texts, [b"one\n", b"two\n"]);
}

#[test]
fn slugs_replace_every_other_utf_16_unit() {
    assert_eq!(
        project_slug("/home/robin/We.ird_dir"),
        "-home-robin-We-ird-dir"
    );
    assert_eq!(project_slug("/x/😀é"), "-x----");
}
