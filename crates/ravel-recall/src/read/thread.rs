//! Which conversation of a session is read.

use ravel_format::{Facet, ToolRole};
use ravel_model::{Part, Session};

use super::entries_to;
use crate::answer::Refusal;
use crate::recall::Recall;

/// One conversation, as messages.
pub(super) struct Strand {
    /// The file.
    pub(super) part: usize,
    /// The entries that are messages, in reading order.
    pub(super) messages: Vec<usize>,
    /// The message to look around, by its place in `messages`.
    pub(super) around: Option<usize>,
    /// What to say about it in the heading.
    pub(super) note: String,
}

/// Chooses the conversation: the main one, that of an agent, or the one a record is in.
pub(super) fn choose(
    recall: &Recall,
    session: &Session<'_>,
    agent: Option<&str>,
    around: Option<&str>,
) -> Result<Strand, Refusal> {
    let mut strand = match agent {
        Some(id) => of_agent(recall, session, id)?,
        None => of_main(session),
    };
    let Some(uuid) = around else {
        return Ok(strand);
    };
    let is_found = strand.look_around(session, uuid);
    if !is_found && agent.is_none() {
        strand = elsewhere(recall, session, uuid).unwrap_or(strand);
    }
    match strand.around {
        Some(_) => Ok(strand),
        None => Err(Refusal::new(format!(
            "no message {:?} in this session",
            recall.line(uuid)
        ))
        .hint("search_sessions gives the uuids; or read by number with from and to")),
    }
}

fn of_main(session: &Session<'_>) -> Strand {
    let segments = session.history();
    let entries = segments
        .iter()
        .flat_map(|segment| segment.thread.entries.iter().copied());
    Strand::new(session, 0, entries, String::new())
}

fn of_agent(recall: &Recall, session: &Session<'_>, id: &str) -> Result<Strand, Refusal> {
    let is_meant = |agent: &&ravel_model::Agent| !id.is_empty() && agent.id.starts_with(id);
    let Some(agent) = session.agents().iter().find(is_meant) else {
        let ids: Vec<String> = session
            .agents()
            .iter()
            .map(|agent| recall.line(&agent.id))
            .collect();
        let refusal = Refusal::new(format!("no agent {:?} in this session", recall.line(id)));
        return Err(match ids.is_empty() {
            true => refusal.hint("this session has no sub-agents; leave `agent` out"),
            false => refusal.hint(format!("its agents are {}", recall.line(&ids.join(", ")))),
        });
    };
    let note = format!(", sub-agent {}", recall.line(&agent.id));
    Ok(Strand::new(
        session,
        agent.part,
        agent.entries.iter().copied(),
        note,
    ))
}

/// Finds a record that is not in the main conversation: on a branch, or with an agent.
fn elsewhere(recall: &Recall, session: &Session<'_>, uuid: &str) -> Option<Strand> {
    let branch = || {
        let main = session.main()?;
        let entry = by_uuid(main, uuid)?;
        let entries = entries_to(&main.graph, entry);
        let note = ", a branch that was left".to_owned();
        let mut strand = Strand::new(session, 0, entries.into_iter(), note);
        strand.look_around(session, uuid).then_some(strand)
    };
    let mut agents = session.agents().iter();
    let of_agent = agents.find_map(|agent| {
        let note = format!(", sub-agent {}", recall.line(&agent.id));
        let mut strand = Strand::new(session, agent.part, agent.entries.iter().copied(), note);
        strand.look_around(session, uuid).then_some(strand)
    });
    of_agent.or_else(branch)
}

/// Finds a record by its id or the start of it.
fn by_uuid(part: &Part<'_>, uuid: &str) -> Option<usize> {
    const LEAST: usize = 8;
    let graph = &part.graph;
    let starts = |index: &&usize| {
        let id = graph.entry(**index).and_then(|entry| entry.uuid);
        graph.outline().text(id).starts_with(uuid)
    };
    let by_start = || graph.nodes().iter().find(starts).copied();
    graph
        .find(uuid)
        .or_else(|| by_start().filter(|_| uuid.len() >= LEAST))
}

impl Strand {
    fn new(
        session: &Session<'_>,
        part: usize,
        entries: impl Iterator<Item = usize>,
        note: String,
    ) -> Self {
        let messages = match session.part(part) {
            Some(file) => entries.filter(|&index| is_message(file, index)).collect(),
            None => Vec::new(),
        };
        Self {
            part,
            messages,
            around: None,
            note,
        }
    }

    /// Puts a record in the middle; tells whether it is here.
    fn look_around(&mut self, session: &Session<'_>, uuid: &str) -> bool {
        let place = session.part(self.part).and_then(|part| {
            let entry = by_uuid(part, uuid)?;
            // A result is shown with its call.
            let call = part.exchanges.call_of(&part.graph, entry);
            let is_meant = |index: &usize| *index == entry || Some(*index) == call;
            self.messages.iter().position(is_meant)
        });
        self.around = place;
        place.is_some()
    }
}

/// Tells whether an entry is a message of its own: results are shown with their calls.
fn is_message(part: &Part<'_>, index: usize) -> bool {
    let graph = &part.graph;
    let Some(entry) = graph.entry(index) else {
        return false;
    };
    let mut results = graph.outline().tools(entry, ToolRole::Result);
    let is_result = results
        .next()
        .is_some_and(|id| part.exchanges.calls(id).len() > 0);
    let is_shown = graph.shows(entry) || part.transcript.agent.is_some() && entry.kind.is_message();
    entry.facet == Facet::CompactBoundary || (is_shown && !is_result)
}
