//! Bytes into lines.
//!
//! A [`Line`] knows where it stands and how it ended, so that all lines of a file, written
//! one after another with their endings, are the file again.

use memchr::memchr;

#[cfg(test)]
mod tests;

/// A stretch of bytes in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u64,
    /// Number of bytes.
    pub len: u64,
}

impl Span {
    /// Returns the offset after the last byte.
    pub fn end(self) -> u64 {
        self.start.saturating_add(self.len)
    }
}

/// How a line ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// With `\n`, as the client writes.
    Lf,
    /// With `\r\n`.
    CrLf,
    /// With the end of the file: the last line, perhaps torn.
    Eof,
}

impl Ending {
    /// Returns the bytes that ended the line.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
            Self::Eof => b"",
        }
    }
}

/// One line of a file, without its ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// Counted from 1.
    pub number: u64,
    /// Place in the file, ending excluded.
    pub span: Span,
    /// The bytes of the line.
    pub bytes: &'a [u8],
    /// What came after them.
    pub ending: Ending,
}

/// Splits the bytes of a whole file into lines.
pub fn lines(bytes: &[u8]) -> Lines<'_> {
    lines_from(bytes, Place::default())
}

/// Splits bytes that start at `place` of a file into lines.
pub fn lines_from(bytes: &[u8], place: Place) -> Lines<'_> {
    Lines { rest: bytes, place }
}

/// Where in a file a piece of it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Offset of its first byte.
    pub offset: u64,
    /// Number of its first line.
    pub line: u64,
}

impl Default for Place {
    fn default() -> Self {
        Self { offset: 0, line: 1 }
    }
}

/// Iterator over lines. See [`lines`].
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    rest: &'a [u8],
    place: Place,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (content, ending, rest) = match memchr(b'\n', self.rest) {
            None => (self.rest, Ending::Eof, &[][..]),
            Some(at) => {
                let (content, rest) = self.rest.split_at(at);
                let rest = rest.get(1..).unwrap_or_default();
                match content.strip_suffix(b"\r") {
                    Some(content) => (content, Ending::CrLf, rest),
                    None => (content, Ending::Lf, rest),
                }
            }
        };
        let span = Span {
            start: self.place.offset,
            len: content.len() as u64,
        };
        let line = Line {
            number: self.place.line,
            span,
            bytes: content,
            ending,
        };
        self.place.offset = span.end() + ending.bytes().len() as u64;
        self.place.line += 1;
        self.rest = rest;
        Some(line)
    }
}
