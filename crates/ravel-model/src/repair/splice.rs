//! Changes to the bytes of one record.

use memchr::memchr2;
use ravel_format::{Json, TextFlaws};

/// Replaces `cut` bytes at `at` of a record by others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Splice {
    pub(super) at: usize,
    pub(super) cut: usize,
    pub(super) bytes: Vec<u8>,
}

/// Applies splices, which come in order and do not overlap.
pub(super) fn spliced(bytes: &[u8], splices: &[Splice]) -> Vec<u8> {
    let mut changed = Vec::with_capacity(bytes.len() + 1);
    let mut done = 0;
    for splice in splices {
        changed.extend_from_slice(bytes.get(done..splice.at).unwrap_or_default());
        changed.extend_from_slice(&splice.bytes);
        done = splice.at + splice.cut;
    }
    changed.extend_from_slice(bytes.get(done..).unwrap_or_default());
    changed
}

/// Sets a top-level key of a record: its value is replaced, or the key is added at the end.
///
/// `value` is JSON. `None` when the bytes are no object.
pub(super) fn set_key(record: &[u8], key: &str, value: &str) -> Option<Splice> {
    let json = Json::parse(record).ok()?;
    let offset = |raw: &[u8]| (raw.as_ptr() as usize).checked_sub(record.as_ptr() as usize);
    if let Some(old) = json.get(key) {
        return Some(Splice {
            at: offset(old.raw())?,
            cut: old.raw().len(),
            bytes: value.as_bytes().to_vec(),
        });
    }
    let brace = offset(json.raw())? + json.raw().len().checked_sub(1)?;
    let comma = if json.entries().next().is_some() {
        ","
    } else {
        ""
    };
    Some(Splice {
        at: brace,
        cut: 0,
        bytes: format!("{comma}\"{key}\":{value}").into_bytes(),
    })
}

/// Returns the splices of several keys of one record, in order.
pub(super) fn set_keys(record: &[u8], values: &[(&str, String)]) -> Vec<Splice> {
    let splices = values
        .iter()
        .filter_map(|(key, value)| set_key(record, key, value));
    let mut splices: Vec<Splice> = splices.collect();
    // Stable: keys added at the same place stay in their order.
    splices.sort_by_key(|splice| splice.at);
    splices
}

/// Returns the splices that make the strings of a sound JSON value strict: control characters
/// are escaped, broken escapes lose their meaning, bytes that are no UTF-8 become U+FFFD.
pub(super) fn mend_text(json: &[u8]) -> Vec<Splice> {
    let flaws = TextFlaws::of(json);
    if flaws.bad_text.is_none() && flaws.bad_utf8.is_none() {
        return Vec::new();
    }
    let mut splices = bad_utf8(json);
    let mut at = 0;
    while let Some(offset) = json.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at = mend_string(json, at + offset + 1, &mut splices);
    }
    splices.sort_by_key(|splice| splice.at);
    splices
}

/// Mends the string whose text starts at `at`; returns the offset after it.
fn mend_string(json: &[u8], mut at: usize, splices: &mut Vec<Splice>) -> usize {
    while let Some(&byte) = json.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += mend_escape(json, at, splices),
            0..0x20 => {
                let bytes = format!("\\u{byte:04x}").into_bytes();
                splices.push(Splice { at, cut: 1, bytes });
                at += 1;
            }
            _ => at += 1,
        }
    }
    at
}

/// Passes the escape at `at`; a broken one becomes the characters it is written with.
fn mend_escape(json: &[u8], at: usize, splices: &mut Vec<Splice>) -> usize {
    let is_hex = |digits: &[u8]| digits.iter().all(u8::is_ascii_hexdigit);
    match json.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
        Some(b'u') if json.get(at + 2..at + 6).is_some_and(is_hex) => 6,
        _ => {
            let bytes = b"\\\\".to_vec();
            splices.push(Splice { at, cut: 1, bytes });
            1
        }
    }
}

fn bad_utf8(json: &[u8]) -> Vec<Splice> {
    let mut splices = Vec::new();
    let mut at = 0;
    while let Some(Err(error)) = json.get(at..).map(std::str::from_utf8) {
        let bad = at + error.valid_up_to();
        let cut = error.error_len().unwrap_or(json.len() - bad);
        let bytes = "\u{FFFD}".as_bytes().to_vec();
        splices.push(Splice {
            at: bad,
            cut,
            bytes,
        });
        at = bad + cut.max(1);
    }
    splices
}
