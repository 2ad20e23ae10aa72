//! Calls go by name; outcomes by name, or by shape where the call is not at hand.

use super::{Outcome, ToolCall, ToolOutcome};
use crate::content::{ContentBlock, ToolUseBlock};
use crate::json::{Json, JsonText};

fn json(text: &str) -> Json<'_> {
    Json::parse(text.as_bytes()).unwrap()
}

fn said(text: Option<JsonText<'_>>) -> String {
    text.map_or_else(|| "-".to_owned(), |text| text.decode().into_owned())
}

fn describe_call(call: ToolCall<'_>) -> String {
    match call {
        ToolCall::Read(call) => format!("read {} {:?}", said(call.file_path), call.limit),
        ToolCall::Write(call) => format!("write {} {}", said(call.file_path), said(call.content)),
        ToolCall::Edit(call) => format!(
            "edit {} -> {}",
            said(call.old_string),
            said(call.new_string)
        ),
        ToolCall::MultiEdit(call) => format!("edits {}", call.edits.unwrap().iter().count()),
        ToolCall::Bash(call) => format!("bash {} {:?}", said(call.command), call.run_in_background),
        ToolCall::TaskOutput(call) => format!("output {}", said(call.task_id)),
        ToolCall::TaskStop(call) => format!("stop {}", said(call.task_id)),
        ToolCall::Grep(call) => format!("grep {} {:?}", said(call.pattern), call.after),
        ToolCall::TodoWrite(call) => {
            let todos = call.todos.unwrap().iter();
            todos.map(|todo| said(todo.status)).collect()
        }
        ToolCall::Agent(call) => {
            format!("agent {} {}", said(call.subagent_type), said(call.prompt))
        }
        ToolCall::AskUserQuestion(call) => {
            let questions = call.questions.unwrap().iter();
            let options = questions.flat_map(|question| question.options.unwrap());
            options.map(|option| said(option.label)).collect()
        }
        ToolCall::Mcp(call) => format!("mcp {:?} {:?}", call.server, call.tool),
        ToolCall::Unknown { name, json } => format!("unknown {} {json:?}", said(name)),
        other => format!("{other:?}"),
    }
}

