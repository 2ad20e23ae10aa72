//! One step of a conversation.

use ravel_format::Kind;
use ravel_model::step::{
    Asker, CallResult, Compaction, Hook, HookState, Level, Picture, Prompt, Step, What,
};

use super::agent;
use super::call;
use super::flow::At;
use super::paper::{Paper, elapsed};
use crate::amount::{bytes, count, counted};
use crate::html::{self, Asked, Icon, Markup, State, ToolCall};
use crate::when;

/// A prompt with more lines than this is folded after the first few.
const LONG_PROMPT: usize = 40;

/// Lines of a folded prompt that stay in sight.
const SHORT_PROMPT: usize = 12;

/// Longer thoughts are no thoughts: the computer slept.
const MAX_THOUGHT_MS: u64 = 30 * 60_000;

/// Renders a step; `before` is the one before it, which tells how long thinking took.
pub(super) fn step(
    paper: &Paper<'_, '_>,
    at: At,
    id: &str,
    step: &Step,
    before: Option<&Step>,
) -> Markup {
    match &step.what {
        What::Prompt(asked) => prompt(paper, at, id, step, asked),
        What::Reply(text) => html::reply(id, &prose(paper, text)),
        What::Thinking(text) => thinking(paper, id, text, thought(step, before)),
        What::Call(made) => agent::call(paper, at, id, step, made),
        What::StrayResult(result) => stray(paper, at, id, result),
        What::Picture(shown) => html::output(id, &picture(shown)),
        What::Compaction(compaction) => compacted(paper, id, compaction),
        What::Microcompaction {
            tokens_saved,
            n_tools,
            ..
        } => html::divider(id, &cleared(*tokens_saved, *n_tools), None),
        What::Hook(ran) => hook(paper, id, ran),
        What::Notice { level, text } => notice(paper, id, *level, text),
        What::Retry {
            attempt,
            max,
            delay_ms,
            text,
        } => {
            let words = retried(*attempt, *max, *delay_ms, text);
            html::notice(id, Icon::Alert, State::Waiting, &words)
        }
        What::ApiError(text) => html::notice(id, Icon::Alert, State::Failed, text),
        What::Interruption(_) => {
            html::notice(id, Icon::Alert, State::Waiting, "Interrupted by the person")
        }
        What::Output(text) => output(paper, id, text),
        What::TurnEnd { duration_ms } => duration_ms
            .map(|ms| html::turn_end(&when::duration(ms)))
            .unwrap_or_default(),
        What::Hidden { label, text } => html::aside(id, label, &plain(paper, text)),
        What::Unknown { name, json } => unknown(paper, id, name, &json.text()),
        other => unknown(paper, id, "step", &format!("{other:?}")),
    }
}

/// Returns Markdown, cut where it is too long for a page.
pub(super) fn prose(paper: &Paper<'_, '_>, text: &str) -> Markup {
    cut(paper, text, html::markdown_html)
}

/// Returns text as it is, cut where it is too long for a page.
pub(super) fn plain(paper: &Paper<'_, '_>, text: &str) -> Markup {
    cut(paper, text, html::text_html)
}

/// Returns JSON, indented where it is small enough to be read.
pub(super) fn json(paper: &Paper<'_, '_>, text: &str) -> Markup {
    let (shown, remark) = paper.cut(text);
    // Half of a value cannot be indented.
    let indented = match remark {
        Some(_) => None,
        None => serde_json::from_str::<serde_json::Value>(shown)
            .and_then(|value| serde_json::to_string_pretty(&value))
            .ok(),
    };
    cut(paper, indented.as_deref().unwrap_or(text), html::json_html)
}

/// Renders the part of a text that the page shows, and says when that is not all.
pub(super) fn cut(paper: &Paper<'_, '_>, text: &str, view: impl FnOnce(&str) -> Markup) -> Markup {
    let (shown, remark) = paper.cut(text);
    let mut markup = view(shown);
    if let Some(remark) = remark {
        markup.0.push_str(&html::not_shown(&remark).0);
    }
    markup
}

/// Returns a picture, or a line that says why there is none.
pub(super) fn picture(picture: &Picture) -> Markup {
    let name = picture.name.as_deref().unwrap_or_default();
    if picture.base64.is_empty() {
        return html::not_shown(&format!("{name} is not in the file"));
    }
    // Four characters of base64 are three bytes.
    let size = bytes(picture.base64.len() as u64 / 4 * 3);
    let words = [name, &picture.media_type, &size];
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    html::image(&picture.media_type, &picture.base64, &words.join(" · "))
}

fn prompt(paper: &Paper<'_, '_>, at: At, id: &str, step: &Step, asked: &Prompt) -> Markup {
    let time = paper.clock(step.time);
    let who = if at.depth > 0 { "Task" } else { "You" };
    let mut body = match asked.asker {
        Asker::Task => return html::notice(id, Icon::Agent, State::Done, &asked.text),
        Asker::Summary => return html::divider(id, "Summary", Some(&prose(paper, &asked.text))),
        Asker::Shell => html::terminal_html(&asked.text, ""),
        Asker::Words | Asker::Command => words(paper, &asked.text),
    };
    for shown in &asked.pictures {
        body.0.push_str(&picture(shown).0);
    }
    html::prompt(id, Asked { who, time: &time }, &body)
}

