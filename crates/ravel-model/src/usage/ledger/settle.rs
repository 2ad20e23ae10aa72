//! From lines of equal name to requests.
//!
//! Two kinds of copies have different keys. Resuming and forking repeat the records of a session under
//! another one, and version 1.0 left out their request ids: but the ids of the records are the same,
//! so sets of one message that share a record are one request. And a sub-agent's log can
//! replay a message of its parent under another request id: of one message, a sidechain counts only
//! where nothing else does.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use super::{Ledger, Name, Request, Scope, Set, rank};

/// The requests of a ledger, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account {
    /// The requests by time; those without a time come first.
    pub requests: Vec<Request>,
    /// The lines that were not counted, if the ledger was made to explain itself.
    pub dropped: Vec<Dropped>,
    /// How many lines there were.
    pub n_lines: u64,
}

/// A line that was not counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// What it says.
    pub request: Request,
    /// Why another one counts.
    pub reason: Reason,
    /// The one that counts, by its place in [`Account::requests`].
    pub kept: usize,
}

/// Why a line does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// A sub-agent's log replays a message under another request id.
    Replayed,
    /// A sub-agent's log has a copy of the line.
    Sidechain,
    /// Another line of the message has more tokens: this one is from the middle of its stream.
    Smaller,
    /// Another line has the same tokens and says how fast they came.
    NoSpeed,
    /// The same request stands in another session: a resumed, copied or forked one.
    OtherSession,
    /// The same request stands in another file of the session.
    OtherFile,
    /// The client repeats the usage on each line of a message.
    Repeated,
}

impl Account {
    /// Makes an account of requests that were settled before, in any order. It does not know the
    /// lines behind them.
    pub fn of_settled(mut requests: Vec<Request>) -> Self {
        requests.sort_unstable_by(by_time);
        Self {
            n_lines: requests.len() as u64,
            requests,
            dropped: Vec::new(),
        }
    }

    /// Returns the number of lines that were not counted.
    pub fn n_dropped(&self) -> u64 {
        self.n_lines.saturating_sub(self.requests.len() as u64)
    }
}

impl Reason {
    /// Returns the code for `--explain` and JSON.
    pub fn code(self) -> &'static str {
        match self {
            Self::Replayed => "sidechain-replay",
            Self::Sidechain => "sidechain-copy",
            Self::Smaller => "smaller-total",
            Self::NoSpeed => "no-speed",
            Self::OtherSession => "copy-in-other-session",
            Self::OtherFile => "copy-in-other-file",
            Self::Repeated => "repeated-line",
        }
    }

    /// Compares a line with the one that counts instead of it.
    fn of(lost: &Request, kept: &Request) -> Self {
        if lost.is_sidechain && lost.request != kept.request {
            Self::Replayed
        } else if lost.is_sidechain && !kept.is_sidechain {
            Self::Sidechain
        } else if lost.tokens.total() < kept.tokens.total() {
            Self::Smaller
        } else if lost.speed.is_none() && kept.speed.is_some() {
            Self::NoSpeed
        } else if lost.session != kept.session {
            Self::OtherSession
        } else if lost.file != kept.file {
            Self::OtherFile
        } else {
            Self::Repeated
        }
    }
}

impl Ledger {
    /// Finds the requests behind all lines that were added.
    pub fn settle(self) -> Account {
        let keeps_copies = self.keeps_copies;
        let mut by_name: HashMap<Name, Vec<(Scope, Set)>> = HashMap::new();
        for (key, set) in self.sets {
            by_name.entry(key.name).or_default().push((key.scope, set));
        }
        let mut sets: Vec<Set> = by_name
            .into_values()
            .flat_map(|sets| one_name(sets, keeps_copies))
            .collect();
        sets.sort_unstable_by(|one, other| by_time(&one.winner, &other.winner));
        let mut account = Account {
            n_lines: self.n_lines,
            ..Account::default()
        };
        for (kept, set) in sets.into_iter().enumerate() {
            account.take(kept, set);
        }
        account
    }
}

