//! A conversation across its compactions.
//!
//! For the API a conversation starts anew at a compaction, and its thread ends there. For people
//! it goes on: the line before is named by `logicalParentUuid`, or it is the last one written
//! before, where old clients left a summary without a boundary. [`history`] joins the threads.

use ravel_format::{Facet, Flags, Kind};

use crate::graph::Graph;
use crate::thread::{Recovered, Thread};

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
    let mut joiner = Joiner::new(graph);
    let last = joiner.segment(Thread::to(graph, leaf).entries);
    let mut segments = vec![last];
    while let Some(leaf) = joiner.next {
        let mut chain: Vec<usize> = joiner.free_ancestors(leaf).collect();
        chain.reverse();
        segments.push(joiner.segment(chain));
    }
    joiner.recover(&mut segments);
    if let Some(last) = segments.first_mut() {
        last.thread.leaf = Some(leaf);
        let notes = trailing(graph, leaf).filter(|&index| joiner.is_free(index));
        last.thread.entries.extend(notes);
    }
    segments.reverse();
    segments
}

/// Finds segment after segment, from the end of a conversation to its start.
struct Joiner<'a, 'g> {
    graph: &'a Graph<'g>,
    /// Where the conversation stood before the segments found so far.
    next: Option<usize>,
    /// For each entry that has its place, the one before it in the file to look at instead; a
    /// search that passes over placed entries shortens the way for the next.
    instead: Vec<Option<Option<u32>>>,
    /// The compactions of seed 001, in file order.
    paper_boundaries: Vec<usize>,
}

impl<'a, 'g> Joiner<'a, 'g> {
    fn new(graph: &'a Graph<'g>) -> Self {
        let entries = graph.outline().entries();
        let is_paper_boundary = |index: &usize| {
            let entry = entries.get(*index);
            entry.is_some_and(|entry| {
                entry.kind == Kind::CompactSystem && entry.facet == Facet::CompactBoundary
            })
        };
        Self {
            graph,
            next: None,
            instead: vec![None; entries.len()],
            paper_boundaries: (0..entries.len()).filter(is_paper_boundary).collect(),
        }
    }

    fn is_free(&self, index: usize) -> bool {
        self.instead.get(index).is_some_and(Option::is_none)
    }

    fn free_ancestors(&self, leaf: usize) -> impl Iterator<Item = usize> {
        self.graph
            .ancestors(leaf)
            .take_while(|&index| self.is_free(index))
    }

    /// Makes a segment of a chain and finds where the conversation stood before it.
    fn segment(&mut self, mut entries: Vec<usize>) -> Segment {
        let boundary = entries
            .first()
            .and_then(|&first| self.paper_boundary(first));
        for &index in boundary.iter().chain(&entries) {
            if let Some(instead) = self.instead.get_mut(index) {
                *instead = Some(index.checked_sub(1).map(|before| before as u32));
            }
        }
        let first = entries.first().copied();
        let compaction = first.filter(|&first| is_compaction(self.graph, first));
        let compaction = boundary.or(compaction);
        self.next = first.and_then(|first| self.earlier_leaf(first));
        entries.splice(0..0, boundary);
        let is_gap = self.next.is_some() && compaction.is_none();
        let gap = first.filter(|&first| is_gap && is_orphan(self.graph, first));
        let thread = Thread {
            leaf: entries.last().copied(),
            entries,
            n_recovered: 0,
        };
        Segment {
            thread,
            compaction,
            gap,
        }
    }

    /// Returns the compaction of seed 001 that took the parent of a root.
    ///
    /// There the record after a compaction, not the compaction, names what was before.
    fn paper_boundary(&self, root: usize) -> Option<usize> {
        let named = self.graph.entry(root)?.logical_parent?;
        let before = self.graph.holder(named)?;
        let after = self.paper_boundaries.partition_point(|&index| index < root);
        let last = self.paper_boundaries.get(after.checked_sub(1)?).copied();
        last.filter(|&last| last > before && is_orphan(self.graph, root) && self.is_free(last))
    }

    /// Returns where the conversation stood before a root.
    fn earlier_leaf(&mut self, root: usize) -> Option<usize> {
        let named = self
            .graph
            .entry(root)?
            .logical_parent
            .and_then(|parent| self.graph.holder(parent));
        if let Some(named) = named.filter(|&named| self.is_free(named)) {
            return Some(named);
        }
        if !is_compaction(self.graph, root) && !is_orphan(self.graph, root) {
            return None;
        }
        // The named line is often in another file, old clients named none, and a crash may have
        // torn it: the last message before has to do.
        self.last_message_before(root)
    }

    fn last_message_before(&mut self, root: usize) -> Option<usize> {
        let mut passed = Vec::new();
        let mut current = root.checked_sub(1);
        let found = loop {
            let Some(index) = current else { break None };
            match self.instead.get(index).copied().flatten() {
                Some(instead) => current = instead.map(|before| before as usize),
                None if self.is_message(index) => break Some(index),
                None => current = index.checked_sub(1),
            }
            passed.push(index);
        };
        // Everything passed over leads straight to what was found, the next time.
        for index in passed {
            if let Some(instead @ Some(_)) = self.instead.get_mut(index) {
                *instead = Some(found.map(|found| found as u32));
            }
        }
        found
    }

    /// Tells whether an entry is a message that a person sees, and the one with its id.
    fn is_message(&self, index: usize) -> bool {
        self.graph.entry(index).is_some_and(|entry| {
            let holder = entry.uuid.and_then(|uuid| self.graph.holder(uuid));
            holder == Some(index) && self.graph.shows(entry)
        })
    }

    /// Puts back what parallel tools left beside the earlier segments, all at once.
    fn recover(&self, segments: &mut [Segment]) {
        let all: Vec<usize> = segments
            .iter()
            .flat_map(|segment| &segment.thread.entries)
            .copied()
            .collect();
        let recovered = Recovered::of(self.graph, &all);
        for segment in segments.iter_mut().skip(1) {
            let n_before = segment.thread.entries.len();
            let entries = std::mem::take(&mut segment.thread.entries);
            segment.thread.entries = recovered.put_back(entries);
            segment.thread.n_recovered = segment.thread.entries.len() - n_before;
        }
    }
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
