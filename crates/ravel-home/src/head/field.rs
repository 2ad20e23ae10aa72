//! Finding the value of a key in text that may be torn at both ends.
//!
//! A key is found as `"key":` followed by a string, with or without one blank, at
//! any depth. Inside a JSON string the quotes are escaped, so quoted JSON does not
//! match. Searching for the last occurrence goes backward in growing windows: what
//! is looked for usually stands in the last lines, and the fast search of `memchr`
//! only runs forward.

use jiff::Timestamp;
use memchr::memmem::Finder;
use memchr::{memchr, memchr2, memrchr};

use crate::lossy_json::decode_text;

/// The last lines of a session are of about this size.
const FIRST_WINDOW: usize = 4_096;

/// A text to search for, prepared once.
pub(crate) struct Needle {
    finder: Finder<'static>,
}

/// A key whose values are searched for.
pub(crate) struct Key {
    needle: Needle,
}

impl Needle {
    pub(crate) fn new(text: &str) -> Self {
        Self {
            finder: Finder::new(text).into_owned(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.finder.needle().len()
    }

    /// Whether the text occurs at all.
    pub(crate) fn occurs_in(&self, text: &[u8]) -> bool {
        self.finder.find(text).is_some()
    }

    /// Where the text occurs, from the start.
    pub(crate) fn positions<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
        self.finder.find_iter(text)
    }

    /// The outcome at the last occurrence that `accept` has one for.
    pub(crate) fn last_in<T>(&self, text: &[u8], accept: impl Fn(usize) -> Option<T>) -> Option<T> {
        let mut end = text.len();
        let mut window = FIRST_WINDOW;
        while end > 0 {
            let start = end.saturating_sub(window);
            // An occurrence that begins in this window may end in the one after it.
            let reach = text.len().min(end + self.len() - 1);
            let slice = text.get(start..reach)?;
            let positions: Vec<_> = self.positions(slice).collect();
            let mut outcomes = positions.iter().rev().filter_map(|at| accept(start + at));
            if let Some(outcome) = outcomes.next() {
                return Some(outcome);
            }
            end = start;
            window *= 4;
        }
        None
    }
}

impl Key {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            needle: Needle::new(&format!("\"{name}\":")),
        }
    }

    /// The first string value, still escaped.
    pub(crate) fn first<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]> {
        let mut positions = self.needle.positions(text);
        positions.find_map(|at| string_at(text, at + self.needle.len()))
    }

    /// The last string value, still escaped.
    pub(crate) fn last<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]> {
        self.needle
            .last_in(text, |at| string_at(text, at + self.needle.len()))
    }

    /// The first value that is a point in time, as text or in milliseconds.
    pub(crate) fn first_time(&self, text: &[u8]) -> Option<Timestamp> {
        let mut positions = self.needle.positions(text);
        positions.find_map(|at| time_at(text, at + self.needle.len()))
    }

    /// The last value that is a point in time.
    pub(crate) fn last_time(&self, text: &[u8]) -> Option<Timestamp> {
        self.needle
            .last_in(text, |at| time_at(text, at + self.needle.len()))
    }
}

/// The line that byte `at` belongs to, without its newline.
pub(crate) fn line_around(text: &[u8], at: usize) -> &[u8] {
    let (before, after) = text.split_at(at.min(text.len()));
    let start = memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let end = memchr(b'\n', after).map_or(text.len(), |newline| before.len() + newline);
    text.get(start..end).unwrap_or_default()
}

/// The inside of the string value at `at`. `None` when there is no string, or it is torn.
pub(crate) fn string_at(text: &[u8], at: usize) -> Option<&[u8]> {
    let value = open_string_at(text, at)?;
    let end = string_end(value)?;
    value.get(..end)
}

/// What follows the opening quote of the string value at `at`.
pub(crate) fn open_string_at(text: &[u8], at: usize) -> Option<&[u8]> {
    let value = text.get(at..)?;
    value
        .strip_prefix(b" ")
        .unwrap_or(value)
        .strip_prefix(b"\"")
}

/// Where the closing quote is.
pub(crate) fn string_end(value: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = value.get(at..)?;
        let hit = memchr2(b'"', b'\\', rest)?;
        if rest.get(hit) == Some(&b'"') {
            return Some(at + hit);
        }
        at += hit + 2;
    }
}

fn time_at(text: &[u8], at: usize) -> Option<Timestamp> {
    if let Some(written) = string_at(text, at) {
        return decode_text(written).parse().ok();
    }
    let value = text.get(at..)?.trim_ascii_start();
    let n_digits = value
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let digits = std::str::from_utf8(value.get(..n_digits)?).ok()?;
    Timestamp::from_millisecond(digits.parse().ok()?).ok()
}
