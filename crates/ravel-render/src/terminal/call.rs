//! Tool calls: the line, what is below it, and runs of calls that only look.

use std::io;

use ravel_format::Timestamp;
use ravel_model::step::{Call, CallResult, Hook, HookState, Step, What};

use super::Tools;
use super::page::Spacing;
use super::scribe::{Scribe, is_of_call};
use crate::amount::counted;
use crate::style::{Line, Role, Span, Style};
use crate::tool_line::{CallState, Detail, ToolLine};
use crate::wrap::truncate;

/// Runs of more calls than this fold into one line.
const LONGEST_RUN: usize = 3;

/// Calls in a row that only look.
#[derive(Default)]
pub(super) struct Run {
    pub(super) lines: Vec<ToolLine>,
    /// Hooks that ran among them, all well.
    pub(super) n_hooks: usize,
}

impl Run {
    /// Tells whether a step does not end the run: a hook that had nothing to say.
    pub(super) fn takes(&self, what: &What) -> bool {
        let is_quiet = |hook: &Hook| {
            is_of_call(hook) && matches!(hook.state, HookState::Started | HookState::Done)
        };
        !self.lines.is_empty() && matches!(what, What::Hook(hook) if is_quiet(hook))
    }
}

impl Scribe<'_, '_, '_> {
    /// Returns the line of a call that may fold with its neighbors.
    pub(super) fn folded_call(&self, step: &Step) -> Option<ToolLine> {
        let What::Call(call) = &step.what else {
            return None;
        };
        let folds = self.options.tools == Tools::Brief && ToolLine::is_dull(call);
        folds.then(|| ToolLine::of(call, step.time, self.cwd.as_deref()))
    }

    /// Returns a run of calls: each for itself, or all in one line.
    pub(super) fn run_lines(&self, run: &Run) -> Vec<Line> {
        let n_calls = run.lines.len();
        let hooks = (run.n_hooks > 0).then(|| counted(run.n_hooks, "hook"));
        if n_calls <= LONGEST_RUN {
            let mut lines: Vec<Line> = run.lines.iter().map(|line| self.call_line(line)).collect();
            lines.extend(hooks.map(|hooks| Line::of(&format!("⚙ {hooks}"), Role::Muted)));
            return lines;
        }
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for line in &run.lines {
            match counts.iter_mut().find(|(verb, _)| *verb == line.verb) {
                Some((_, n)) => *n += 1,
                None => counts.push((&line.verb, 1)),
            }
        }
        let counts: Vec<String> = counts
            .iter()
            .map(|(verb, n)| format!("{n} {verb}"))
            .collect();
        let mut objects: Vec<&str> = run.lines.iter().map(short_object).collect();
        objects.dedup();
        let hooks = hooks.map(|hooks| format!(", {hooks}")).unwrap_or_default();
        let line = Line::of("● ", Role::Success)
            .with(&format!("{n_calls} calls"), Style::PLAIN.bold())
            .with(&format!(": {}{hooks}", counts.join(", ")), Role::Plain)
            .with(&format!("  · {}", objects.join(", ")), Role::Muted);
        vec![truncate(&line, self.width())]
    }

    /// Returns a call in one line; the object is cut before the notes are.
    pub(super) fn call_line(&self, line: &ToolLine) -> Line {
        let (mark, role) = match line.state {
            CallState::Done => ("●", Role::Success),
            CallState::Failed => ("●", Role::Error),
            CallState::Denied => ("⊘", Role::Warning),
            CallState::Unanswered => ("○", Role::Muted),
        };
        let mut end = Line::new();
        if let Some((added, removed)) = line.change {
            end = end
                .with(&format!(" +{added}"), Role::Added)
                .with(&format!(" −{removed}"), Role::Removed);
        }
        if !line.notes.is_empty() {
            let role = if line.state == CallState::Done {
                Role::Muted
            } else {
                role
            };
            end = end.with(&format!("  · {}", line.notes.join(" · ")), role);
        }
        let start = Line::of(mark, role)
            .with(" ", Role::Plain)
            .with(&line.verb, Style::PLAIN.bold());
        let start = if line.object.is_empty() {
            start
        } else {
            start.with(&format!(" {}", line.object), Role::Plain)
        };
        let width = self.width();
        let room = width.saturating_sub(end.width()).max(width / 2);
        let mut whole = truncate(&start, room);
        whole.extend(end.spans().iter().cloned());
        truncate(&whole, width)
    }

    /// Writes a call with what is below it and what its agents did.
    pub(super) fn call(&mut self, call: &Call, time: Option<Timestamp>) -> io::Result<()> {
        let line = ToolLine::of(call, time, self.cwd.as_deref());
        let shows_agents = self.options.agents && !call.agents.is_empty();
        let detail = Detail::of(call);
        // The agent's own conversation ends with its report.
        let below = if shows_agents && detail.error.is_empty() {
            Vec::new()
        } else {
            self.detail_lines(&detail, &line)
        };
        let agents = self.agent_labels(&call.agents);
        let is_tall = !below.is_empty() || !agents.is_empty();
        let spacing = if is_tall {
            Spacing::Apart
        } else {
            Spacing::Close
        };
        self.page.block(spacing, vec![self.call_line(&line)])?;
        for (number, label) in agents {
            self.page.more(vec![label])?;
            if shows_agents {
                self.agent(number)?;
            }
        }
        self.page.more(below)
    }

    /// Writes an answer whose call is not in the file.
    pub(super) fn stray(&mut self, result: &CallResult) -> io::Result<()> {
        let role = if result.is_error {
            Role::Error
        } else {
            Role::Muted
        };
        let mut line = Line::new();
        line.push(Span::new("○ ", role));
        line.push(Span::new("Result", Style::PLAIN.bold()));
        line.push(Span::new(" without a call", Role::Muted));
        let mut lines = vec![line];
        lines.extend(self.plain(&result.text, 6, role));
        self.page.block(Spacing::Apart, lines)
    }
}

/// Returns the object without the folders of a file.
fn short_object(line: &ToolLine) -> &str {
    let object = line.object.as_str();
    match line.verb.as_str() {
        "Read" => object.rsplit('/').next().unwrap_or(object),
        _ => object,
    }
}
