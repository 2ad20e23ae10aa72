//! Requests in few bytes.
//!
//! Numbers take as many bytes as they need, texts are preceded by their length, and a text that
//! stands on thousands of lines (session, project, model, file) is a number in the dictionary of
//! the index.

use std::sync::Arc;

use ravel_format::Timestamp;
use ravel_model::usage::{Geo, Request, Speed, Tier, Tokens};

#[cfg(test)]
mod tests;

/// Texts as numbers.
pub(crate) trait Dictionary {
    /// Returns the number of a text.
    fn number(&mut self, text: &Arc<str>) -> rusqlite::Result<u64>;
}

/// Numbers back as texts.
pub(crate) trait Texts {
    /// Returns the text with a number.
    fn text(&self, number: u64) -> Option<Arc<str>>;
}

/// Writes a request, all but its file and its place there.
pub(crate) fn pack(
    request: &Request,
    dictionary: &mut dyn Dictionary,
) -> rusqlite::Result<Vec<u8>> {
    let mut out = Writer::default();
    out.byte(flags(request));
    out.byte(details(request));
    out.number(dictionary.number(&request.session)?);
    out.number(dictionary.number(&request.project)?);
    out.number(dictionary.number(&request.model)?);
    out.signed(request.time.map_or(0, |Timestamp(millis)| millis));
    let Tokens {
        input,
        output,
        cache_write_5m,
        cache_write_1h,
        cache_read,
    } = request.tokens;
    for number in [
        input,
        output,
        cache_write_5m,
        cache_write_1h,
        cache_read,
        request.web_searches,
    ] {
        out.number(number);
    }
    for id in [&request.message, &request.request, &request.record]
        .into_iter()
        .flatten()
    {
        out.text(id);
    }
    Ok(out.bytes)
}

/// Where a packed request is from.
pub(crate) struct Origin {
    pub(crate) file: Arc<str>,
    pub(crate) line: u64,
    pub(crate) offset: u64,
}

/// Reads a request; `None` when the bytes are not what [`pack`] wrote.
pub(crate) fn unpack(bytes: &[u8], texts: &dyn Texts, origin: Origin) -> Option<Request> {
    let mut from = Reader { rest: bytes };
    let flags = from.byte()?;
    let details = from.byte()?;
    let has = |flag: u8| flags & flag != 0;
    let session = texts.text(from.number()?)?;
    let project = texts.text(from.number()?)?;
    let model = texts.text(from.number()?)?;
    let time = from.signed()?;
    let tokens = Tokens {
        input: from.number()?,
        output: from.number()?,
        cache_write_5m: from.number()?,
        cache_write_1h: from.number()?,
        cache_read: from.number()?,
    };
    let web_searches = from.number()?;
    let mut id = |flag: u8| match has(flag) {
        true => from.text().map(Some),
        false => Some(None),
    };
    Some(Request {
        session,
        project,
        model,
        time: has(TIME).then_some(Timestamp(time)),
        tokens,
        web_searches,
        message: id(MESSAGE)?,
        request: id(REQUEST)?,
        record: id(RECORD)?,
        speed: SPEEDS.get(usize::from(details & 3)).copied()?,
        tier: TIERS.get(usize::from(details >> 2 & 7)).copied()?,
        geo: GEOS.get(usize::from(details >> 5 & 3)).copied()?,
        is_sidechain: has(SIDECHAIN),
        is_fork: has(FORK),
        file: origin.file,
        line: origin.line,
        offset: origin.offset,
    })
}

const TIME: u8 = 1;
const MESSAGE: u8 = 2;
const REQUEST: u8 = 4;
const RECORD: u8 = 8;
const SIDECHAIN: u8 = 16;
const FORK: u8 = 32;

const SPEEDS: [Option<Speed>; 4] = [
    None,
    Some(Speed::Standard),
    Some(Speed::Fast),
    Some(Speed::Other),
];
const TIERS: [Option<Tier>; 5] = [
    None,
    Some(Tier::Standard),
    Some(Tier::Priority),
    Some(Tier::Batch),
    Some(Tier::Other),
];
const GEOS: [Option<Geo>; 3] = [None, Some(Geo::Us), Some(Geo::Other)];

fn flags(request: &Request) -> u8 {
    let all = [
        (TIME, request.time.is_some()),
        (MESSAGE, request.message.is_some()),
        (REQUEST, request.request.is_some()),
        (RECORD, request.record.is_some()),
        (SIDECHAIN, request.is_sidechain),
        (FORK, request.is_fork),
    ];
    let set = all.into_iter().filter(|(_, is_set)| *is_set);
    set.fold(0, |flags, (flag, _)| flags | flag)
}

fn details(request: &Request) -> u8 {
    fn place<T: PartialEq>(all: &[T], one: &T) -> u8 {
        all.iter().position(|other| other == one).unwrap_or(0) as u8
    }
    place(&SPEEDS, &request.speed)
        | place(&TIERS, &request.tier) << 2
        | place(&GEOS, &request.geo) << 5
}

/// Bytes to write to.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Seven bits a byte, the lowest first; the highest bit says that more follow.
    pub(crate) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Small numbers of either sign are short.
    pub(crate) fn signed(&mut self, number: i64) {
        self.number((number << 1 ^ number >> 63) as u64);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }
}

/// Bytes to read from.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    pub(crate) rest: &'a [u8],
}

impl Reader<'_> {
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    pub(crate) fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    pub(crate) fn text(&mut self) -> Option<Box<str>> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(std::str::from_utf8(text).ok()?.into())
    }
}
