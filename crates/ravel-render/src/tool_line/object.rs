//! What a call does, and to what.

use ravel_format::tool::{
    AgentCall, AskUserQuestionCall, GrepCall, McpCall, Outcome, ReadCall, SendMessageCall,
    TaskUpdateCall, TodoWriteCall,
};
use ravel_format::{Json, JsonText, ToolCall};

use super::read::{Reading, decoded};
use super::relative;

/// Objects are cut here: one line never shows more, and a command may be a megabyte.
const LONGEST: usize = 400;

/// Returns the verb: the name of the tool, or `mcp` for the tools of servers.
pub(super) fn verb(reading: &Reading<'_>) -> String {
    match reading.call {
        Some(ToolCall::Mcp(_)) => "mcp".to_owned(),
        _ if reading.name.trim().is_empty() => "tool".to_owned(),
        _ => one_line(reading.name),
    }
}

/// Tells whether a tool only looks.
pub(super) fn is_read_only(name: &str) -> bool {
    matches!(
        name,
        "Read" | "Glob" | "Grep" | "LS" | "TaskList" | "TaskGet" | "ToolSearch"
    )
}

/// Returns the object of a call.
pub(super) fn object(reading: &Reading<'_>, cwd: Option<&str>) -> String {
    let path = |text: Option<JsonText<'_>>| relative(&decoded(text), cwd).to_owned();
    let object = match reading.call {
        Some(ToolCall::Read(call)) => read_object(call, reading, path(call.file_path)),
        Some(ToolCall::Write(call)) => path(call.file_path),
        Some(ToolCall::Edit(call)) => path(call.file_path),
        Some(ToolCall::MultiEdit(call)) => path(call.file_path),
        Some(ToolCall::NotebookEdit(call)) => path(call.notebook_path),
        Some(ToolCall::Bash(call)) => decoded(call.command),
        Some(ToolCall::TaskOutput(call)) => decoded(call.task_id),
        Some(ToolCall::TaskStop(call)) => decoded(call.task_id),
        Some(ToolCall::Glob(call)) => within(decoded(call.pattern), &path(call.path)),
        Some(ToolCall::Grep(call)) => grep_object(call, &path(call.path)),
        Some(ToolCall::Ls(call)) => path(call.path),
        Some(ToolCall::TodoWrite(call)) => todo_object(call),
        Some(ToolCall::TaskCreate(call)) => decoded(call.subject),
        Some(ToolCall::TaskUpdate(call)) => task_object(call),
        Some(ToolCall::TaskGet(call)) => format!("#{}", decoded(call.task_id)),
        Some(ToolCall::WebFetch(call)) => decoded(call.url),
        Some(ToolCall::WebSearch(call)) => decoded(call.query),
        Some(ToolCall::Agent(call)) => agent_object(call),
        Some(ToolCall::AskUserQuestion(call)) => question_object(call),
        Some(ToolCall::ExitPlanMode(call)) => heading(&decoded(call.plan)),
        Some(ToolCall::Skill(call)) => joined(&[decoded(call.skill), decoded(call.args)], " "),
        Some(ToolCall::SlashCommand(call)) => decoded(call.command),
        Some(ToolCall::ToolSearch(call)) => decoded(call.query),
        Some(ToolCall::SendMessage(call)) => message_object(call),
        Some(ToolCall::Mcp(call)) => mcp_object(call),
        Some(ToolCall::TaskList(_) | ToolCall::EnterPlanMode(_)) => String::new(),
        _ => reading.input.map(first_text).unwrap_or_default(),
    };
    one_line(&object)
}

fn read_object(call: ReadCall<'_>, reading: &Reading<'_>, path: String) -> String {
    if let Some(pages) = call.pages {
        return format!("{path} pages {}", pages.decode());
    }
    if call.offset.is_none() && call.limit.is_none() {
        return path;
    }
    let file = match reading.outcome() {
        Some(Outcome::Read(outcome)) => outcome.file,
        _ => None,
    };
    let asked = call.offset.and_then(|offset| u64::try_from(offset).ok());
    let first = asked.unwrap_or(1).max(1);
    let n_lines = file.and_then(|file| file.num_lines).or(call.limit);
    match n_lines {
        Some(n_lines) if n_lines > 0 => {
            format!("{path} {first}–{}", first.saturating_add(n_lines - 1))
        }
        _ => format!("{path} {first}–"),
    }
}

fn grep_object(call: GrepCall<'_>, path: &str) -> String {
    let filter = call.glob.or(call.file_type);
    let path = if path == "." { "" } else { path };
    let place = joined(&[path.to_owned(), decoded(filter)], " ");
    within(format!("\"{}\"", decoded(call.pattern)), &place)
}

fn within(object: String, place: &str) -> String {
    if place.is_empty() || place == "." {
        object
    } else {
        format!("{object} in {place}")
    }
}

fn todo_object(call: TodoWriteCall<'_>) -> String {
    let todos = || call.todos.into_iter().flatten();
    let is_done = |status: JsonText<'_>| status.is("completed");
    let n_done = todos()
        .filter(|todo| todo.status.is_some_and(is_done))
        .count();
    format!("{n_done} of {} done", todos().count())
}

fn task_object(call: TaskUpdateCall<'_>) -> String {
    let words = [
        format!("#{}", decoded(call.task_id)),
        decoded(call.status).replace('_', " "),
        decoded(call.subject),
    ];
    joined(&words, " ")
}

fn agent_object(call: AgentCall<'_>) -> String {
    let description = decoded(call.description.or(call.prompt));
    joined(&[decoded(call.subagent_type), description], ": ")
}

fn question_object(call: AskUserQuestionCall<'_>) -> String {
    let first = call.questions.and_then(|questions| questions.iter().next());
    first
        .map(|question| decoded(question.question))
        .unwrap_or_default()
}

fn message_object(call: SendMessageCall<'_>) -> String {
    joined(&[decoded(call.to), decoded(call.summary)], ": ")
}

fn mcp_object(call: McpCall<'_>) -> String {
    let tool = joined(
        &[
            call.server.unwrap_or_default(),
            call.tool.unwrap_or_default(),
        ]
        .map(str::to_owned),
        " ",
    );
    joined(&[tool, first_text(call.json)], ": ")
}

/// Returns the first argument that is a text.
fn first_text(input: Json<'_>) -> String {
    let mut texts = input.entries().filter_map(|(_, value)| value.str());
    texts
        .next()
        .map(std::borrow::Cow::into_owned)
        .unwrap_or_default()
}

/// Returns the first line of Markdown that says something, without heading marks.
fn heading(plan: &str) -> String {
    let mut lines = plan.lines().map(|line| line.trim_start_matches('#').trim());
    lines
        .find(|line| !line.is_empty())
        .unwrap_or_default()
        .to_owned()
}

fn joined(parts: &[String], separator: &str) -> String {
    let parts = parts.iter().filter(|part| !part.is_empty());
    parts
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(separator)
}

/// Returns the first line, with a mark when there is more.
fn one_line(text: &str) -> String {
    let text = text.trim();
    let first = text.lines().next().unwrap_or_default().trim_end();
    let end = first.floor_char_boundary(LONGEST);
    let cut = first.get(..end).unwrap_or_default();
    if cut.len() < text.len() {
        format!("{cut} …")
    } else {
        cut.to_owned()
    }
}
