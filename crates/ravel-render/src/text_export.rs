//! A session as plain text, without marks and colors.
//!
//! It is the terminal's view without its colors: Markdown is rendered, not written, and lines
//! are wrapped, so the file reads well in any editor and survives any mail.

use std::io;

use ravel_model::facts::facts;
use ravel_model::turn::turns;
use ravel_model::{Segment, Session};

use crate::style::Palette;
use crate::terminal::{Renderer, TerminalOptions};

/// Writes a session whose history is known, a turn at a time.
///
/// Colors and hyperlinks of the options are not used.
///
/// # Errors
///
/// Fails when `out` does.
pub fn write(
    session: &Session<'_>,
    segments: &[Segment],
    options: &TerminalOptions,
    out: &mut impl io::Write,
) -> io::Result<()> {
    let options = TerminalOptions {
        palette: Palette::PLAIN,
        hyperlinks: false,
        ..options.clone()
    };
    let renderer = Renderer::new(&options);
    let painter = renderer.painter();
    painter.write(&renderer.header(&facts(session, segments)), out)?;
    if let Some(main) = session.main() {
        for turn in turns(&main.graph, segments) {
            renderer.write_entries(session, (0, &turn.entries), out)?;
        }
    }
    painter.write(&renderer.unlinked_agents(session), out)
}

#[cfg(test)]
mod tests;
