//! Entries one after the other, with runs of calls folded.

use ravel_model::step::{HookState, Step, What, steps};
use rayon::prelude::*;

use super::paper::Paper;
use super::{call, step};
use crate::html::{self, Markup};

/// Entries that are rendered in one go. Longer stretches are split for the cores; a run of calls
/// ends at such a seam.
const PIECE: usize = 192;

/// Calls in a run that is worth folding.
const MIN_RUN: usize = 4;

/// Where a conversation stands.
#[derive(Clone, Copy)]
pub(super) struct At {
    /// The file.
    pub(super) part: usize,
    /// How many agents are above.
    pub(super) depth: usize,
}

/// Renders some entries of one file.
pub(super) fn entries(paper: &Paper<'_, '_>, at: At, entries: &[usize]) -> String {
    if entries.len() <= PIECE {
        return piece(paper, at, entries);
    }
    let pieces: Vec<String> = entries
        .par_chunks(PIECE)
        .map(|entries| piece(paper, at, entries))
        .collect();
    pieces.concat()
}

fn piece(paper: &Paper<'_, '_>, at: At, entries: &[usize]) -> String {
    let steps = steps(paper.session, at.part, entries);
    let mut flow = Flow::default();
    let mut before: Option<&Step> = None;
    for step in &steps {
        flow.add(paper, at, step, before);
        before = Some(step);
    }
    flow.finish()
}

/// The page so far, with the run of calls at its end.
#[derive(Default)]
struct Flow {
    out: String,
    run: Run,
}

/// Calls that say little one by one.
#[derive(Default)]
struct Run {
    out: String,
    /// The tools in the order of their first call, with how often each was called.
    tools: Vec<(String, usize)>,
    n_calls: usize,
    n_failed: usize,
}

impl Flow {
    fn add(&mut self, paper: &Paper<'_, '_>, at: At, step: &Step, before: Option<&Step>) {
        let is_same = before.is_some_and(|before| before.entry == step.entry);
        // A record can be several steps; the first has its address.
        let id = if is_same { "" } else { step.uuid.as_str() };
        match &step.what {
            What::Call(call) if call.agents.is_empty() => {
                let rendered = call::call(paper, id, step, call);
                if rendered.is_quiet {
                    self.run.add(&call.name, rendered.failed, &rendered.markup);
                } else {
                    self.push(&rendered.markup);
                }
            }
            what if is_minor(what) && self.run.n_calls > 0 => {
                let markup = step::step(paper, at, id, step, before);
                self.run.out.push_str(&markup.0);
            }
            _ => self.push(&step::step(paper, at, id, step, before)),
        }
    }

    fn push(&mut self, markup: &Markup) {
        self.end_run();
        self.out.push_str(&markup.0);
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        if run.n_calls < MIN_RUN {
            self.out.push_str(&run.out);
            return;
        }
        let label = run.label();
        let calls = html::calls(&label, &maud::PreEscaped(run.out));
        self.out.push_str(&calls.0);
    }

    fn finish(mut self) -> String {
        self.end_run();
        self.out
    }
}

impl Run {
    fn add(&mut self, tool: &str, failed: bool, markup: &Markup) {
        self.out.push_str(&markup.0);
        self.n_calls += 1;
        self.n_failed += usize::from(failed);
        match self.tools.iter_mut().find(|(name, _)| name == tool) {
            Some((_, n)) => *n += 1,
            None => self.tools.push((tool.to_owned(), 1)),
        }
    }

    /// Returns the run in words: `14 calls: 9 Read, 4 Grep, 1 Bash`.
    fn label(&self) -> String {
        let mut tools: Vec<&(String, usize)> = self.tools.iter().collect();
        tools.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        let tools: Vec<String> = tools
            .iter()
            .map(|(name, n)| format!("{n} {name}"))
            .collect();
        let failed = match self.n_failed {
            0 => String::new(),
            n => format!(" · {n} failed"),
        };
        format!("{} calls: {}{failed}", self.n_calls, tools.join(", "))
    }
}

/// Tells whether a step may stand inside a run of calls without ending it.
fn is_minor(what: &What) -> bool {
    match what {
        What::Hidden { .. } => true,
        What::Thinking(text) => text.trim().is_empty(),
        What::Hook(hook) => matches!(hook.state, HookState::Started | HookState::Done),
        _ => false,
    }
}
