//! Credentials in headers: `Authorization: Bearer …` and others.

use std::ops::Range;

use super::value::{count_while, is_masked, is_placeholder, starts_word};
use super::{Kind, Secret, token};

/// How much of the credentials is looked at; longer ones are judged by their start.
const WINDOW: usize = 64;

/// The shortest credentials after the name of the header.
const SHORTEST: usize = 8;

/// The shortest credentials after `Bearer` alone, which is also a word of the language.
const SHORTEST_ALONE: usize = 16;

/// Looks for credentials after the name of the header.
pub(super) fn authorization(text: &[u8], after: usize) -> Option<Secret> {
    let start = skip(text, after, b"\"'\\ ");
    let separator = text.get(start)?;
    if !matches!(separator, b':' | b'=') {
        return None;
    }
    let start = skip(text, start + 1, b"\"'`\\ \t");
    let rest = text.get(start..)?;
    let schemes: [&[u8]; 5] = [b"bearer ", b"basic ", b"token ", b"apikey ", b"digest "];
    let is_scheme = |scheme: &&&[u8]| {
        let word = rest.get(..scheme.len());
        word.is_some_and(|word| word.eq_ignore_ascii_case(scheme))
    };
    let scheme = schemes
        .iter()
        .find(is_scheme)
        .map_or(0, |scheme| scheme.len());
    credentials(text, skip(text, start + scheme, b" "), SHORTEST)
}

/// Looks for credentials after `Bearer`.
pub(super) fn bearer(text: &[u8], word: Range<usize>) -> Option<Secret> {
    if !starts_word(text, word.start) {
        return None;
    }
    credentials(text, word.end, SHORTEST_ALONE)
}

fn credentials(text: &[u8], start: usize, shortest: usize) -> Option<Secret> {
    let rest = text.get(start..)?;
    let window = rest.get(..WINDOW).unwrap_or(rest);
    let seen = window.get(..count_while(window, is_credential))?;
    let has = |wanted: fn(&u8) -> bool| seen.iter().any(wanted);
    let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
    // Base64 of a name and a password may do without digits.
    let is_base64 = seen.ends_with(b"=") && has(u8::is_ascii_uppercase);
    if seen.len() < shortest || !(is_mixed || is_base64) || is_placeholder(seen) {
        return None;
    }
    let range = start..start + count_while(rest, is_credential);
    if is_masked(text, range.end) {
        return None;
    }
    let key = token::fills(text, &range);
    Some(key.unwrap_or(Secret {
        range,
        kind: Kind::Header,
    }))
}

fn is_credential(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'+' | b'/' | b'=')
}

/// Passes over a few of some bytes.
fn skip(text: &[u8], at: usize, some: &[u8]) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let rest = rest.get(..8).unwrap_or(rest);
    at + count_while(rest, |byte| some.contains(&byte))
}
