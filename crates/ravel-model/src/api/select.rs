//! Which entries of a file the conversation consists of.
//!
//! That is the thread up to the leaf, cut at the last compaction. What a compaction kept stands
//! before its boundary in the file and is put back right after the summary.

use ravel_format::{Entry, Facet, Flags, Json, Kind, Source, with_record};
use rustc_hash::FxHashSet;

use crate::graph::Graph;
use crate::thread::{Thread, main_leaf};

/// The entries to send, before anything is read.
pub(super) struct Selection {
    pub(super) entries: Vec<usize>,
    /// Those of them that are put back from beside the chain of parents.
    pub(super) aside: FxHashSet<usize>,
    pub(super) n_compacted: usize,
}

/// Picks the entries of the conversation that ends at `leaf`, or of the main thread.
pub(super) fn select(graph: &Graph<'_>, source: &dyn Source, leaf: Option<usize>) -> Selection {
    let mut aside = FxHashSet::default();
    let mut entries = match leaf {
        Some(leaf) => thread_entries(graph, leaf, &mut aside),
        None => main_entries(graph, &mut aside),
    };
    let boundary = entries.iter().rposition(|&index| is_boundary(graph, index));
    let start = boundary.map_or(0, |boundary| boundary + 1);
    let start = start.max(recap_start(graph, &entries));
    let mut kept = entries.split_off(start);
    let boundary = boundary.and_then(|boundary| entries.get(boundary).copied());
    let n_restored = match boundary {
        Some(boundary) => restore(
            graph,
            read_preserved(graph, source, boundary, &mut aside),
            &mut kept,
        ),
        None => 0,
    };
    Selection {
        entries: kept,
        aside,
        n_compacted: entries.len().saturating_sub(n_restored),
    }
}

/// Returns a thread with what the client wrote for the model below results beside its chain.
fn thread_entries(graph: &Graph<'_>, leaf: usize, aside: &mut FxHashSet<usize>) -> Vec<usize> {
    let thread = Thread::to(graph, leaf);
    if thread.n_recovered == 0 {
        return thread.entries;
    }
    let chain: FxHashSet<usize> = graph.ancestors(leaf).collect();
    let mut seen: FxHashSet<usize> = thread.entries.iter().copied().collect();
    let is_companion = |&child: &usize| {
        graph
            .entry(child)
            .is_some_and(|entry| entry.kind == Kind::User && entry.has(Flags::META))
    };
    let mut entries = Vec::with_capacity(thread.entries.len());
    for index in thread.entries {
        entries.push(index);
        if chain.contains(&index) {
            continue;
        }
        aside.insert(index);
        let mut current = index;
        while let Some(next) = graph.children(current).find(is_companion) {
            if !seen.insert(next) {
                break;
            }
            entries.push(next);
            current = next;
        }
    }
    entries
}

/// Returns the main thread and what the client wrote below its last message: the output of a
/// local command stands there as a system record.
fn main_entries(graph: &Graph<'_>, aside: &mut FxHashSet<usize>) -> Vec<usize> {
    let Some(choice) = main_leaf(graph) else {
        return Vec::new();
    };
    let mut entries = thread_entries(graph, choice.leaf, aside);
    let mut seen: FxHashSet<usize> = entries.iter().copied().collect();
    let is_main = |entry: &Entry| !entry.has(Flags::SIDECHAIN);
    let is_tail = |&child: &usize| {
        graph.entry(child).is_some_and(|entry| {
            !entry.kind.is_message() && (is_main(entry) || graph.is_agent_file())
        })
    };
    let mut current = choice.leaf;
    while let Some(next) = graph.children(current).filter(is_tail).last() {
        if !seen.insert(next) {
            break;
        }
        entries.push(next);
        current = next;
    }
    entries
}

fn is_boundary(graph: &Graph<'_>, index: usize) -> bool {
    graph.entry(index).is_some_and(|entry: &Entry| {
        matches!(entry.kind, Kind::System | Kind::CompactSystem)
            && entry.facet == Facet::CompactBoundary
    })
}

/// Seed 004: a recap starts anew, together with the messages kept right before it.
fn recap_start(graph: &Graph<'_>, entries: &[usize]) -> usize {
    let has_kind =
        |index: usize, kind: Kind| graph.entry(index).is_some_and(|entry| entry.kind == kind);
    let recap = entries
        .iter()
        .rposition(|&index| has_kind(index, Kind::CompactRecap));
    let Some(before) = recap.and_then(|recap| entries.get(..recap)) else {
        return 0;
    };
    let preludes = before.iter().rev();
    let n_preludes = preludes
        .take_while(|&&index| has_kind(index, Kind::CompactPrelude))
        .count();
    before.len() - n_preludes
}

/// Puts what the compaction kept after its anchor; returns how much that is.
fn restore(graph: &Graph<'_>, preserved: Option<Preserved>, entries: &mut Vec<usize>) -> usize {
    let Some(preserved) = preserved else {
        return 0;
    };
    let present: FxHashSet<usize> = entries.iter().copied().collect();
    let mut restored = preserved.entries;
    restored.retain(|index| !present.contains(index) && !is_boundary(graph, *index));
    let anchor = preserved.anchor;
    let place = entries.iter().position(|&index| Some(index) == anchor);
    let place = place.map_or(0, |place| place + 1);
    let n_restored = restored.len();
    entries.splice(place..place, restored);
    n_restored
}

struct Preserved {
    anchor: Option<usize>,
    entries: Vec<usize>,
}

fn read_preserved(
    graph: &Graph<'_>,
    source: &dyn Source,
    boundary: usize,
    aside: &mut FxHashSet<usize>,
) -> Option<Preserved> {
    with_record(source, graph.entry(boundary)?, |record| {
        let metadata = record.get("compactMetadata")?;
        let messages = metadata.get("preservedMessages");
        let segment = metadata.get("preservedSegment");
        let anchor = [messages, segment]
            .into_iter()
            .flatten()
            .find_map(|kept| find(graph, kept.get("anchorUuid")));
        let listed = messages.and_then(|messages| listed(graph, messages));
        let entries = listed.or_else(|| between(graph, segment?, aside))?;
        Some(Preserved { anchor, entries })
    })
}

fn find(graph: &Graph<'_>, id: Option<Json<'_>>) -> Option<usize> {
    graph.find(&id?.str()?)
}

/// Returns the entries that are listed one by one, when all of them are there.
fn listed(graph: &Graph<'_>, messages: Json<'_>) -> Option<Vec<usize>> {
    let mut seen = FxHashSet::default();
    let mut entries = Vec::new();
    for id in messages.get("uuids")?.items() {
        let index = find(graph, Some(id))?;
        if seen.insert(index) {
            entries.push(index);
        }
    }
    (!entries.is_empty()).then_some(entries)
}

/// Returns the thread from the head of a segment to its tail.
fn between(
    graph: &Graph<'_>,
    segment: Json<'_>,
    aside: &mut FxHashSet<usize>,
) -> Option<Vec<usize>> {
    let head = find(graph, segment.get("headUuid"))?;
    let tail = find(graph, segment.get("tailUuid"))?;
    let mut entries = thread_entries(graph, tail, aside);
    let start = entries.iter().position(|&index| index == head)?;
    Some(entries.split_off(start))
}
