//! JSON that a terminal can be shown.
//!
//! JSON writers escape the ASCII controls below the space and no others. But some terminals also
//! obey U+0080 to U+009F, and bidirectional marks reorder what a person reads. Inside JSON these
//! characters stand only in strings, where an escape means the same. Lines of a session may be
//! damaged and hold raw ASCII controls too; those become escapes as well.

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
    // Line ends and tabs stand between the parts of a document; inside strings they are escaped.
    let is_layout = matches!(character, '\n' | '\t');
    (character.is_control() && !is_layout)
        || matches!(
            character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        let all = std::mem::take(&mut self.begun);
        let mut chunks = all.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.write_text(chunk.valid())?;
            match chunks.peek().is_none() && is_begun(chunk.invalid()) {
                true => self.begun.extend_from_slice(chunk.invalid()),
                // What is no UTF-8 and not merely cut is no character that could be escaped.
                false => self.out.write_all(chunk.invalid())?,
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Tells whether more bytes could make this a character.
fn is_begun(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests;
