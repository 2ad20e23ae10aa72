//! Writes transcript text into HTML.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped};

use crate::sanitize::sanitize;

/// Bytes of an id that count.
const MAX_ANCHOR: usize = 100;

/// Appends `text`, sanitized and escaped for element content and quoted attributes.
pub(super) fn push_text(out: &mut String, text: &str) {
    push_clean(out, &sanitize(text));
}

/// Appends text that is sanitized already, escaped.
pub(super) fn push_clean(out: &mut String, clean: &str) {
    let mut rest = clean;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
        let (before, special) = rest.split_at(at);
        out.push_str(before);
        out.push_str(match special.as_bytes().first() {
            Some(b'&') => "&amp;",
            Some(b'<') => "&lt;",
            Some(b'>') => "&gt;",
            Some(b'"') => "&quot;",
            _ => "&#39;",
        });
        rest = special.get(1..).unwrap_or_default();
    }
    out.push_str(rest);
}

/// Returns `text` ready to stand in a page.
pub(super) fn safe(text: &str) -> Markup {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    push_text(&mut out, text);
    PreEscaped(out)
}

/// Returns an id as an anchor that is safe in an attribute and in an address.
///
/// A uuid stays as it is, so that links can be written by hand. Any other id gets a prefix: it
/// must not take the place of an element that the script looks for. `None` for no id.
pub fn anchor(id: &str) -> Option<String> {
    if id.is_empty() {
        return None;
    }
    let is_hex = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
    if id.len() == 36 && id.bytes().all(is_hex) {
        return Some(id.to_owned());
    }
    let mut out = String::from("r-");
    for byte in id.bytes().take(MAX_ANCHOR) {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => out.push(char::from(byte)),
            // Writing to a String cannot fail.
            _ => drop(write!(out, ".{byte:02x}")),
        }
    }
    Some(out)
}
