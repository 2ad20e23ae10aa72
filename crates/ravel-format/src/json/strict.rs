//! The part of the JSON grammar that the quick walk leaves out: what is inside strings.
//!
//! Every line of every file comes through here when a home is checked, so the usual line, which
//! is printable ASCII with some escapes, is passed in one sweep of sixteen bytes at a time that
//! hops from backslash to backslash.

use memchr::{memchr, memchr2};
use wide::u8x16;

use super::{Json, Malformed, Reason};

/// What is wrong inside the strings of JSON bytes. See [`TextFlaws::of`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextFlaws {
    /// Offset of the first control character or broken escape, which strict readers refuse.
    pub bad_text: Option<usize>,
    /// Offset of the first byte that is no UTF-8, which readers replace.
    pub bad_utf8: Option<usize>,
    /// Offset of the first `\u` escape of half a surrogate pair, which JavaScript allows.
    pub lone_surrogate: Option<usize>,
}

impl TextFlaws {
    /// Looks through bytes that are known to be structurally sound JSON.
    ///
    /// For other bytes the answer is harmless but means little.
    pub fn of(bytes: &[u8]) -> Self {
        let mut flaws = Self::default();
        let (lowest, all) = match flaws.sweep(bytes) {
            Ok(seen) => seen,
            // A broken escape ends the sweep, so what comes after it may be anything.
            Err(at) => {
                flaws.bad_text = Some(at);
                (0, 0x80)
            }
        };
        if all & 0x80 != 0 && simdutf8::basic::from_utf8(bytes).is_err() {
            let error = std::str::from_utf8(bytes).err();
            flaws.bad_utf8 = error.map(|error| error.valid_up_to());
        }
        if lowest < 0x20 {
            let control = control_character(bytes);
            flaws.bad_text = control.into_iter().chain(flaws.bad_text).min();
        }
        flaws
    }

    /// Looks at all bytes once, sixteen at a time, and checks the escapes.
    ///
    /// Returns the lowest byte and all bytes or-ed together: is there a control, is all of it
    /// ASCII? An error is the offset of a broken escape. Backslashes stand only inside strings, so
    /// hopping from one to the next needs no quotes.
    fn sweep(&mut self, bytes: &[u8]) -> Result<(u8, u8), usize> {
        let (blocks, rest) = bytes.as_chunks::<16>();
        let (mut lowest, mut all) = (u8x16::splat(u8::MAX), u8x16::splat(0));
        let (mut start, mut passed) = (0, 0);
        for block in blocks {
            let block = u8x16::new(*block);
            lowest = lowest.min(block);
            all |= block;
            let mut backslashes = block.simd_eq(BACKSLASHES).to_bitmask();
            while backslashes != 0 {
                let here = start + backslashes.trailing_zeros() as usize;
                backslashes &= backslashes - 1;
                if here >= passed {
                    passed = self.pass_escape(bytes, here)?;
                }
            }
            start += 16;
        }
        for (offset, &byte) in rest.iter().enumerate() {
            if byte == b'\\' && start + offset >= passed {
                passed = self.pass_escape(bytes, start + offset)?;
            }
        }
        let in_rest = rest.iter().fold((u8::MAX, 0), |(lowest, all), &byte| {
            (byte.min(lowest), all | byte)
        });
        let all = all
            .to_array()
            .iter()
            .fold(in_rest.1, |all, byte| all | byte);
        Ok((lowest.reduce_min().min(in_rest.0), all))
    }

    /// Returns the offset after the escape at `here`; an error when it is none.
    #[inline]
    fn pass_escape(&mut self, bytes: &[u8], here: usize) -> Result<usize, usize> {
        match bytes.get(here + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(here + 2),
            Some(b'u') => {
                let unit = hex_unit(bytes, here).ok_or(here)?;
                Ok(self.pass_unit(bytes, here, unit))
            }
            _ => Err(here),
        }
    }

    /// Passes the `\u` escape at `here`, with the second half of its pair when there is one.
    fn pass_unit(&mut self, bytes: &[u8], here: usize, unit: u16) -> usize {
        if !matches!(unit, 0xD800..=0xDFFF) {
            return here + 6;
        }
        let is_pair = unit < 0xDC00
            && bytes.get(here + 6..here + 8) == Some(b"\\u")
            && matches!(hex_unit(bytes, here + 6), Some(0xDC00..=0xDFFF));
        if is_pair {
            return here + 12;
        }
        self.lone_surrogate.get_or_insert(here);
        here + 6
    }
}

impl Json<'_> {
    /// Returns the first flaw that a strict JSON reader would refuse the value for.
    ///
    /// The quick walk that made this value has checked its structure; this adds control
    /// characters, escapes and UTF-8. Lone surrogates are legal here, as in JavaScript.
    pub fn flaw(self) -> Option<Malformed> {
        let flaws = TextFlaws::of(self.raw());
        let first = flaws.bad_text.into_iter().chain(flaws.bad_utf8).min()?;
        Some(Malformed {
            at: first,
            reason: Reason::BadText,
        })
    }
}

const BACKSLASHES: u8x16 = u8x16::new([b'\\'; 16]);

/// Finds a control character that may not stand where it does: white space may, between values.
fn control_character(bytes: &[u8]) -> Option<usize> {
    let first = bytes.iter().position(|&byte| byte < 0x20)?;
    let other = bytes
        .iter()
        .position(|&byte| byte < 0x20 && !matches!(byte, b'\t' | b'\r' | b'\n'));
    let in_string = control_in_string(bytes, first);
    other.into_iter().chain(in_string).min()
}

/// Finds a control character at or after `from` that is inside a string.
fn control_in_string(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr(b'"', bytes.get(at..)?)? + 1;
        let end = string_end(bytes, at);
        let text = bytes.get(at.max(from)..end).unwrap_or_default();
        if let Some(bad) = text.iter().position(|&byte| byte < 0x20) {
            return Some(at.max(from) + bad);
        }
        at = end + 1;
    }
}

/// Returns the offset of the closing quote of the string whose text starts at `at`.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        match memchr2(b'"', b'\\', rest) {
            None => return bytes.len(),
            Some(offset) if rest.get(offset) == Some(&b'"') => return at + offset,
            Some(offset) => at += offset + 2,
        }
    }
}

/// Reads the four digits of the `\u` escape at `here`.
fn hex_unit(bytes: &[u8], here: usize) -> Option<u16> {
    let digits = bytes.get(here + 2..here + 6)?;
    digits.iter().try_fold(0, |unit, &digit| {
        let value = char::from(digit).to_digit(16)?;
        Some(unit << 4 | value as u16)
    })
}
