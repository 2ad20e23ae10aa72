//! What lines of one request share.
//!
//! Ids are kept as hashes of 128 bits under keys that are drawn anew in each run: no transcript
//! can be written so that two of them meet, and a hundred thousand requests need no texts.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;

use super::Request;

/// The name of a request, and where it means that request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) name: NameKey,
    /// The lowest bit tells whether the name means the same everywhere.
    scope: u64,
}

/// The name alone. Lines of different names have nothing to do with each other.
pub(super) type NameKey = [u64; 2];

/// All that a line says about which request it belongs to.
#[derive(Debug, Clone, Copy)]
pub(in crate::usage) struct Ids<'a> {
    pub(in crate::usage) message: Option<&'a str>,
    pub(in crate::usage) request: Option<&'a str>,
    pub(in crate::usage) record: Option<&'a str>,
    pub(in crate::usage) session: &'a str,
    pub(in crate::usage) file: &'a str,
    pub(in crate::usage) offset: u64,
}

/// The name of a request, in the words of its line.
#[derive(Hash)]
enum Name<'a> {
    Message(&'a str),
    Request(&'a str),
    Record(&'a str),
    Place { file: &'a str, offset: u64 },
}

impl<'a> Name<'a> {
    fn of(ids: &Ids<'a>) -> Self {
        match (ids.message, ids.request, ids.record) {
            (Some(message), _, _) => Self::Message(message),
            (None, Some(id), _) => Self::Request(id),
            (None, None, Some(record)) => Self::Record(record),
            (None, None, None) => Self::Place {
                file: ids.file,
                offset: ids.offset,
            },
        }
    }
}

impl Key {
    pub(super) fn of(ids: &Ids<'_>) -> Self {
        let (seed, other_seed) = &*SEEDS;
        let name = Name::of(ids);
        let scope = match (&name, ids.request) {
            (Name::Message(_), Some(id)) => seed.hash_one(id) | 1,
            (Name::Message(_) | Name::Request(_), _) => seed.hash_one(ids.session) & !1,
            (Name::Record(_) | Name::Place { .. }, _) => 1,
        };
        Self {
            name: [seed.hash_one(&name), other_seed.hash_one(&name)],
            scope,
        }
    }

    /// Tells whether the name means the same request in every session.
    pub(super) fn is_global(self) -> bool {
        self.scope & 1 == 1
    }

    /// Returns a number for a table: all of its parts are hashes.
    pub(super) fn hash(self) -> u64 {
        self.name.first().map_or(0, |name| name ^ self.scope)
    }
}

/// Returns a number for the id of a record, to compare between lines of one name.
pub(super) fn record_hash(record: &str) -> u64 {
    SEEDS.1.hash_one(record)
}

/// The same in all ledgers of a run, so that they can be merged.
static SEEDS: LazyLock<(RandomState, RandomState)> = LazyLock::new(Default::default);

impl Request {
    /// Returns a number that all lines of one request share, the same in every run.
    ///
    /// Lines with different numbers have nothing to do with each other, so requests can be
    /// settled number by number.
    pub fn name_hash(&self) -> u64 {
        match Name::of(&self.ids()) {
            Name::Message(id) => stable_hash(1, id.as_bytes()),
            Name::Request(id) => stable_hash(2, id.as_bytes()),
            Name::Record(id) => stable_hash(3, id.as_bytes()),
            Name::Place { file, offset } => stable_hash(4 ^ offset, file.as_bytes()),
        }
    }

    pub(super) fn ids(&self) -> Ids<'_> {
        Ids {
            message: self.message.as_deref(),
            request: self.request.as_deref(),
            record: self.record.as_deref(),
            session: &self.session,
            file: &self.file,
            offset: self.offset,
        }
    }
}

/// FNV-1a: the hasher of the standard library may change between versions.
fn stable_hash(kind: u64, bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let start = (0xcbf2_9ce4_8422_2325 ^ kind).wrapping_mul(PRIME);
    bytes.iter().fold(start, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    })
}
