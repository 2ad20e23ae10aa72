//! Counts what is in a file and where each message went.

use ravel_format::{Flags, Kind, ToolRole};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::diagnostic::{Code, Place};
use crate::graph::Graph;
use crate::history::history;
use crate::thread::Thread;

use super::Subject;
use super::finding::Findings;

/// What is in a file. The seven fields after `messages` add up to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Lines, blank and damaged ones too.
    pub lines: u64,
    /// Bytes.
    pub bytes: u64,
    /// Records that could be read.
    pub records: u64,
    /// Records of each kind, the most frequent first.
    pub by_kind: Vec<KindCount>,
    /// Records in which a person or the model speaks.
    pub messages: u64,
    /// Messages that readers show: the visible main thread.
    pub reachable: u64,
    /// Messages of the same conversation before its last compaction.
    pub compacted: u64,
    /// Messages on other branches.
    pub on_branches: u64,
    /// Messages of sub-agents inside the file.
    pub in_sidechains: u64,
    /// Messages for the model only, and of team members.
    pub hidden: u64,
    /// Messages that stand again later with the same id.
    pub superseded: u64,
    /// Messages that no branch leads to, because of damage.
    pub unreachable: u64,
    /// Tool calls, each id once.
    pub tool_calls: u64,
    /// Tool results, each id once.
    pub tool_results: u64,
    /// Compactions.
    pub compactions: u64,
}

/// How many records of a kind there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KindCount {
    /// The `type`.
    pub kind: &'static str,
    /// The number of records.
    pub records: u64,
}

pub(super) fn count(subject: &Subject<'_>, findings: &mut Findings) -> Counts {
    let graph = subject.graph;
    let outline = subject.outline();
    let mut counts = Counts {
        lines: outline.n_lines(),
        bytes: outline.n_bytes(),
        by_kind: count_kinds(graph),
        tool_calls: count_tools(graph, ToolRole::Call),
        tool_results: count_tools(graph, ToolRole::Result),
        ..Counts::default()
    };
    counts.records = counts.by_kind.iter().map(|kind| kind.records).sum();
    let boundaries = outline.entries().iter();
    counts.compactions = boundaries
        .filter(|entry| entry.facet == ravel_format::Facet::CompactBoundary)
        .count() as u64;
    let lost = count_messages(subject, &mut counts);
    if let Some(entry) = lost.and_then(|index| graph.entry(index)) {
        let n_lost = counts.unreachable;
        findings.add(Code::UnreachableMessages, Place::of(entry), || {
            format!("{n_lost} messages, of which this is the first, hang on no branch")
        });
    }
    counts
}

/// Sorts every message into one of the counts; returns the first that is out of reach.
fn count_messages(subject: &Subject<'_>, counts: &mut Counts) -> Option<usize> {
    let graph = subject.graph;
    let places = places(subject);
    let mut first_lost = None;
    for (index, entry) in subject.outline().entries().iter().enumerate() {
        if !entry.kind.is_message() {
            continue;
        }
        counts.messages += 1;
        let is_superseded =
            entry.is_linked() && entry.uuid.and_then(|uuid| graph.holder(uuid)) != Some(index);
        let place = places.get(index).copied().unwrap_or(Reach::Lost);
        let slot = if is_superseded {
            &mut counts.superseded
        } else if entry.has(Flags::SIDECHAIN) && !graph.is_agent_file() {
            &mut counts.in_sidechains
        } else if !graph.shows(entry) {
            &mut counts.hidden
        } else {
            match place {
                Reach::Main => &mut counts.reachable,
                Reach::Compacted => &mut counts.compacted,
                Reach::Branch => &mut counts.on_branches,
                Reach::Lost => {
                    first_lost = first_lost.or(Some(index));
                    &mut counts.unreachable
                }
            }
        };
        *slot += 1;
    }
    first_lost
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Main,
    Compacted,
    Branch,
    Lost,
}

