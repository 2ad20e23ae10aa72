//! Agents whose lines stand in the main file, as clients up to 1.0 wrote them.

use ravel_format::Flags;
use rustc_hash::FxHashSet;

use crate::graph::Graph;
use crate::session::Part;
use crate::thread::Thread;

use super::{Agent, Link};

/// Finds the sidechains of a main file, one agent for each root.
pub(super) fn agents(part: &Part<'_>) -> Vec<Agent> {
    let graph = &part.graph;
    if graph.is_agent_file() {
        return Vec::new();
    }
    let roots = graph
        .nodes()
        .iter()
        .copied()
        .filter(|&index| is_root(graph, index));
    roots.map(|root| agent(graph, root)).collect()
}

fn is_sidechain(graph: &Graph<'_>, index: usize) -> bool {
    graph
        .entry(index)
        .is_some_and(|entry| entry.has(Flags::SIDECHAIN))
}

fn is_root(graph: &Graph<'_>, index: usize) -> bool {
    is_sidechain(graph, index)
        && !graph
            .parent(index)
            .is_some_and(|parent| is_sidechain(graph, parent))
}

fn agent(graph: &Graph<'_>, root: usize) -> Agent {
    let below: FxHashSet<usize> = graph
        .descendants(root)
        .into_iter()
        .filter(|&index| is_sidechain(graph, index))
        .collect();
    let is_message = |index: &usize| {
        graph
            .entry(*index)
            .is_some_and(|entry| entry.kind.is_message())
    };
    let last = below
        .iter()
        .copied()
        .filter(is_message)
        .max()
        .unwrap_or(root);
    let mut entries = Thread::to(graph, last).entries;
    entries.retain(|index| below.contains(index));
    let entry = graph.entry(root);
    let id = entry.and_then(|entry| entry.agent.or(entry.uuid));
    Agent {
        id: graph.outline().text(id),
        kind: None,
        description: None,
        part: 0,
        entries,
        call: None,
        link: Link::Unlinked,
        depth: 0,
    }
}
