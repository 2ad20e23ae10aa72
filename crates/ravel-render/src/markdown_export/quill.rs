//! Steps into Markdown blocks.

use std::io;

use ravel_model::step::{Asker, Compaction, HookState, Level, Prompt, Step, What};
use ravel_model::{Agent, Session};

use super::MarkdownOptions;
use super::mark::{code_span, fenced, plain, prose};
use crate::amount::counted;
use crate::steps;
use crate::terminal::Tools;
use crate::tool_line::picture_label;
use crate::when;
use crate::words;

/// Agents inside agents are followed this far: each level takes a piece of the stack.
const DEEPEST: usize = 32;

/// Writes a conversation as Markdown.
pub(super) struct Quill<'o, 's, 't> {
    pub(super) session: &'s Session<'t>,
    pub(super) options: &'o MarkdownOptions,
    pub(super) cwd: Option<String>,
    out: &'o mut dyn io::Write,
    /// The agents whose conversations this one is inside of; each is a quote.
    above: Vec<usize>,
}

impl<'o, 's, 't> Quill<'o, 's, 't> {
    pub(super) fn new(
        session: &'s Session<'t>,
        options: &'o MarkdownOptions,
        out: &'o mut dyn io::Write,
    ) -> Self {
        Self {
            session,
            options,
            cwd: steps::folder(session),
            out,
            above: Vec::new(),
        }
    }

    /// Writes a block and the blank line after it, quoted as deep as it is.
    pub(super) fn block(&mut self, text: &str) -> io::Result<()> {
        let quote = "> ".repeat(self.above.len());
        let bare = quote.trim_end();
        for line in text.lines() {
            let mark = if line.is_empty() { bare } else { &quote };
            writeln!(self.out, "{mark}{line}")?;
        }
        writeln!(self.out, "{bare}")
    }

    /// Writes some entries of one file.
    pub(super) fn conversation(&mut self, part: usize, entries: &[usize]) -> io::Result<()> {
        let session = self.session;
        steps::stream(session, part, entries).try_for_each(|step| self.step(&step))
    }

    fn step(&mut self, step: &Step) -> io::Result<()> {
        match &step.what {
            What::Prompt(prompt) => self.prompt(prompt, step),
            What::Reply(text) => self.block(&prose(text)),
            What::Thinking(text) => self.thinking(text),
            What::Call(call) => self.call(call, step.time),
            What::StrayResult(result) if self.options.tools != Tools::None => {
                self.block("- **Result** without a call")?;
                self.block(&fenced(&result.text, ""))
            }
            What::Picture(picture) => self.block(&plain(&picture_label(picture))),
            What::Compaction(compaction) => self.compaction(compaction),
            What::Microcompaction {
                tokens_saved,
                n_tools,
                ..
            } => self.remark(&words::microcompaction(*tokens_saved, *n_tools)),
            What::Hook(hook) => {
                let is_quiet = matches!(hook.state, HookState::Started | HookState::Done);
                match is_quiet && self.options.tools != Tools::Full {
                    true => Ok(()),
                    false => self.remark(&words::hook(hook)),
                }
            }
            What::Notice { level, text } => self.notice(*level, text),
            What::Retry { .. } => self.remark(&words::retry(&step.what)),
            What::ApiError(text) => self.block(&format!("**Error:** {}", plain(text))),
            What::Interruption(marker) => self.remark(words::interruption(marker)),
            What::Output(text) if text.trim().is_empty() => Ok(()),
            What::Output(text) => {
                self.block(&fenced(&crate::sanitize::strip_escapes(text), "text"))
            }
            What::TurnEnd { duration_ms } => self.turn_end(*duration_ms),
            What::Unknown { name, .. } => self.remark(&format!("Unknown record: {name}")),
            _ => Ok(()),
        }
    }

    /// Writes a remark of the client.
    fn remark(&mut self, words: &str) -> io::Result<()> {
        self.block(&format!("*{}*", plain(words)))
    }

