//! Lines of calls.

use ravel_model::step::What;
use ravel_testkit::Outcome;
use serde_json::{Value, json};

use super::{CallState, ToolLine, relative};
use crate::testing::{first_call, with_session};

#[track_caller]
fn check(name: &str, input: Value, outcome: &Outcome, expected: &str) {
    let line = line_of(name, input, Some(outcome));
    assert_eq!(line.text(), expected);
}

fn line_of(name: &str, input: Value, outcome: Option<&Outcome>) -> ToolLine {
    let write = |session: &mut ravel_testkit::SessionBuilder| {
        session.prompt("go");
        let call = session.tool_use(name, input);
        if let Some(outcome) = outcome {
            session.tool_result(&call, outcome);
        }
    };
    with_session(write, |session| {
        let step = first_call(session);
        let What::Call(call) = &step.what else {
            unreachable!()
        };
        // The time of the call is left out: how long it took is not of the line's making.
        ToolLine::of(call, None, Some("/home/robin/kiln"))
    })
}

#[test]
fn files_are_named_from_the_folder_of_the_session() {
    let path = "/home/robin/kiln/src/main.rs";
    let text = "a\nb\nc\n";
    check(
        "Read",
        json!({"file_path": path}),
        &Outcome::read(path, text),
        "Read src/main.rs · 4 lines",
    );
    check(
        "Read",
        json!({"file_path": path, "offset": 5, "limit": 4}),
        &Outcome::read(path, text),
        "Read src/main.rs 5–8 · 4 lines",
    );
    check(
        "Write",
        json!({"file_path": path, "content": text}),
        &Outcome::create(path, text),
        "Write src/main.rs +3 −0 · new file",
    );
    check(
        "Edit",
        json!({"file_path": path, "old_string": "b", "new_string": "x\ny"}),
        &Outcome::edit(path, text, "b", "x\ny"),
        "Edit src/main.rs +2 −1",
    );
    check(
        "Read",
        json!({"file_path": "/etc/hosts"}),
        &Outcome::failed("no"),
        "Read /etc/hosts · failed",
    );
}

#[test]
fn searches_say_what_and_where() {
    check(
        "Grep",
        json!({"pattern": "fn main", "path": "/home/robin/kiln/src"}),
        &Outcome::grep_files(&["a", "b"]),
        "Grep \"fn main\" in src · 2 files",
    );
    check(
        "Grep",
        json!({"pattern": "x", "path": "/home/robin/kiln", "glob": "*.rs"}),
        &Outcome::grep_content("a:x\nb:x"),
        "Grep \"x\" in *.rs · 2 lines",
    );
    check(
        "Glob",
        json!({"pattern": "**/*.rs"}),
        &Outcome::glob(&["a.rs"]),
        "Glob **/*.rs · 1 file",
    );
}

#[test]
fn commands_show_their_first_line_and_exit_code() {
    check(
        "Bash",
        json!({"command": "cargo test"}),
        &Outcome::bash("ok"),
        "Bash cargo test",
    );
    check(
        "Bash",
        json!({"command": "cat <<E\nx\nE"}),
        &Outcome::bash("x"),
        "Bash cat <<E …",
    );
    check(
        "Bash",
        json!({"command": "false"}),
        &Outcome::bash_error(1, "no"),
        "Bash false · exit 1",
    );
}

#[test]
fn other_tools_say_their_main_thing() {
    let done = Outcome::text("ok", json!({}));
    check(
        "Task",
        json!({"subagent_type": "Explore", "description": "find the parser", "prompt": "p"}),
        &done,
        "Task Explore: find the parser",
    );
    let todos =
        json!([{"content": "a", "status": "completed"}, {"content": "b", "status": "pending"}]);
    check(
        "TodoWrite",
        json!({"todos": todos}),
        &done,
        "TodoWrite 1 of 2 done",
    );
    check(
        "WebSearch",
        json!({"query": "rust sse"}),
        &done,
        "WebSearch rust sse · 0 results",
    );
    check(
        "TaskUpdate",
        json!({"taskId": "3", "status": "in_progress"}),
        &done,
        "TaskUpdate #3 in progress",
    );
    check(
        "mcp__git_hub__search_code",
        json!({"n": 1, "q": "tail"}),
        &Outcome::mcp("a\nb"),
        "mcp git_hub search_code: tail · 2 lines",
    );
    check(
        "Frobnicate",
        json!({"n": 1, "what": "it"}),
        &Outcome::failed("no"),
        "Frobnicate it · failed",
    );
    check(
        "Frobnicate",
        json!(null),
        &Outcome::failed("no"),
        "Frobnicate · failed",
    );
}

#[test]
fn what_was_not_allowed_is_told_from_what_failed() {
    let refused = Outcome::refused("The user doesn't want to run this.");
    let state =
        |outcome: Option<&Outcome>| line_of("Bash", json!({"command": "rm x"}), outcome).state;
    assert_eq!(state(Some(&refused)), CallState::Denied);
    assert_eq!(state(Some(&Outcome::failed("no"))), CallState::Failed);
    assert_eq!(state(Some(&Outcome::bash("x"))), CallState::Done);
    assert_eq!(state(None), CallState::Unanswered);
}

#[test]
fn only_what_is_inside_is_relative() {
    for (path, cwd, expected) in [
        ("/a/b/c", Some("/a/b"), "c"),
        ("/a/b/c", Some("/a/b/"), "c"),
        ("/a/b", Some("/a/b"), "."),
        ("/a/bc", Some("/a/b"), "/a/bc"),
        ("/a/b", None, "/a/b"),
        ("/a/b", Some("/"), "/a/b"),
        (r"C:\a\b", Some(r"C:\a"), "b"),
    ] {
        assert_eq!(relative(path, cwd), expected, "{path} {cwd:?}");
    }
}