impl Account {
    fn take(&mut self, kept: usize, mut set: Set) {
        set.losers.sort_unstable_by(by_time);
        let winner = set.winner;
        self.dropped
            .extend(set.losers.into_iter().map(|request| Dropped {
                reason: Reason::of(&request, &winner),
                request,
                kept,
            }));
        self.requests.push(winner);
    }
}

fn by_time(one: &Request, other: &Request) -> Ordering {
    one.time
        .cmp(&other.time)
        .then_with(|| one.session.cmp(&other.session))
        .then_with(|| one.file.cmp(&other.file))
        .then_with(|| one.offset.cmp(&other.offset))
        .then_with(|| rank(one, other))
}

/// Applies the two rules to all sets of one name.
fn one_name(sets: Vec<(Scope, Set)>, keeps_copies: bool) -> Vec<Set> {
    if sets.len() == 1 {
        return sets.into_iter().map(|(_, set)| set).collect();
    }
    drop_replays(unite(sets, keeps_copies), keeps_copies)
}

/// Lines of one request, and whether one of them has an id that means it everywhere.
struct United {
    set: Set,
    is_global: bool,
}

/// Joins sets that share a record: the sessions they are in are copies of each other.
fn unite(sets: Vec<(Scope, Set)>, keeps_copies: bool) -> Vec<United> {
    let mut family = Family::new(sets.len());
    let mut by_record: HashMap<u64, usize> = HashMap::new();
    for (index, (_, set)) in sets.iter().enumerate() {
        for record in &set.records.hashes {
            let first = *by_record.entry(*record).or_insert(index);
            family.join(first, index);
        }
    }
    let mut joined: BTreeMap<usize, Vec<(Scope, Set)>> = BTreeMap::new();
    for (index, set) in sets.into_iter().enumerate() {
        joined.entry(family.head(index)).or_default().push(set);
    }
    let one = |sets: Vec<(Scope, Set)>| {
        let is_global = sets
            .iter()
            .any(|(scope, _)| !matches!(scope, Scope::Session(_)));
        let set = into_one(sets.into_iter().map(|(_, set)| set), keeps_copies)?;
        Some(United { set, is_global })
    };
    joined.into_values().filter_map(one).collect()
}

/// Gives the lines of replaying sidechains to the set that they replay.
fn drop_replays(sets: Vec<United>, keeps_copies: bool) -> Vec<Set> {
    let (side, mut main): (Vec<_>, Vec<_>) = sets
        .into_iter()
        .partition(|united| united.set.winner.is_sidechain);
    // Without a request id on either side, a name says nothing about other sessions.
    let is_known = main.iter().any(|united| united.is_global);
    let (replays, own): (Vec<_>, Vec<_>) = side
        .into_iter()
        .partition(|united| united.is_global || is_known);
    main.sort_unstable_by(|one, other| rank(&one.set.winner, &other.set.winner));
    let replayed = main.pop();
    let same = replayed.into_iter().chain(replays);
    let one = into_one(same.map(|united| united.set), keeps_copies);
    let rest = main.into_iter().chain(own).map(|united| united.set);
    rest.chain(one).collect()
}

/// Makes one set of all: the greatest line of all wins, which is no sidechain's if one is not.
fn into_one(sets: impl IntoIterator<Item = Set>, keeps_copies: bool) -> Option<Set> {
    sets.into_iter().reduce(|mut one, other| {
        one.absorb(other, keeps_copies);
        one
    })
}

/// Which sets belong together.
struct Family {
    parents: Vec<usize>,
}

impl Family {
    fn new(n_sets: usize) -> Self {
        Self {
            parents: (0..n_sets).collect(),
        }
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.head(one), self.head(other));
        if let Some(parent) = self.parents.get_mut(one.max(other)) {
            *parent = one.min(other);
        }
    }

    /// Returns the first member, and shortens the way to it.
    fn head(&mut self, member: usize) -> usize {
        let mut at = member;
        while let Some(&parent) = self.parents.get(at)
            && parent != at
        {
            let above = self.parents.get(parent).copied().unwrap_or(parent);
            if let Some(own) = self.parents.get_mut(at) {
                *own = above;
            }
            at = above;
        }
        at
    }
}
