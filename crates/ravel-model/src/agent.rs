//! Sub-agents, and the calls they ran for.
//!
//! Where an agent's lines are has changed twice: inside the main file (1.0), beside it (2.0),
//! in a folder of the session (2.1). So has the link to the call. All are tried, surest first:
//! the result names the agent, the sidecar names the call, progress lines name both, the prompt
//! is the same text. An agent that no call is found for is kept, unlinked: a warm-up, a summary
//! writer, or the child of a file that is gone.

use ravel_format::Id;

use crate::session::Part;

mod inline;
mod link;
#[cfg(test)]
mod tests;

/// What is known of an agent's file from outside: its name and its `.meta.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentMeta {
    /// The agent's id, from the file name.
    pub id: String,
    /// `agentType`.
    pub kind: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// `toolUseId`: the call it ran for.
    pub tool_use_id: Option<String>,
    /// `parentAgentId`: the agent that made the call.
    pub parent_agent_id: Option<String>,
}

/// A sub-agent of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Its id; for an agent inside the main file without one, the id of its first record.
    pub id: String,
    /// What kind of agent it is.
    pub kind: Option<String>,
    /// What it was for, in a few words.
    pub description: Option<String>,
    /// The file its lines are in.
    pub part: usize,
    /// Its lines, in order.
    pub entries: Vec<usize>,
    /// The call it ran for.
    pub call: Option<AgentCall>,
    /// The agent that made the call, by number; `None` for the main conversation.
    pub caller: Option<usize>,
    /// How the call was found.
    pub link: Link,
    /// How many agents are above it.
    pub depth: usize,
}

/// The tool call an agent ran for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentCall {
    /// The file the call is in.
    pub part: usize,
    /// The entry that makes it.
    pub entry: usize,
    /// Its id, in the table of that file; `None` where only the place is known.
    pub tool_use: Option<Id>,
}

/// How an agent was linked to its call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// `toolUseResult.agentId` of the result.
    Result,
    /// `toolUseId` of the sidecar.
    Sidecar,
    /// `agent_progress` lines.
    Progress,
    /// The same prompt.
    Prompt,
    /// `parentUuid` of its first line (seed 001).
    Parent,
    /// Not at all.
    Unlinked,
}

impl Link {
    /// Returns a word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Result => "result",
            Self::Sidecar => "sidecar",
            Self::Progress => "progress",
            Self::Prompt => "prompt",
            Self::Parent => "parent",
            Self::Unlinked => "unlinked",
        }
    }
}

/// Finds the agents of a session and their calls.
pub(crate) fn find_agents(parts: &[Part<'_>]) -> Vec<Agent> {
    let mut agents = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        match (&part.transcript.agent, number) {
            (Some(meta), _) => agents.push(agent_of_file(number, part, meta)),
            (None, 0) => agents.extend(inline::agents(part)),
            (None, _) => {}
        }
    }
    link::link(parts, &mut agents);
    agents
}

/// An agent's file is its conversation: from its last message up, as the official readers do.
fn agent_of_file(number: usize, part: &Part<'_>, meta: &AgentMeta) -> Agent {
    let graph = &part.graph;
    let is_message = |index: &usize| {
        graph
            .entry(*index)
            .is_some_and(|entry| entry.kind.is_message())
    };
    let last = graph.nodes().iter().copied().filter(is_message).max();
    let entries = last
        .map(|last| crate::Thread::to(graph, last).entries)
        .unwrap_or_default();
    Agent {
        id: meta.id.clone(),
        kind: meta.kind.clone(),
        description: meta.description.clone(),
        part: number,
        entries,
        call: None,
        caller: None,
        link: Link::Unlinked,
        depth: 0,
    }
}
