//! Parents: missing, circular, doubled, late.

use ravel_format::{Entry, Facet, Flags, Kind, ToolRole};

use crate::diagnostic::{Code, Place};
use crate::graph::Graph;
use crate::thread::main_leaf;

use super::Subject;
use super::finding::Findings;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    check_cycles(subject, findings);
    check_duplicates(subject, findings);
    if !subject.is_stream {
        check_roots(subject, findings);
    }
    check_order(subject, findings);
    check_compactions(subject, findings);
    check_last_prompt(subject, findings);
}

/// Tells whether a root lost its link to messages that stand before it.
pub(super) fn is_cut_off(graph: &Graph<'_>, index: usize) -> bool {
    let is_orphan = |entry: &Entry| {
        let names_parent = entry.parent.is_some() && entry.facet != Facet::CompactBoundary;
        names_parent && graph.parent(index).is_none() && has_message_before(graph, index, entry)
    };
    is_broken_reply(graph, index) || graph.entry(index).is_some_and(is_orphan)
}

/// Tells whether an entry is a root but cannot be one: a reply or a tool result after messages of
/// the same writer, such as a copy that lost its link leaves behind.
pub(crate) fn is_broken_reply(graph: &Graph<'_>, index: usize) -> bool {
    let Some(entry) = graph.entry(index) else {
        return false;
    };
    let answers = || {
        graph
            .outline()
            .tools(entry, ToolRole::Result)
            .next()
            .is_some()
    };
    let is_answer = match entry.kind {
        Kind::Assistant => !entry.has(Flags::SYNTHETIC) && !entry.has(Flags::API_ERROR),
        kind if kind.is_user() => answers(),
        _ => false,
    };
    entry.parent.is_none() && is_answer && has_message_before(graph, index, entry)
}

/// How far back an earlier message is looked for; only a hostile file has none that near.
const MAX_BACK: usize = 4096;

fn has_message_before(graph: &Graph<'_>, index: usize, entry: &Entry) -> bool {
    let earlier = graph.outline().entries().iter().take(index);
    let same_writer = |other: &Entry| {
        other.has(Flags::SIDECHAIN) == entry.has(Flags::SIDECHAIN) && other.agent == entry.agent
    };
    earlier
        .rev()
        .take(MAX_BACK)
        .any(|other| other.is_linked() && other.kind.is_message() && same_writer(other))
}

fn check_cycles(subject: &Subject<'_>, findings: &mut Findings) {
    let graph = subject.graph;
    for &index in graph.cycles() {
        let Some(entry) = graph.entry(index) else {
            continue;
        };
        let place = Place::within(entry, "/parentUuid");
        if graph.parent(index) == Some(index) {
            findings.add(Code::SelfParent, place, || {
                "the record names itself as its parent".to_owned()
            });
        } else {
            let parent = graph.parent(index).and_then(|parent| graph.entry(parent));
            let line = parent.map_or(0, |parent| parent.line);
            findings.add(Code::ParentCycle, place, || {
                format!("the parent, on line {line}, descends from this record")
            });
        }
    }
}

fn check_duplicates(subject: &Subject<'_>, findings: &mut Findings) {
    let graph = subject.graph;
    for &index in graph.duplicates() {
        let Some(entry) = graph.entry(index) else {
            continue;
        };
        let holder = entry.uuid.and_then(|uuid| graph.holder(uuid));
        let Some(later) = holder.and_then(|holder| graph.entry(holder)) else {
            continue;
        };
        let is_same = entry.span.len == later.span.len
            && subject.source.read(entry.span) == subject.source.read(later.span);
        let code = if is_same {
            Code::DuplicateRecord
        } else {
            Code::DuplicateUuid
        };
        findings.add(code, Place::within(entry, "/uuid"), || {
            format!("line {} has the same uuid", later.line)
        });
    }
}

