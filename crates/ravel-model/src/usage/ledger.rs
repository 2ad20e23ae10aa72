//! Every request once, whatever was read first.
//!
//! Lines are put together by name: `message.id` with `requestId` names a request everywhere, one
//! of them alone only within its session (gateways use ids again), and a record without either is
//! only ever a copy of itself. Of each set one line wins, by an order in which no two different
//! lines are equal, so the result does not depend on the order of adding, nor on how many
//! ledgers were filled and merged. Two rules need all lines and wait for [`Ledger::settle`]:
//! see [`settle`].

use std::cmp::{Ordering, Reverse};
use std::collections::{HashMap, HashSet};
use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;

use super::Request;

mod settle;
#[cfg(test)]
mod tests;

pub use settle::{Account, Dropped, Reason};

/// The requests found so far.
///
/// It needs memory for each request and a few bytes for each line, unless it was made to explain
/// itself. The maps are keyed by text from transcripts, hence the hasher of the standard library.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    sets: HashMap<Key, Set>,
    texts: HashSet<Arc<str>>,
    n_lines: u64,
    keeps_copies: bool,
}

/// What lines of one request share.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    name: Name,
    scope: Scope,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Name {
    Message(Box<str>),
    Request(Box<str>),
    Record(Box<str>),
    Place { file: Arc<str>, offset: u64 },
}

/// Where a name means the same request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Scope {
    /// Everywhere, together with the id of the request.
    Request(Box<str>),
    /// In a session.
    Session(Arc<str>),
    /// Everywhere.
    Everywhere,
}

/// The lines of one request.
#[derive(Debug, Clone)]
struct Set {
    winner: Request,
    /// The lines that did not win, for a ledger that explains itself.
    losers: Vec<Request>,
    /// The ids of all its records: a copy can have lost the request id and changed the session.
    records: Records,
}

impl Ledger {
    /// Makes an empty ledger that remembers each line it does not count, and says why.
    pub fn explaining() -> Self {
        Self {
            keeps_copies: true,
            ..Self::default()
        }
    }

    /// Adds what one line says.
    pub fn add(&mut self, mut request: Request) {
        self.n_lines += 1;
        request.model = self.shared(request.model);
        request.session = self.shared(request.session);
        let key = Key::of(&request);
        self.put(key, Set::of(request));
    }

    /// Adds all that another ledger, made in the same way, was given.
    pub fn merge(&mut self, other: Self) {
        self.n_lines += other.n_lines;
        for (key, set) in other.sets {
            self.put(key, set);
        }
        self.texts.extend(other.texts);
    }

    /// Returns the number of lines that were added.
    pub fn n_lines(&self) -> u64 {
        self.n_lines
    }

    fn put(&mut self, key: Key, set: Set) {
        let keeps_copies = self.keeps_copies;
        match self.sets.entry(key) {
            std::collections::hash_map::Entry::Occupied(mut own) => {
                own.get_mut().absorb(set, keeps_copies);
            }
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(set);
            }
        }
    }

    /// The same few models and sessions stand on all lines.
    fn shared(&mut self, text: Arc<str>) -> Arc<str> {
        if let Some(known) = self.texts.get(&text) {
            return Arc::clone(known);
        }
        self.texts.insert(Arc::clone(&text));
        text
    }
}

impl Key {
    fn of(request: &Request) -> Self {
        let in_session = || Scope::Session(Arc::clone(&request.session));
        let (name, scope) = match (&request.message, &request.request, &request.record) {
            (Some(message), Some(id), _) => {
                (Name::Message(message.clone()), Scope::Request(id.clone()))
            }
            (Some(message), None, _) => (Name::Message(message.clone()), in_session()),
            (None, Some(id), _) => (Name::Request(id.clone()), in_session()),
            (None, None, Some(record)) => (Name::Record(record.clone()), Scope::Everywhere),
            (None, None, None) => {
                let file = Arc::clone(&request.file);
                let offset = request.offset;
                (Name::Place { file, offset }, Scope::Everywhere)
            }
        };
        Self { name, scope }
    }
}

impl Request {
    /// Returns a number that all lines of one request share, the same in every run.
    ///
    /// Lines with different numbers have nothing to do with each other, so requests can be
    /// settled number by number.
    pub fn name_hash(&self) -> u64 {
        match Key::of(self).name {
            Name::Message(id) => hash_of(1, id.as_bytes()),
            Name::Request(id) => hash_of(2, id.as_bytes()),
            Name::Record(id) => hash_of(3, id.as_bytes()),
            Name::Place { file, offset } => hash_of(4 ^ offset, file.as_bytes()),
        }
    }
}

/// FNV-1a: the hasher of the standard library may change between versions.
fn hash_of(kind: u64, bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let start = (0xcbf2_9ce4_8422_2325 ^ kind).wrapping_mul(PRIME);
    bytes.iter().fold(start, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    })
}

impl Set {
    fn of(winner: Request) -> Self {
        let records = winner.record.as_deref().map(Records::of);
        Self {
            winner,
            losers: Vec::new(),
            records: records.unwrap_or_default(),
        }
    }

    /// Takes in lines of the same request.
    fn absorb(&mut self, other: Self, keeps_copies: bool) {
        let mut loser = other.winner;
        if rank(&loser, &self.winner) == Ordering::Greater {
            std::mem::swap(&mut loser, &mut self.winner);
        }
        if keeps_copies {
            self.losers.push(loser);
            self.losers.extend(other.losers);
        }
        self.records.absorb(other.records);
    }
}

/// Ids of records as hashes: they are only compared between lines of one name.
#[derive(Debug, Clone, Default)]
struct Records {
    hashes: Vec<u64>,
}

impl Records {
    fn of(record: &str) -> Self {
        let mut hasher = std::hash::DefaultHasher::new();
        record.hash(&mut hasher);
        Self {
            hashes: vec![hasher.finish()],
        }
    }

    /// Takes in others, and forgets repeated ones whenever room runs out.
    fn absorb(&mut self, other: Self) {
        if self.hashes.len() + other.hashes.len() > self.hashes.capacity() {
            self.hashes.sort_unstable();
            self.hashes.dedup();
        }
        self.hashes.extend(other.hashes);
    }
}

/// Orders lines of one request; the greatest counts.
///
/// A sidechain's line is less than one that is not, then the larger total wins (early lines of a
/// streamed message have the numbers of its first moment), then the one that names its speed. The
/// rest picks one of equals: the one with lifetimes of cache writes, the original before a fork, the
/// earliest, and then whatever makes a difference.
fn rank(one: &Request, other: &Request) -> Ordering {
    let key = |request: &Request| {
        (
            !request.is_sidechain,
            request.tokens.total(),
            request.speed.is_some(),
            request.tokens.cache_write_1h,
            !request.is_fork,
            request.time.is_some(),
            Reverse(request.time),
        )
    };
    key(one)
        .cmp(&key(other))
        .then_with(|| other.session.cmp(&one.session))
        .then_with(|| other.file.cmp(&one.file))
        .then_with(|| other.offset.cmp(&one.offset))
        .then_with(|| rest(one).cmp(&rest(other)))
}

/// All that two lines of equal place and rank can differ in.
fn rest(request: &Request) -> impl Ord + '_ {
    let details = (request.speed, request.tier, request.geo);
    let ids = (&request.message, &request.request, &request.record);
    (
        request.tokens,
        request.web_searches,
        &request.model,
        details,
        ids,
        &request.project,
        request.line,
    )
}
