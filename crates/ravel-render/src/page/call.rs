//! A tool call: its line, and below it what was asked and answered.

use maud::html;
use ravel_format::{Json, JsonKind};
use ravel_model::step::{Call, CallResult, RawJson, Step};

use super::paper::{Paper, elapsed};
use super::step::{cut, json, picture, plain, prose};
use crate::code::Language;
use crate::diff::Diff;
use crate::html::{self, Icon, Mark, Markup, Origin, State, ToolCall};
use crate::tool_line::{Answer, Body, CallState, Detail, Link, Progress, TodoItem, ToolLine};
use crate::when;

/// Changes and new files of at most this many lines are open.
const SHORT_CHANGE: usize = 30;

/// Lines of a diff that a page shows.
const MAX_DIFF: usize = 4000;

/// A call on the page.
pub(super) struct RenderedCall {
    pub(super) markup: Markup,
    /// Whether it says little by itself, so that it may be folded into a run.
    pub(super) is_quiet: bool,
    pub(super) failed: bool,
}

/// Renders a call that no agent ran for.
pub(super) fn call(paper: &Paper<'_, '_>, id: &str, step: &Step, call: &Call) -> RenderedCall {
    let line = ToolLine::of(call, step.time, paper.folder);
    let detail = Detail::of(call);
    let is_open = is_open(&detail.body);
    let body = body(paper, call, detail);
    let time = took(step, call);
    let note = note(&line, &time);
    let words = ToolCall {
        icon: icon(&call.name),
        verb: &line.verb,
        object: &line.object,
        note: &note,
        state: state(line.state),
        time: &time,
    };
    RenderedCall {
        markup: html::tool(id, &words, &body, is_open),
        is_quiet: is_quiet(&call.name),
        failed: line.state == CallState::Failed,
    }
}

/// Returns how long a call took.
pub(super) fn took(step: &Step, call: &Call) -> String {
    let answered = call.result.as_ref().and_then(|result| result.time);
    elapsed(step.time, answered)
        .map(when::duration)
        .unwrap_or_default()
}

/// Returns how a call went.
pub(super) fn state(state: CallState) -> State {
    match state {
        CallState::Done => State::Done,
        CallState::Failed => State::Failed,
        CallState::Denied => State::Waiting,
        CallState::Unanswered => State::Running,
    }
}

/// Returns an answer without its call.
pub(super) fn answer(paper: &Paper<'_, '_>, result: &CallResult) -> Markup {
    let mut markup = output(paper, &result.text);
    for shown in &result.pictures {
        markup.0.push_str(&picture(shown).0);
    }
    markup
}

/// Returns the notes of a line; its time stands elsewhere.
fn note(line: &ToolLine, time: &str) -> String {
    let change = line
        .change
        .map(|(added, removed)| format!("+{added} −{removed}"));
    let said = |note: &String| note != time && note != line.state.name();
    let notes = line.notes.iter().filter(|note| said(note)).cloned();
    let parts: Vec<String> = change.into_iter().chain(notes).collect();
    parts.join(" · ")
}

fn body(paper: &Paper<'_, '_>, call: &Call, detail: Detail) -> Markup {
    let result = call.result.as_ref();
    let mut markup = result
        .map(|result| html::target(&result.uuid))
        .unwrap_or_default();
    markup.0.push_str(&view(paper, call, detail.body).0);
    if !detail.error.trim().is_empty() {
        markup.0.push_str(&failure(paper, &detail.error).0);
    }
    for shown in result.into_iter().flat_map(|result| &result.pictures) {
        markup.0.push_str(&picture(shown).0);
    }
    if result.is_none() {
        markup
            .0
            .push_str(&html::not_shown("There is no result in the file").0);
    }
    markup
}

fn view(paper: &Paper<'_, '_>, call: &Call, body: Body) -> Markup {
    match body {
        Body::Nothing => Markup::default(),
        Body::Change { diff, .. } => html::diff_html(&diff, MAX_DIFF),
        Body::NewFile { path, text } => numbered(paper, &path, &text, 1, Origin::Written),
        Body::Source {
            path,
            text,
            first_line,
        } => numbered(paper, &path, &text, first_line as u64, Origin::Read),
        Body::Command { command, output } => cut(paper, &output, |output| {
            html::terminal_html(&command, output)
        }),
        Body::Todos(items) => html::checklist(&todos(&items)),
        Body::Answers(answers) => html! { @for answer in &answers { (question(answer)) } },
        Body::Plan(plan) => html! { div.plan { (prose(paper, &plan)) } },
        Body::Links(links) => linked(&links),
        Body::Prose(text) => prose(paper, &text),
        Body::Output(text) => found(paper, call, &text),
        Body::Arguments { json, output } => arguments(paper, &json, &output),
    }
}

fn is_open(body: &Body) -> bool {
    match body {
        Body::Change { diff, .. } => is_short(diff),
        Body::NewFile { text, .. } => text.lines().count() <= SHORT_CHANGE,
        Body::Todos(_) | Body::Answers(_) | Body::Plan(_) => true,
        _ => false,
    }
}

fn is_short(diff: &Diff) -> bool {
    diff.n_lines() <= SHORT_CHANGE
}

fn numbered(paper: &Paper<'_, '_>, path: &str, text: &str, first: u64, origin: Origin) -> Markup {
    cut(paper, text, |text| {
        html::numbered_html(text, first, Language::OfPath(path), origin)
    })
}

