//! Tool calls with their results.

use ravel_format::{Entry, Id, ToolRole};
use rustc_hash::FxHashMap;

use crate::graph::Graph;

/// Finds what belongs to a tool call, anywhere in the file.
#[derive(Debug, Default)]
pub struct Exchanges {
    calls: FxHashMap<Id, Vec<usize>>,
    results: FxHashMap<Id, Vec<usize>>,
    progress: FxHashMap<Id, Vec<usize>>,
}

impl Exchanges {
    /// Collects the tool calls of a file.
    pub fn build(graph: &Graph<'_>) -> Self {
        let mut exchanges = Self::default();
        for &index in graph.nodes() {
            let Some(entry) = graph.entry(index) else {
                continue;
            };
            for edge in graph.outline().edges(entry) {
                let side = match edge.role {
                    ToolRole::Call => &mut exchanges.calls,
                    ToolRole::Result => &mut exchanges.results,
                    ToolRole::Progress => &mut exchanges.progress,
                    ToolRole::Launch => continue,
                };
                side.entry(edge.id).or_default().push(index);
            }
        }
        exchanges
    }

    /// Returns the entries that make a call: one, or more when a session was copied into itself.
    pub fn calls(&self, id: Id) -> &[usize] {
        self.calls.get(&id).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the entries that hold results of a call.
    pub fn results(&self, id: Id) -> &[usize] {
        self.results.get(&id).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the entries that reported while a call ran.
    pub fn progress(&self, id: Id) -> &[usize] {
        self.progress
            .get(&id)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// Returns the result of the call that `call` makes: the one that names it, else the last.
    pub fn result_for(&self, graph: &Graph<'_>, call: usize, id: Id) -> Option<usize> {
        let results = self.results(id);
        let uuid = graph.entry(call).and_then(|entry| entry.uuid);
        let names_call = |entry: &Entry| entry.refers_to == uuid || entry.parent == uuid;
        let named = results
            .iter()
            .rfind(|&&index| graph.entry(index).is_some_and(names_call));
        named.or(results.last()).copied()
    }

    /// Returns the entry that made the call an entry holds a result of.
    pub fn call_of(&self, graph: &Graph<'_>, result: usize) -> Option<usize> {
        let entry = graph.entry(result)?;
        let id = graph.outline().tools(entry, ToolRole::Result).next()?;
        self.calls(id).last().copied()
    }
}
