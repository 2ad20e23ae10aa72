//! Agents whose lines stand in the main file, as clients up to 1.0 wrote them.

use ravel_format::Flags;

use crate::graph::Graph;
use crate::session::Part;
use crate::thread::Recovered;

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
    let mut agents: Vec<Agent> = roots.map(|root| agent(graph, root)).collect();
    let all: Vec<usize> = agents
        .iter()
        .flat_map(|agent| &agent.entries)
        .copied()
        .collect();
    let recovered = Recovered::of(graph, &all);
    for agent in &mut agents {
        agent.entries = recovered.put_back(std::mem::take(&mut agent.entries));
    }
    agents
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

/// Makes the agent of a root: from the last message below it, up.
fn agent(graph: &Graph<'_>, root: usize) -> Agent {
    let is_message = |index: &usize| {
        graph
            .entry(*index)
            .is_some_and(|entry| entry.kind.is_message())
    };
    let below = graph
        .descendants(root)
        .into_iter()
        .filter(|&index| is_sidechain(graph, index));
    let last = below.filter(is_message).max().unwrap_or(root);
    let mut entries: Vec<usize> = graph
        .ancestors(last)
        .take_while(|&index| is_sidechain(graph, index))
        .collect();
    entries.reverse();
    let entry = graph.entry(root);
    let id = entry.and_then(|entry| entry.agent.or(entry.uuid));
    Agent {
        id: graph.outline().text(id),
        kind: None,
        description: None,
        part: 0,
        entries,
        call: None,
        caller: None,
        link: Link::Unlinked,
        depth: 0,
    }
}
