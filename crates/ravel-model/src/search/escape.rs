//! Characters that a file spells as `\uXXXX`.
//!
//! JSON may write any character this way. Most writers do so for a few only, but a search must not
//! miss the others, so that a line with such an escape of a wanted character is always looked at.

use memchr::memmem;

use super::query::Case;

/// Finds escapes of certain characters in raw JSON.
#[derive(Debug, Clone)]
pub(super) struct Escapes {
    wanted: Vec<char>,
    case: Case,
    mark: memmem::Finder<'static>,
}

impl Escapes {
    /// Looks for `wanted`, which are folded if case does not matter.
    pub(super) fn of(wanted: impl IntoIterator<Item = char>, case: Case) -> Self {
        let mut wanted: Vec<char> = wanted.into_iter().collect();
        wanted.sort_unstable();
        wanted.dedup();
        // Nothing that folds to ASCII lies outside of it, and `\u00` is much rarer than `\u` in
        // texts that are escaped as a whole.
        let mark = if wanted.iter().all(char::is_ascii) {
            &br"\u00"[..]
        } else {
            br"\u"
        };
        Self {
            wanted,
            case,
            mark: memmem::Finder::new(mark),
        }
    }

    /// Finds an escape that starts at `from` or later.
    pub(super) fn find_at(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let rest = bytes.get(from..)?;
        let mut places = self.mark.find_iter(rest).map(|at| from + at);
        places.find(|&at| {
            let escaped = bytes.get(at..).and_then(decode);
            let is_wanted = |one| self.wanted.binary_search(&self.case.fold(one)).is_ok();
            escaped.is_some_and(is_wanted) && is_escape(bytes, at)
        })
    }
}

/// Tells whether the backslash at `at` is not itself escaped.
fn is_escape(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default();
    let backslashes = before.iter().rev().take_while(|&&byte| byte == b'\\');
    backslashes.count() % 2 == 0
}

/// Decodes the escape at the start of `bytes`, with its second half if it has one.
fn decode(bytes: &[u8]) -> Option<char> {
    let first = unit(bytes)?;
    if let Some(character) = char::from_u32(first) {
        return Some(character);
    }
    let second = unit(bytes.get(6..)?)?;
    let is_pair = (0xD800..0xDC00).contains(&first) && (0xDC00..0xE000).contains(&second);
    let code = || 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    char::from_u32(is_pair.then(code)?)
}

fn unit(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.strip_prefix(br"\u")?.first_chunk::<4>()?;
    digits.iter().try_fold(0, |code, &digit| {
        Some(code * 16 + char::from(digit).to_digit(16)?)
    })
}
