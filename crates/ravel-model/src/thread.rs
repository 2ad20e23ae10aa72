//! The one conversation in a file that a person would continue.
//!
//! [`main_leaf`] picks its end, [`Thread::to`] walks from there to the root and puts back the
//! parallel tool calls that the walk passed by. The rules are those of the official readers, so
//! that both show the same messages.

use ravel_format::{Entry, Flags, Kind};

use crate::graph::Graph;

mod leaf;
mod recover;
#[cfg(test)]
mod tests;

pub use leaf::{LeafChoice, leaves, main_leaf};
pub(crate) use recover::Recovered;

/// A chain of entries from a root to a leaf.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Thread {
    /// Entries in reading order, of every linked kind.
    pub entries: Vec<usize>,
    /// The end of the chain.
    pub leaf: Option<usize>,
    /// How many of the entries were put back from beside the chain.
    pub n_recovered: usize,
}

impl Thread {
    /// Returns the main thread of a file.
    pub fn main(graph: &Graph<'_>) -> Self {
        main_leaf(graph)
            .map(|choice| Self::to(graph, choice.leaf))
            .unwrap_or_default()
    }

    /// Returns the thread that ends at `leaf`.
    pub fn to(graph: &Graph<'_>, leaf: usize) -> Self {
        let mut chain: Vec<usize> = graph.ancestors(leaf).collect();
        chain.reverse();
        let n_chain = chain.len();
        let entries = Recovered::of(graph, &chain).put_back(chain);
        Self {
            n_recovered: entries.len() - n_chain,
            entries,
            leaf: Some(leaf),
        }
    }

    /// Returns the entries that a person sees as messages.
    pub fn visible<'t>(&'t self, graph: &'t Graph<'_>) -> impl Iterator<Item = usize> + 't {
        self.entries
            .iter()
            .copied()
            .filter(|&index| graph.entry(index).is_some_and(|entry| graph.shows(entry)))
    }
}

/// Tells whether the entry is a prompt: words that came from outside, not from the client.
pub fn is_prompt(entry: &Entry) -> bool {
    let says_something = entry.has(Flags::CONTENT);
    let hidden = entry.has(Flags::META) || entry.has(Flags::COMPACT_SUMMARY);
    matches!(entry.kind, Kind::User | Kind::Human) && says_something && !hidden
}
