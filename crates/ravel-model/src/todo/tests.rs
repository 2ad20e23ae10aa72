//! Lists that change.

use crate::session::{Session, Transcript};

use super::{TodoStatus, timeline};

/// Writes each change as `text:from>to`, changes of one call joined with `,`, calls with ` | `.
fn check(lines: &[String], expected: &str) {
    let bytes = lines.join("\n").into_bytes();
    let transcripts = [Transcript::from_bytes(bytes)];
    let session = Session::build(&transcripts);
    let mark = |status: &Option<TodoStatus>| {
        status
            .as_ref()
            .map_or("-".to_owned(), |status| status.name().to_owned())
    };
    let words: Vec<String> = timeline(session.main().unwrap())
        .iter()
        .map(|change| {
            let changes = change
                .changes
                .iter()
                .map(|item| format!("{}:{}>{}", item.text, mark(&item.from), mark(&item.to)));
            changes.collect::<Vec<_>>().join(",")
        })
        .collect();
    assert_eq!(words.join(" | "), expected);
}

fn call(n: usize, name: &str, input: &str) -> String {
    format!(
        r#"{{"type":"assistant","uuid":"c{n}","parentUuid":null,"timestamp":"2026-01-01T00:00:{n:02}.000Z","message":{{"id":"m{n}","content":[{{"type":"tool_use","id":"t{n}","name":"{name}","input":{input}}}]}}}}"#
    )
}

fn result(n: usize, is_error: bool, kept: &str) -> String {
    format!(
        r#"{{"type":"user","uuid":"r{n}","parentUuid":"c{n}","toolUseResult":{kept},"message":{{"content":[{{"type":"tool_result","tool_use_id":"t{n}","is_error":{is_error},"content":"x"}}]}}}}"#
    )
}

fn list(todos: &[(&str, &str)]) -> String {
    let items: Vec<String> = todos
        .iter()
        .map(|(text, status)| format!(r#"{{"content":"{text}","status":"{status}"}}"#))
        .collect();
    format!(r#"{{"todos":[{}]}}"#, items.join(","))
}

#[test]
fn a_written_list_is_compared_with_the_one_before() {
    check(
        &[
            call(
                1,
                "TodoWrite",
                &list(&[("a", "in_progress"), ("b", "pending")]),
            ),
            call(
                2,
                "TodoWrite",
                &list(&[("a", "completed"), ("c", "in_progress")]),
            ),
        ],
        "a:->in_progress,b:->pending | a:in_progress>completed,c:->in_progress,b:pending>-",
    );
}

#[test]
fn tasks_have_the_number_that_the_result_names() {
    check(
        &[
            call(1, "TaskCreate", r#"{"subject":"a"}"#),
            result(1, false, r#"{"task":{"id":"7"}}"#),
            call(
                2,
                "TaskUpdate",
                r#"{"taskId":"7","status":"completed","subject":"A"}"#,
            ),
            call(3, "TaskUpdate", r#"{"taskId":"7","status":"deleted"}"#),
        ],
        "a:->pending | A:pending>completed | A:completed>-",
    );
}

#[test]
fn a_failed_call_and_an_unknown_task() {
    check(
        &[
            call(1, "TodoWrite", &list(&[("a", "pending")])),
            result(1, true, r#""Error: no""#),
            call(2, "TaskUpdate", r#"{"taskId":"4","status":"odd"}"#),
            call(3, "TodoWrite", r#""not an object""#),
            call(4, "Bash", r#"{"command":"ls"}"#),
        ],
        "task 4:->odd",
    );
}

#[test]
fn calls_of_an_agent_inside_the_file_are_not_ours() {
    let ours = call(1, "TodoWrite", &list(&[("a", "pending")]));
    let theirs = call(2, "TodoWrite", &list(&[("b", "pending")]));
    let theirs = theirs.replacen('{', r#"{"isSidechain":true,"#, 1);
    check(&[ours, theirs], "a:->pending");
}