    fn prompt(&mut self, prompt: &Prompt, step: &Step) -> io::Result<()> {
        let name = match prompt.asker {
            Asker::Words | Asker::Summary => "Prompt",
            Asker::Command => "Command",
            Asker::Shell => "Shell",
            Asker::Task => "Background task",
        };
        let time = step
            .time
            .map(|time| when::moment(time.0, &self.options.timezone));
        // Sections are for the main conversation; an agent's stay inside its quote.
        if self.above.is_empty() {
            self.block(&format!("## {name}"))?;
            if let Some(time) = time.filter(|time| !time.is_empty()) {
                self.block(&format!("*{time}*"))?;
            }
        } else {
            self.block(&format!("**{name}**"))?;
        }
        match prompt.asker {
            Asker::Command => self.block(&code_span(&prompt.text))?,
            Asker::Shell => self.block(&fenced(&prompt.text, "bash"))?,
            _ => self.block(&prose(&prompt.text))?,
        }
        let labels = prompt.pictures.iter().map(picture_label);
        labels
            .into_iter()
            .try_for_each(|label| self.block(&plain(&label)))
    }

    fn thinking(&mut self, text: &str) -> io::Result<()> {
        if !self.options.thinking || text.trim().is_empty() {
            return Ok(());
        }
        self.details("Thought", text)
    }

    /// Writes prose that a reader folds away.
    fn details(&mut self, summary: &str, text: &str) -> io::Result<()> {
        self.block(&format!("<details><summary>{summary}</summary>"))?;
        self.block(&prose(text))?;
        self.block("</details>")
    }

    fn compaction(&mut self, compaction: &Compaction) -> io::Result<()> {
        self.block("---")?;
        self.remark(&words::compaction(compaction))?;
        match compaction.summary.as_deref().map(str::trim) {
            None | Some("") => Ok(()),
            Some(summary) => self.details("Summary", summary),
        }
    }

    fn notice(&mut self, level: Level, text: &str) -> io::Result<()> {
        match level {
            Level::Info => self.remark(text),
            Level::Warning => self.block(&format!("**Warning:** {}", plain(text))),
            Level::Error => self.block(&format!("**Error:** {}", plain(text))),
        }
    }

    fn turn_end(&mut self, duration_ms: Option<u64>) -> io::Result<()> {
        match duration_ms {
            Some(ms) => self.remark(&format!("Took {}", when::duration(ms))),
            None => Ok(()),
        }
    }

    /// Writes the conversation of an agent as a quote.
    pub(super) fn agent(&mut self, number: usize) -> io::Result<()> {
        let session = self.session;
        let Some(agent) = session.agents().get(number) else {
            return Ok(());
        };
        if self.above.contains(&number) || self.above.len() >= DEEPEST {
            return self.remark("Deeper agents are not shown here");
        }
        self.above.push(number);
        self.block(&agent_title(agent))?;
        self.conversation(agent.part, &agent.entries)?;
        self.above.pop();
        // Without a line of its own the next block would lean on the quote.
        self.block("")
    }

    /// Writes the agents that no call was found for.
    pub(super) fn unlinked_agents(&mut self) -> io::Result<()> {
        let agents = self.session.agents().iter().enumerate();
        let unlinked: Vec<usize> = agents
            .filter(|(_, agent)| agent.call.is_none())
            .map(|(number, _)| number)
            .collect();
        if unlinked.is_empty() {
            return Ok(());
        }
        let title = counted(unlinked.len(), "agent");
        self.block(&format!("## {title} without a call"))?;
        for number in unlinked {
            if self.options.agents {
                self.agent(number)?;
            } else if let Some(agent) = self.session.agents().get(number) {
                self.block(&format!("- {}", agent_title(agent)))?;
            }
        }
        Ok(())
    }
}

fn agent_title(agent: &Agent) -> String {
    let kind = agent.kind.as_deref().unwrap_or("agent");
    let mut title = format!("**Agent {}**", plain(kind));
    if let Some(description) = agent.description.as_deref().filter(|it| !it.is_empty()) {
        title.push_str(&format!(": {}", plain(description)));
    }
    title
}
