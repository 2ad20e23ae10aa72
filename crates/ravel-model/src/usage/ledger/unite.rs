//! Which sets of one name are one request.
//!
//! Two kinds of copies have different keys. Resuming and forking repeat the records of a session under
//! another one, and version 1.0 left out their request ids: but the ids of the records are the same,
//! so sets of one message that share a record are one request. And a sub-agent's log can
//! replay a message of its parent under another request id: of one message, a sidechain counts only
//! where nothing else does.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::{Ledger, Request, Set, rank};

/// A set of the name in question, and where the ledger has it.
#[derive(Clone, Copy)]
struct Member<'a> {
    place: u32,
    set: &'a Set,
    winner: &'a Request,
}

impl Ledger {
    /// Returns for each set the one that counts instead of it, which mostly is itself.
    pub(super) fn heads(&self) -> Vec<u32> {
        let mut heads: Vec<u32> = (0..self.sets.len() as u32).collect();
        let mut by_name: Vec<_> = self.sets.iter().map(|set| set.key.name).zip(0..).collect();
        by_name.sort_unstable();
        for same in by_name.chunk_by(|one, other| one.0 == other.0) {
            if same.len() > 1 {
                self.settle_name(same.iter().map(|(_, place)| *place), &mut heads);
            }
        }
        heads
    }

    /// Applies the two rules to all sets of one name.
    fn settle_name(&self, places: impl Iterator<Item = u32>, heads: &mut [u32]) {
        let member = |place: u32| {
            Some(Member {
                place,
                set: self.sets.get(place as usize)?,
                winner: self.winners.get(place as usize)?,
            })
        };
        let members: Vec<Member<'_>> = places.filter_map(member).collect();
        for same in drop_replays(self.unite(&members)) {
            for member in &same.members {
                if let Some(head) = heads.get_mut(member.place as usize) {
                    *head = same.best.place;
                }
            }
        }
    }

    /// Joins sets that share a record: the sessions they are in are copies of each other.
    fn unite<'a>(&self, members: &[Member<'a>]) -> Vec<United<'a>> {
        let mut family = Family::new(members.len());
        let mut by_record: HashMap<u64, usize> = HashMap::new();
        for (index, member) in members.iter().enumerate() {
            for record in self.records.of(member.set.records) {
                let first = *by_record.entry(record).or_insert(index);
                family.join(first, index);
            }
        }
        let mut united: Vec<Option<United<'a>>> = members.iter().map(|_| None).collect();
        for (index, member) in members.iter().enumerate() {
            if let Some(own) = united.get_mut(family.head(index)) {
                let with_others = own.take().map(|united| united.with(*member));
                *own = Some(with_others.unwrap_or_else(|| United::of(*member)));
            }
        }
        united.into_iter().flatten().collect()
    }
}

/// Sets of one request.
struct United<'a> {
    /// The greatest line of all wins, which is no sidechain's if one is not.
    best: Member<'a>,
    members: Vec<Member<'a>>,
    /// One of its lines has an id that means it everywhere.
    is_global: bool,
}

impl<'a> United<'a> {
    fn of(member: Member<'a>) -> Self {
        Self {
            best: member,
            members: vec![member],
            is_global: member.set.key.is_global(),
        }
    }

    fn with(mut self, member: Member<'a>) -> Self {
        if rank(member.winner, self.best.winner) == Ordering::Greater {
            self.best = member;
        }
        self.is_global |= member.set.key.is_global();
        self.members.push(member);
        self
    }

    fn with_all(self, other: Self) -> Self {
        other.members.into_iter().fold(self, Self::with)
    }
}

/// Gives the lines of replaying sidechains to the set that they replay.
fn drop_replays(sets: Vec<United<'_>>) -> Vec<United<'_>> {
    let (side, mut main): (Vec<_>, Vec<_>) = sets
        .into_iter()
        .partition(|united| united.best.winner.is_sidechain);
    // Without a request id on either side, a name says nothing about other sessions.
    let is_known = main.iter().any(|united| united.is_global);
    let (replays, own): (Vec<_>, Vec<_>) = side
        .into_iter()
        .partition(|united| united.is_global || is_known);
    main.sort_unstable_by(|one, other| rank(one.best.winner, other.best.winner));
    let replayed = main.pop();
    let same = replayed.into_iter().chain(replays);
    let one = same.reduce(United::with_all);
    main.into_iter().chain(own).chain(one).collect()
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
