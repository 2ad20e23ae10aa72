//! Lines into records.
//!
//! A [`Record`] is what one line says. Damage does not end the reading: a line that was torn
//! by a crash and glued to the next one becomes two records, and a line that says nothing is
//! still a record with its bytes. Nothing is dropped.

use memchr::memmem;

use crate::json::{Json, JsonKind, JsonText, Malformed, Reason};
use crate::kind::Kind;
use crate::line::{Line, Span};

#[cfg(test)]
mod tests;

/// One record with the bytes it came from.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// The line it stands on, counted from 1.
    pub line: u64,
    /// Its place in the file. All records of a line together cover the line.
    pub span: Span,
    /// Its bytes, with whatever surrounds the JSON value in them.
    pub raw: &'a [u8],
    /// The value, unless the bytes are damaged beyond reading.
    pub json: Option<Json<'a>>,
    /// What is wrong with the bytes.
    pub damage: Option<Damage>,
}

/// What is wrong with the bytes of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// Nothing but white space.
    Blank,
    /// NUL bytes where a line was lost in a crash; what follows them, if anything, was read.
    Nul,
    /// The bytes stop inside a value.
    Torn(Malformed),
    /// The bytes are no JSON.
    Malformed(Malformed),
    /// The value is an array, a string, a number: no record.
    NotAnObject(JsonKind),
    /// A whole value that shares its line with other bytes.
    Glued,
}

impl<'a> Record<'a> {
    /// Returns the value under a top-level key.
    pub fn get(&self, key: &str) -> Option<Json<'a>> {
        self.json?.get(key)
    }

    /// Returns the kind by `type`.
    pub fn kind(&self) -> Kind {
        self.type_text().map_or(Kind::None, Kind::from_text)
    }

    /// Returns the value of `type` as written.
    pub fn type_text(&self) -> Option<JsonText<'a>> {
        self.get("type").and_then(Json::text)
    }
}

/// Reads one record from bytes that are known to be one, such as a span taken from an outline.
pub fn parse_record<'a>(raw: &'a [u8], span: Span, line: u64) -> Record<'a> {
    let whole = Line {
        number: line,
        span,
        bytes: raw,
        ending: crate::line::Ending::Eof,
    };
    whole_record(&whole).unwrap_or_else(|damage| record(&whole, raw, None, Some(damage)))
}

/// Reads the records of one line: one, or more when lines were glued together.
pub fn parse_line<'a>(line: &Line<'a>) -> Vec<Record<'a>> {
    match whole_record(line) {
        Ok(record) => vec![record],
        Err(damage @ (Damage::Torn(_) | Damage::Malformed(_))) => split_line(line, damage),
        Err(damage) => vec![record(line, line.bytes, None, Some(damage))],
    }
}

fn record<'a>(
    line: &Line<'a>,
    raw: &'a [u8],
    json: Option<Json<'a>>,
    damage: Option<Damage>,
) -> Record<'a> {
    let offset = (raw.as_ptr() as usize).saturating_sub(line.bytes.as_ptr() as usize);
    let span = Span {
        start: line.span.start + offset as u64,
        len: raw.len() as u64,
    };
    Record {
        line: line.number,
        span,
        raw,
        json,
        damage,
    }
}

/// Takes the line as one record; an error says why it is none or more.
fn whole_record<'a>(line: &Line<'a>) -> Result<Record<'a>, Damage> {
    let trimmed = trim(line.bytes);
    if trimmed.bytes.is_empty() {
        return Err(if trimmed.had_nul {
            Damage::Nul
        } else {
            Damage::Blank
        });
    }
    let json = Json::parse(trimmed.bytes).map_err(damage_of)?;
    let damage = match json.kind() {
        JsonKind::Object => trimmed.had_nul.then_some(Damage::Nul),
        kind => Some(Damage::NotAnObject(kind)),
    };
    Ok(record(line, line.bytes, Some(json), damage))
}

fn damage_of(malformed: Malformed) -> Damage {
    match malformed.reason {
        Reason::Unfinished => Damage::Torn(malformed),
        _ => Damage::Malformed(malformed),
    }
}

