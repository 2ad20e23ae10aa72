//! The parts of a conversation, one function each.
//!
//! Callers hand in texts and rendered bodies; how a part looks is decided here and
//! in the style sheet only. Texts may come straight from a transcript.

use maud::{Markup, PreEscaped, html};

use super::Icon;
use super::escape::{anchor, safe};

/// Media types of images that may stand in a page. No SVG: it can hold scripts.
const IMAGE_TYPES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// How something ended, or that it has not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// It is done.
    #[default]
    Done,
    /// It failed.
    Failed,
    /// It waits for the person, or was stopped by them.
    Waiting,
    /// It was running when the session was written.
    Running,
}

/// The line of a tool call.
#[derive(Clone, Copy, Debug)]
pub struct ToolCall<'a> {
    /// What stands before the line.
    pub icon: Icon,
    /// What was done: `Read`.
    pub verb: &'a str,
    /// What it was done to: `src/main.rs 1–80`.
    pub object: &'a str,
    /// A few words more: `+12 −3`.
    pub note: &'a str,
    /// How it ended.
    pub state: State,
    /// When, or how long.
    pub time: &'a str,
}

/// The card of a sub-agent.
#[derive(Clone, Copy, Debug)]
pub struct AgentCard<'a> {
    /// Its kind: `Explore`.
    pub kind: &'a str,
    /// What it was asked to do, in short.
    pub description: &'a str,
    /// How it ended.
    pub state: State,
    /// Numbers: `12 messages · 34k tokens · 2 m`.
    pub note: &'a str,
}

/// Who asks, and when.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// `You`, or the agent that asks.
    pub who: &'a str,
    /// The time of day.
    pub time: &'a str,
}

/// Returns the words of a prompt; `id` makes the place linkable.
pub fn prompt(id: &str, asked: Asked<'_>, body: &Markup) -> Markup {
    let link = anchor(id).map(|id| format!("#{id}"));
    html! {
        section.entry.prompt id=[anchor(id)] {
            header {
                span { (safe(asked.who)) }
                @if !asked.time.is_empty() { a href=[link] { time { (safe(asked.time)) } } }
            }
            (body)
        }
    }
}

/// Returns what the model answered.
pub fn reply(id: &str, body: &Markup) -> Markup {
    html! { section.entry.reply id=[anchor(id)] { (body) } }
}

/// Returns what a command of the person printed.
pub fn output(id: &str, body: &Markup) -> Markup {
    html! { section.entry.output id=[anchor(id)] { (body) } }
}

/// Returns thinking as one muted line that opens.
pub fn thinking(id: &str, label: &str, body: &Markup) -> Markup {
    html! {
        details.entry.thinking id=[anchor(id)] {
            summary { (Icon::Thought.markup()) span { (safe(label)) } }
            div.body { (body) }
        }
    }
}

/// Returns a tool call: one line that opens to what was asked and answered.
pub fn tool(id: &str, call: &ToolCall<'_>, body: &Markup, open: bool) -> Markup {
    html! {
        details.entry.tool id=[anchor(id)] open[open] {
            summary {
                (call.icon.markup())
                b { (safe(call.verb)) }
                span.object { (safe(call.object)) }
                @if !call.note.is_empty() { span.note { (counts(call.note)) } }
                (state(call.state))
                @if !call.time.is_empty() { time { (safe(call.time)) } }
            }
            div.body { (body) }
        }
    }
}

/// Returns a run of calls folded to one line: `14 calls: 9 Read, 4 Grep, 1 Bash`.
pub fn calls(label: &str, body: &Markup) -> Markup {
    html! {
        details.entry.calls {
            summary { (Icon::List.markup()) span { (safe(label)) } }
            div.body { (body) }
        }
    }
}

