//! A session as one Markdown file.
//!
//! Prompts are sections, replies stand as they were written, tool calls are a line with fenced
//! code below it, agents are quoted below the calls that started them. A transcript can hold
//! anything, so three things are changed: control characters are made visible, HTML is escaped
//! so that it shows as the text it is, and a code fence that is left open is closed, since it
//! would swallow the rest of the file.
//!
//! The file is written as it is made; a long session needs no memory.

mod call;
mod mark;
mod quill;

use std::io;

use jiff::tz::TimeZone;
use ravel_model::facts::facts;
use ravel_model::turn::turns;
use ravel_model::{Facts, Segment, Session};

use crate::amount::counted;
use crate::terminal::Tools;
use crate::when;
use mark::{code_span, plain};
use quill::Quill;

/// What goes into the file.
#[derive(Clone, Debug)]
pub struct MarkdownOptions {
    /// What the model thought.
    pub thinking: bool,
    /// Tool calls.
    pub tools: Tools,
    /// What agents did.
    pub agents: bool,
    /// The time zone of the times written.
    pub timezone: TimeZone,
}

impl Default for MarkdownOptions {
    fn default() -> Self {
        Self {
            thinking: false,
            tools: Tools::Brief,
            agents: true,
            timezone: TimeZone::UTC,
        }
    }
}

/// Writes a session whose history is known, a few steps at a time.
///
/// # Errors
///
/// Fails when `out` does.
pub fn write(
    session: &Session<'_>,
    segments: &[Segment],
    options: &MarkdownOptions,
    out: &mut impl io::Write,
) -> io::Result<()> {
    let mut quill = Quill::new(session, options, out);
    header(&facts(session, segments), options, &mut quill)?;
    if let Some(main) = session.main() {
        for turn in turns(&main.graph, segments) {
            quill.conversation(0, &turn.entries)?;
        }
    }
    quill.unlinked_agents()
}

fn header(
    facts: &Facts,
    options: &MarkdownOptions,
    quill: &mut Quill<'_, '_, '_>,
) -> io::Result<()> {
    let title = if facts.title.trim().is_empty() {
        "Session".to_owned()
    } else {
        plain(&facts.title)
    };
    quill.block(&format!("# {title}"))?;
    let rows = [
        ("Project", facts.cwd.as_deref().map(code_span)),
        ("Branch", facts.git_branch.as_deref().map(code_span)),
        ("Model", joined(&facts.models)),
        ("Client", joined(&facts.versions)),
        ("When", moment(facts, options)),
        ("Size", Some(size(facts))),
        ("Session", Some(code_span(&facts.session_id))),
    ];
    let rows: Vec<String> = rows
        .iter()
        .filter_map(|(name, value)| Some(format!("- {name}: {}", value.as_ref()?)))
        .collect();
    quill.block(&rows.join("\n"))
}

fn joined(texts: &[String]) -> Option<String> {
    (!texts.is_empty()).then(|| plain(&texts.join(", ")))
}

fn moment(facts: &Facts, options: &MarkdownOptions) -> Option<String> {
    let started = facts.started?;
    let lasted = facts.ended.map_or(0, |ended| ended.abs_diff(started));
    let moment = when::moment(started, &options.timezone);
    Some(format!("{moment}, {}", when::duration(lasted)))
}

fn size(facts: &Facts) -> String {
    let counts = [
        counted(facts.n_turns, "turn"),
        counted(facts.n_messages, "message"),
        counted(facts.n_tool_calls, "tool call"),
        counted(facts.n_agents, "agent"),
    ];
    counts.join(", ")
}

#[cfg(test)]
mod tests;
