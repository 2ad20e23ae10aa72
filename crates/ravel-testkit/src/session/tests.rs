use serde_json::{Value, json};

use super::{SessionBuilder, project_slug};
use crate::outcome::Outcome;
use crate::session::agent::AgentTask;
use crate::session::compact::Trigger;
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

#[test]
fn nested_agents_lie_flat_and_name_their_parent() {
    let mut session = SessionBuilder::new(Version::V2_1_325, "nested").with_session_id("S");
    session.prompt("hello");
    let outer = session.agent(&AgentTask::new("outer", "Delegate."), |agent| {
        agent.agent(&AgentTask::new("inner", "Count."), |inner| {
            inner.reply("Three.");
        });
        agent.reply("Three, I hear.");
    });
    let files = session.files();
    let metas: Vec<Value> = files
        .iter()
        .filter(|(path, _)| path.starts_with("S/subagents/") && path.ends_with(".meta.json"))
        .map(|(_, bytes)| serde_json::from_slice(bytes).unwrap())
        .collect();
    assert_eq!(metas.len(), 2);
    let inner = metas.iter().find(|meta| meta["spawnDepth"] == 2).unwrap();
    assert_eq!(inner["parentAgentId"], json!(outer.id));
    assert_eq!(outer.report, "Three, I hear.");
}

#[test]
fn a_compaction_keeps_what_it_is_told_to_keep() {
    let mut session = SessionBuilder::new(Version::V2_1_325, "compact");
    let question = session.prompt("Why?");
    let answer = session.reply("Because.");
    let kept = [question.clone(), answer.clone()];
    let summary = session.compact_keeping(Trigger::Auto, "A question.", &kept);
    let lines = lines(&session);
    let (boundary, after) = (&lines[2], &lines[3]);
    assert_eq!(boundary["parentUuid"], Value::Null);
    assert_eq!(boundary["logicalParentUuid"], json!(answer));
    let segment = json!({"headUuid": question, "anchorUuid": summary, "tailUuid": answer});
    assert_eq!(boundary["compactMetadata"]["preservedSegment"], segment);
    assert_eq!(after["parentUuid"], boundary["uuid"]);
    assert_eq!(after["uuid"], json!(summary));
}

#[test]
fn a_message_can_be_continued_after_a_result() {
    let mut session = SessionBuilder::new(Version::V2_1_325, "interleaved");
    session.prompt("hello");
    session.call("Bash", json!({}), &Outcome::bash("fast"));
    session.reopen_message();
    session.call("Bash", json!({}), &Outcome::bash("slow"));
    session.reply("done");
    let lines = lines(&session);
    let ids = [1, 3, 5].map(|index| lines[index]["message"]["id"].clone());
    assert_eq!(ids[0], ids[1]);
    assert_ne!(ids[1], ids[2]);
    assert_eq!(lines[3]["apiBlockIndex"], 1);
    assert_eq!(lines[3]["parentUuid"], lines[2]["uuid"]);
}
