//! From lines of equal name to requests.
//!
//! Two kinds of copies have different keys. A fork of a session whose lines have no request id
//! repeats the records under another session: they have the same ids, so sets of one message that
//! share a record are one request. And a sub-agent's log can replay a message of its parent under
//! another request id: of one message, a sidechain counts only where nothing else does.

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
        if lost.message.is_some() && lost.request != kept.request {
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
    let is_global = |(scope, _): &(Scope, Set)| !matches!(scope, Scope::Session(_));
    let (global, local): (Vec<_>, Vec<_>) = sets.into_iter().partition(is_global);
    let global = global.into_iter().map(|(_, set)| set).collect();
    let local = local.into_iter().map(|(_, set)| set).collect();
    let local = unite(local, keeps_copies);
    drop_replays(global, local, keeps_copies)
}

/// Joins sets that share a record: the sessions they are in are forks of each other.
fn unite(sets: Vec<Set>, keeps_copies: bool) -> Vec<Set> {
    let mut family = Family::new(sets.len());
    let mut by_record: HashMap<&str, usize> = HashMap::new();
    for (index, set) in sets.iter().enumerate() {
        for record in &set.records {
            let first = *by_record.entry(record).or_insert(index);
            family.join(first, index);
        }
    }
    let mut joined: BTreeMap<usize, Vec<Set>> = BTreeMap::new();
    for (index, set) in sets.into_iter().enumerate() {
        joined.entry(family.head(index)).or_default().push(set);
    }
    joined
        .into_values()
        .filter_map(|sets| into_one(sets, keeps_copies))
        .collect()
}

/// Gives the lines of replaying sidechains to the set that they replay.
fn drop_replays(global: Vec<Set>, local: Vec<Set>, keeps_copies: bool) -> Vec<Set> {
    let is_sidechain = |set: &Set| set.winner.is_sidechain;
    let (mut replays, global_main): (Vec<_>, Vec<_>) = global.into_iter().partition(is_sidechain);
    let (local_side, local_main): (Vec<_>, Vec<_>) = local.into_iter().partition(is_sidechain);
    let mut kept = Vec::new();
    // Without a request id on either side, a name says nothing about other sessions.
    match global_main.is_empty() {
        true => kept.extend(local_side),
        false => replays.extend(local_side),
    }
    let mut main = global_main;
    main.extend(local_main);
    main.sort_unstable_by(|one, other| rank(&one.winner, &other.winner));
    let replayed = main.pop();
    kept.extend(main);
    kept.extend(into_one(replayed.into_iter().chain(replays), keeps_copies));
    kept
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
