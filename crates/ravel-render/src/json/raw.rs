//! Makes JSON of a file fit for strict readers, changing nothing where nothing is wrong.

use std::borrow::Cow;
use std::io::Write as _;

use ravel_format::TextFlaws;

/// Returns a well-formed value with everything inside its strings valid as well.
pub(super) fn mended(json: &[u8]) -> Cow<'_, [u8]> {
    let flaws = TextFlaws::of(json);
    if flaws.bad_text.is_none() && flaws.bad_utf8.is_none() {
        return Cow::Borrowed(json);
    }
    Cow::Owned(mend(String::from_utf8_lossy(json).as_bytes()))
}

fn mend(json: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(json.len() + 16);
    let mut in_string = false;
    let mut rest = json;
    while let [byte, after @ ..] = rest {
        rest = after;
        match byte {
            b'"' => {
                in_string = !in_string;
                out.push(b'"');
            }
            b'\\' if in_string => rest = mend_escape(after, &mut out),
            // Between values, a control character is white space.
            0..=0x1f if in_string => {
                // Writing to a vector cannot fail.
                let _ = write!(out, "\\u{byte:04x}");
            }
            _ => out.push(*byte),
        }
    }
    out
}

/// Writes the escape whose backslash is just before `after` and returns what follows it.
///
/// The backslash of a broken one is kept as a backslash that was meant.
fn mend_escape<'a>(after: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
    let length = match after {
        [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 1,
        [b'u', a, b, c, d, ..] if [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()) => 5,
        _ => 0,
    };
    let (escape, rest) = after.split_at_checked(length).unwrap_or((&[], after));
    out.extend_from_slice(if length == 0 { b"\\\\" } else { b"\\" });
    out.extend_from_slice(escape);
    rest
}
