//! Values of things that are called a password, token, secret or key.

use std::ops::Range;

use super::value::{Trust, Writing, count_while, extent, is_secret, is_word_byte};
use super::{Kind, Secret, token};

/// How much of a name before the word is looked at.
const LONGEST_BEFORE: usize = 24;

/// How much of a name may follow the word: `secret` is a part of `secret_access_key`.
const LONGEST_AFTER: usize = 16;

/// The most spaces around `=` or `:`; tables line their columns up.
const MOST_SPACES: usize = 16;

/// Looks for a value next to a word.
pub(super) fn at(text: &[u8], word: Range<usize>) -> Option<Secret> {
    let name = name_around(text, word)?;
    let (start, writing) = value_after(text, &name)?;
    let trust = trust(text.get(name)?)?;
    let key = token::any_at(text, start);
    if let Some(key) = key.filter(|key| extent(text, key.range.end).is_empty()) {
        return Some(key);
    }
    // How far the value goes is looked at only when it is taken, so nothing is looked at twice.
    is_secret(text, start, trust, writing).then(|| Secret {
        range: extent(text, start),
        kind: Kind::Assigned,
    })
}

/// Returns the whole name that a word is a part of; `None` when it goes on for long.
fn name_around(text: &[u8], word: Range<usize>) -> Option<Range<usize>> {
    let after = text.get(word.end..)?;
    let after = after.get(..=LONGEST_AFTER).unwrap_or(after);
    let n_after = count_while(after, is_word_byte);
    if n_after > LONGEST_AFTER {
        return None;
    }
    let before = text.get(..word.start)?;
    let n_before = before
        .iter()
        .rev()
        .take(LONGEST_BEFORE)
        .take_while(|byte| is_word_byte(**byte))
        .count();
    Some(word.start - n_before..word.end + n_after)
}

/// Tells what a name promises; `None` when it only contains such a word.
fn trust(name: &[u8]) -> Option<Trust> {
    const PASSWORDS: [&str; 6] = [
        "password",
        "passwords",
        "passwd",
        "passphrase",
        "pwd",
        "_pass",
    ];
    const SECRETS: [&str; 10] = [
        "secret",
        "token",
        "credential",
        "credentials",
        "apikey",
        "accesskey",
        "accountkey",
        "privatekey",
        "secretkey",
        "authkey",
    ];
    let lower = name.to_ascii_lowercase();
    let plain: Vec<u8> = lower
        .iter()
        .copied()
        .filter(|byte| !matches!(byte, b'_' | b'-'))
        .collect();
    let ends = |endings: &[&str]| {
        let is_ending = |ending: &&str| {
            plain.ends_with(ending.as_bytes()) || lower.ends_with(ending.as_bytes())
        };
        endings.iter().any(is_ending)
    };
    if ends(&PASSWORDS) {
        Some(Trust::Password)
    } else if ends(&SECRETS) {
        Some(Trust::Secret)
    } else {
        // `OPENAI_KEY`, but not `primary_key`.
        let is_loud = !name.iter().any(u8::is_ascii_lowercase);
        (is_loud && name.ends_with(b"_KEY")).then_some(Trust::Key)
    }
}

/// Finds where the value of a name starts and how it is written.
fn value_after(text: &[u8], name: &Range<usize>) -> Option<(usize, Writing)> {
    let is_loud = !text.get(name.clone())?.iter().any(u8::is_ascii_lowercase);
    let mut at = skip_quote(text, name.end).unwrap_or(name.end);
    let is_option = text.get(name.clone())?.starts_with(b"--");
    let after_spaces = skip_spaces(text, at);
    let separator = match text.get(after_spaces) {
        Some(b'=' | b':') => text.get(after_spaces..)?,
        // `--password VALUE`
        _ if is_option && after_spaces > at => {
            return value_at(text, after_spaces, Writing::Environment);
        }
        _ => return None,
    };
    // `==` compares and `::` is a path; neither gives a value.
    let length = match separator {
        [b'=', b'=', ..] | [b':', b':', ..] => return None,
        [b'=', b'>', ..] | [b':', b'=', ..] => 2,
        _ => 1,
    };
    let is_tight = after_spaces == at && separator.first() == Some(&b'=');
    at = after_spaces + length;
    let writing = match is_tight && (is_loud || is_option) {
        true => Writing::Environment,
        false => Writing::Bare,
    };
    value_at(text, skip_spaces(text, at), writing)
}

fn value_at(text: &[u8], start: usize, writing: Writing) -> Option<(usize, Writing)> {
    match skip_quote(text, start) {
        // Quotes in a shell are no more than the value of the variable.
        Some(inside) if writing == Writing::Environment => Some((inside, writing)),
        Some(inside) => Some((inside, Writing::Quoted)),
        None => Some((start, writing)),
    }
}

fn skip_spaces(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let rest = rest.get(..MOST_SPACES).unwrap_or(rest);
    at + count_while(rest, |byte| matches!(byte, b' ' | b'\t'))
}

/// Returns what is after a quote, also one that is escaped because it is in JSON itself.
fn skip_quote(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let n_escapes = count_while(rest.get(..4).unwrap_or(rest), |byte| byte == b'\\');
    let quote = rest.get(n_escapes)?;
    matches!(quote, b'"' | b'\'' | b'`').then_some(at + n_escapes + 1)
}
