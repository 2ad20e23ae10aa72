//! Ids, made small.
//!
//! A long session names a million uuids, most of them twice. An [`IdTable`] keeps each once, a
//! uuid in sixteen bytes, and hands out [`Id`]s of four. Ids need not be uuids: older tools and
//! the paper dialects use any text.

use std::fmt;
use std::hash::BuildHasher;
use std::num::NonZeroU32;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::json::JsonText;

#[cfg(test)]
mod tests;

/// A reference to an id in the [`IdTable`] that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(NonZeroU32);

impl Id {
    /// Returns a number from 0, dense within the table: the place of this id in a vector.
    pub fn index(self) -> usize {
        (self.0.get() - 1) as usize
    }

    fn from_index(index: usize) -> Option<Self> {
        u32::try_from(index + 1)
            .ok()
            .and_then(NonZeroU32::new)
            .map(Self)
    }
}

/// An id as the file has it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Key {
    /// A uuid in its usual spelling: lower case, with hyphens.
    Uuid([u64; 2]),
    /// Any other text.
    Text(Box<str>),
}

impl Key {
    /// Reads an id.
    pub fn new(text: &str) -> Self {
        parse_uuid(text.as_bytes()).map_or_else(|| Self::Text(text.into()), Self::Uuid)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => out.write_str(text),
            Self::Uuid([high, low]) => {
                let (a, b, c) = (high >> 32, high >> 16 & 0xFFFF, high & 0xFFFF);
                let (d, e) = (low >> 48, low & 0xFFFF_FFFF_FFFF);
                write!(out, "{a:08x}-{b:04x}-{c:04x}-{d:04x}-{e:012x}")
            }
        }
    }
}

/// Each id once.
#[derive(Debug, Clone, Default)]
pub struct IdTable {
    keys: Vec<Key>,
    places: HashTable<u32>,
}

impl IdTable {
    /// Returns the number of different ids.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Tells whether no id was added yet.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Adds an id unless it is there. `None` only beyond four billion ids.
    pub fn intern(&mut self, key: Key) -> Option<Id> {
        let hash = hash(&key);
        let found = self
            .places
            .find(hash, |&place| self.keys.get(place as usize) == Some(&key));
        if let Some(&place) = found {
            return Id::from_index(place as usize);
        }
        let id = Id::from_index(self.keys.len())?;
        let keys = &self.keys;
        self.places
            .insert_unique(hash, id.index() as u32, |&place| {
                keys.get(place as usize).map_or(0, self::hash)
            });
        self.keys.push(key);
        Some(id)
    }

    /// Adds an id as it stands in a file.
    pub(crate) fn intern_json(&mut self, text: JsonText<'_>) -> Option<Id> {
        let Some(plain) = text.plain() else {
            return self.intern(Key::new(&text.decode()));
        };
        if let Some(uuid) = parse_uuid(plain) {
            return self.intern(Key::Uuid(uuid));
        }
        // Most ids that are no uuids stand several times: look before making room for one more.
        let is_known = |&place: &u32| matches!(self.keys.get(place as usize), Some(Key::Text(known)) if known.as_bytes() == plain);
        match self.places.find(hash_text(plain), is_known) {
            Some(&place) => Id::from_index(place as usize),
            None => self.intern(Key::Text(String::from_utf8_lossy(plain).into())),
        }
    }

    /// Returns the id of `text` when it was added.
    pub fn find(&self, text: &str) -> Option<Id> {
        let key = Key::new(text);
        let place = self.places.find(hash(&key), |&place| {
            self.keys.get(place as usize) == Some(&key)
        })?;
        Id::from_index(*place as usize)
    }

    /// Returns an id as the file has it.
    pub fn key(&self, id: Id) -> Option<&Key> {
        self.keys.get(id.index())
    }

    /// Returns an id as text.
    pub fn text(&self, id: Id) -> String {
        self.key(id).map(ToString::to_string).unwrap_or_default()
    }

    /// Gives the ids of this table, in order, to another one.
    pub(crate) fn into_keys(self) -> Vec<Key> {
        self.keys
    }
}

fn hash(key: &Key) -> u64 {
    match key {
        // The bits of a uuid are random enough.
        Key::Uuid([high, low]) => FxBuildHasher.hash_one(high ^ low.rotate_left(32)),
        Key::Text(text) => hash_text(text.as_bytes()),
    }
}

fn hash_text(bytes: &[u8]) -> u64 {
    FxBuildHasher.hash_one(bytes)
}

/// Reads 36 bytes of lower-case hexadecimal with hyphens in the usual places.
///
/// Every record names several uuids, so this is as hot as the walk over its bytes: no branch for
/// a digit, one check at the end.
fn parse_uuid(text: &[u8]) -> Option<[u64; 2]> {
    let text: &[u8; 36] = text.try_into().ok()?;
    let [
        _,
        _,
        _,
        _,
        _,
        _,
        _,
        _,
        b'-',
        _,
        _,
        _,
        _,
        b'-',
        _,
        _,
        _,
        _,
        b'-',
        _,
        _,
        _,
        _,
        b'-',
        ..,
    ] = text
    else {
        return None;
    };
    let (first, second) = text.split_at(18);
    let mut bad = 0;
    let mut half = |digits: &[u8]| {
        digits
            .iter()
            .filter(|&&byte| byte != b'-')
            .fold(0_u64, |sum, &byte| {
                let value = HEX_VALUES
                    .get(usize::from(byte))
                    .copied()
                    .unwrap_or(NOT_HEX);
                bad |= value;
                sum << 4 | u64::from(value & 0xF)
            })
    };
    let halves = [half(first), half(second)];
    (bad & NOT_HEX == 0).then_some(halves)
}

/// The value of a lower-case hexadecimal digit; [`NOT_HEX`] for any other byte.
static HEX_VALUES: [u8; 256] = hex_values();
const NOT_HEX: u8 = 0x80;

const fn hex_values() -> [u8; 256] {
    let mut values = [NOT_HEX; 256];
    let mut value = 0;
    while value < 16 {
        #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
        {
            values[b"0123456789abcdef"[value] as usize] = value as u8;
        }
        value += 1;
    }
    values
}
