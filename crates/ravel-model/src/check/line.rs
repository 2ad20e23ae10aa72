//! What only the bytes of a line can tell.

use std::sync::LazyLock;

use memchr::memmem;
use ravel_format::{Ending, Line, Outline, Place as Start, Source, Span, TextFlaws, lines_from};

use crate::diagnostic::{Code, Place};

use super::finding::Findings;
use super::{image, is_readable};

/// What every image has; made ready once, not for each line.
static MEDIA_TYPE: LazyLock<memmem::Finder<'static>> =
    LazyLock::new(|| memmem::Finder::new(b"\"media_type\""));

/// How many places of one code are remembered before the outline says which of them count.
const MAX_REMEMBERED: usize = 1024;

/// Sees each line of a file once, best while the file is read for its outline.
///
/// Lines may come in pieces from several threads; join the checkers of neighboring pieces in file
/// order with [`LineChecker::append`].
#[derive(Debug, Clone, Default)]
pub struct LineChecker {
    bad_text: Sightings,
    bad_utf8: Sightings,
    surrogates: Sightings,
    images: Sightings,
    n_crlf: u64,
    first_crlf: Option<Sighting>,
    mark: Option<Sighting>,
    last_is_open: bool,
    last: Option<Sighting>,
    n_lines: u64,
}

/// Something seen, before it is known whether its line can be read at all.
#[derive(Debug, Clone)]
struct Sighting {
    line: u64,
    span: Span,
    pointer: Option<String>,
}

impl Sighting {
    /// Counts its line on from those of the pieces before.
    fn after(mut self, n_lines: u64) -> Self {
        self.line += n_lines;
        self
    }
}

#[derive(Debug, Clone, Default)]
struct Sightings {
    kept: Vec<Sighting>,
    n_more: u64,
}

impl Sightings {
    fn add(&mut self, sighting: Sighting) {
        if self.kept.len() < MAX_REMEMBERED {
            self.kept.push(sighting);
        } else {
            self.n_more += 1;
        }
    }

    fn append(&mut self, next: Self, n_lines: u64) {
        for sighting in next.kept {
            self.add(sighting.after(n_lines));
        }
        self.n_more += next.n_more;
    }
}

impl LineChecker {
    /// Looks at one line.
    pub fn line(&mut self, line: &Line<'_>) {
        self.n_lines += 1;
        let bytes = self.pass_mark(line);
        let shift = (line.bytes.len() - bytes.len()) as u64;
        let at = |offset: usize, len: u64| Sighting {
            line: line.number,
            span: Span {
                start: line.span.start + shift + offset as u64,
                len,
            },
            pointer: None,
        };
        let flaws = TextFlaws::of(bytes);
        if let Some(offset) = flaws.bad_text {
            self.bad_text.add(at(offset, 1));
        }
        if let Some(offset) = flaws.bad_utf8 {
            self.bad_utf8.add(at(offset, 1));
        }
        if let Some(offset) = flaws.lone_surrogate {
            self.surrogates.add(at(offset, 6));
        }
        if MEDIA_TYPE.find(bytes).is_some() {
            for pointer in image::bad_images(bytes) {
                let pointer = Some(pointer);
                self.images.add(Sighting {
                    pointer,
                    ..at(0, bytes.len() as u64)
                });
            }
        }
        if line.ending == Ending::CrLf {
            self.n_crlf += 1;
            self.first_crlf.get_or_insert_with(|| at(bytes.len(), 2));
        }
        self.last_is_open = line.ending == Ending::Eof;
        self.last = Some(at(0, bytes.len() as u64));
    }

