//! Walks over JSON bytes without building anything.
//!
//! Everything above the bytes stands on this: one forward pass, no recursion, no
//! allocation for documents less than 64 levels deep. The digest of a file walks each
//! line once with it and picks up the few keys it needs on the way.

use memchr::memchr;
use wide::u8x16;

use super::JsonText;

/// Where and why bytes stopped being JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{reason} at byte {at}")]
pub struct Malformed {
    /// Offset from the start of the bytes that were read.
    pub at: usize,
    /// What was wrong there.
    pub reason: Reason,
}

/// What was wrong with the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The bytes end inside a value: a torn write.
    Unfinished,
    /// A byte that cannot stand here.
    Unexpected,
    /// A control character or a broken escape inside a string.
    BadText,
    /// Bytes after the end of the value.
    Trailing,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Unfinished => "unfinished value",
            Self::Unexpected => "unexpected byte",
            Self::BadText => "invalid character or escape in a string",
            Self::Trailing => "bytes after the value",
        })
    }
}

/// A position in JSON bytes.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    pos: usize,
}

impl<'a> Cursor<'a> {
    #[inline]
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, pos: 0 }
    }

    #[inline]
    pub(crate) fn pos(&self) -> usize {
        self.pos
    }

    /// Returns the bytes from `start` to the cursor.
    #[inline]
    pub(crate) fn since(&self, start: usize) -> &'a [u8] {
        self.bytes.get(start..self.pos).unwrap_or_default()
    }

    pub(crate) fn error<T>(&self, reason: Reason) -> Result<T, Malformed> {
        let reason = if self.pos >= self.bytes.len() {
            Reason::Unfinished
        } else {
            reason
        };
        Err(Malformed {
            at: self.pos,
            reason,
        })
    }

    /// Returns the next byte that is not white space, without passing it.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        while let Some(&byte) = self.bytes.get(self.pos) {
            if !matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
                return Some(byte);
            }
            self.pos += 1;
        }
        None
    }

    /// Passes `expected` after optional white space.
    #[inline]
    pub(crate) fn expect(&mut self, expected: u8) -> Result<(), Malformed> {
        if self.peek() == Some(expected) {
            self.pos += 1;
            return Ok(());
        }
        self.error(Reason::Unexpected)
    }

    /// Passes `wanted` if it is next, and says whether it was.
    #[inline]
    pub(crate) fn accept(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.pos += usize::from(found);
        found
    }

    /// Passes a string and returns it with its quotes.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<JsonText<'a>, Malformed> {
        if self.peek() != Some(b'"') {
            return self.error(Reason::Unexpected);
        }
        let start = self.pos;
        self.skip_string()?;
        Ok(JsonText::from_raw(self.since(start)))
    }

    /// Passes a key and its colon.
    #[inline]
    pub(crate) fn key(&mut self) -> Result<JsonText<'a>, Malformed> {
        let key = self.string()?;
        self.expect(b':')?;
        Ok(key)
    }

    /// Calls `visit` at each value of the object that starts here; it must pass the value.
    pub(crate) fn object(
        &mut self,
        mut visit: impl FnMut(&mut Self, JsonText<'a>) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
        self.expect(b'{')?;
        if self.accept(b'}') {
            return Ok(());
        }
        loop {
            let key = self.key()?;
            visit(self, key)?;
            if !self.accept(b',') {
                return self.expect(b'}');
            }
        }
    }

    /// Calls `visit` at each item of the array that starts here; it must pass the item.
    pub(crate) fn array(
        &mut self,
        mut visit: impl FnMut(&mut Self) -> Result<(), Malformed>,
    ) -> Result<(), Malformed> {
        self.expect(b'[')?;
        if self.accept(b']') {
            return Ok(());
        }
        loop {
            visit(self)?;
            if !self.accept(b',') {
                return self.expect(b']');
            }
        }
    }

    /// Passes one value of any kind and returns its bytes.
    #[inline]
    pub(crate) fn value(&mut self) -> Result<&'a [u8], Malformed> {
        self.peek();
        let start = self.pos;
        self.skip_value()?;
        Ok(self.since(start))
    }

    /// Passes one value of any kind.
    #[inline]
    pub(crate) fn skip_value(&mut self) -> Result<(), Malformed> {
        match self.peek() {
            Some(b'"') => self.skip_string(),
            Some(b'{' | b'[') => self.skip_container(),
            Some(_) => self.skip_scalar(),
            None => self.error(Reason::Unfinished),
        }
    }

    /// Passes a string; the cursor stands on its opening quote.
    ///
    /// Most strings are keys, ids and words of a few bytes, for which calling `memchr` costs more
    /// than looking: the first bytes are looked at sixteen at a time.
    #[inline]
    fn skip_string(&mut self) -> Result<(), Malformed> {
        const SHORT: usize = 64;
        let mut at = self.pos + 1;
        let end = at + SHORT;
        while at < end {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let Some(block) = rest.first_chunk().map(|block| u8x16::new(*block)) else {
                break;
            };
            let marks = block.simd_eq(QUOTES) | block.simd_eq(BACKSLASHES);
            let mark = marks.to_bitmask().trailing_zeros() as usize;
            match rest.get(mark).filter(|_| mark < 16) {
                Some(b'"') => {
                    self.pos = at + mark + 1;
                    return Ok(());
                }
                Some(_) => at += mark + 2,
                None => at += 16,
            }
        }
        self.skip_long_string(at)
    }

    /// Passes the rest of a string, from a byte that is not escaped.
    fn skip_long_string(&mut self, start: usize) -> Result<(), Malformed> {
        let mut at = start;
        while let Some(offset) = self.bytes.get(at..).and_then(|rest| memchr(b'"', rest)) {
            let quote = at + offset;
            if !self.is_escaped(start, quote) {
                self.pos = quote + 1;
                return Ok(());
            }
            at = quote + 1;
        }
        self.pos = self.bytes.len();
        self.error(Reason::Unfinished)
    }

    /// Tells whether an odd number of backslashes stands right before `quote`.
    #[inline]
    fn is_escaped(&self, start: usize, quote: usize) -> bool {
        let before = self.bytes.get(start..quote).unwrap_or_default();
        before
            .iter()
            .rev()
            .take_while(|&&byte| byte == b'\\')
            .count()
            % 2
            == 1
    }

    #[inline]
    fn skip_scalar(&mut self) -> Result<(), Malformed> {
        let start = self.pos;
        while let Some(&byte) = self.bytes.get(self.pos) {
            if !matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'a'..=b'z' | b'A'..=b'Z') {
                break;
            }
            self.pos += 1;
        }
        if is_scalar(self.since(start)) {
            return Ok(());
        }
        // A scalar that the end of the bytes cut short is unfinished, not wrong.
        let reason = Reason::Unexpected;
        if self.pos < self.bytes.len() {
            self.pos = start;
        }
        self.error(reason)
    }

    /// Passes an object or array however deep, without recursion.
    fn skip_container(&mut self) -> Result<(), Malformed> {
        let mut nest = Nest::default();
        self.open(&mut nest);
        let mut fresh = true;
        loop {
            if fresh && self.accept(nest.closer()) {
                if !nest.close() {
                    return Ok(());
                }
            } else {
                if nest.closer() == b'}' {
                    self.key()?;
                }
                if matches!(self.peek(), Some(b'{' | b'[')) {
                    self.open(&mut nest);
                    fresh = true;
                    continue;
                }
                self.skip_value()?;
            }
            while !self.accept(b',') {
                self.expect(nest.closer())?;
                if !nest.close() {
                    return Ok(());
                }
            }
            fresh = false;
        }
    }

    fn open(&mut self, nest: &mut Nest) {
        nest.open(self.bytes.get(self.pos) == Some(&b'{'));
        self.pos += 1;
    }
}