/// Orphans and second roots, and whether the main thread starts at one and loses what was before.
fn check_roots(subject: &Subject<'_>, findings: &mut Findings) {
    let graph = subject.graph;
    let main_root = subject.thread.entries.first().copied();
    for &index in graph.orphans() {
        let Some(entry) = graph.entry(index) else {
            continue;
        };
        let breaks = main_root == Some(index) && subject.is_cut_off(index);
        let code = if breaks {
            Code::BrokenThread
        } else {
            Code::Orphan
        };
        findings.add(code, Place::within(entry, "/parentUuid"), || {
            format!(
                "the parent {} is not in the file",
                subject.outline().text(entry.parent)
            )
        });
    }
    let mut seen_root = false;
    for &index in graph.nodes() {
        let Some(entry) = graph.entry(index).filter(|entry| entry.parent.is_none()) else {
            continue;
        };
        if entry.has(Flags::SIDECHAIN) || entry.facet == Facet::CompactBoundary {
            continue;
        }
        let place = || Place::within(entry, "/parentUuid");
        if subject.has_links() && is_broken_reply(graph, index) {
            findings.add(Code::RootlessReply, place(), || {
                "it follows nothing".to_owned()
            });
        } else if seen_root {
            findings.add(Code::SecondRoot, place(), || {
                "another conversation stands before it".to_owned()
            });
        }
        seen_root = true;
    }
}

/// Children before their parents, in the file or in time.
fn check_order(subject: &Subject<'_>, findings: &mut Findings) {
    let graph = subject.graph;
    for &index in graph.nodes() {
        let Some((parent_index, entry)) = graph.parent(index).zip(graph.entry(index)) else {
            continue;
        };
        let Some(parent) = graph.entry(parent_index).filter(|_| parent_index != index) else {
            continue;
        };
        if parent_index > index {
            findings.add(
                Code::ForwardReference,
                Place::within(entry, "/parentUuid"),
                || format!("the parent comes later, on line {}", parent.line),
            );
        }
        if let Some((time, before)) = entry
            .time
            .zip(parent.time)
            .filter(|(time, before)| time < before)
        {
            findings.add(
                Code::TimeGoesBack,
                Place::within(entry, "/timestamp"),
                || {
                    let millis = before.0.saturating_sub(time.0);
                    format!("{millis} ms before its parent on line {}", parent.line)
                },
            );
        }
    }
}

fn check_compactions(subject: &Subject<'_>, findings: &mut Findings) {
    let entries = subject.outline().entries().iter();
    let mut last = None;
    let mut n_compactions = 0;
    for entry in entries.filter(|entry| entry.facet == Facet::CompactBoundary) {
        n_compactions += 1;
        last = Some(entry);
        let goes_on_from = entry
            .logical_parent
            .and_then(|parent| subject.graph.holder(parent));
        // On paper the record after a compaction names what was before.
        if goes_on_from.is_none() && entry.kind != Kind::CompactSystem {
            findings.add(
                Code::CompactionParentMissing,
                Place::within(entry, "/logicalParentUuid"),
                || "the record before this compaction is not in the file".to_owned(),
            );
        }
    }
    if let Some(entry) = last {
        findings.add(Code::Compacted, Place::of(entry), || {
            format!("compactions: {n_compactions}; this is the last one")
        });
    }
}

fn check_last_prompt(subject: &Subject<'_>, findings: &mut Findings) {
    let graph = subject.graph;
    let entries = subject.outline().entries();
    let record = entries
        .iter()
        .rev()
        .find(|entry| entry.kind == Kind::LastPrompt && entry.refers_to.is_some());
    let Some((entry, leaf)) = record.and_then(|entry| Some((entry, entry.refers_to?))) else {
        return;
    };
    let place = || Place::within(entry, "/leafUuid");
    let other = main_leaf(graph).and_then(|choice| choice.instead_of);
    if let Some(other) = other.and_then(|other| graph.entry(other)) {
        findings.add(Code::BranchNotNamedByLastPrompt, place(), || {
            format!("the branch written last ends on line {}", other.line)
        });
    }
    // The all-zero id says "from the start" after a rewind.
    let text = subject.outline().text(Some(leaf));
    let is_nil = text.bytes().all(|byte| matches!(byte, b'0' | b'-'));
    if graph.holder(leaf).is_none() && !is_nil {
        findings.add(Code::LastPromptLeafMissing, place(), || {
            format!("{text} is not in the file")
        });
    }
}