struct Trimmed<'a> {
    bytes: &'a [u8],
    had_nul: bool,
}

/// Takes the byte-order mark, white space and NUL bytes from both ends.
fn trim(bytes: &[u8]) -> Trimmed<'_> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let is_padding = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0);
    let before = bytes.iter().take_while(|byte| is_padding(byte)).count();
    let (padding, rest) = bytes.split_at(before);
    let after = rest
        .iter()
        .rev()
        .take_while(|byte| is_padding(byte))
        .count();
    let (rest, tail) = rest.split_at(rest.len() - after);
    Trimmed {
        bytes: rest,
        had_nul: padding.contains(&0) || tail.contains(&0),
    }
}

/// How often to look for the start of a whole record in a damaged line. A torn write leaves one;
/// the bound keeps a hostile line of many near-starts from being read over and over.
const MAX_ATTEMPTS: usize = 16;

/// Takes a damaged line apart: whole values where there are some, leftovers in between.
fn split_line<'a>(line: &Line<'a>, damage: Damage) -> Vec<Record<'a>> {
    let mut records = Vec::new();
    let mut rest = line.bytes;
    for _ in 0..MAX_ATTEMPTS {
        let Some((leftover, value, after)) = next_whole(rest) else {
            break;
        };
        if !leftover.is_empty() {
            records.push(record(line, leftover, None, Some(damage)));
        }
        records.push(value_record(line, value));
        rest = after;
    }
    if !rest.is_empty() || records.is_empty() {
        let damage = if trim(rest).bytes.is_empty() && !records.is_empty() {
            Damage::Blank
        } else {
            damage
        };
        records.push(record(line, rest, None, Some(damage)));
    }
    records
}

fn value_record<'a>(line: &Line<'a>, value: &'a [u8]) -> Record<'a> {
    let json = Json::from_scanned(trim(value).bytes);
    let damage = match json.kind() {
        JsonKind::Object => Damage::Glued,
        kind => Damage::NotAnObject(kind),
    };
    record(line, value, Some(json), Some(damage))
}

/// Finds the first whole value in `bytes`: what is before it, the value, what is after it.
fn next_whole(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let start = bytes.len() - trim_start(bytes).len();
    let first = std::iter::once(start);
    let later = record_starts(bytes).filter(|&at| at > start);
    first.chain(later).take(MAX_ATTEMPTS).find_map(|at| {
        let (leftover, tail) = bytes.split_at_checked(at)?;
        let (_, after) = Json::parse_prefix(tail).ok()?;
        let value = tail.get(..tail.len() - after.len())?;
        (at == start || is_record(value, after)).then_some(())?;
        // Padding before the first value belongs to it, so that records cover the line.
        match trim(leftover).bytes {
            [] => Some((&[][..], bytes.get(..bytes.len() - after.len())?, after)),
            _ => Some((leftover, value, after)),
        }
    })
}

/// Tells a record from an inner object of a torn one: it names itself, and the line ends after it
/// or goes on with another object.
fn is_record(value: &[u8], after: &[u8]) -> bool {
    let goes_on = !matches!(trim(after).bytes, [] | [b'{', ..]);
    let names_itself = |key: JsonText<'_>| {
        matches!(
            key.escaped(),
            b"uuid" | b"sessionId" | b"leafUuid" | b"messageId"
        )
    };
    !goes_on
        && Json::from_scanned(value)
            .entries()
            .any(|(key, _)| names_itself(key))
}

fn trim_start(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let padding = bytes
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | 0))
        .count();
    bytes.get(padding..).unwrap_or_default()
}

/// Returns the offsets where a client's record may start: `{"` and a first key it uses.
fn record_starts(bytes: &[u8]) -> impl Iterator<Item = usize> {
    memmem::find_iter(bytes, b"{\"").filter(|&at| {
        let rest = bytes.get(at + 2..).unwrap_or_default();
        [
            &b"parentUuid\":"[..],
            b"type\":",
            b"uuid\":",
            b"logicalParentUuid\":",
        ]
        .iter()
        .any(|key| rest.starts_with(key))
    })
}