/// Returns a prompt as it was written; of a long one, such as a paste, the start is in sight.
fn words(paper: &Paper<'_, '_>, text: &str) -> Markup {
    let text = text.trim_end();
    let n_lines = text.lines().count();
    if n_lines <= LONG_PROMPT {
        return if text.is_empty() {
            Markup::default()
        } else {
            plain(paper, text)
        };
    }
    let ends = text.match_indices('\n').map(|(end, _)| end);
    let end = ends.take(SHORT_PROMPT).last().unwrap_or(text.len());
    let (start, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let mut body = html::text_html(start);
    let label = format!("+{}", counted(n_lines - SHORT_PROMPT, "line"));
    let rest = plain(paper, rest.trim_start_matches('\n'));
    body.0.push_str(&html::details(&label, &rest, false).0);
    body
}

fn thinking(paper: &Paper<'_, '_>, id: &str, text: &str, took_ms: Option<u64>) -> Markup {
    let label = match took_ms {
        Some(ms) => format!("Thought for {}", when::duration(ms)),
        None => "Thought".to_owned(),
    };
    if text.trim().is_empty() {
        let why = html::text_html("The client kept no text of this thought.");
        return html::aside(id, &label, &why);
    }
    html::thinking(id, &label, &prose(paper, text))
}

/// Returns how long a thought took: since what was written before it.
fn thought(step: &Step, before: Option<&Step>) -> Option<u64> {
    let last = |step: &Step| match &step.what {
        What::Call(call) => call.result.as_ref().and_then(|result| result.time),
        _ => step.time,
    };
    elapsed(before.and_then(last), step.time).filter(|ms| (1000..MAX_THOUGHT_MS).contains(ms))
}

fn stray(paper: &Paper<'_, '_>, at: At, id: &str, result: &CallResult) -> Markup {
    let part = paper.session.part(at.part);
    let entry = part.and_then(|part| part.graph.entry(result.entry));
    // Results of tools that ran on the server stand in the reply itself.
    let is_reply = entry.is_some_and(|entry| entry.kind == Kind::Assistant);
    let line = ToolCall {
        icon: Icon::Tool,
        verb: "Result",
        object: if is_reply {
            "of a tool that ran on the server"
        } else {
            "of a call that is not in this file"
        },
        note: "",
        state: if result.is_error {
            State::Failed
        } else {
            State::Done
        },
        time: "",
    };
    html::tool(id, &line, &call::answer(paper, result), false)
}

fn compacted(paper: &Paper<'_, '_>, id: &str, compaction: &Compaction) -> Markup {
    let mut label = match compaction.trigger.as_deref() {
        Some("manual") => "Compacted by hand".to_owned(),
        _ => "Compacted".to_owned(),
    };
    match (compaction.pre_tokens, compaction.post_tokens) {
        (Some(pre), Some(post)) => {
            label.push_str(&format!(" · {} → {} tokens", count(pre), count(post)));
        }
        (Some(pre), None) => label.push_str(&format!(" · {} tokens before", count(pre))),
        _ => {}
    }
    let summary = compaction.summary.as_deref().map(|text| prose(paper, text));
    html::divider(id, &label, summary.as_ref())
}

fn cleared(tokens: Option<u64>, n_tools: usize) -> String {
    let tokens = tokens.map(|tokens| format!(" · {} tokens", count(tokens)));
    let results = counted(n_tools, "tool result");
    format!("Cleared {results}{}", tokens.unwrap_or_default())
}

fn hook(paper: &Paper<'_, '_>, id: &str, hook: &Hook) -> Markup {
    let (state, note) = match hook.state {
        HookState::Started | HookState::Done => (State::Done, ""),
        HookState::Failed => (State::Failed, ""),
        HookState::Blocked => (State::Waiting, "blocked"),
    };
    let time = hook.duration_ms.map(when::duration).unwrap_or_default();
    let name = hook.name.as_deref().unwrap_or(&hook.event);
    let line = ToolCall {
        icon: Icon::Hook,
        verb: "Hook",
        object: name,
        note,
        state,
        time: &time,
    };
    let command = hook.command.as_deref().unwrap_or_default();
    let body = cut(paper, hook.output.trim_end(), |output| {
        html::terminal_html(command, output)
    });
    html::tool(id, &line, &body, false)
}

fn notice(paper: &Paper<'_, '_>, id: &str, level: Level, text: &str) -> Markup {
    let (icon, state) = match level {
        Level::Info => (Icon::Note, State::Done),
        Level::Warning => (Icon::Alert, State::Waiting),
        Level::Error => (Icon::Alert, State::Failed),
    };
    let (shown, _) = paper.cut(text);
    html::notice(id, icon, state, shown)
}

fn retried(attempt: Option<u64>, max: Option<u64>, delay: Option<u64>, text: &str) -> String {
    let mut words = match text.trim() {
        "" => "The request failed".to_owned(),
        text => text.to_owned(),
    };
    match (attempt, max) {
        (Some(attempt), Some(max)) => words.push_str(&format!(" · attempt {attempt} of {max}")),
        (Some(attempt), None) => words.push_str(&format!(" · attempt {attempt}")),
        _ => {}
    }
    if let Some(ms) = delay {
        words.push_str(&format!(" · again after {}", when::duration(ms)));
    }
    words
}

fn output(paper: &Paper<'_, '_>, id: &str, text: &str) -> Markup {
    if text.trim().is_empty() {
        return html::aside(id, "nothing was printed", &Markup::default());
    }
    html::output(id, &cut(paper, text, |text| html::terminal_html("", text)))
}

fn unknown(paper: &Paper<'_, '_>, id: &str, name: &str, text: &str) -> Markup {
    html::unknown(id, &format!("unknown record: {name}"), &json(paper, text))
}
