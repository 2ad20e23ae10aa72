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
pub fn main_leaf(graph: &Graph<'_>) -> Option<LeafChoice> {
    let leaves = leaves(graph);
    let last = last_written(graph, &leaves).or_else(|| last_message(graph))?;
    let named = named_leaf(graph, &leaves, last);
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

/// Returns the last message before each end of a chain, in order of their ends in the file.
pub fn leaves(graph: &Graph<'_>) -> Vec<usize> {
    let mut seen = FxHashSet::default();
    let above = graph.messages_above();
    let ends = graph
        .nodes()
        .iter()
        .filter(|&&index| graph.children(index).next().is_none());
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
