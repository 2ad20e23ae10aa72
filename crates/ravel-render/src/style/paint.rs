//! Writes styled lines.

use std::fmt;
use std::io;

use super::{Line, Palette, Span};

/// Writes lines in a palette's colors, optionally with hyperlinks.
///
/// Every line ends without any style left on, so output can be cut at any line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Painter {
    palette: Palette,
    hyperlinks: bool,
}

impl Painter {
    /// Returns a painter that writes no hyperlinks.
    pub const fn new(palette: Palette) -> Self {
        Self {
            palette,
            hyperlinks: false,
        }
    }

    /// Returns this painter, which now marks links with OSC 8.
    ///
    /// For terminals only: elsewhere the sequences would be noise.
    #[must_use]
    pub const fn with_hyperlinks(self) -> Self {
        Self {
            hyperlinks: true,
            ..self
        }
    }

    /// Writes each line followed by a line feed.
    pub fn paint(&self, lines: &[Line], out: &mut impl fmt::Write) -> fmt::Result {
        for line in lines {
            self.paint_line(line, out)?;
            out.write_char('\n')?;
        }
        Ok(())
    }

    /// Writes one line without a line feed.
    pub fn paint_line(&self, line: &Line, out: &mut impl fmt::Write) -> fmt::Result {
        line.spans()
            .iter()
            .try_for_each(|span| self.paint_span(span, out))
    }

    /// Writes each line followed by a line feed, a line at a time.
    pub fn write(&self, lines: &[Line], out: &mut impl io::Write) -> io::Result<()> {
        let mut buffer = String::new();
        for line in lines {
            buffer.clear();
            self.paint_line(line, &mut buffer)
                .map_err(io::Error::other)?;
            buffer.push('\n');
            out.write_all(buffer.as_bytes())?;
        }
        Ok(())
    }

    fn paint_span(&self, span: &Span, out: &mut impl fmt::Write) -> fmt::Result {
        let link = span.link().filter(|_| self.hyperlinks);
        if let Some(address) = link {
            write!(out, "\u{1b}]8;;{address}\u{1b}\\")?;
        }
        if self.palette.is_visible(span.style()) {
            self.palette.open(span.style(), out)?;
            out.write_str(span.text())?;
            out.write_str("\u{1b}[0m")?;
        } else {
            out.write_str(span.text())?;
        }
        if link.is_some() {
            out.write_str("\u{1b}]8;;\u{1b}\\")?;
        }
        Ok(())
    }
}
