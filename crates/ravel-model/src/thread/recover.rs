//! Puts back the tool calls and results that a walk up the parents passes by.
//!
//! A reply with several tool calls is several lines, one below the other, and each result hangs
//! under the line of its own call. The next turn goes on from one result only, so the walk misses
//! the calls after it and the other results. They belong to the reply: same `message.id`, same
//! call ids. The order in which they are put back is that of the official readers.
//!
//! Most sessions have few such lines and many others, so everything starts from the lines that
//! are not on the chain.

use std::cell::OnceCell;

use ravel_format::{Entry, Flags, Id, Kind, ToolRole};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::Graph;

/// What to put back into a chain.
#[derive(Default)]
pub(crate) struct Recovered {
    /// Entries to insert, by the entry on the chain that they come after.
    inserts: FxHashMap<usize, Vec<usize>>,
}

impl Recovered {
    /// Finds the missing parts of the replies on a chain, or on several chains one after another.
    pub(crate) fn of(graph: &Graph<'_>, chain: &[usize]) -> Self {
        let mut recovered = Self::default();
        let mut walk = Walk::new(graph, chain);
        let (calls, results) = walk.left_beside();
        if calls.is_empty() && results.is_empty() {
            return recovered;
        }
        let parts = Parts::collect(&walk, &calls, results);
        let answered = OnceCell::new();
        for message in parts.replies_on(&walk) {
            let missing = parts.missing_from(&walk, message, &answered);
            missing.iter().for_each(|&index| walk.take(index));
            if let Some(anchor) = walk.anchor(message).filter(|_| !missing.is_empty()) {
                recovered.inserts.insert(anchor, missing);
            }
        }
        recovered
    }

    /// Returns a chain with what belongs into it.
    pub(crate) fn put_back(&self, chain: Vec<usize>) -> Vec<usize> {
        if self.inserts.is_empty() {
            return chain;
        }
        let with_insert = |index: usize| {
            let inserted = self
                .inserts
                .get(&index)
                .map(Vec::as_slice)
                .unwrap_or_default();
            std::iter::once(index).chain(inserted.iter().copied())
        };
        chain.into_iter().flat_map(with_insert).collect()
    }
}

/// Returns the reply that an entry is a part of.
fn reply_of(entry: &Entry) -> Option<Id> {
    entry.message.filter(|_| entry.kind == Kind::Assistant)
}

/// A chain, and what is on it.
struct Walk<'a, 'g> {
    graph: &'a Graph<'g>,
    chain: &'a [usize],
    is_on_chain: Vec<bool>,
    /// The last entry of each reply on the chain, by the index of its id.
    anchors: Vec<Option<u32>>,
}

impl<'a, 'g> Walk<'a, 'g> {
    fn new(graph: &'a Graph<'g>, chain: &'a [usize]) -> Self {
        let outline = graph.outline();
        let mut walk = Self {
            graph,
            chain,
            is_on_chain: vec![false; outline.entries().len()],
            anchors: vec![None; outline.ids().len()],
        };
        for &index in chain {
            walk.take(index);
            // The end of a chain may be a record that another one has superseded.
            let uuid = graph.entry(index).and_then(|entry| entry.uuid);
            if let Some(holder) = uuid.and_then(|uuid| graph.holder(uuid)) {
                walk.take(holder);
            }
            let message = graph.entry(index).and_then(reply_of);
            if let Some(slot) = message.and_then(|message| walk.anchors.get_mut(message.index())) {
                *slot = Some(index as u32);
            }
        }
        walk
    }

    /// Notes that an entry has its place.
    fn take(&mut self, index: usize) {
        if let Some(is_on_chain) = self.is_on_chain.get_mut(index) {
            *is_on_chain = true;
        }
    }

    fn has(&self, index: usize) -> bool {
        self.is_on_chain.get(index).copied().unwrap_or(false)
    }

    fn anchor(&self, message: Id) -> Option<usize> {
        self.anchors
            .get(message.index())
            .copied()
            .flatten()
            .map(|anchor| anchor as usize)
    }

    /// Returns the parts of replies on the chain, and the results, that are not on it.
    fn left_beside(&self) -> (Vec<usize>, Vec<usize>) {
        let (mut calls, mut results) = (Vec::new(), Vec::new());
        for &index in self.graph.nodes().iter().filter(|&&index| !self.has(index)) {
            let Some(entry) = self.graph.entry(index) else {
                continue;
            };
            let reply = reply_of(entry);
            if reply.is_some_and(|message| self.anchor(message).is_some()) {
                calls.push(index);
            } else if reply.is_none() && is_result(self.graph, entry) {
                results.push(index);
            }
        }
        (calls, results)
    }

    /// Tells whether an entry is a part of a reply.
    fn is_of(&self, index: Option<usize>, message: Id) -> bool {
        index
            .and_then(|index| self.graph.entry(index))
            .and_then(reply_of)
            == Some(message)
    }

    /// Returns the calls that an entry holds results of.
    fn answers(&self, index: usize) -> impl Iterator<Item = Id> + '_ {
        let entry = self.graph.entry(index);
        entry
            .into_iter()
            .flat_map(|entry| self.graph.outline().tools(entry, ToolRole::Result))
    }
}

/// Everything in the file that may belong to the replies that miss something.
struct Parts {
    /// All entries of a reply, on the chain or not.
    members: FxHashMap<Id, Vec<usize>>,
    /// Who made a call; `None` when two replies claim it.
    callers: FxHashMap<Id, Option<usize>>,
    /// Results that are not on the chain, by the entry they may belong to.
    results: FxHashMap<usize, Vec<usize>>,
}

