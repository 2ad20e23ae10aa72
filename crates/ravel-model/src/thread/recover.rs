//! Puts back the tool calls and results that a walk up the parents passes by.
//!
//! A reply with several tool calls is several lines, one below the other, and each result hangs
//! under the line of its own call. The next turn goes on from one result only, so the walk misses
//! the calls after it and the other results. They belong to the reply: same `message.id`, same
//! call ids. The order in which they are put back is that of the official readers.

use ravel_format::{Entry, Flags, Id, Kind, ToolRole};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::Graph;

/// Returns the chain with the missing parts of its replies after their last entry on the chain.
pub(super) fn put_back_parallel_tools(graph: &Graph<'_>, chain: Vec<usize>) -> Vec<usize> {
    let replies = Replies::on(graph, &chain);
    if replies.anchors.is_empty() {
        return chain;
    }
    let parts = Parts::collect(graph, &replies);
    let mut on_chain: FxHashSet<usize> = chain.iter().copied().collect();
    let mut inserts: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for &message in &replies.order {
        let recovered = parts.missing_from(graph, message, &chain, &on_chain);
        on_chain.extend(&recovered);
        if let Some(&anchor) = replies
            .anchors
            .get(&message)
            .filter(|_| !recovered.is_empty())
        {
            inserts.insert(anchor, recovered);
        }
    }
    if inserts.is_empty() {
        return chain;
    }
    let with_insert = |index: usize| {
        std::iter::once(index).chain(inserts.get(&index).cloned().unwrap_or_default())
    };
    chain.into_iter().flat_map(with_insert).collect()
}

/// Returns the reply that an entry is a part of.
fn reply_of(entry: &Entry) -> Option<Id> {
    entry.message.filter(|_| entry.kind == Kind::Assistant)
}

/// The replies on a chain, in order, each with its last entry there.
struct Replies {
    order: Vec<Id>,
    anchors: FxHashMap<Id, usize>,
}

impl Replies {
    fn on(graph: &Graph<'_>, chain: &[usize]) -> Self {
        let mut replies = Self {
            order: Vec::new(),
            anchors: FxHashMap::default(),
        };
        for &index in chain {
            let Some(message) = graph.entry(index).and_then(reply_of) else {
                continue;
            };
            if replies.anchors.insert(message, index).is_none() {
                replies.order.push(message);
            }
        }
        replies
    }
}

/// Everything in the file that may belong to the replies of a chain.
struct Parts {
    members: FxHashMap<Id, Vec<usize>>,
    /// Who made a call; `None` when two replies claim it.
    callers: FxHashMap<Id, Option<usize>>,
    /// Results by the entry they may belong to: parent, source, caller.
    results: FxHashMap<usize, Vec<usize>>,
}

impl Parts {
    fn collect(graph: &Graph<'_>, replies: &Replies) -> Self {
        let mut parts = Self {
            members: FxHashMap::default(),
            callers: FxHashMap::default(),
            results: FxHashMap::default(),
        };
        let mut results = Vec::new();
        for &index in graph.nodes() {
            let Some(entry) = graph.entry(index) else {
                continue;
            };
            if let Some(message) = reply_of(entry) {
                parts.add_member(graph, index, message, replies);
            } else if is_result(graph, entry) {
                results.push(index);
            }
        }
        for index in results {
            parts.add_result(graph, index);
        }
        parts
    }

    fn add_member(&mut self, graph: &Graph<'_>, index: usize, message: Id, replies: &Replies) {
        if replies.anchors.contains_key(&message) {
            self.members.entry(message).or_default().push(index);
        }
        let Some(entry) = graph.entry(index) else {
            return;
        };
        for call in graph.outline().tools(entry, ToolRole::Call) {
            let caller = self.callers.entry(call).or_insert(Some(index));
            let same_reply = caller
                .and_then(|owner| graph.entry(owner))
                .and_then(reply_of)
                == Some(message);
            *caller = same_reply.then_some(index);
        }
    }

    fn add_result(&mut self, graph: &Graph<'_>, index: usize) {
        let Some(entry) = graph.entry(index) else {
            return;
        };
        let by_writer = |other: usize| {
            graph
                .entry(other)
                .is_some_and(|other| same_writer(entry, other))
        };
        let parent = entry.parent.and_then(|parent| graph.holder(parent));
        let source = entry
            .refers_to
            .and_then(|source| graph.holder(source))
            .filter(|&source| by_writer(source));
        let calls = graph.outline().tools(entry, ToolRole::Result);
        let callers = calls
            .filter_map(|call| self.callers.get(&call).copied().flatten())
            .filter(|&caller| by_writer(caller));
        let owners: Vec<usize> = parent.into_iter().chain(source).chain(callers).collect();
        for owner in owners {
            self.results.entry(owner).or_default().push(index);
        }
    }

    /// Returns the calls, then the results, of a reply that are not on the chain.
    fn missing_from(
        &self,
        graph: &Graph<'_>,
        message: Id,
        chain: &[usize],
        on_chain: &FxHashSet<usize>,
    ) -> Vec<usize> {
        let members = self
            .members
            .get(&message)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let is_member = |index: Option<usize>| index.is_some_and(|index| members.contains(&index));
        let mut calls: Vec<usize> = members
            .iter()
            .copied()
            .filter(|index| !on_chain.contains(index))
            .collect();
        let mut collected = FxHashSet::default();
        let candidates = members
            .iter()
            .filter_map(|member| self.results.get(member))
            .flatten()
            .copied();
        let fresh =
            candidates.filter(|index| !on_chain.contains(index) && collected.insert(*index));
        let (mut results, strays): (Vec<usize>, Vec<usize>) =
            fresh.partition(|&index| is_member(graph.parent(index)));
        if !strays.is_empty() {
            let answered = chain
                .iter()
                .chain(&results)
                .flat_map(|&index| answers(graph, index))
                .collect();
            results.extend(self.open_answers(graph, strays, answered, members));
        }
        let time = |index: &usize| graph.entry(*index).and_then(|entry| entry.time);
        calls.sort_by_key(time);
        results.sort_by_key(time);
        calls.append(&mut results);
        calls
    }

    /// Of results that hang elsewhere, keeps those that answer a call nothing else answers.
    fn open_answers(
        &self,
        graph: &Graph<'_>,
        mut strays: Vec<usize>,
        mut answered: FxHashSet<Id>,
        members: &[usize],
    ) -> Vec<usize> {
        strays.sort_unstable();
        strays.retain(|&stray| {
            let is_open = |call: Id| {
                let caller = self.callers.get(&call).copied().flatten();
                !answered.contains(&call) && caller.is_some_and(|caller| members.contains(&caller))
            };
            let keep = answers(graph, stray).any(is_open);
            if keep {
                answered.extend(answers(graph, stray));
            }
            keep
        });
        strays
    }
}

/// Returns the calls that an entry holds results of.
fn answers<'g>(graph: &'g Graph<'_>, index: usize) -> impl Iterator<Item = Id> + 'g {
    let entry = graph.entry(index);
    entry
        .into_iter()
        .flat_map(|entry| graph.outline().tools(entry, ToolRole::Result))
}

fn is_result(graph: &Graph<'_>, entry: &Entry) -> bool {
    entry.kind.is_user()
        && entry.parent.is_some()
        && graph
            .outline()
            .tools(entry, ToolRole::Result)
            .next()
            .is_some()
}

fn same_writer(one: &Entry, other: &Entry) -> bool {
    one.has(Flags::SIDECHAIN) == other.has(Flags::SIDECHAIN) && one.agent == other.agent
}
