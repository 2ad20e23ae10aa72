//! Values as they stand in the file.

use std::borrow::Cow;

use super::{Cursor, JsonText, Malformed, Reason};

/// One well-formed JSON value: a slice of the file, looked into on demand.
///
/// ```
/// use ravel_format::Json;
///
/// let json = Json::parse(br#"{"type":"user","n":1.50}"#).unwrap();
/// assert_eq!(json.get("type").and_then(Json::str).as_deref(), Some("user"));
/// assert_eq!(json.get("n").unwrap().raw(), b"1.50");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Json<'a> {
    raw: &'a [u8],
}

/// The six kinds of JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are JSON's own")]
pub enum JsonKind {
    Null,
    Bool,
    Number,
    Text,
    Array,
    Object,
}

impl<'a> Json<'a> {
    /// Reads bytes that hold exactly one value, with white space around it at most.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let mut cursor = Cursor::new(bytes);
        let raw = cursor.value()?;
        match cursor.peek() {
            None => Ok(Self { raw }),
            Some(_) => cursor.error(Reason::Trailing),
        }
    }

    /// Reads the value at the start of `bytes` and returns what follows it as well.
    #[inline]
    pub fn parse_prefix(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), Malformed> {
        let mut cursor = Cursor::new(bytes);
        let raw = cursor.value()?;
        Ok((Self { raw }, bytes.get(cursor.pos()..).unwrap_or_default()))
    }

    #[inline]
    pub(crate) fn from_scanned(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    /// Returns the bytes of the value in the file.
    #[inline]
    pub fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// Returns what kind of value this is.
    #[inline]
    pub fn kind(self) -> JsonKind {
        match self.raw.first() {
            Some(b'{') => JsonKind::Object,
            Some(b'[') => JsonKind::Array,
            Some(b'"') => JsonKind::Text,
            Some(b't' | b'f') => JsonKind::Bool,
            Some(b'-' | b'0'..=b'9') => JsonKind::Number,
            _ => JsonKind::Null,
        }
    }

    /// Returns the value under `key`; the last one where a key stands twice, as in JavaScript.
    pub fn get(self, key: &str) -> Option<Self> {
        self.entries()
            .filter(|(name, _)| name.is(key))
            .last()
            .map(|(_, value)| value)
    }

    /// Returns the value at the end of a path of keys.
    pub fn at(self, path: &[&str]) -> Option<Self> {
        path.iter().try_fold(self, |json, key| json.get(key))
    }

    /// Returns the entries of an object in file order; nothing for any other kind.
    #[inline]
    pub fn entries(self) -> Entries<'a> {
        Entries {
            walk: Walk::new(self.raw, b'{'),
        }
    }

    /// Returns the items of an array in order; nothing for any other kind.
    #[inline]
    pub fn items(self) -> Items<'a> {
        Items {
            walk: Walk::new(self.raw, b'['),
        }
    }

    /// Returns the string, undecoded.
    #[inline]
    pub fn text(self) -> Option<JsonText<'a>> {
        (self.kind() == JsonKind::Text).then(|| JsonText::from_raw(self.raw))
    }

    /// Returns the string, decoded for display.
    pub fn str(self) -> Option<Cow<'a, str>> {
        self.text().map(JsonText::decode)
    }

    /// Returns the boolean.
    pub fn bool(self) -> Option<bool> {
        match self.raw {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }

    /// Returns a whole number, also when it is written as `3.0` or `3e0`.
    pub fn i64(self) -> Option<i64> {
        let digits = std::str::from_utf8(self.raw).ok()?;
        if self.kind() != JsonKind::Number {
            return None;
        }
        digits.parse().ok().or_else(|| {
            let number: f64 = digits.parse().ok()?;
            // Beyond 2^53 a float no longer says which integer was meant.
            let whole = number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0;
            whole.then_some(number as i64)
        })
    }

    /// Returns a whole number that is not negative.
    pub fn u64(self) -> Option<u64> {
        self.i64().and_then(|number| u64::try_from(number).ok())
    }

    /// Returns a number as a float.
    pub fn f64(self) -> Option<f64> {
        (self.kind() == JsonKind::Number)
            .then(|| std::str::from_utf8(self.raw).ok()?.parse().ok())?
    }

    /// Tells whether JavaScript and Python would both take the value for true.
    pub fn is_truthy(self) -> bool {
        match self.kind() {
            JsonKind::Null => false,
            JsonKind::Bool => self.raw == b"true",
            JsonKind::Number => self.f64().is_some_and(|number| number != 0.0),
            JsonKind::Text => self.raw.len() > 2,
            JsonKind::Array => self.items().next().is_some(),
            JsonKind::Object => self.entries().next().is_some(),
        }
    }

    /// Tells whether the value is `null`.
    #[inline]
    pub fn is_null(self) -> bool {
        self.kind() == JsonKind::Null
    }
}

impl std::fmt::Debug for Json<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&String::from_utf8_lossy(self.raw))
    }
}

/// The entries of an object, in file order. See [`Json::entries`].
#[derive(Clone)]
pub struct Entries<'a> {
    walk: Walk<'a>,
}

impl<'a> Iterator for Entries<'a> {
    type Item = (JsonText<'a>, Json<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.walk.advance(b'}')?;
        let key = self.walk.cursor.key().ok()?;
        Some((key, self.walk.value()?))
    }
}

/// The items of an array, in order. See [`Json::items`].
#[derive(Clone)]
pub struct Items<'a> {
    walk: Walk<'a>,
}

impl<'a> Iterator for Items<'a> {
    type Item = Json<'a>;

    #[inline]
    fn next(&mut self) -> Option<Json<'a>> {
        self.walk.advance(b']')?;
        self.walk.value()
    }
}

/// A cursor inside a container that was found well-formed before.
#[derive(Clone)]
struct Walk<'a> {
    cursor: Cursor<'a>,
    is_first: bool,
}

impl<'a> Walk<'a> {
    #[inline]
    fn new(raw: &'a [u8], opener: u8) -> Self {
        let mut cursor = Cursor::new(raw);
        if !cursor.accept(opener) {
            cursor = Cursor::new(&[]);
        }
        Self {
            cursor,
            is_first: true,
        }
    }

    /// Moves to the next member; `None` at the closing bracket.
    #[inline]
    fn advance(&mut self, closer: u8) -> Option<()> {
        let is_first = std::mem::replace(&mut self.is_first, false);
        if is_first {
            return (self.cursor.peek()? != closer).then_some(());
        }
        self.cursor.accept(b',').then_some(())
    }

    #[inline]
    fn value(&mut self) -> Option<Json<'a>> {
        self.cursor.value().ok().map(Json::from_scanned)
    }
}
