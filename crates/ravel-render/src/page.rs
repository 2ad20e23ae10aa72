//! A conversation as one self-contained page.
//!
//! [`export`] writes everything a session has: facts, a table of prompts, all turns across
//! compactions, sub-agents inside the calls they ran for, other branches, and the records that
//! have no place in the conversation. What people usually do not want to see is on the page too,
//! behind a switch. How things look is decided in [`crate::html`]; this module decides what
//! stands where.
//!
//! Turns are rendered on all cores, a few megabytes at a time, and written in order: memory is
//! bounded by the largest turn and not by the session.

mod about;
mod agent;
mod call;
mod ending;
mod flow;
mod paper;
mod part;
mod step;

use std::io;

use jiff::tz::TimeZone;
use ravel_model::facts::facts;
use ravel_model::turn::turns;
use ravel_model::{Branch, Segment, Session};

use crate::html::{Head, PageWriter};
use paper::Paper;

/// How a page is made.
#[derive(Clone, Debug)]
pub struct PageOptions {
    /// The time zone of all times on the page.
    pub zone: TimeZone,
    /// Bytes of one text that are shown; of a longer one the page says how much it leaves out.
    pub max_text: usize,
}

impl Default for PageOptions {
    fn default() -> Self {
        Self {
            zone: TimeZone::UTC,
            max_text: 200_000,
        }
    }
}

/// Writes a session as one page.
///
/// # Errors
/// When the writer fails.
pub fn export(
    session: &Session<'_>,
    segments: &[Segment],
    branches: &[Branch],
    options: &PageOptions,
    out: impl io::Write,
) -> io::Result<()> {
    let facts = facts(session, segments);
    let paper = Paper::new(session, &facts, options);
    let lines = about::facts(&facts, options);
    let head = Head {
        title: &facts.title,
        facts: &lines,
    };
    let mut page = PageWriter::new(out, &head)?;
    if let Some(main) = session.main() {
        let turns = turns(&main.graph, segments);
        page.section(&about::prompts(&paper, &turns))?;
        // Segments are also cut where a record names another one as its logical parent.
        let is_compacted = |segment: &Segment| segment.compaction.is_some();
        let current = segments.iter().rposition(is_compacted).unwrap_or(0);
        part::write(&paper, &turns, current, &mut page)?;
        ending::write(&paper, segments, branches, &mut page)?;
    }
    page.finish().map(drop)
}

#[cfg(test)]
mod tests;
