//! JSON as it really occurs, read without losing a whole file to one bad escape.
//!
//! Claude Code writes text in UTF-16 terms, so half of an emoji can end up in a
//! string as a lone `\ud83d`. serde_json refuses such a string, and with it the
//! whole document. Here the lone half becomes U+FFFD and the rest survives. Only
//! sidecars and listings go through this; session records keep their raw bytes.

use std::borrow::Cow;

use memchr::memchr;
use serde_json::Value;

/// Parses a document; lone surrogates and bytes that are not UTF-8 become U+FFFD.
pub(crate) fn parse_value(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    serde_json::from_slice(bytes).or_else(|error| {
        let text = String::from_utf8_lossy(bytes);
        match mend_surrogates(text.as_bytes()) {
            Cow::Owned(mended) => serde_json::from_slice(&mended),
            Cow::Borrowed(_) if matches!(text, Cow::Owned(_)) => serde_json::from_str(&text),
            Cow::Borrowed(_) => Err(error),
        }
    })
}

/// Decodes what stands between the quotes of a JSON string. Never fails: an escape
/// that means nothing is kept as it is written.
pub(crate) fn decode_text(raw: &[u8]) -> String {
    let mut decoded = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr(b'\\', rest) {
        let (plain, escape) = rest.split_at(at);
        decoded.extend_from_slice(plain);
        let (character, length) = decode_escape(escape);
        let mut utf8 = [0; 4];
        decoded.extend_from_slice(character.encode_utf8(&mut utf8).as_bytes());
        rest = escape.get(length..).unwrap_or_default();
    }
    decoded.extend_from_slice(rest);
    match String::from_utf8(decoded) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    }
}

/// The character an escape stands for, and how many bytes it takes.
fn decode_escape(escape: &[u8]) -> (char, usize) {
    match escape.get(1) {
        Some(b'n') => ('\n', 2),
        Some(b't') => ('\t', 2),
        Some(b'r') => ('\r', 2),
        Some(b'b') => ('\u{8}', 2),
        Some(b'f') => ('\u{c}', 2),
        Some(quoted @ (b'"' | b'\\' | b'/')) => (char::from(*quoted), 2),
        Some(b'u') => decode_unicode(escape),
        _ => ('\\', 1),
    }
}

fn decode_unicode(escape: &[u8]) -> (char, usize) {
    let Some(unit) = utf16_unit(escape) else {
        return ('\\', 1);
    };
    let following = escape.get(6..).and_then(utf16_unit);
    let units = [Some(unit), following].into_iter().flatten();
    match char::decode_utf16(units).next() {
        Some(Ok(character)) => (character, 6 * character.len_utf16()),
        _ => (char::REPLACEMENT_CHARACTER, 6),
    }
}

/// Reads `\uXXXX` at the start of `escape`.
fn utf16_unit(escape: &[u8]) -> Option<u16> {
    let digits = escape.strip_prefix(b"\\u")?.get(..4)?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Writes `\ufffd` over each surrogate escape that has no partner.
fn mend_surrogates(json: &[u8]) -> Cow<'_, [u8]> {
    let mut mended: Vec<u8> = Vec::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(escape) = json
        .get(at..)
        .and_then(|rest| Some((rest, memchr(b'\\', rest)?)))
    {
        let (rest, offset) = escape;
        let escape = rest.get(offset..).unwrap_or_default();
        at += offset;
        let (character, length) = decode_escape(escape);
        if character == char::REPLACEMENT_CHARACTER {
            mended.extend_from_slice(json.get(copied..at).unwrap_or_default());
            mended.extend_from_slice(b"\\ufffd");
            copied = at + length;
        }
        at += length;
    }
    if copied == 0 {
        return Cow::Borrowed(json);
    }
    mended.extend_from_slice(json.get(copied..).unwrap_or_default());
    Cow::Owned(mended)
}

#[cfg(test)]
mod tests;
