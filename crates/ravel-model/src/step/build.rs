//! Entries into steps.

use ravel_format::{Entry, Facet, Flags, Kind, Record, ToolRole};

use crate::api::paper;
use crate::session::{Part, Session};

use super::{Compaction, Hook, HookState, RawJson, Step, What};
use super::{call, message, report};

/// Makes the steps of some entries of one file of a session, such as those of a turn.
pub fn steps(session: &Session<'_>, part: usize, entries: &[usize]) -> Vec<Step> {
    let Some(file) = session.part(part) else {
        return Vec::new();
    };
    let builder = Builder {
        session,
        number: part,
        part: file,
    };
    let mut steps = Vec::new();
    for &index in entries {
        if let Some(entry) = file.graph.entry(index) {
            builder.add(index, entry, &mut steps);
        }
    }
    join(&mut steps);
    steps
}

/// What steps are made from.
pub(super) struct Builder<'s, 't> {
    pub(super) session: &'s Session<'t>,
    pub(super) number: usize,
    pub(super) part: &'s Part<'t>,
}

impl Builder<'_, '_> {
    fn add(&self, index: usize, entry: &Entry, steps: &mut Vec<Step>) {
        let whats = self.part.read(entry, |record| {
            let mut whats = self.whats(index, entry, record);
            whats.extend(report::marks(entry, record));
            whats
        });
        let uuid = self.part.graph.outline().text(entry.uuid);
        steps.extend(whats.into_iter().map(|what| Step {
            entry: index,
            uuid: uuid.clone(),
            line: entry.line,
            time: entry.time,
            what,
        }));
    }

    fn whats(&self, index: usize, entry: &Entry, record: &Record<'_>) -> Vec<What> {
        match entry.kind {
            Kind::Assistant => message::reply(self, index, entry, record),
            kind if kind.is_user() => self.user(index, entry, record),
            // Shown with its call.
            Kind::System if self.answers_call(index) => Vec::new(),
            Kind::System | Kind::CompactSystem => vec![report::system(entry, record)],
            Kind::Attachment => vec![report::attachment(record)],
            Kind::Progress => vec![report::progress(record)],
            _ => vec![unknown(record)],
        }
    }

    /// Tells whether a record of seed 001 says how the call before it went.
    fn answers_call(&self, index: usize) -> bool {
        paper::call_of(&self.part.graph, &*self.part.transcript.source, index).is_some()
    }

    fn user(&self, index: usize, entry: &Entry, record: &Record<'_>) -> Vec<What> {
        let outline = self.part.graph.outline();
        if outline.tools(entry, ToolRole::Result).next().is_some() {
            return call::results(self, index, entry, record);
        }
        if entry.has(Flags::COMPACT_SUMMARY) || entry.kind == Kind::CompactRecap {
            let summary = message::text_of(record);
            return vec![What::Compaction(Compaction {
                summary: Some(summary),
                ..Compaction::default()
            })];
        }
        if entry.has(Flags::META) {
            return vec![What::Hidden {
                label: "for the model".into(),
                text: message::text_of(record),
            }];
        }
        vec![message::said(entry, record)]
    }
}

pub(super) fn unknown(record: &Record<'_>) -> What {
    let name = record
        .type_text()
        .map_or_else(|| "record".into(), |name| name.decode().into_owned());
    match record.json {
        Some(json) => What::Unknown {
            name,
            json: RawJson::new(json),
        },
        None => What::Notice {
            level: super::Level::Error,
            text: format!("damaged line ({} bytes)", record.raw.len()),
        },
    }
}

/// Joins steps that two records make together: a boundary and its summary, a hook and its end.
fn join(steps: &mut Vec<Step>) {
    let mut joined: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps.drain(..) {
        let taken = match &step.what {
            What::Compaction(compaction) => join_summary(joined.last_mut(), compaction),
            What::Hook(hook) if hook.state != HookState::Started => join_hook(&mut joined, hook),
            _ => false,
        };
        if !taken {
            joined.push(step);
        }
    }
    *steps = joined;
}

fn join_summary(before: Option<&mut Step>, next: &Compaction) -> bool {
    let Some(What::Compaction(compaction)) = before.map(|step| &mut step.what) else {
        return false;
    };
    if compaction.summary.is_some() || next.summary.is_none() {
        return false;
    }
    compaction.summary.clone_from(&next.summary);
    true
}

/// Finds the start of a hook that ended: same event, same call, nothing since.
fn join_hook(joined: &mut [Step], ended: &Hook) -> bool {
    let started = joined
        .iter_mut()
        .rev()
        .find_map(|step| match &mut step.what {
            What::Hook(hook) if hook.state == HookState::Started && is_same_hook(hook, ended) => {
                Some(hook)
            }
            _ => None,
        });
    let Some(started) = started else { return false };
    started.state = ended.state;
    started.output.clone_from(&ended.output);
    started.duration_ms = ended.duration_ms;
    true
}

fn is_same_hook(started: &Hook, ended: &Hook) -> bool {
    let same_name = ended.name.is_none() || started.name == ended.name;
    started.event == ended.event && same_name && started.tool_use_id == ended.tool_use_id
}

/// Tells whether an entry is a boundary whose step is a compaction.
pub(super) fn is_boundary(entry: &Entry) -> bool {
    entry.facet == Facet::CompactBoundary
}
