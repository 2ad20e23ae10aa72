//! What came of a call, in a few words.

use ravel_format::tool::{
    AgentOutcome, BashOutcome, GlobOutcome, GrepOutcome, Outcome, ReadOutcome, WebFetchOutcome,
    WebSearchOutcome, WriteOutcome,
};
use ravel_format::{Timestamp, ToolCall};

use super::CallState;
use super::read::{Reading, decoded};
use crate::amount::{bytes, count, counted};
use crate::when;

/// Shorter calls do not say how long they took.
const WORTH_SAYING_MS: u64 = 1000;

/// Returns the notes of a call.
pub(super) fn notes(
    reading: &Reading<'_>,
    called_at: Option<Timestamp>,
    state: CallState,
) -> Vec<String> {
    let mut notes = match state {
        CallState::Done => outcome_notes(reading),
        CallState::Failed => vec![exit_code(reading.answer()).map_or_else(
            || CallState::Failed.name().to_owned(),
            |(code, _)| format!("exit {code}"),
        )],
        CallState::Denied if reading.answer().starts_with("[Request interrupted") => {
            vec!["interrupted".to_owned()]
        }
        CallState::Denied | CallState::Unanswered => vec![state.name().to_owned()],
    };
    notes.extend(duration(reading, called_at));
    notes.retain(|note| !note.is_empty());
    notes
}

/// Returns the exit code that an error starts with, and the rest.
pub(super) fn exit_code(answer: &str) -> Option<(i32, &str)> {
    let answer = answer.strip_prefix("Error: ").unwrap_or(answer);
    let rest = answer.strip_prefix("Exit code ")?;
    let (code, rest) = rest.split_once('\n').unwrap_or((rest, ""));
    Some((code.trim().parse().ok()?, rest))
}

fn outcome_notes(reading: &Reading<'_>) -> Vec<String> {
    match reading.outcome() {
        Some(Outcome::Read(outcome)) => vec![read_note(outcome)],
        Some(Outcome::Write(outcome)) => vec![write_note(outcome)],
        Some(Outcome::Bash(outcome)) => bash_notes(outcome),
        Some(Outcome::TaskOutput(outcome)) => {
            let code = outcome.exit_code.map(|code| format!("exit {code}"));
            vec![
                decoded(outcome.status.or(outcome.retrieval_status)),
                code.unwrap_or_default(),
            ]
        }
        Some(Outcome::Glob(outcome)) => glob_notes(outcome),
        Some(Outcome::Grep(outcome)) => vec![grep_note(outcome)],
        Some(Outcome::WebFetch(outcome)) => fetch_notes(outcome),
        Some(Outcome::WebSearch(outcome)) => search_notes(outcome),
        Some(Outcome::Agent(outcome)) => agent_notes(outcome),
        Some(Outcome::ToolSearch(outcome)) => {
            let n_found = outcome.matches.into_iter().flatten().count();
            vec![counted(n_found, "tool")]
        }
        None | Some(Outcome::Unknown { .. } | Outcome::Mcp(_)) => answer_notes(reading),
        Some(_) => Vec::new(),
    }
}

/// Old clients and servers keep only the text.
fn answer_notes(reading: &Reading<'_>) -> Vec<String> {
    match (&reading.call, reading.answer().trim_end()) {
        (_, "")
        | (Some(ToolCall::Bash(_) | ToolCall::Agent(_) | ToolCall::AskUserQuestion(_)), _) => {
            Vec::new()
        }
        (_, answer) => vec![counted(answer.lines().count(), "line")],
    }
}

fn read_note(outcome: ReadOutcome<'_>) -> String {
    let Some(file) = outcome.file else {
        return String::new();
    };
    if let Some(n_lines) = file.num_lines {
        return match file.total_lines {
            Some(total) if total > n_lines => format!("{n_lines} of {total} lines"),
            _ => counted(n_lines, "line"),
        };
    }
    let kind = decoded(file.media_type.or(outcome.type_text));
    let size = file.original_size.map(bytes).unwrap_or_default();
    format!("{kind} {size}").trim().to_owned()
}

fn write_note(outcome: WriteOutcome<'_>) -> String {
    let is_new = outcome.type_text.is_some_and(|kind| kind.is("create"));
    if is_new { "new file" } else { "" }.to_owned()
}

fn bash_notes(outcome: BashOutcome<'_>) -> Vec<String> {
    let mut notes = vec![decoded(outcome.return_code_interpretation)];
    if outcome.interrupted == Some(true) {
        notes.push("interrupted".into());
    }
    if outcome.background_task_id.is_some() {
        notes.push("in background".into());
    }
    notes
}

fn glob_notes(outcome: GlobOutcome<'_>) -> Vec<String> {
    let n_files = outcome.total_matches.or(outcome.num_files).unwrap_or(0);
    let cut = outcome.truncated == Some(true);
    let cut = if cut { "cut short" } else { "" };
    vec![counted(n_files, "file"), cut.into()]
}

fn grep_note(outcome: GrepOutcome<'_>) -> String {
    let mode = decoded(outcome.mode);
    match mode.as_str() {
        "content" => outcome.num_lines.map(|n| counted(n, "line")),
        "count" => outcome.num_matches.map(|n| match n {
            1 => "1 match".to_owned(),
            _ => format!("{n} matches"),
        }),
        _ => outcome.num_files.map(|n| counted(n, "file")),
    }
    .unwrap_or_default()
}

fn fetch_notes(outcome: WebFetchOutcome<'_>) -> Vec<String> {
    let code = outcome.code.map(|code| code.to_string());
    let status = format!(
        "{} {}",
        code.unwrap_or_default(),
        decoded(outcome.code_text)
    );
    let size = outcome.bytes.map(bytes).unwrap_or_default();
    vec![status.trim().to_owned(), size]
}

fn search_notes(outcome: WebSearchOutcome<'_>) -> Vec<String> {
    vec![counted(outcome.hits().count(), "result")]
}

fn agent_notes(outcome: AgentOutcome<'_>) -> Vec<String> {
    if outcome.status.is_some_and(|it| it.is("async_launched")) {
        return vec!["in background".into()];
    }
    let calls = outcome.total_tool_use_count;
    let tokens = outcome.total_tokens;
    vec![
        calls.map(|n| counted(n, "call")).unwrap_or_default(),
        tokens
            .map(|n| format!("{} tokens", count(n)))
            .unwrap_or_default(),
    ]
}

/// Returns how long the call took; not for questions, where the person took the time.
fn duration(reading: &Reading<'_>, called_at: Option<Timestamp>) -> Option<String> {
    if matches!(
        reading.call,
        Some(ToolCall::AskUserQuestion(_) | ToolCall::ExitPlanMode(_))
    ) {
        return None;
    }
    let recorded = match reading.outcome() {
        Some(Outcome::Agent(outcome)) => outcome.total_duration_ms,
        _ => None,
    };
    let elapsed = || {
        let Timestamp(start) = called_at?;
        let Timestamp(end) = reading.result?.time?;
        u64::try_from(end.saturating_sub(start)).ok()
    };
    let ms = recorded.or_else(elapsed)?;
    (ms >= WORTH_SAYING_MS).then(|| when::duration(ms))
}
