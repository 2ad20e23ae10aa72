//! Private keys in PEM, the whole block.

use super::value::count_while;
use super::{Kind, MASK, Secret};

/// The longest block; keys of 16,384 bits have 13 KB.
const LONGEST: usize = 32 << 10;

/// How long the first line of a block has to be that does not end.
const LEAST_BODY: usize = 32;

/// Looks for a private key after `-----BEGIN `.
///
/// No part of the text is in two blocks: a block goes on to the next five dashes only.
pub(super) fn at(text: &[u8], after: usize) -> Option<Secret> {
    const DASHES: &[u8] = b"-----";
    const LONGEST_LABEL: usize = 64;
    let rest = text.get(after..)?;
    let label_window = rest.get(..LONGEST_LABEL).unwrap_or(rest);
    let label = label_window.get(..memchr::memmem::find(label_window, DASHES)?)?;
    let is_private = memchr::memmem::find(label, b"PRIVATE KEY").is_some();
    if !is_private {
        return None;
    }
    let start = after + label.len() + DASHES.len();
    let body = text.get(start..)?;
    if body.starts_with(MASK.as_bytes()) {
        return None;
    }
    let window = body.get(..LONGEST).unwrap_or(body);
    let end = memchr::memmem::find(window, DASHES).and_then(|dashes| {
        let closing = window.get(dashes + DASHES.len()..)?;
        let closing = closing.strip_prefix(b"END ")?.strip_prefix(label)?;
        closing.starts_with(DASHES).then_some(())?;
        Some(dashes + DASHES.len() + b"END ".len() + label.len() + DASHES.len())
    });
    // A key may be cut off: then it is what looks like one.
    let length = end.or_else(|| {
        let n_before = count_while(window, |byte| !byte.is_ascii_alphanumeric());
        let first_line = count_while(window.get(n_before + 1..)?, is_base64);
        let length = count_while(window, |byte| is_base64(byte) || is_between(byte));
        (first_line >= LEAST_BODY && length > n_before).then_some(length)
    })?;
    Some(Secret {
        range: start..start + length,
        kind: Kind::PrivateKey,
    })
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Line breaks, also those of JSON within JSON.
fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'\\'
}