/// Returns how each entry is reached.
fn places(subject: &Subject<'_>) -> Vec<Reach> {
    let graph = subject.graph;
    let roots = roots(graph);
    let root_of = |index: usize| roots.get(index).copied().unwrap_or(index);
    let threads = subject
        .thread
        .leaf
        .map(|leaf| across_compactions(graph, leaf))
        .unwrap_or_default();
    let in_history = threads.iter().flat_map(|thread| thread.entries.iter());
    let kept: rustc_hash::FxHashSet<usize> = in_history.map(|&index| root_of(index)).collect();
    let mut places = vec![Reach::Lost; roots.len()];
    let mut put = |index: usize, place| {
        if let Some(slot) = places.get_mut(index) {
            *slot = place;
        }
    };
    // Where the thread broke off, no branch leads to what was written before.
    let main_root = subject.thread.entries.first().copied();
    let cut_off = main_root
        .filter(|&root| subject.is_cut_off(root))
        .unwrap_or(0);
    let is_rightful = |root: usize| graph.parent(root).is_none() && !subject.is_cut_off(root);
    let mut rightful: FxHashMap<usize, bool> = FxHashMap::default();
    for &index in graph.nodes() {
        let root = root_of(index);
        let is_reached = kept.contains(&root)
            || *rightful
                .entry(root)
                .or_insert_with(|| root >= cut_off && is_rightful(root));
        if is_reached {
            put(index, Reach::Branch);
        }
    }
    for thread in &threads {
        let entries = thread.entries.iter();
        entries.for_each(|&index| put(index, Reach::Compacted));
    }
    for &index in &subject.thread.entries {
        put(index, Reach::Main);
    }
    places
}

/// Returns the threads of a conversation that compactions join, newest first.
///
/// Other readers stop at a lost parent, so what is before one does not count as reached.
pub(crate) fn across_compactions(graph: &Graph<'_>, leaf: usize) -> Vec<Thread> {
    let mut is_joined = true;
    let newest_first = history(graph, leaf).into_iter().rev();
    let joined = newest_first
        .take_while(|segment| std::mem::replace(&mut is_joined, segment.compaction.is_some()));
    joined.map(|segment| segment.thread).collect()
}

/// Returns the root above each entry; for a circle, one entry of it.
fn roots(graph: &Graph<'_>) -> Vec<usize> {
    const UNKNOWN: usize = usize::MAX;
    let mut roots = vec![UNKNOWN; graph.outline().entries().len()];
    let mut path = Vec::new();
    for &node in graph.nodes() {
        path.clear();
        let mut root = node;
        for ancestor in graph.ancestors(node) {
            root = ancestor;
            if let Some(&known) = roots.get(ancestor).filter(|known| **known != UNKNOWN) {
                root = known;
                break;
            }
            path.push(ancestor);
        }
        for &index in &path {
            if let Some(slot) = roots.get_mut(index) {
                *slot = root;
            }
        }
    }
    roots
}

fn count_kinds(graph: &Graph<'_>) -> Vec<KindCount> {
    let mut counts: FxHashMap<Kind, u64> = FxHashMap::default();
    for entry in graph.outline().entries() {
        if super::is_readable(entry.fault) && !(entry.fault.is_some() && entry.kind == Kind::None) {
            *counts.entry(entry.kind).or_default() += 1;
        }
    }
    let mut kinds: Vec<KindCount> = counts
        .into_iter()
        .map(|(kind, records)| KindCount {
            kind: kind.name(),
            records,
        })
        .collect();
    kinds.sort_by(|one, other| {
        other
            .records
            .cmp(&one.records)
            .then(one.kind.cmp(other.kind))
    });
    kinds
}

fn count_tools(graph: &Graph<'_>, role: ToolRole) -> u64 {
    let outline = graph.outline();
    let mut seen = vec![false; outline.ids().len()];
    let mut n_tools = 0;
    for entry in outline.entries() {
        for id in outline.tools(entry, role) {
            if let Some(seen) = seen.get_mut(id.index()).filter(|seen| !**seen) {
                *seen = true;
                n_tools += 1;
            }
        }
    }
    n_tools
}
