//! The conversations of sub-agents, beside a rail.

use std::io;

use ravel_model::Agent;

use super::page::Spacing;
use super::scribe::Scribe;
use crate::amount::counted;
use crate::style::{Line, Role, Style};
use crate::words::{first_words, short_id};
use crate::wrap::truncate;

/// Agents inside agents are followed this far: each level takes a piece of the stack.
const DEEPEST: usize = 32;

impl Scribe<'_, '_, '_> {
    /// Returns one line for each agent of a call.
    pub(super) fn agent_labels(&self, numbers: &[usize]) -> Vec<(usize, Line)> {
        let agents = self.session.agents();
        // The rail of a conversation starts here.
        let corner = if self.options.agents {
            "  ╭ "
        } else {
            "  └ "
        };
        let label = |&number: &usize| {
            let agent = agents.get(number)?;
            let line = Line::of(corner, Role::Muted).with(&self.agent_words(agent), Role::Muted);
            Some((number, truncate(&line, self.width())))
        };
        numbers.iter().filter_map(label).collect()
    }

    fn agent_words(&self, agent: &Agent) -> String {
        let n_messages = counted(n_messages(self.session, agent), "message");
        format!("{n_messages} · agent {}", short_id(&agent.id))
    }

    /// Writes the conversation of an agent.
    pub(super) fn agent(&mut self, number: usize) -> io::Result<()> {
        let session = self.session;
        let Some(agent) = session.agents().get(number) else {
            return Ok(());
        };
        if self.above.contains(&number) || self.above.len() >= DEEPEST {
            let line = Line::of("    … deeper agents are not shown here", Role::Muted);
            return self.page.more(vec![line]);
        }
        self.above.push(number);
        self.page.enter_rail();
        self.conversation(agent.part, &agent.entries)?;
        self.page.leave_rail();
        self.above.pop();
        Ok(())
    }

    /// Writes the agents that no call was found for.
    pub(super) fn unlinked_agents(&mut self) -> io::Result<()> {
        let agents = self.session.agents();
        let is_unlinked = |(_, agent): &(usize, &Agent)| agent.call.is_none();
        let unlinked: Vec<usize> = agents
            .iter()
            .enumerate()
            .filter(is_unlinked)
            .map(|(number, _)| number)
            .collect();
        if unlinked.is_empty() {
            return Ok(());
        }
        let title = format!("{} without a call", counted(unlinked.len(), "agent"));
        let title = Line::of(&title, Style::of(Role::Muted).bold());
        self.page.block(Spacing::Apart, vec![title])?;
        for (number, label) in self.agent_labels(&unlinked) {
            self.page.more(vec![label])?;
            if self.options.agents {
                self.agent(number)?;
            } else {
                self.first_prompt(number)?;
            }
        }
        Ok(())
    }

    /// Writes what an agent was asked, in one line.
    fn first_prompt(&mut self, number: usize) -> io::Result<()> {
        let session = self.session;
        let first = session.agents().get(number).and_then(|agent| {
            let words = prompt_words(session, agent.part, &agent.entries)?;
            Some(first_words(&words, self.width()))
        });
        let Some(words) = first else { return Ok(()) };
        let line = Line::of(&format!("    {words}"), Style::of(Role::Muted).dim());
        let line = truncate(&line, self.width());
        self.page.more(vec![line])
    }
}

/// Returns how many messages of an agent there are to see.
pub(super) fn n_messages(session: &ravel_model::Session<'_>, agent: &Agent) -> usize {
    let Some(part) = session.part(agent.part) else {
        return 0;
    };
    let is_message = |index: &&usize| {
        let entry = part.graph.entry(**index);
        entry.is_some_and(|entry| entry.kind.is_message())
    };
    agent.entries.iter().filter(is_message).count()
}

/// Returns the first prompt among some entries.
pub(super) fn prompt_words(
    session: &ravel_model::Session<'_>,
    part: usize,
    entries: &[usize],
) -> Option<String> {
    crate::steps::stream(session, part, entries)
        // The prompt comes first, perhaps after some context.
        .take(16)
        .find_map(|step| match step.what {
            ravel_model::What::Prompt(prompt) => Some(prompt.text),
            _ => None,
        })
}
