//! The part of the JSON grammar that the quick walk leaves out: what is inside strings.

use memchr::memchr2;

use super::{Json, Malformed, Reason};

impl Json<'_> {
    /// Returns the first flaw that a strict JSON reader would refuse the value for.
    ///
    /// The quick walk that made this value has checked its structure; this adds control
    /// characters, escapes and UTF-8. Lone surrogates are legal here, as in JavaScript.
    pub fn flaw(self) -> Option<Malformed> {
        let bytes = self.raw();
        if let Err(error) = std::str::from_utf8(bytes) {
            return Some(Malformed {
                at: error.valid_up_to(),
                reason: Reason::BadText,
            });
        }
        let bad_byte = bytes
            .iter()
            .position(|&byte| byte < 0x20 && !matches!(byte, b'\t' | b'\r' | b'\n'));
        if let Some(at) = bad_byte {
            return Some(Malformed {
                at,
                reason: Reason::BadText,
            });
        }
        bad_string(bytes).map(|at| Malformed {
            at,
            reason: Reason::BadText,
        })
    }
}

/// Finds a bad escape, or white space that is legal between values but not in a string.
fn bad_string(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr(b'"', bytes.get(at..)?)? + 1;
        match string_end(bytes, at) {
            Ok(end) => at = end,
            Err(bad) => return Some(bad),
        }
    }
}

/// Returns the offset after the closing quote of the string whose text starts at `at`.
fn string_end(bytes: &[u8], mut at: usize) -> Result<usize, usize> {
    let start = at;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(offset) = memchr2(b'"', b'\\', rest) else {
            return Err(at);
        };
        let here = at + offset;
        if bytes.get(here) == Some(&b'"') {
            let text = bytes.get(start..here).unwrap_or_default();
            return match text.iter().position(|&byte| byte < 0x20) {
                Some(bad) => Err(start + bad),
                None => Ok(here + 1),
            };
        }
        at = match bytes.get(here + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => here + 2,
            Some(b'u') if is_hex(bytes.get(here + 2..here + 6)) => here + 6,
            _ => return Err(here),
        };
    }
}

fn is_hex(digits: Option<&[u8]>) -> bool {
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}