    fn pass_mark<'a>(&mut self, line: &Line<'a>) -> &'a [u8] {
        let Some(rest) = line.bytes.strip_prefix(b"\xEF\xBB\xBF") else {
            return line.bytes;
        };
        self.mark.get_or_insert(Sighting {
            line: line.number,
            span: Span {
                len: 3,
                ..line.span
            },
            pointer: None,
        });
        rest
    }

    /// Joins what was seen in the piece of the file that follows, whose lines count from 1.
    pub fn append(&mut self, next: Self) {
        let n_lines = self.n_lines;
        self.bad_text.append(next.bad_text, n_lines);
        self.bad_utf8.append(next.bad_utf8, n_lines);
        self.surrogates.append(next.surrogates, n_lines);
        self.images.append(next.images, n_lines);
        self.n_crlf += next.n_crlf;
        let on = |sighting: Option<Sighting>| sighting.map(|sighting| sighting.after(n_lines));
        self.first_crlf = self.first_crlf.take().or_else(|| on(next.first_crlf));
        self.mark = self.mark.take().or_else(|| on(next.mark));
        if next.last.is_some() {
            self.last = on(next.last);
            self.last_is_open = next.last_is_open;
        }
        self.n_lines += next.n_lines;
    }

    /// Turns what was seen into findings, for lines that can be read.
    pub(super) fn report(self, outline: &Outline, findings: &mut Findings) {
        let families = [
            (Code::BadText, self.bad_text, "a string is broken here"),
            (Code::InvalidUtf8, self.bad_utf8, "this byte is no UTF-8"),
            (
                Code::LoneSurrogate,
                self.surrogates,
                "this is half of a surrogate pair",
            ),
            (
                Code::BadImage,
                self.images,
                "this image is not base64 of a known type",
            ),
        ];
        for (code, sightings, words) in families {
            let (readable, damaged): (Vec<_>, Vec<_>) = sightings
                .kept
                .into_iter()
                .partition(|sighting| is_sound(outline, sighting));
            let n_more = if damaged.is_empty() {
                sightings.n_more
            } else {
                0
            };
            for sighting in readable {
                findings.add(code, sighting.into(), || words.to_owned());
            }
            findings.add_unplaced(code, n_more);
        }
        if let Some(mark) = self.mark {
            findings.add(Code::ByteOrderMark, mark.into(), || {
                "the line starts with a byte-order mark".to_owned()
            });
        }
        if let Some(first) = self.first_crlf {
            let n_crlf = self.n_crlf;
            findings.add(Code::CrlfLineEnds, first.into(), || {
                format!("{n_crlf} lines end with CR LF")
            });
        }
        if let Some(last) = self
            .last
            .filter(|last| self.last_is_open && is_sound(outline, last))
        {
            findings.add(Code::NoFinalNewline, last.into(), || {
                "the file ends right after a record".to_owned()
            });
        }
    }
}

impl From<Sighting> for Place {
    fn from(sighting: Sighting) -> Self {
        Self {
            line: sighting.line,
            span: sighting.span,
            pointer: sighting.pointer,
        }
    }
}

/// Tells whether all records of the line were read, so that flaws inside strings mean something.
fn is_sound(outline: &Outline, sighting: &Sighting) -> bool {
    let entries = outline.entries();
    let first = entries.partition_point(|entry| u64::from(entry.line) < sighting.line);
    let on_line = entries.iter().skip(first);
    on_line
        .take_while(|entry| u64::from(entry.line) == sighting.line)
        .all(|entry| is_readable(entry.fault) && entry.fault != Some(ravel_format::Fault::Nul))
}

/// How much of a file is asked for at once.
const WINDOW: u64 = 4 << 20;

/// Reads a file line by line through a source, a few megabytes or one line at a time.
pub fn for_each_line(source: &dyn Source, n_bytes: u64, mut visit: impl FnMut(&Line<'_>)) {
    let mut start = Start::default();
    let mut window = WINDOW;
    while start.offset < n_bytes {
        let len = window.min(n_bytes - start.offset);
        let bytes = source.read(Span {
            start: start.offset,
            len,
        });
        let is_last = start.offset + bytes.len() as u64 >= n_bytes || (bytes.len() as u64) < len;
        let whole = match memchr::memrchr(b'\n', &bytes) {
            _ if is_last => bytes.len(),
            Some(at) => at + 1,
            None => {
                // A line longer than the window: ask for more of it.
                window = window.saturating_mul(4);
                continue;
            }
        };
        let mut n_lines = 0;
        for line in lines_from(bytes.get(..whole).unwrap_or_default(), start) {
            visit(&line);
            n_lines += 1;
        }
        if whole == 0 {
            return;
        }
        start.offset += whole as u64;
        start.line += n_lines;
        window = WINDOW;
    }
}