impl Parts {
    fn collect(walk: &Walk<'_, '_>, calls: &[usize], results: Vec<usize>) -> Self {
        let mut parts = Self {
            members: FxHashMap::default(),
            callers: results
                .iter()
                .flat_map(|&result| walk.answers(result))
                .map(|call| (call, None))
                .collect(),
            results: FxHashMap::default(),
        };
        parts.find_callers(walk);
        for result in results {
            parts.add_result(walk, result);
        }
        let owners = parts.results.keys().chain(calls);
        let replies: FxHashSet<Id> = owners
            .filter_map(|&owner| reply_of(walk.graph.entry(owner)?))
            .collect();
        for &index in walk.graph.nodes() {
            let message = walk.graph.entry(index).and_then(reply_of);
            if let Some(message) = message.filter(|message| replies.contains(message)) {
                parts.members.entry(message).or_default().push(index);
            }
        }
        parts
    }

    /// Finds who made the calls that are answered beside the chain.
    fn find_callers(&mut self, walk: &Walk<'_, '_>) {
        let mut seen = FxHashSet::default();
        for &index in walk.graph.nodes() {
            let Some(entry) = walk.graph.entry(index) else {
                continue;
            };
            let Some(message) = reply_of(entry) else {
                continue;
            };
            for call in walk.graph.outline().tools(entry, ToolRole::Call) {
                let Some(caller) = self.callers.get_mut(&call) else {
                    continue;
                };
                let reply = caller
                    .and_then(|owner| walk.graph.entry(owner))
                    .and_then(reply_of);
                let is_its_own = seen.insert(call) || reply == Some(message);
                *caller = is_its_own.then_some(index);
            }
        }
    }

    fn add_result(&mut self, walk: &Walk<'_, '_>, index: usize) {
        let graph = walk.graph;
        let Some(entry) = graph.entry(index) else {
            return;
        };
        let by_writer = |other: &usize| {
            graph
                .entry(*other)
                .is_some_and(|other| same_writer(entry, other))
        };
        let source = entry
            .refers_to
            .and_then(|source| graph.holder(source))
            .filter(by_writer);
        let callers = walk
            .answers(index)
            .filter_map(|call| self.callers.get(&call).copied().flatten());
        let owners: Vec<usize> = graph
            .parent(index)
            .into_iter()
            .chain(source)
            .chain(callers.filter(by_writer))
            .collect();
        for owner in owners {
            self.results.entry(owner).or_default().push(index);
        }
    }

    /// Returns the replies that may miss something, in the order of the chain.
    fn replies_on(&self, walk: &Walk<'_, '_>) -> Vec<Id> {
        let mut seen = FxHashSet::default();
        let replies = walk
            .chain
            .iter()
            .filter_map(|&index| reply_of(walk.graph.entry(index)?));
        replies
            .filter(|message| self.members.contains_key(message) && seen.insert(*message))
            .collect()
    }

    /// Returns the calls, then the results, of a reply that are not on the chain.
    fn missing_from(
        &self,
        walk: &Walk<'_, '_>,
        message: Id,
        answered: &OnceCell<FxHashSet<Id>>,
    ) -> Vec<usize> {
        let members = self
            .members
            .get(&message)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let mut calls: Vec<usize> = members
            .iter()
            .copied()
            .filter(|&index| !walk.has(index))
            .collect();
        let mut collected = FxHashSet::default();
        let candidates = members
            .iter()
            .filter_map(|member| self.results.get(member))
            .flatten()
            .copied();
        let fresh = candidates.filter(|&index| !walk.has(index) && collected.insert(index));
        let (mut results, strays): (Vec<usize>, Vec<usize>) =
            fresh.partition(|&index| walk.is_of(walk.graph.parent(index), message));
        if !strays.is_empty() {
            let on_chain = || {
                walk.chain
                    .iter()
                    .flat_map(|&index| walk.answers(index))
                    .collect()
            };
            let by_results = results
                .iter()
                .flat_map(|&index| walk.answers(index))
                .collect();
            let answers = Answers {
                on_chain: answered.get_or_init(on_chain),
                here: by_results,
            };
            results.extend(self.open_answers(walk, strays, answers, message));
        }
        // Times are compared as text: what is no time comes after all times.
        let time = |index: &usize| {
            walk.graph
                .entry(*index)
                .map(|entry| (entry.has(Flags::BAD_TIME), entry.time))
        };
        calls.sort_by_key(time);
        results.sort_by_key(time);
        calls.append(&mut results);
        calls
    }

    /// Of results that hang elsewhere, keeps those that answer a call nothing else answers.
    fn open_answers(
        &self,
        walk: &Walk<'_, '_>,
        mut strays: Vec<usize>,
        mut answered: Answers<'_>,
        message: Id,
    ) -> Vec<usize> {
        strays.sort_unstable();
        strays.retain(|&stray| {
            let is_open = |call: Id| {
                let caller = self.callers.get(&call).copied().flatten();
                !answered.has(call) && walk.is_of(caller, message)
            };
            let keep = walk.answers(stray).any(is_open);
            if keep {
                answered.here.extend(walk.answers(stray));
            }
            keep
        });
        strays
    }
}

/// The calls that have an answer already.
struct Answers<'a> {
    on_chain: &'a FxHashSet<Id>,
    here: FxHashSet<Id>,
}

impl Answers<'_> {
    fn has(&self, call: Id) -> bool {
        self.on_chain.contains(&call) || self.here.contains(&call)
    }
}

fn is_result(graph: &Graph<'_>, entry: &Entry) -> bool {
    let mut results = graph.outline().tools(entry, ToolRole::Result);
    entry.kind.is_user() && entry.parent.is_some() && results.next().is_some()
}

fn same_writer(one: &Entry, other: &Entry) -> bool {
    one.has(Flags::SIDECHAIN) == other.has(Flags::SIDECHAIN) && one.agent == other.agent
}
