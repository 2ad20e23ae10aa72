//! What stands beside the turns: segments, branches, agents.

use std::io;

use ravel_model::branch::Origin;
use ravel_model::{Agent, Branch, Part, Segment, Session};

use super::stream::Stream;

/// Writes the shape of a session: its segments, branches and agents, each under its key.
pub(super) fn shape<W: io::Write>(
    session: &Session<'_>,
    parts: &[Segment],
    roads: &[Branch],
    out: &mut Stream<W>,
) -> io::Result<()> {
    out.key("segments")?;
    segments(session, parts, out)?;
    out.key("branches")?;
    branches(session, roads, out)?;
    out.key("agents")?;
    agents(session, out)
}

/// Writes the parts of the conversation between compactions.
fn segments<W: io::Write>(
    session: &Session<'_>,
    segments: &[Segment],
    out: &mut Stream<W>,
) -> io::Result<()> {
    out.open_array()?;
    if let Some(main) = session.main() {
        for (index, segment) in segments.iter().enumerate() {
            out.open_object()?;
            out.field("index", &index)?;
            out.field("compaction", &segment.compaction.map(|at| uuid(main, at)))?;
            out.field("leaf", &segment.thread.leaf.map(|at| uuid(main, at)))?;
            out.field("recovered", &segment.thread.n_recovered)?;
            out.field("messages", &n_messages(main, &segment.thread.entries))?;
            uuids("uuids", main, &segment.thread.entries, out)?;
            out.close_object()?;
        }
    }
    out.close_array()
}

/// Writes the branches beside the conversation.
fn branches<W: io::Write>(
    session: &Session<'_>,
    branches: &[Branch],
    out: &mut Stream<W>,
) -> io::Result<()> {
    out.open_array()?;
    if let Some(main) = session.main() {
        for branch in branches {
            let origin = match branch.origin {
                Origin::Rewind => "rewind",
                Origin::Retry => "retry",
                Origin::OtherRoot => "other_root",
            };
            out.open_object()?;
            out.field("leaf", &uuid(main, branch.leaf))?;
            out.field("fork", &branch.fork.map(|at| uuid(main, at)))?;
            out.field("origin", origin)?;
            uuids("uuids", main, &branch.entries, out)?;
            out.field("messages", &n_messages(main, &branch.entries))?;
            out.close_object()?;
        }
    }
    out.close_array()
}

/// Writes all sub-agents.
fn agents<W: io::Write>(session: &Session<'_>, out: &mut Stream<W>) -> io::Result<()> {
    out.open_array()?;
    for agent in session.agents() {
        let Some(part) = session.part(agent.part) else {
            continue;
        };
        out.open_object()?;
        out.field("id", &agent.id)?;
        out.field("kind", &agent.kind)?;
        out.field("description", &agent.description)?;
        out.field("link", agent.link.name())?;
        out.field("depth", &agent.depth)?;
        out.key("parent")?;
        parent(session, agent, out)?;
        out.field("file", &agent.part)?;
        let n_messages = agent.entries.iter().filter(|&&at| is_message(part, at));
        out.field("messages", &n_messages.count())?;
        uuids("thread", part, &agent.entries, out)?;
        out.close_object()?;
    }
    out.close_array()
}

/// Writes the call that an agent ran for, and the agent that made it.
fn parent<W: io::Write>(
    session: &Session<'_>,
    agent: &Agent,
    out: &mut Stream<W>,
) -> io::Result<()> {
    let Some(call) = agent.call else {
        return out.value(&());
    };
    let caller = agent.caller.and_then(|number| session.agents().get(number));
    let part = session.part(call.part);
    let tool_use = call
        .tool_use
        .and_then(|id| Some(part?.graph.outline().ids().text(id)));
    out.open_object()?;
    out.field("agent", &caller.map(|caller| &caller.id))?;
    out.field("tool_use_id", &tool_use)?;
    out.field("uuid", &part.map(|part| uuid(part, call.entry)))?;
    out.close_object()
}

fn uuids<W: io::Write>(
    key: &str,
    part: &Part<'_>,
    entries: &[usize],
    out: &mut Stream<W>,
) -> io::Result<()> {
    out.key(key)?;
    out.open_array()?;
    entries
        .iter()
        .try_for_each(|&index| out.value(&uuid(part, index)))?;
    out.close_array()
}

fn uuid(part: &Part<'_>, index: usize) -> String {
    let id = part.graph.entry(index).and_then(|entry| entry.uuid);
    part.graph.outline().text(id)
}

fn n_messages(part: &Part<'_>, entries: &[usize]) -> usize {
    let shows = |&&index: &&usize| {
        let entry = part.graph.entry(index);
        entry.is_some_and(|entry| part.graph.shows(entry))
    };
    entries.iter().filter(shows).count()
}

fn is_message(part: &Part<'_>, index: usize) -> bool {
    part.graph
        .entry(index)
        .is_some_and(|entry| entry.kind.is_message())
}
