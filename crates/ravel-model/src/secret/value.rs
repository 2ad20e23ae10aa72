//! What a value looks like: a secret, a placeholder, or a piece of code.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::MASK;

/// How much of a value is looked at. Longer ones are judged by their start.
const WINDOW: usize = 64;

/// The shortest value worth hiding.
const SHORTEST: usize = 8;

/// What is written where a secret would stand, and what code gets one from. A cut or a mask is
/// no secret either.
static PLACEHOLDERS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let words = [
        "xxx",
        "your",
        "example",
        "changeme",
        "change-me",
        "placeholder",
        "redacted",
        "process.env",
        "environ",
        "getenv",
        "***",
        "...",
        "…",
    ];
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(words)
        .ok()
});

/// How sure the name of a value makes us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// It is called a password: short and simple ones count.
    Password,
    /// It is called a token, secret or key of some kind.
    Secret,
    /// It is only called a key.
    Key,
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writing {
    /// In quotes.
    Quoted,
    /// As `NAME=value`, the way of environments.
    Environment,
    /// Bare, so that it may be code.
    Bare,
}

/// Returns how many bytes at the start are wanted.
pub(super) fn count_while(bytes: &[u8], wanted: impl Fn(u8) -> bool) -> usize {
    let end = bytes.iter().position(|&byte| !wanted(byte));
    end.unwrap_or(bytes.len())
}

/// Letters, digits, `_` and `-`.
pub(super) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Tells whether a word can start here.
pub(super) fn starts_word(text: &[u8], start: usize) -> bool {
    let Some(before) = start.checked_sub(1).and_then(|before| text.get(before)) else {
        return true;
    };
    // JSON within JSON: the letter belongs to `\n`.
    let is_escape = matches!(before, b'n' | b't' | b'r')
        && start.checked_sub(2).and_then(|before| text.get(before)) == Some(&b'\\');
    // Right behind a mask there was no border before it was one.
    let is_behind_mask = text
        .get(..start)
        .is_some_and(|before| before.ends_with(MASK.as_bytes()));
    is_escape || !is_word_byte(*before) && !is_behind_mask
}

/// Tells whether something was masked here. What is left of it before is no secret.
pub(super) fn is_masked(text: &[u8], at: usize) -> bool {
    text.get(at..)
        .is_some_and(|rest| rest.starts_with(MASK.as_bytes()))
}

/// Returns the value that starts here: up to a space, a quote or another sign that ends it.
pub(super) fn extent(text: &[u8], start: usize) -> Range<usize> {
    let rest = text.get(start..).unwrap_or_default();
    start..start + count_while(rest, |byte| !ends_value(byte))
}

fn ends_value(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || byte.is_ascii_control()
        || matches!(
            byte,
            b'"' | b'\'' | b'`' | b'\\' | b',' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')'
        )
        || matches!(byte, b'[' | b']' | b'{' | b'}')
}

/// Tells whether a value that starts here should be hidden.
///
/// Only the start of a long value is looked at, so that many overlapping ones cost little.
pub(super) fn is_secret(text: &[u8], start: usize, trust: Trust, writing: Writing) -> bool {
    let rest = text.get(start..).unwrap_or_default();
    let window = rest.get(..WINDOW).unwrap_or(rest);
    let length = count_while(window, |byte| !ends_value(byte));
    let value = window.get(..length).unwrap_or_default();
    let next = window.get(length).copied();
    if length < SHORTEST {
        return false;
    }
    let traits = Traits::of(value);
    let is_likely = match (trust, writing) {
        (Trust::Key, _) => traits.is_random() && length >= 16 && !traits.is_hash(),
        (Trust::Password, Writing::Environment) => true,
        (Trust::Password, _) => traits.n_digits > 0 || traits.n_signs > 0,
        (Trust::Secret, Writing::Environment) => traits.n_digits > 0 || length >= 20,
        (Trust::Secret, Writing::Quoted) => traits.n_digits > 0 && traits.n_letters > 0,
        (Trust::Secret, Writing::Bare) => traits.is_random(),
    };
    // A call, an index, a field: code that gets the value from elsewhere.
    let is_code = || matches!(next, Some(b'(' | b'[' | b'{')) || has_field(value);
    let is_elsewhere = writing != Writing::Quoted && is_likely && is_code();
    is_likely && !is_elsewhere && !is_placeholder(value)
}

/// Tells whether a value stands for another one that is not here.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    let starts_elsewhere = matches!(
        value.first(),
        None | Some(b'$' | b'%' | b'*' | b'#' | b'@' | b'/' | b'.')
    );
    let same = value.iter().all(|byte| Some(byte) == value.first());
    let has_word = || {
        let words = PLACEHOLDERS.as_ref();
        words.is_some_and(|words| words.is_match(value))
    };
    starts_elsewhere || same || has_word()
}

/// Tells whether a value is the field of something, such as `user.token1`.
fn has_field(value: &[u8]) -> bool {
    let mut parts = value.split(|byte| *byte == b'.');
    let is_name = |part: &[u8]| {
        let first = part.first().is_some_and(u8::is_ascii_alphabetic);
        first && part.len() < 24 && part.iter().all(|byte| is_word_byte(*byte))
    };
    value.contains(&b'.') && parts.all(is_name)
}

/// Tells whether a byte is none that names of things have.
fn is_sign(byte: u8) -> bool {
    !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'-' | b'.' | b'/' | b':')
}

/// What a value is made of.
#[derive(Default)]
struct Traits {
    n_letters: usize,
    n_digits: usize,
    /// Signs that names of things do not have.
    n_signs: usize,
    n_hex: usize,
    n_dashes: usize,
    /// How often digits start: `Base64String` has one such place, keys have many.
    n_digit_groups: usize,
}

impl Traits {
    fn of(value: &[u8]) -> Self {
        let mut traits = Self::default();
        let mut was_digit = false;
        for byte in value {
            let is_digit = byte.is_ascii_digit();
            traits.n_digit_groups += usize::from(is_digit && !was_digit);
            was_digit = is_digit;
            traits.n_digits += usize::from(is_digit);
            traits.n_letters += usize::from(byte.is_ascii_alphabetic());
            traits.n_hex += usize::from(byte.is_ascii_hexdigit());
            traits.n_dashes += usize::from(*byte == b'-');
            traits.n_signs += usize::from(is_sign(*byte));
        }
        traits
    }

    fn is_random(&self) -> bool {
        self.n_letters > 0 && self.n_digit_groups >= 2
    }

    /// A hash or a UUID.
    fn is_hash(&self) -> bool {
        let n_all = self.n_letters + self.n_digits + self.n_signs;
        self.n_signs == 0 && self.n_hex == n_all && self.n_dashes <= 4
    }
}
