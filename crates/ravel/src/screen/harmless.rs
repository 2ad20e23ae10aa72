//! JSON that a terminal can be shown.
//!
//! JSON writers escape the ASCII controls below the space and no others. But some terminals also
//! obey U+0080 to U+009F, and bidirectional marks reorder what a person reads. Inside JSON these
//! characters stand only in strings, where an escape means the same.

use std::io::{self, Write};

/// Escapes what a terminal might obey.
pub(crate) struct Harmless<W> {
    out: W,
    /// The first bytes of a character whose others are not here yet.
    begun: Vec<u8>,
}

impl<W: Write> Harmless<W> {
    pub(crate) fn new(out: W) -> Self {
        Self {
            out,
            begun: Vec::new(),
        }
    }

    fn write_text(&mut self, text: &str) -> io::Result<()> {
        let mut rest = text;
        while let Some(at) = rest.find(is_obeyed) {
            let (before, from) = rest.split_at(at);
            let mut characters = from.chars();
            let code = characters.next().map_or(0, u32::from);
            write!(self.out, "{before}\\u{code:04x}")?;
            rest = characters.as_str();
        }
        self.out.write_all(rest.as_bytes())
    }
}

fn is_obeyed(character: char) -> bool {
    matches!(
        character,
        '\u{7f}'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        let all = std::mem::take(&mut self.begun);
        let whole = match std::str::from_utf8(&all) {
            Ok(text) => text,
            // What is no UTF-8 and not merely cut goes through as it is.
            Err(error) if error.error_len().is_some() => {
                self.out.write_all(&all)?;
                return Ok(bytes.len());
            }
            Err(error) => {
                let (whole, cut) = all.split_at(error.valid_up_to());
                self.begun.extend_from_slice(cut);
                std::str::from_utf8(whole).unwrap_or_default()
            }
        };
        self.write_text(whole)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
