//! Roads not taken: rewinds, edited prompts, retries, other roots.
//!
//! Most forks in a file are no branches: a parallel tool call forks, and so does a progress line.
//! A [`Branch`] is a fork on which something else was said, by a person or by the model.

use ravel_format::{Entry, Flags, Id, Kind, ToolRole};
use rustc_hash::FxHashSet;

use crate::graph::Graph;
use crate::history::Segment;
use crate::thread::{is_prompt, leaves};

#[cfg(test)]
mod tests;

/// A part of the conversation that the main thread does not contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// Its last message.
    pub leaf: usize,
    /// The entry it goes off from; `None` when it has a root of its own.
    pub fork: Option<usize>,
    /// Its entries after the fork, in order.
    pub entries: Vec<usize>,
    /// How it came about.
    pub origin: Origin,
}

/// How a branch came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A prompt was asked differently, or the conversation was taken back to here.
    Rewind,
    /// The model answered again.
    Retry,
    /// It starts from nothing, before or beside the main thread.
    OtherRoot,
}

/// Returns the branches beside a history, in order of their first entries.
pub fn branches(graph: &Graph<'_>, segments: &[Segment]) -> Vec<Branch> {
    let mut placed: FxHashSet<usize> = segments
        .iter()
        .flat_map(|segment| &segment.thread.entries)
        .copied()
        .collect();
    let replies: FxHashSet<Id> = placed
        .iter()
        .filter_map(|&index| graph.entry(index)?.message)
        .collect();
    let is_main = |index: usize| {
        graph
            .entry(index)
            .is_some_and(|entry| !entry.has(Flags::SIDECHAIN))
    };
    let mut branches = Vec::new();
    // From the last leaf to the first, so that what two branches share belongs to the later one.
    for leaf in leaves(graph)
        .into_iter()
        .rev()
        .filter(|&leaf| is_main(leaf))
    {
        let mut entries: Vec<usize> = graph
            .ancestors(leaf)
            .take_while(|index| !placed.contains(index))
            .collect();
        entries.reverse();
        // Also what says nothing more is walked once, however many leaves hang on it.
        placed.extend(&entries);
        if !entries.iter().any(|&index| {
            graph
                .entry(index)
                .is_some_and(|entry| says_more(graph, entry, &replies))
        }) {
            continue;
        }
        let fork = entries.first().and_then(|&first| graph.parent(first));
        let origin = origin(graph, &entries, fork);
        branches.push(Branch {
            leaf,
            fork,
            entries,
            origin,
        });
    }
    branches.sort_by_key(|branch| branch.entries.first().copied());
    branches
}

/// Tells whether an entry says something that is no part of a reply on the main thread.
fn says_more(graph: &Graph<'_>, entry: &Entry, replies: &FxHashSet<Id>) -> bool {
    match entry.kind {
        Kind::Assistant => {
            graph.shows(entry)
                && !entry
                    .message
                    .is_some_and(|message| replies.contains(&message))
        }
        _ => {
            let is_result = graph
                .outline()
                .tools(entry, ToolRole::Result)
                .next()
                .is_some();
            graph.shows(entry) && is_prompt(entry) && !is_result
        }
    }
}

fn origin(graph: &Graph<'_>, entries: &[usize], fork: Option<usize>) -> Origin {
    let first_message = entries
        .iter()
        .filter_map(|&index| graph.entry(index))
        .find(|entry| graph.shows(entry));
    match (fork, first_message.map(|entry| entry.kind)) {
        (None, _) => Origin::OtherRoot,
        (Some(_), Some(Kind::Assistant)) => Origin::Retry,
        _ => Origin::Rewind,
    }
}
