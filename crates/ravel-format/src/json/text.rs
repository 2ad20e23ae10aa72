//! Strings as they stand in the file.

use std::borrow::Cow;

use memchr::memchr;

/// A JSON string with its quotes, decoded on demand.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct JsonText<'a> {
    raw: &'a [u8],
}

impl<'a> JsonText<'a> {
    #[inline]
    pub(crate) fn from_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    /// Returns the bytes in the file, quotes included.
    #[inline]
    pub fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// Returns what stands between the quotes, escapes as written.
    #[inline]
    pub fn escaped(self) -> &'a [u8] {
        self.raw
            .get(1..self.raw.len().saturating_sub(1))
            .unwrap_or_default()
    }

    /// Tells whether the string is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.escaped().is_empty()
    }

    /// Returns the text for a person to read.
    ///
    /// A lone surrogate or a byte that is no UTF-8 becomes U+FFFD; the file still has the original.
    pub fn decode(self) -> Cow<'a, str> {
        let escaped = self.escaped();
        if memchr(b'\\', escaped).is_some() {
            return Cow::Owned(unescape(escaped));
        }
        // The check of the standard library is slower when it is prepared for failure.
        match simdutf8::basic::from_utf8(escaped) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(escaped),
        }
    }

    /// Tells whether the string says `expected`.
    #[inline]
    pub fn is(self, expected: &str) -> bool {
        let escaped = self.escaped();
        if escaped == expected.as_bytes() {
            return memchr(b'\\', escaped).is_none();
        }
        memchr(b'\\', escaped).is_some() && self.decode() == expected
    }

    /// Returns the text as bytes when it has no escapes, which ids and names never have.
    #[inline]
    pub fn plain(self) -> Option<&'a [u8]> {
        let escaped = self.escaped();
        memchr(b'\\', escaped).is_none().then_some(escaped)
    }
}

impl std::fmt::Debug for JsonText<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&String::from_utf8_lossy(self.raw))
    }
}

fn unescape(escaped: &[u8]) -> String {
    // One look at all bytes is quicker than one at each stretch between two escapes.
    match simdutf8::basic::from_utf8(escaped) {
        Ok(escaped) => unescape_text(escaped),
        Err(_) => unescape_bytes(escaped),
    }
}

fn unescape_text(escaped: &str) -> String {
    let mut text = String::with_capacity(escaped.len());
    let mut rest = escaped;
    while let Some(offset) = memchr(b'\\', rest.as_bytes()) {
        let (before, from_backslash) = rest.split_at(offset);
        text.push_str(before);
        let (character, length) = escape(from_backslash.as_bytes());
        text.push(character);
        // An escape is ASCII, so it ends where a character does.
        rest = from_backslash.get(length..).unwrap_or_default();
    }
    text.push_str(rest);
    text
}

fn unescape_bytes(escaped: &[u8]) -> String {
    let mut text = String::with_capacity(escaped.len());
    let mut rest = escaped;
    while let Some(offset) = memchr(b'\\', rest) {
        let (before, from_backslash) = rest.split_at(offset);
        text.push_str(&String::from_utf8_lossy(before));
        let (character, length) = escape(from_backslash);
        text.push(character);
        rest = from_backslash.get(length..).unwrap_or_default();
    }
    text.push_str(&String::from_utf8_lossy(rest));
    text
}

/// Decodes the escape at the start of `bytes`; returns the character and its length there.
fn escape(bytes: &[u8]) -> (char, usize) {
    let simple = |character| (character, 2);
    match bytes.get(1) {
        Some(b'n') => simple('\n'),
        Some(b't') => simple('\t'),
        Some(b'r') => simple('\r'),
        Some(b'b') => simple('\u{8}'),
        Some(b'f') => simple('\u{c}'),
        Some(b'u') => unicode_escape(bytes),
        Some(&byte @ (b'"' | b'\\' | b'/')) => simple(char::from(byte)),
        _ => (char::REPLACEMENT_CHARACTER, 1),
    }
}

fn unicode_escape(bytes: &[u8]) -> (char, usize) {
    let Some(unit) = hex_unit(bytes.get(2..6)) else {
        return (char::REPLACEMENT_CHARACTER, 2);
    };
    if let Some(character) = char::from_u32(unit) {
        return (character, 6);
    }
    // Half of a pair: the other half must follow, or the half stands alone.
    let low = bytes
        .get(6..8)
        .filter(|mark| *mark == b"\\u")
        .and_then(|_| hex_unit(bytes.get(8..12)));
    match low {
        Some(low @ 0xDC00..=0xDFFF) if unit < 0xDC00 => {
            let code = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
            (
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                12,
            )
        }
        _ => (char::REPLACEMENT_CHARACTER, 6),
    }
}

fn hex_unit(digits: Option<&[u8]>) -> Option<u32> {
    let digits = digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))?;
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
