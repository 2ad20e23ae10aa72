//! Passwords in URLs and connection strings: `scheme://user:password@host`.

use super::value::is_placeholder;
use super::{Kind, Secret, token};

/// The longest user and password that are looked for.
const WINDOW: usize = 256;

/// Words that documents put where a password would be.
const WORDS: [&[u8]; 6] = [b"password", b"pass", b"passwd", b"pwd", b"secret", b"token"];

/// Looks for a password after `://`.
pub(super) fn at(text: &[u8], after: usize) -> Option<Secret> {
    let scheme = after.checked_sub(4).and_then(|at| text.get(at))?;
    if !scheme.is_ascii_alphanumeric() {
        return None;
    }
    let rest = text.get(after..)?;
    let window = rest.get(..WINDOW).unwrap_or(rest);
    let end = window.iter().position(|byte| ends_authority(*byte));
    let authority = window.get(..end.unwrap_or(window.len()))?;
    // A password may have an `@` in it; a host has none.
    let at_sign = memchr::memrchr(b'@', authority)?;
    let login = authority.get(..at_sign)?;
    let colon = memchr::memchr(b':', login)?;
    let password = login.get(colon + 1..)?;
    let is_word = |word: &&[u8]| password.eq_ignore_ascii_case(word);
    let is_template = password
        .iter()
        .any(|byte| matches!(byte, b'{' | b'}' | b'$'));
    if is_placeholder(password) || is_template || WORDS.iter().any(is_word) {
        return None;
    }
    let range = after + colon + 1..after + at_sign;
    Some(token::fills(text, &range).unwrap_or(Secret {
        range,
        kind: Kind::UrlPassword,
    }))
}

fn ends_authority(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || byte.is_ascii_control()
        || matches!(
            byte,
            b'/' | b'?' | b'#' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'|' | b'(' | b')'
        )
}
