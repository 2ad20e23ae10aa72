//! Tool calls with their results.

use ravel_format::{Entry, Id, ToolRole};

use crate::graph::Graph;
use crate::groups::Groups;

/// Finds what belongs to a tool call, anywhere in the file.
#[derive(Debug, Default)]
pub struct Exchanges {
    calls: Groups,
    results: Groups,
}

impl Exchanges {
    /// Collects the tool calls of a file.
    pub fn build(graph: &Graph<'_>) -> Self {
        let outline = graph.outline();
        let with_role = |role: ToolRole| {
            let entries = graph
                .nodes()
                .iter()
                .filter_map(|&index| Some((index, graph.entry(index)?)));
            entries.flat_map(move |(index, entry)| {
                outline
                    .tools(entry, role)
                    .map(move |id| (id.index(), index))
            })
        };
        let n_ids = outline.ids().len();
        Self {
            calls: Groups::build(n_ids, with_role(ToolRole::Call)),
            results: Groups::build(n_ids, with_role(ToolRole::Result)),
        }
    }

    /// Returns the entries that make a call: one, or more when a session was copied into itself.
    pub fn calls(
        &self,
        id: Id,
    ) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + Clone + '_ {
        self.calls.of(id.index())
    }

    /// Returns the entries that hold results of a call.
    pub fn results(
        &self,
        id: Id,
    ) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + Clone + '_ {
        self.results.of(id.index())
    }

    /// Returns the result of the call that `call` makes: the one that names it, else the last.
    pub fn result_for(&self, graph: &Graph<'_>, call: usize, id: Id) -> Option<usize> {
        let uuid = graph.entry(call).and_then(|entry| entry.uuid);
        let names_call = |entry: &Entry| entry.refers_to == uuid || entry.parent == uuid;
        let named = self
            .results(id)
            .rfind(|&index| graph.entry(index).is_some_and(names_call));
        named.or_else(|| self.results(id).next_back())
    }

    /// Returns the entry that made the call an entry holds a result of.
    pub fn call_of(&self, graph: &Graph<'_>, result: usize) -> Option<usize> {
        let id = graph
            .outline()
            .tools(graph.entry(result)?, ToolRole::Result)
            .next()?;
        self.calls(id).next_back()
    }
}
