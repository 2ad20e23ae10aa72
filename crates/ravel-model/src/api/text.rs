//! JSON texts that the API takes: valid UTF-8, whole characters, proper escapes.

use std::borrow::Cow;
use std::ops::Range;

use ravel_format::Json;

/// Returns a value as JSON text that a strict reader takes, byte by byte as in the file otherwise.
///
/// Half a surrogate pair becomes U+FFFD, as does a byte that is no UTF-8 and the backslash of an
/// escape that JSON does not have. A control character in a string is escaped.
pub(super) fn clean(json: Json<'_>) -> String {
    let raw = String::from_utf8_lossy(json.raw());
    if json.flaw().is_none() && !raw.contains("\\u") {
        return raw.into_owned();
    }
    clean_strings(&raw)
}

/// Returns a text as a JSON string with quotes.
pub(super) fn quote(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            control if control < ' ' => push_escaped(&mut json, control),
            other => json.push(other),
        }
    }
    json.push('"');
    json
}

/// Returns what a JSON string with quotes says.
pub(super) fn decode(json: &str) -> String {
    Json::parse(json.as_bytes())
        .ok()
        .and_then(Json::str)
        .map(Cow::into_owned)
        .unwrap_or_default()
}

/// Returns where `part`, a slice of `whole`, stands in it.
pub(super) fn place(whole: &str, part: &[u8]) -> Option<Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(whole.as_ptr() as usize)?;
    let range = start..start + part.len();
    whole.get(range.clone()).map(|_| range)
}

/// Adds a line end to the JSON string that ends at byte `end` of `json`, closing quote included.
pub(super) fn add_line_end(json: &mut String, end: usize) {
    let Some(quote) = end.checked_sub(1) else {
        return;
    };
    if json.get(quote..end) == Some("\"") {
        json.insert_str(quote, "\\n");
    }
}

fn push_escaped(json: &mut String, control: char) {
    json.push_str(&format!("\\u{:04x}", u32::from(control)));
}

fn clean_strings(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    let mut in_string = false;
    while let Some(character) = rest.chars().next() {
        let mut length = character.len_utf8();
        match character {
            '"' => {
                in_string = !in_string;
                out.push('"');
            }
            '\\' => length = clean_escape(rest, &mut out),
            control if control < ' ' && in_string => push_escaped(&mut out, control),
            other => out.push(other),
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    out
}

/// Writes the escape at the start of `rest`, or U+FFFD for it; returns its length.
fn clean_escape(rest: &str, out: &mut String) -> usize {
    match rest.as_bytes().get(1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
            out.push_str(rest.get(..2).unwrap_or_default());
            2
        }
        Some(b'u') => clean_unicode(rest, out),
        _ => {
            out.push(char::REPLACEMENT_CHARACTER);
            1
        }
    }
}

fn clean_unicode(rest: &str, out: &mut String) -> usize {
    let length = match (unit(rest), rest.get(6..).and_then(unit)) {
        (None, _) => {
            out.push(char::REPLACEMENT_CHARACTER);
            return 1;
        }
        (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
        (Some(0xD800..=0xDFFF), _) => {
            out.push_str("\\ufffd");
            return 6;
        }
        _ => 6,
    };
    out.push_str(rest.get(..length).unwrap_or_default());
    length
}

/// Reads the `\uXXXX` at the start of `rest`.
fn unit(rest: &str) -> Option<u32> {
    let digits = rest.strip_prefix("\\u")?.get(..4)?;
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then(|| u32::from_str_radix(digits, 16).ok())?
}
