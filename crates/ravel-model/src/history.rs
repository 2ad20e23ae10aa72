//! A conversation across its compactions.
//!
//! For the API a conversation starts anew at a compaction, and its thread ends there. For people
//! it goes on: the line before is named by `logicalParentUuid`, or it is the last one written
//! before, where old clients left a summary without a boundary. [`history`] joins the threads.

use ravel_format::{Facet, Flags};
use rustc_hash::FxHashSet;

use crate::graph::Graph;
use crate::thread::Thread;

#[cfg(test)]
mod tests;

/// The part of a conversation between two compactions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Its entries.
    pub thread: Thread,
    /// The compaction it starts with: a boundary, or a summary where there is no boundary.
    pub compaction: Option<usize>,
    /// The entry it starts with when its parent is lost: other readers see nothing before it.
    pub gap: Option<usize>,
}

/// Returns the segments of the conversation that ends at `leaf`, oldest first.
///
/// The last one is the thread that the API would get.
pub fn history(graph: &Graph<'_>, leaf: usize) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut placed = FxHashSet::default();
    let mut next = Some(leaf);
    while let Some(leaf) = next {
        let mut thread = Thread::to(graph, leaf);
        thread.entries.retain(|index| placed.insert(*index));
        let first = thread.entries.first().copied();
        let compaction = first.filter(|&first| is_compaction(graph, first));
        next = first.and_then(|first| earlier_leaf(graph, first, &placed));
        let gap = first
            .filter(|&first| next.is_some() && compaction.is_none() && is_orphan(graph, first));
        segments.push(Segment {
            thread,
            compaction,
            gap,
        });
    }
    if let Some(last) = segments.first_mut() {
        let rest = trailing(graph, leaf).filter(|index| !placed.contains(index));
        last.thread.entries.extend(rest);
    }
    segments.reverse();
    segments
}

/// Returns what the client wrote after the last message: durations, hooks, context.
fn trailing<'g>(graph: &'g Graph<'_>, leaf: usize) -> impl Iterator<Item = usize> + 'g {
    let is_note = |index: &usize| {
        graph
            .entry(*index)
            .is_some_and(|entry| !entry.kind.is_message())
    };
    let last_note = move |index: usize| graph.children(index).filter(is_note).last();
    // A child written before its parent may be in a circle; below a leaf, file order tells.
    std::iter::successors(last_note(leaf), move |&index| {
        last_note(index).filter(|&next| next > index)
    })
}

/// Tells whether a root starts the part of a conversation after a compaction.
fn is_compaction(graph: &Graph<'_>, index: usize) -> bool {
    graph.entry(index).is_some_and(|entry| {
        entry.facet == Facet::CompactBoundary || entry.has(Flags::COMPACT_SUMMARY)
    })
}

/// Tells whether the parent of a root is named but lost.
fn is_orphan(graph: &Graph<'_>, index: usize) -> bool {
    let named = graph.entry(index).and_then(|entry| entry.parent);
    named.is_some() && graph.parent(index).is_none()
}

/// Returns where the conversation stood before a root.
fn earlier_leaf(graph: &Graph<'_>, root: usize, placed: &FxHashSet<usize>) -> Option<usize> {
    let is_free = |index: &usize| !placed.contains(index);
    let named = graph
        .entry(root)?
        .logical_parent
        .and_then(|parent| graph.holder(parent));
    if let Some(named) = named.filter(is_free) {
        return Some(named);
    }
    if !is_compaction(graph, root) && !is_orphan(graph, root) {
        return None;
    }
    // The named line is often in another file, old clients named none, and a crash may have torn it.
    let before = graph.nodes().iter().copied().filter(|&index| index < root);
    let is_main = |index: &usize| graph.entry(*index).is_some_and(|entry| graph.shows(entry));
    before.filter(is_main).filter(is_free).max()
}
