//! Which lines may match, told from raw bytes.
//!
//! A line that matches has the words of the query in its strings, but perhaps not as typed: JSON
//! escapes some characters and may escape any. So a word is cut at the characters that have
//! escapes of their own (quotes, backslashes, slashes, control characters), and the longest part
//! that is left stands in the line as it is, in upper or lower case, unless one of its characters
//! is spelled `\uXXXX` there. Both can be seen without parsing.

use std::ops::Range;

use memchr::{memchr, memrchr};

use super::escape::Escapes;
use super::finder::Finder;
use super::query::Case;

/// Tells which lines may match a query.
///
/// A line that it rejects does not match; one that it lets through has to be read.
#[derive(Debug, Clone, Default)]
pub struct Prefilter {
    /// What each matching line has, the rarest first; without any, every line may match.
    needles: Vec<Needle>,
}

/// Something that each matching line has: one of a few texts, or an escape that may hide it.
#[derive(Debug, Clone)]
struct Needle {
    finder: Finder,
    escapes: Escapes,
}

impl Prefilter {
    /// Makes a prefilter of texts that all occur in what matches, each in one of several forms.
    pub(super) fn new<'t>(required: impl IntoIterator<Item = Vec<&'t str>>, case: Case) -> Self {
        let needles = required.into_iter();
        let needles = needles.filter_map(|forms| Needle::new(&forms, case));
        let mut needles: Vec<Needle> = needles.collect();
        needles.sort_by_cached_key(|needle| std::cmp::Reverse(needle.finder.rarity()));
        Self { needles }
    }

    /// Tells whether every line is let through.
    pub fn is_idle(&self) -> bool {
        self.needles.is_empty()
    }

    /// Tells whether a line may match.
    pub fn may_match(&self, line: &[u8]) -> bool {
        !line.is_empty() && self.needles.iter().all(|needle| needle.is_in(line))
    }

    /// Returns the lines of a piece that may match, as ranges without their ends.
    ///
    /// The piece is made of whole lines, of which the last one may have no end.
    pub fn candidates<'p>(&'p self, piece: &'p [u8]) -> Candidates<'p> {
        Candidates {
            prefilter: self,
            piece,
            at: 0,
            window: 0,
            text: None,
            escape: None,
        }
    }
}

impl Needle {
    /// Returns `None` if one of the forms has nothing to look for in raw bytes.
    fn new(forms: &[&str], case: Case) -> Option<Self> {
        let parts: Option<Vec<&str>> = forms.iter().map(|form| plain_part(form)).collect();
        let finder = Finder::new(parts.filter(|parts| !parts.is_empty())?, case);
        let escapes = Escapes::of(finder.chars(), case);
        Some(Self { finder, escapes })
    }

    fn is_in(&self, line: &[u8]) -> bool {
        self.finder.find_at(line, 0).is_some() || self.escapes.find_at(line, 0).is_some()
    }
}

/// Returns the longest part of a text that JSON writes as it is, if not as `\uXXXX`.
fn plain_part(text: &str) -> Option<&str> {
    // What cannot be decoded is shown as U+FFFD, so that one stands for bytes nobody knows.
    let is_special = |one: char| {
        one.is_ascii_control() || matches!(one, '"' | '\\' | '/' | char::REPLACEMENT_CHARACTER)
    };
    let parts = text.split(is_special).filter(|part| !part.is_empty());
    parts.max_by_key(|part| part.len())
}

/// The lines of a piece that may match. See [`Prefilter::candidates`].
#[derive(Debug, Clone)]
pub struct Candidates<'p> {
    prefilter: &'p Prefilter,
    piece: &'p [u8],
    /// The start of the first line that was not looked at.
    at: usize,
    /// The end of the lines that are searched now.
    window: usize,
    /// Where the rarest needle stands next, once that is known: as text and as an escape.
    text: Option<usize>,
    escape: Option<usize>,
}

/// Lines are searched for texts and for escapes, this many bytes at a time, so that they are still
/// in the processor's cache the second time.
const WINDOW: usize = 256 * 1024;

impl Iterator for Candidates<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        while self.at < self.piece.len() {
            if self.at >= self.window {
                self.window = line_end(self.piece, self.at + WINDOW);
                (self.text, self.escape) = (None, None);
            }
            let Some(hit) = self.next_hit() else {
                self.at = self.window + 1;
                continue;
            };
            let line = line_around(self.piece, self.at..hit);
            self.at = line.end + 1;
            if self.is_candidate(&line) {
                return Some(line);
            }
        }
        None
    }
}

impl Candidates<'_> {
    /// Returns where the rarest needle stands next in the window.
    fn next_hit(&mut self) -> Option<usize> {
        let Some(needle) = self.prefilter.needles.first() else {
            return Some(self.at);
        };
        let lines = self.piece.get(..self.window)?;
        let is_known = |place: &usize| *place >= self.at;
        let text = self.text.filter(is_known).unwrap_or_else(|| {
            let found = needle.finder.find_at(lines, self.at);
            found.map_or(usize::MAX, |found| found.start)
        });
        let escape = self.escape.filter(is_known).unwrap_or_else(|| {
            let found = needle.escapes.find_at(lines, self.at);
            found.unwrap_or(usize::MAX)
        });
        (self.text, self.escape) = (Some(text), Some(escape));
        Some(text.min(escape)).filter(|&hit| hit != usize::MAX)
    }

    /// Tells whether the other needles are in the line too.
    fn is_candidate(&self, line: &Range<usize>) -> bool {
        let bytes = self.piece.get(line.clone()).unwrap_or_default();
        let mut others = self.prefilter.needles.iter().skip(1);
        !bytes.is_empty() && others.all(|needle| needle.is_in(bytes))
    }
}

/// Returns the line that `to` is in; `from` is the start of that line or an earlier one.
fn line_around(piece: &[u8], to: Range<usize>) -> Range<usize> {
    let before = piece.get(to.clone()).unwrap_or_default();
    let start = memrchr(b'\n', before).map_or(to.start, |at| to.start + at + 1);
    start..line_end(piece, to.end)
}

/// Returns the end of the line that has the byte at `at`.
fn line_end(piece: &[u8], at: usize) -> usize {
    let rest = piece.get(at..).unwrap_or_default();
    memchr(b'\n', rest).map_or(piece.len(), |offset| at + offset)
}