const QUOTES: u8x16 = u8x16::new([b'"'; 16]);
const BACKSLASHES: u8x16 = u8x16::new([b'\\'; 16]);

fn is_scalar(bytes: &[u8]) -> bool {
    match bytes {
        b"true" | b"false" | b"null" => true,
        [b'-' | b'0'..=b'9', ..] => is_number(bytes),
        _ => false,
    }
}

fn is_number(bytes: &[u8]) -> bool {
    let digits = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let (integer, rest) = split_digits(digits);
    if integer.is_empty() || (integer.len() > 1 && integer.starts_with(b"0")) {
        return false;
    }
    let rest = match rest.strip_prefix(b".") {
        None => rest,
        Some(fraction) => match split_digits(fraction) {
            ([], _) => return false,
            (_, rest) => rest,
        },
    };
    match rest {
        [] => true,
        [b'e' | b'E', exponent @ ..] => {
            let digits = exponent.strip_prefix(b"-").or(exponent.strip_prefix(b"+"));
            matches!(split_digits(digits.unwrap_or(exponent)), ([_, ..], []))
        }
        _ => false,
    }
}

fn split_digits(bytes: &[u8]) -> (&[u8], &[u8]) {
    let n_digits = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    bytes.split_at(n_digits)
}

/// Which of the open brackets are braces: one bit a level, the innermost lowest.
#[derive(Default)]
struct Nest {
    bits: u64,
    depth: usize,
    outer: Vec<u64>,
}

impl Nest {
    fn open(&mut self, is_object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.bits);
        }
        self.bits = (self.bits << 1) | u64::from(is_object);
        self.depth += 1;
    }

    fn closer(&self) -> u8 {
        if self.bits & 1 == 1 { b'}' } else { b']' }
    }

    /// Leaves the innermost bracket and says whether one is still open.
    fn close(&mut self) -> bool {
        self.bits >>= 1;
        self.depth = self.depth.saturating_sub(1);
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.bits = self.outer.pop().unwrap_or_default();
        }
        self.depth > 0
    }
}
