//! A conversation as terminal text.
//!
//! A [`Renderer`] turns turns into styled lines: prompts stand out, replies are rendered
//! Markdown, tool calls are one line each with as much below it as [`TerminalOptions`] allow.
//! Lines are handed out as they are made, so the first screen of a long session is there at
//! once. Only spans are made here, and spans are sanitized: see [`crate::style`].
//!
//! What sits where: a mark in the first column, text from the third, what belongs to a call
//! from the fifth; an agent's conversation runs beside a rail below the call that started it.

mod agent;
mod call;
mod detail;
mod excerpt;
mod header;
mod page;
mod scribe;
mod tree;

use std::io;

use jiff::tz::TimeZone;
use ravel_model::{Branch, Facts, Segment, Session, Turn};

use crate::style::{Line, Painter, Palette};
use scribe::Scribe;

/// Prose is not set wider than this, however wide the terminal: long lines are hard to read.
const WIDEST_PROSE: usize = 100;

/// How a conversation is shown in a terminal.
#[derive(Clone, Debug)]
pub struct TerminalOptions {
    /// Columns of the terminal.
    pub width: usize,
    /// Its colors.
    pub palette: Palette,
    /// Marks links with the terminal's hyperlinks instead of writing addresses out.
    pub hyperlinks: bool,
    /// What is shown of the model's thoughts.
    pub thinking: Thinking,
    /// What is shown of tool calls.
    pub tools: Tools,
    /// Shows what agents did below the calls that started them.
    pub agents: bool,
    /// Shows what is meant for the model or the client, too.
    pub everything: bool,
    /// The time zone of the times shown.
    pub timezone: TimeZone,
    /// Most lines of one result that are shown; `None` leaves it to `tools`.
    pub max_lines_per_result: Option<usize>,
}

impl TerminalOptions {
    /// Returns options for a plain, brief view of a given width.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            palette: Palette::PLAIN,
            hyperlinks: false,
            thinking: Thinking::Folded,
            tools: Tools::Brief,
            agents: false,
            everything: false,
            timezone: TimeZone::UTC,
            max_lines_per_result: None,
        }
    }
}

/// What is shown of the model's thoughts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Thinking {
    /// All of them.
    Shown,
    /// One line each.
    #[default]
    Folded,
    /// Nothing.
    Hidden,
}

/// What is shown of tool calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tools {
    /// Everything.
    Full,
    /// One line each with a few lines of what matters.
    #[default]
    Brief,
    /// Nothing.
    None,
}

/// Turns a conversation into terminal lines.
#[derive(Clone, Debug)]
pub struct Renderer {
    options: TerminalOptions,
}

impl Renderer {
    /// Returns a renderer.
    pub fn new(options: &TerminalOptions) -> Self {
        Self {
            options: options.clone(),
        }
    }

    /// Returns the painter for the lines made here.
    pub fn painter(&self) -> Painter {
        let painter = Painter::new(self.options.palette);
        if self.options.hyperlinks {
            painter.with_hyperlinks()
        } else {
            painter
        }
    }

    /// Returns what is known of a session, in a few lines.
    pub fn header(&self, facts: &Facts) -> Vec<Line> {
        header::header(facts, &self.options)
    }

    /// Returns a turn of one file of the session; 0 is the main one.
    pub fn turn(&self, session: &Session<'_>, part: usize, turn: &Turn) -> Vec<Line> {
        self.entries(session, part, &turn.entries)
    }

    /// Returns some entries of one file of the session, such as a branch.
    pub fn entries(&self, session: &Session<'_>, part: usize, entries: &[usize]) -> Vec<Line> {
        collect(|sink| Scribe::new(&self.options, session, sink).conversation(part, entries))
    }

    /// Writes some entries of one file, each line as soon as it is made.
    ///
    /// # Errors
    ///
    /// Fails when `out` does; what was not written by then is never made.
    pub fn write_entries(
        &self,
        session: &Session<'_>,
        (part, entries): (usize, &[usize]),
        out: &mut impl io::Write,
    ) -> io::Result<()> {
        let painter = self.painter();
        let mut sink = |line: Line| painter.write(&[line], out);
        Scribe::new(&self.options, session, &mut sink).conversation(part, entries)
    }

    /// Returns the agents that no call was found for; nothing when there are none.
    pub fn unlinked_agents(&self, session: &Session<'_>) -> Vec<Line> {
        collect(|sink| Scribe::new(&self.options, session, sink).unlinked_agents())
    }

    /// Returns the conversation as an outline: turns, compactions, branches and agents.
    pub fn tree(
        &self,
        session: &Session<'_>,
        segments: &[Segment],
        branches: &[Branch],
    ) -> Vec<Line> {
        tree::tree(session, segments, branches, self.options.width)
    }
}

/// Where lines go.
type Sink<'o> = dyn FnMut(Line) -> io::Result<()> + 'o;

fn collect(write: impl FnOnce(&mut Sink<'_>) -> io::Result<()>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut sink = |line: Line| {
        lines.push(line);
        Ok(())
    };
    // Pushing onto a list cannot fail.
    let _ = write(&mut sink);
    lines
}

#[cfg(test)]
mod tests;
