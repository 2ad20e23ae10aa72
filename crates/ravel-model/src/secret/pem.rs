//! Private keys in PEM, the whole block.

use super::value::count_while;
use super::{Kind, MASK, Secret};

/// The longest block; keys of 16,384 bits have 13 KB.
const LONGEST: usize = 32 << 10;

/// How long the first line of a block has to be that does not end.
const LEAST_BODY: usize = 32;

const DASHES: &[u8] = b"-----";

/// Looks for a private key after `-----BEGIN `.
///
/// No part of the text is in two blocks: a block goes on to the next five dashes only.
pub(super) fn at(text: &[u8], after: usize) -> Option<Secret> {
    let label = private_label(text, after)?;
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

/// Looks for the rest of a private key before `-----END `, whose start was cut off.
///
/// It goes back word by word while these look like lines of a key. The label of another block ends
/// that, so no part of the text is looked at for two blocks.
pub(super) fn before(text: &[u8], place: &std::ops::Range<usize>) -> Option<Secret> {
    private_label(text, place.end)?;
    let floor = place.start.saturating_sub(LONGEST);
    let mut at = place.start;
    let (mut first, mut last) = (None, None);
    let mut is_key = false;
    while at > floor {
        let word = word_before(text, floor, at);
        let bytes = text.get(word.clone())?;
        let run = bytes
            .iter()
            .rev()
            .take_while(|byte| is_base64(**byte))
            .count();
        let lead = bytes.get(..bytes.len() - run)?;
        // The last line of a key may be short, and the first where it was cut.
        let is_cut = is_key && (word.start == 0 || lead.ends_with("…".as_bytes()));
        let is_last = last.is_none() && !is_ornament(bytes);
        let is_line = run >= LEAST_BODY || (run > 0 && (is_cut || is_last));
        if is_line {
            is_key |= run >= LEAST_BODY;
            first = Some(word.end - run);
            last = last.or(Some(word.end));
        }
        if !(is_line && is_ornament(lead) || is_ornament(bytes)) {
            break;
        }
        at = word.start;
    }
    is_key.then_some(Secret {
        range: first?..last?,
        kind: Kind::PrivateKey,
    })
}

/// Returns what stands between `-----BEGIN ` and dashes, when that is a private key.
fn private_label(text: &[u8], after: usize) -> Option<&[u8]> {
    const LONGEST_LABEL: usize = 64;
    let rest = text.get(after..)?;
    let window = rest.get(..LONGEST_LABEL).unwrap_or(rest);
    let label = window.get(..memchr::memmem::find(window, DASHES)?)?;
    memchr::memmem::find(label, b"PRIVATE KEY").map(|_| label)
}

/// Returns the last word that ends at `end` or has only breaks behind it. It starts before `end`,
/// and not before `floor`.
fn word_before(text: &[u8], floor: usize, end: usize) -> std::ops::Range<usize> {
    let is_break = |at: usize| text.get(at).is_none_or(|byte| is_between(*byte));
    // The letter of `\n` belongs to the break.
    let is_escape = |at: usize| {
        let is_letter = matches!(text.get(at), Some(b'n' | b'r' | b't'));
        is_letter && at > floor && text.get(at - 1) == Some(&b'\\')
    };
    let mut end = end;
    while end > floor && (is_break(end - 1) || is_escape(end - 1)) {
        end -= 1;
    }
    let mut start = end;
    while start > floor && !is_break(start - 1) && !is_escape(start - 1) {
        start -= 1;
    }
    start..end
}

/// Tells whether a word is what tools put before lines: their number, an arrow, a bar, a quote.
fn is_ornament(word: &[u8]) -> bool {
    const LONGEST_ORNAMENT: usize = 12;
    let is_plain = |byte: &u8| !byte.is_ascii_alphabetic() && *byte != b'=';
    word.len() <= LONGEST_ORNAMENT && word.iter().all(is_plain)
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Line breaks, also those of JSON within JSON.
fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'\\'
}
