//! Where every record of a file went.
//!
//! Nothing is dropped: each entry has exactly one [`Placement`].

use ravel_format::{Fault, Flags};

use crate::branch::Branch;
use crate::graph::Graph;
use crate::history::Segment;

/// The part of the model that an entry is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Placement {
    /// In a segment of the conversation.
    Thread(usize),
    /// On a branch beside it.
    Branch(usize),
    /// In a sub-agent's conversation inside the same file.
    Sidechain,
    /// Linked, but on no branch of its own: progress, leftovers of parallel calls.
    Aside,
    /// Another entry has the same id and came later.
    Superseded,
    /// A record without a place in the chain: titles, snapshots, the request log.
    Loose,
    /// Bytes that are no record.
    Damaged,
}

/// Returns the placement of each entry, by its place in the outline.
pub fn placements(graph: &Graph<'_>, segments: &[Segment], branches: &[Branch]) -> Vec<Placement> {
    let mut places: Vec<Placement> = graph.outline().entries().iter().map(by_itself).collect();
    let mut put = |index: usize, place: Placement| {
        if let Some(slot) = places.get_mut(index) {
            *slot = place;
        }
    };
    for &index in graph.duplicates() {
        put(index, Placement::Superseded);
    }
    for (number, branch) in branches.iter().enumerate() {
        branch
            .entries
            .iter()
            .for_each(|&index| put(index, Placement::Branch(number)));
    }
    for (number, segment) in segments.iter().enumerate() {
        segment
            .thread
            .entries
            .iter()
            .for_each(|&index| put(index, Placement::Thread(number)));
    }
    places
}

fn by_itself(entry: &ravel_format::Entry) -> Placement {
    match entry.fault {
        Some(Fault::Blank | Fault::Torn | Fault::Malformed | Fault::NotAnObject) => {
            Placement::Damaged
        }
        Some(Fault::Nul) if entry.uuid.is_none() => Placement::Damaged,
        _ if entry.is_linked() && entry.has(Flags::SIDECHAIN) => Placement::Sidechain,
        _ if entry.is_linked() => Placement::Aside,
        _ => Placement::Loose,
    }
}