#[test]
fn calls_by_name() {
    for (name, input, expect) in [
        ("Read", r#"{"file_path":"/a","limit":5}"#, "read /a Some(5)"),
        ("Read", r#"{"path":"/old"}"#, "read /old None"),
        (
            "Write",
            r#"{"file_path":"/a","content":"x\n"}"#,
            "write /a x\n",
        ),
        (
            "Edit",
            r#"{"replace_all":false,"old_string":"a","new_string":"b"}"#,
            "edit a -> b",
        ),
        (
            "MultiEdit",
            r#"{"edits":[{"old_string":"a"},{"old_string":"b"}]}"#,
            "edits 2",
        ),
        (
            "Bash",
            r#"{"command":"ls","run_in_background":true}"#,
            "bash ls Some(true)",
        ),
        ("BashOutput", r#"{"bash_id":"b1"}"#, "output b1"),
        ("TaskOutput", r#"{"task_id":"b2"}"#, "output b2"),
        ("KillShell", r#"{"shell_id":"b3"}"#, "stop b3"),
        ("Grep", r#"{"pattern":"fn","-A":2}"#, "grep fn Some(2)"),
        (
            "TodoWrite",
            r#"{"todos":[{"content":"x","status":"pending"}]}"#,
            "pending",
        ),
        (
            "Task",
            r#"{"subagent_type":"Explore","prompt":"look"}"#,
            "agent Explore look",
        ),
        ("Agent", r#"{"prompt":"look"}"#, "agent - look"),
        (
            "AskUserQuestion",
            r#"{"questions":[{"options":[{"label":"A"},{"label":"B"}]}]}"#,
            "AB",
        ),
        (
            "mcp__my_server__add_all",
            "{}",
            r#"mcp Some("my_server") Some("add_all")"#,
        ),
        ("mcp__broken", "{}", "unknown mcp__broken {}"),
        ("Teleport", r#"{"x":1}"#, r#"unknown Teleport {"x":1}"#),
        ("Bash", r#""a string""#, "bash - None"),
    ] {
        let block = format!(r#"{{"type":"tool_use","name":"{name}","input":{input}}}"#);
        let ContentBlock::ToolUse(block) = ContentBlock::from_json(json(&block)) else {
            panic!("no call");
        };
        assert_eq!(describe_call(ToolCall::from_block(block)), expect);
    }
}

#[test]
fn a_call_without_input_or_name_is_unknown_but_there() {
    let call = ToolCall::from_block(ToolUseBlock::from_json(json("{}")));
    assert_eq!(describe_call(call), "unknown - null");
}

fn describe_outcome(outcome: ToolOutcome<'_>) -> String {
    let outcome = match outcome {
        ToolOutcome::Structured(outcome) => outcome,
        ToolOutcome::Text(text) => return format!("text {}", text.decode()),
        ToolOutcome::Blocks(content) => return format!("blocks {}", content.blocks().count()),
        ToolOutcome::Other(json) => return format!("other {json:?}"),
    };
    match outcome {
        Outcome::Read(read) => {
            let file = read.file.unwrap();
            format!(
                "read {} {} {:?}",
                said(read.type_text),
                said(file.file_path),
                file.total_lines
            )
        }
        Outcome::Write(write) => {
            format!("write {} {:?}", said(write.type_text), write.original_file)
        }
        Outcome::Edit(edit) => {
            let hunks = edit.structured_patch.into_iter().flatten();
            let lines = hunks.flat_map(|hunk| hunk.lines.unwrap());
            format!(
                "edit {}",
                lines
                    .map(|line| said(Some(line)))
                    .collect::<Vec<_>>()
                    .join("|")
            )
        }
        Outcome::Bash(bash) => format!("bash {} {:?}", said(bash.stdout), bash.interrupted),
        Outcome::Agent(agent) => format!("agent {} {}", said(agent.agent_id), said(agent.status)),
        Outcome::Unknown { name, .. } => format!("unknown {}", said(name)),
        Outcome::WebSearch(search) => search.hits().map(|hit| said(hit.url)).collect(),
        Outcome::AskUserQuestion(asked) => {
            let answers = asked.answers.unwrap().iter();
            answers
                .map(|(question, answer)| format!("{}={answer:?}", question.decode()))
                .collect()
        }
        Outcome::Mcp(mcp) => format!("mcp {:?}", mcp.structured_content),
        other => {
            let name = format!("{other:?}");
            name.split('(').next().unwrap_or_default().to_owned()
        }
    }
}

fn check_outcome(tool: Option<&str>, outcome: &str, expect: &str) {
    let name = tool.map(|tool| format!("\"{tool}\""));
    let name = name.as_deref().and_then(|name| json(name).text());
    let found = describe_outcome(ToolOutcome::from_json(json(outcome), name));
    assert_eq!(found, expect, "{tool:?} {outcome}");
}

const OUTCOMES: &[(&str, &str, &str)] = &[
    (
        "Read",
        r#"{"type":"text","file":{"filePath":"/a","totalLines":9}}"#,
        "read text /a Some(9)",
    ),
    (
        "Write",
        r#"{"type":"create","filePath":"/a","structuredPatch":[],"originalFile":null}"#,
        "write create None",
    ),
    (
        "Edit",
        r#"{"filePath":"/a","oldString":"x","originalFile":"x","structuredPatch":[{"oldStart":1,"lines":[" a","-x","+y"]}]}"#,
        "edit  a|-x|+y",
    ),
    (
        "Write",
        r#"{"type":"create","filePath":"/a","content":"x","structuredPatch":[]}"#,
        "write create None",
    ),
    (
        "Edit",
        r#"{"oldString":"x","structuredPatch":"paper"}"#,
        "edit ",
    ),
    (
        "MultiEdit",
        r#"{"edits":[{}],"originalFileContents":"x"}"#,
        "edit ",
    ),
    (
        "Bash",
        r#"{"stdout":"ok","stderr":"","interrupted":false,"isImage":false}"#,
        "bash ok Some(false)",
    ),
    (
        "BashOutput",
        r#"{"shellId":"b","stdout":"ok"}"#,
        "TaskOutput",
    ),
    (
        "Glob",
        r#"{"filenames":[],"durationMs":1,"numFiles":0,"truncated":false}"#,
        "Glob",
    ),
    (
        "Grep",
        r#"{"mode":"count","numFiles":0,"filenames":[]}"#,
        "Grep",
    ),
    ("TodoWrite", r#"{"oldTodos":[],"newTodos":[]}"#, "TodoWrite"),
    ("TaskCreate", r#"{"task":{"id":"1"}}"#, "Task"),
    (
        "TaskUpdate",
        r#"{"success":true,"taskId":"1","updatedFields":["status"]}"#,
        "TaskUpdate",
    ),
    (
        "WebFetch",
        r#"{"bytes":1,"code":200,"codeText":"OK","url":"u"}"#,
        "WebFetch",
    ),
    (
        "WebSearch",
        r#"{"query":"q","results":[{"content":[{"title":"t","url":"u1"}]},"words"],"durationSeconds":1.5}"#,
        "u1",
    ),
    (
        "Task",
        r#"{"status":"completed","agentId":"a1","prompt":"p"}"#,
        "agent a1 completed",
    ),
    (
        "Agent",
        r#"{"isAsync":true,"status":"async_launched","agentId":"a2"}"#,
        "agent a2 async_launched",
    ),
    (
        "AskUserQuestion",
        r#"{"questions":[],"answers":{"Q":"A"}}"#,
        r#"Q="A""#,
    ),
    (
        "ExitPlanMode",
        r#"{"plan":"p","isAgent":false}"#,
        "ExitPlanMode",
    ),
    ("Skill", r#"{"success":true,"commandName":"s"}"#, "Skill"),
    (
        "ToolSearch",
        r#"{"matches":["A"],"query":"q","total_deferred_tools":3}"#,
        "ToolSearch",
    ),
    (
        "mcp__demo__add",
        r#"{"content":"3","structuredContent":{"sum":3}}"#,
        r#"mcp Some({"sum":3})"#,
    ),
];

#[test]
fn outcomes_with_and_without_the_call() {
    for (tool, outcome, expect) in OUTCOMES {
        check_outcome(Some(tool), outcome, expect);
        check_outcome(None, outcome, expect);
    }
}

#[test]
fn outcomes_that_are_no_object() {
    check_outcome(
        Some("Bash"),
        r#""Error: Exit code 3""#,
        "text Error: Exit code 3",
    );
    check_outcome(None, r#"[{"type":"text","text":"a"}]"#, "blocks 1");
    check_outcome(None, "null", "other null");
    check_outcome(Some("Teleport"), r#"{"x":1}"#, "unknown Teleport");
    check_outcome(
        Some("Teleport"),
        r#"{"stdout":"","interrupted":false}"#,
        "bash  Some(false)",
    );
}
