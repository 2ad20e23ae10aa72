//! Every request once, whatever was read first.
//!
//! Lines are put together by name: `message.id` with `requestId` names a request everywhere, one
//! of them alone only within its session (gateways use ids again), and a record without either is
//! only ever a copy of itself. Of each set one line wins, by an order in which no two different
//! lines are equal, so the result does not depend on the order of adding, nor on how many
//! ledgers were filled and merged. Two rules need all lines and wait for [`Ledger::settle`]:
//! see [`unite`].

use std::cmp::{Ordering, Reverse};
use std::collections::HashSet;
use std::sync::Arc;

use hashbrown::HashTable;

use super::Request;

mod key;
mod record;
mod settle;
#[cfg(test)]
mod tests;
mod unite;

pub(super) use key::Ids;
use key::{Key, record_hash};
use record::Records;
pub use settle::{Account, Dropped, Reason};

/// The requests found so far.
///
/// It needs memory for each request and a few bytes for each line, unless it was made to explain
/// itself. Only then it keeps the ids of requests; other ledgers forget them once they have
/// been compared.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// The line of each set that counts.
    winners: Vec<Request>,
    /// What the lines of each set share, in the same order.
    sets: Vec<Set>,
    /// Finds a set by its key.
    places: HashTable<u32>,
    records: Records,
    /// The lines that did not win, each with its set, for a ledger that explains itself.
    losers: Vec<(u32, Request)>,
    texts: HashSet<Arc<str>>,
    n_lines: u64,
    keeps_copies: bool,
}

/// The lines of one request.
#[derive(Debug, Clone, Copy)]
struct Set {
    key: Key,
    /// The ids of all its records: a copy can have lost the request id and changed the session.
    records: record::List,
}

/// What one line says, for a ledger that does not explain itself: the ids are no texts any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    request: Request,
    key: Key,
    record: Option<u64>,
}

impl Entry {
    /// Takes a request without ids, and the ids it should have.
    pub(super) fn new(request: Request, ids: &Ids<'_>) -> Self {
        Self {
            key: Key::of(ids),
            record: ids.record.map(record_hash),
            request,
        }
    }

    /// Changes what the line did not know about itself.
    pub fn request_mut(&mut self) -> &mut Request {
        &mut self.request
    }
}

impl From<Request> for Entry {
    fn from(request: Request) -> Self {
        Self {
            key: Key::of(&request.ids()),
            record: request.record.as_deref().map(record_hash),
            request,
        }
    }
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
    ///
    /// A ledger that explains itself has to be given whole requests.
    pub fn add(&mut self, line: impl Into<Entry>) {
        self.n_lines += 1;
        let Entry {
            mut request,
            key,
            record,
        } = line.into();
        if !self.keeps_copies {
            (request.message, request.request, request.record) = (None, None, None);
        }
        let set = self.put(key, request);
        if let Some(record) = record {
            self.note(set, record);
        }
    }

    /// Adds all that another ledger, made in the same way, was given.
    pub fn merge(&mut self, other: Self) {
        self.n_lines += other.n_lines;
        let mut places = Vec::with_capacity(other.sets.len());
        for (set, winner) in other.sets.iter().zip(other.winners) {
            let place = self.put(set.key, winner);
            places.push(place);
            for record in other.records.of(set.records) {
                self.note(place, record);
            }
        }
        let losers = other.losers.into_iter().filter_map(|(set, request)| {
            let place = places.get(set as usize)?;
            Some((*place, request))
        });
        self.losers.extend(losers);
    }

    /// Returns the number of lines that were added.
    pub fn n_lines(&self) -> u64 {
        self.n_lines
    }

    /// Adds a line to its set, and returns the place of that.
    fn put(&mut self, key: Key, mut request: Request) -> u32 {
        let sets = &self.sets;
        let is_same = |place: &u32| sets.get(*place as usize).is_some_and(|set| set.key == key);
        let Some(&place) = self.places.find(key.hash(), is_same) else {
            return self.insert(key, request);
        };
        if let Some(winner) = self.winners.get_mut(place as usize) {
            if rank(&request, winner) == Ordering::Greater {
                request.share_texts_of(winner);
                std::mem::swap(&mut request, winner);
            }
            if self.keeps_copies {
                self.losers.push((place, request));
            }
        }
        place
    }

    fn insert(&mut self, key: Key, mut request: Request) -> u32 {
        // A ledger of four thousand million requests would need a terabyte.
        let place = self.sets.len() as u32;
        request.model = self.shared(request.model);
        request.session = self.shared(request.session);
        let records = record::List::default();
        self.winners.push(request);
        self.sets.push(Set { key, records });
        let sets = &self.sets;
        let hash_of = |place: &u32| sets.get(*place as usize).map_or(0, |set| set.key.hash());
        self.places.insert_unique(key.hash(), place, hash_of);
        place
    }

    fn note(&mut self, set: u32, record: u64) {
        if let Some(set) = self.sets.get_mut(set as usize) {
            self.records.add(&mut set.records, record);
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

impl Request {
    /// Takes texts from a line that says the same, so that they are in memory once.
    fn share_texts_of(&mut self, other: &Self) {
        for (own, known) in [
            (&mut self.model, &other.model),
            (&mut self.session, &other.session),
        ] {
            if *own == *known {
                *own = Arc::clone(known);
            }
        }
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
