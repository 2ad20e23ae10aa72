//! A session as one JSON object, for programs.
//!
//! [`show`] streams facts, the thread that an API would get, all turns, segments, branches,
//! agents and findings. What a record says passes through as it was written: numbers keep their
//! digits and half surrogate pairs stay. Only what would break the output is mended: bytes that
//! are no UTF-8, control characters, broken escapes.

mod beside;
mod raw;
mod stream;
mod thread;
mod turn;

use std::io;

use ravel_model::facts::facts;
use ravel_model::{Branch, Segment, Session};

use stream::Stream;

/// Writes a session as JSON; `diagnostics` are written as given.
///
/// # Errors
/// When the writer fails.
pub fn show(
    session: &Session<'_>,
    segments: &[Segment],
    branches: &[Branch],
    diagnostics: &[serde_json::Value],
    out: impl io::Write,
) -> io::Result<()> {
    let mut out = Stream::new(out);
    out.open_object()?;
    out.key("facts")?;
    out.value(&facts(session, segments))?;
    out.key("thread")?;
    thread::write(session, &mut out)?;
    out.key("turns")?;
    turn::write(session, segments, &mut out)?;
    beside::shape(session, segments, branches, &mut out)?;
    out.key("diagnostics")?;
    out.value(diagnostics)?;
    out.close_object()?;
    out.finish()
}

/// Writes the shape of a session as JSON: facts, segments, branches and agents, without texts.
///
/// # Errors
/// When the writer fails.
pub fn tree(
    session: &Session<'_>,
    segments: &[Segment],
    branches: &[Branch],
    out: impl io::Write,
) -> io::Result<()> {
    let mut out = Stream::new(out);
    out.open_object()?;
    out.key("facts")?;
    out.value(&facts(session, segments))?;
    beside::shape(session, segments, branches, &mut out)?;
    out.close_object()?;
    out.finish()
}

#[cfg(test)]
mod tests;