/// Returns a sub-agent with its own conversation inside.
pub fn agent(id: &str, card: &AgentCard<'_>, body: &Markup) -> Markup {
    html! {
        details.entry.agent id=[anchor(id)] {
            summary {
                (Icon::Agent.markup())
                b { (safe(card.kind)) }
                span.object { (safe(card.description)) }
                (state(card.state))
                span.note { (safe(card.note)) }
            }
            div.body { (body) }
        }
    }
}

/// Returns a divider such as a compaction; with a body it opens.
pub fn divider(id: &str, label: &str, body: Option<&Markup>) -> Markup {
    match body {
        Some(body) => html! {
            details.entry.divider id=[anchor(id)] {
                summary { span { (safe(label)) } }
                div.body { (body) }
            }
        },
        None => html! { div.entry.divider id=[anchor(id)] { span { (safe(label)) } } },
    }
}

/// Returns one line about something that happened: an error, a hook, a notice.
pub fn notice(id: &str, icon: Icon, how: State, text: &str) -> Markup {
    html! {
        p class={ "entry notice " (class(how)) } id=[anchor(id)] { (icon.markup()) span { (safe(text)) } }
    }
}

/// Returns a record nothing else can show, as one line that opens: never hidden.
pub fn unknown(id: &str, label: &str, body: &Markup) -> Markup {
    html! {
        details.entry.unknown id=[anchor(id)] {
            summary { (Icon::Question.markup()) span { (safe(label)) } }
            div.body { (body) }
        }
    }
}

/// Returns something that is not for people, as one line that opens.
///
/// It is seen only while everything is shown.
pub fn aside(id: &str, label: &str, body: &Markup) -> Markup {
    html! {
        details.entry.unknown.aside id=[anchor(id)] {
            summary { (Icon::Hidden.markup()) span { (safe(label)) } }
            div.body { (body) }
        }
    }
}

/// Returns a place that links can point at, inside another part.
pub fn target(id: &str) -> Markup {
    html! { @if let Some(id) = anchor(id) { span.target id=(id) {} } }
}

/// Returns the faint line that ends a turn: time, tokens, cost.
pub fn turn_end(text: &str) -> Markup {
    html! { p.turn-end { (safe(text)) } }
}

/// Returns something that folds, inside any part.
pub fn details(summary: &str, body: &Markup, open: bool) -> Markup {
    html! {
        details.fold open[open] {
            summary { (safe(summary)) }
            div.body { (body) }
        }
    }
}

/// Returns an image that is part of the transcript, `data` being its base64 text.
///
/// Only plain picture formats are shown; anything else becomes a line of text.
pub fn image(media_type: &str, data: &str, description: &str) -> Markup {
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let known = IMAGE_TYPES.iter().find(|known| **known == media_type);
    match known {
        Some(known) if !data.is_empty() && data.bytes().all(is_base64) => html! {
            figure.image {
                img loading="lazy" alt=(safe(description))
                    src=(PreEscaped(format!("data:{known};base64,{data}")));
            }
        },
        _ => not_shown(&format!("{media_type} is not shown here")),
    }
}

/// Returns a line that stands where something could not be shown.
pub fn not_shown(why: &str) -> Markup {
    html! { p.missing { (Icon::Image.markup()) span { (safe(why)) } } }
}

fn class(state: State) -> &'static str {
    match state {
        State::Done => "done",
        State::Failed => "failed",
        State::Waiting => "waiting",
        State::Running => "running",
    }
}

/// Returns the dot of a state; all but the ordinary one say it in words too.
fn state(state: State) -> Markup {
    html! {
        span class={ "state " (class(state)) } {
            @match state {
                State::Done => span.unseen { "done" },
                _ => (class(state)),
            }
        }
    }
}

/// Returns a note in which `+12` and `−3` have their colors.
fn counts(note: &str) -> Markup {
    html! {
        @for (index, word) in note.split(' ').enumerate() {
            @if index > 0 { " " }
            @if word.starts_with('+') { ins { (safe(word)) } }
            @else if word.starts_with('−') { del { (safe(word)) } }
            @else { (safe(word)) }
        }
    }
}