/// Returns an answer that is text: a file with numbers, a list of paths, or just text.
fn found(paper: &Paper<'_, '_>, call: &Call, text: &str) -> Markup {
    match call.name.as_str() {
        "Read" => match without_numbers(text) {
            Some((first, code)) => {
                let path = input_text(call, "file_path");
                numbered(paper, &path, &code, first, Origin::Read)
            }
            None => output(paper, text),
        },
        "Glob" | "Grep" => cut(paper, text, |text| {
            html::lines(&text.lines().collect::<Vec<_>>())
        }),
        _ => output(paper, text),
    }
}

/// Splits off the numbers that a read file comes with: `  12→text`, or a tab for the arrow.
///
/// Agents keep only this form. What follows the numbered lines, a note to the model, is kept.
fn without_numbers(text: &str) -> Option<(u64, String)> {
    let split = |line: &str| -> Option<(u64, String)> {
        let (number, rest) = line.split_once(['→', '\t'])?;
        Some((number.trim_start().parse().ok()?, rest.to_owned()))
    };
    let (first, _) = split(text.lines().next()?)?;
    let lines = text
        .lines()
        .map(|line| split(line).map_or_else(|| line.to_owned(), |(_, rest)| rest));
    Some((first, lines.collect::<Vec<_>>().join("\n")))
}

fn input_text(call: &Call, key: &str) -> String {
    let input = call.input.as_ref().and_then(RawJson::json);
    input
        .and_then(|input| Some(input.get(key)?.str()?.into_owned()))
        .unwrap_or_default()
}

/// Returns an answer of any tool: JSON indented, anything else as a terminal shows it.
fn output(paper: &Paper<'_, '_>, text: &str) -> Markup {
    let text = text.trim_end();
    if text.is_empty() {
        return Markup::default();
    }
    if text.starts_with(['{', '[']) && Json::parse(text.as_bytes()).is_ok() {
        return json(paper, text);
    }
    cut(paper, text, |text| html::terminal_html("", text))
}

fn failure(paper: &Paper<'_, '_>, error: &str) -> Markup {
    html! { div.error { (cut(paper, error, |text| html::terminal_html("", text))) } }
}

/// Returns the input of a tool that has no view of its own, by name, and its answer.
fn arguments(paper: &Paper<'_, '_>, input: &str, answer: &str) -> Markup {
    let parsed = Json::parse(input.as_bytes()).ok();
    let names = |json: Json<'_>| -> Vec<(String, Markup)> {
        json.entries()
            .map(|(name, value)| (name.decode().into_owned(), argument(paper, value)))
            .collect()
    };
    let mut markup = match parsed {
        Some(object) if object.kind() == JsonKind::Object => html::definitions(&names(object)),
        _ => json(paper, input),
    };
    markup.0.push_str(&output(paper, answer).0);
    markup
}

fn argument(paper: &Paper<'_, '_>, value: Json<'_>) -> Markup {
    let raw = || String::from_utf8_lossy(value.raw()).into_owned();
    match value.kind() {
        JsonKind::Text => plain(paper, &value.str().unwrap_or_default()),
        JsonKind::Object | JsonKind::Array => json(paper, &raw()),
        _ => html::text_html(&raw()),
    }
}

fn todos(items: &[TodoItem]) -> Vec<(Mark, &str, &str)> {
    let mark = |progress| match progress {
        Progress::Pending => Mark::Open,
        Progress::Active => Mark::Active,
        Progress::Done => Mark::Done,
    };
    let items = items.iter();
    items
        .map(|item| (mark(item.progress), item.text.as_str(), ""))
        .collect()
}

fn question(answer: &Answer) -> Markup {
    let is_chosen = |option: &str| answer.answer.split(", ").any(|chosen| chosen == option);
    let options: Vec<(Mark, &str, &str)> = answer
        .options
        .iter()
        .map(|option| match is_chosen(option) {
            true => (Mark::Done, option.as_str(), ""),
            false => (Mark::Open, option.as_str(), ""),
        })
        .collect();
    let is_free = !options.iter().any(|(mark, ..)| *mark == Mark::Done);
    html! {
        div.question {
            (html::text_html(&answer.question))
            (html::checklist(&options))
            @if is_free && !answer.answer.is_empty() {
                (html::text_html(&format!("You answered: {}", answer.answer)))
            }
        }
    }
}

fn linked(links: &[Link]) -> Markup {
    let links: Vec<(&str, &str)> = links
        .iter()
        .map(|link| (link.title.as_str(), link.url.as_str()))
        .collect();
    html::links(&links)
}

/// Tells whether calls of a tool may be folded into a run; what changes something never is.
fn is_quiet(tool: &str) -> bool {
    !matches!(
        tool,
        "Edit"
            | "Write"
            | "MultiEdit"
            | "NotebookEdit"
            | "TodoWrite"
            | "Task"
            | "Agent"
            | "AskUserQuestion"
            | "ExitPlanMode"
            | "exit_plan_mode"
    )
}

pub(super) fn icon(tool: &str) -> Icon {
    match tool {
        "Read" | "LS" => Icon::File,
        "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => Icon::Pencil,
        "Bash" | "PowerShell" | "BashOutput" | "TaskOutput" | "KillShell" | "TaskStop" => {
            Icon::Terminal
        }
        "Grep" | "Glob" | "ToolSearch" => Icon::Search,
        "WebFetch" | "WebSearch" | "web_search" | "web_fetch" => Icon::Globe,
        "Task" | "Agent" | "SendMessage" => Icon::Agent,
        "TodoWrite" | "TaskCreate" | "TaskUpdate" | "TaskList" | "TaskGet" => Icon::List,
        "AskUserQuestion" | "ExitPlanMode" | "EnterPlanMode" | "exit_plan_mode" => Icon::Question,
        _ => Icon::Tool,
    }
}
