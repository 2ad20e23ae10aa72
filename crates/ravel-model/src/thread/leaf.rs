//! Which end of which branch is the conversation.

use ravel_format::{Entry, Flags, Kind};
use rustc_hash::FxHashSet;

use crate::graph::Graph;

use super::Thread;

/// The end of the main thread, and why it is that one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeafChoice {
    /// The entry.
    pub leaf: usize,
    /// The leaf written last, when a `last-prompt` record names another branch than its.
    pub instead_of: Option<usize>,
}

/// Returns the end of the main thread: the leaf written last, unless the last `last-prompt`
/// record names another branch; then the last one on that branch.
///
/// A record that was taken from a damaged line never makes the conversation shorter than other
/// readers, which skip the line, see it.
pub fn main_leaf(graph: &Graph<'_>) -> Option<LeafChoice> {
    let choice = choose(graph);
    let was_taken = |&index: &usize| {
        graph
            .entry(index)
            .is_some_and(|entry| entry.fault.is_some())
    };
    if !graph.nodes().iter().any(was_taken) {
        return choice;
    }
    let without = choose(&Graph::build_whole(graph.outline()));
    let n_visible = |choice: &LeafChoice| Thread::to(graph, choice.leaf).visible(graph).count();
    // Of equals, `max_by_key` takes the last.
    [without, choice]
        .into_iter()
        .flatten()
        .max_by_key(n_visible)
}

fn choose(graph: &Graph<'_>) -> Option<LeafChoice> {
    let leaves = leaves(graph);
    let last = last_written(graph, &leaves).or_else(|| last_message(graph))?;
    let named = named_leaf(graph, &leaves, last);
    let last = first_copy(graph, last);
    Some(match named {
        Some(leaf) if leaf != last => LeafChoice {
            leaf,
            instead_of: Some(last),
        },
        _ => LeafChoice {
            leaf: last,
            instead_of: None,
        },
    })
}

/// Returns the first of the records that have the id of a leaf.
///
/// Where an id stands twice, readers go by the last record everywhere but here: they find both
/// ends, and keep the first.
fn first_copy(graph: &Graph<'_>, leaf: usize) -> usize {
    let uuid = graph.entry(leaf).and_then(|entry| entry.uuid);
    let is_copy = |index: &usize| {
        let entry = graph
            .entry(*index)
            .filter(|entry| entry.kind.is_message() && is_main_entry(entry));
        entry.is_some_and(|entry| entry.uuid == uuid)
    };
    // Other readers do not see the one that we took from a damaged line.
    let is_whole = |index: usize| {
        graph
            .entry(index)
            .is_some_and(|entry| entry.fault.is_none())
    };
    let mut copies = graph
        .duplicates()
        .iter()
        .copied()
        .filter(is_copy)
        .filter(|&index| is_whole(index));
    copies
        .next()
        .filter(|_| graph.is_end(leaf) && is_whole(leaf))
        .unwrap_or(leaf)
}

/// Returns the last message before each end of a chain, in order of their ends in the file.
pub fn leaves(graph: &Graph<'_>) -> Vec<usize> {
    let mut seen = FxHashSet::default();
    let above = graph.messages_above();
    let ends = graph.nodes().iter().filter(|&&index| graph.is_end(index));
    let leaves = ends.filter_map(|&end| above.get(end).copied().flatten());
    leaves.filter(|&leaf| seen.insert(leaf)).collect()
}

/// Picks the leaf latest in the file, of the main conversation when there is one.
fn last_written(graph: &Graph<'_>, leaves: &[usize]) -> Option<usize> {
    let is_main = |index: &&usize| graph.entry(**index).is_some_and(is_main_entry);
    leaves
        .iter()
        .filter(is_main)
        .max()
        .or(leaves.iter().max())
        .copied()
}

fn is_main_entry(entry: &Entry) -> bool {
    ![Flags::SIDECHAIN, Flags::TEAM, Flags::META]
        .iter()
        .any(|&flag| entry.has(flag))
}

/// Where every chain ends in a circle there is no leaf; the last message has to do.
fn last_message(graph: &Graph<'_>) -> Option<usize> {
    let messages = || {
        graph.nodes().iter().copied().filter(|&index| {
            graph
                .entry(index)
                .is_some_and(|entry| entry.kind.is_message())
        })
    };
    let main = messages()
        .filter(|&index| graph.entry(index).is_some_and(is_main_entry))
        .max();
    main.or_else(|| messages().max())
}

/// Follows the last `last-prompt` record to its branch, unless that is the branch of `last`.
fn named_leaf(graph: &Graph<'_>, leaves: &[usize], last: usize) -> Option<usize> {
    let entries = graph.outline().entries();
    let record = entries
        .iter()
        .rev()
        .find(|entry| entry.kind == Kind::LastPrompt && entry.refers_to.is_some())?;
    let named = graph.holder(record.refers_to?)?;
    if graph
        .entry(named)
        .is_none_or(|entry| entry.has(Flags::SIDECHAIN))
    {
        return None;
    }
    // Nearly always it names a line further up; what parallel tools left beside counts too.
    let is_above = graph.ancestors(last).any(|index| index == named);
    if is_above || Thread::to(graph, last).entries.contains(&named) {
        return None;
    }
    let below: FxHashSet<usize> = graph.descendants(named).into_iter().collect();
    let is_main = |index: usize| graph.entry(index).is_some_and(is_main_entry);
    leaves
        .iter()
        .copied()
        .filter(|&leaf| is_main(leaf) && below.contains(&leaf))
        .max()
}
