//! Third layer: every record gets a parent, or is a root by right.
//!
//! Broken links are joined to the record that was most likely meant: the caller of a tool result,
//! the part before of the same reply, the record named across a compaction, or the one written
//! before by the same writer. A link is never made to a record below the one that is linked.

use ravel_format::{Entry, Facet, Flags, Id, Source, Span, ToolRole};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::check::{Dialect, across_compactions, dialect, is_broken_reply};
use crate::graph::Graph;
use crate::thread::main_leaf;

use super::layer::{Piece, push_lines};
use super::splice::set_key;
use super::{Action, ActionKind, Changes, action};

/// Cuts circles where they go forward in the file, and joins everything that is loose.
pub(super) fn link_all(graph: &Graph<'_>, source: &dyn Source) -> Changes {
    link(graph, source, Cut::Forward)
}

/// Cuts circles where readers come around to, and joins everything that is loose.
pub(super) fn link_around(graph: &Graph<'_>, source: &dyn Source) -> Changes {
    link(graph, source, Cut::Around)
}

fn link(graph: &Graph<'_>, source: &dyn Source, cut: Cut) -> Changes {
    let mut links = Links::new(graph);
    links.find_broken(cut);
    // On paper a reply may start a conversation.
    if dialect(graph.outline(), source) == Dialect::Client {
        links.find_replies();
    }
    links.join();
    links.changes(source)
}

/// Cuts circles and makes orphans roots, which changes nothing for any reader.
pub(super) fn cut_all(graph: &Graph<'_>, source: &dyn Source) -> Changes {
    let mut links = Links::new(graph);
    links.find_broken(Cut::Around);
    links.changes(source)
}

/// Joins the branch that readers take now to the end of the one that they took before.
pub(super) fn join_branch(graph: &Graph<'_>, source: &dyn Source, original: &Graph<'_>) -> Changes {
    let mut links = Links::new(graph);
    let before = main_leaf(original).and_then(|choice| original.entry(choice.leaf));
    let before = before.map(|entry| original.outline().text(entry.uuid));
    let ends = before
        .and_then(|uuid| graph.find(&uuid))
        .zip(main_leaf(graph));
    if let Some((end, now)) = ends {
        let taken: FxHashSet<usize> = graph.ancestors(end).collect();
        let branch = graph.ancestors(now.leaf);
        let first = branch.take_while(|index| !taken.contains(index)).last();
        if let Some(first) = first {
            links.broken.push((first, Break::Branch));
            links.joined.insert(first, end);
        }
    }
    links.changes(source)
}

/// Where a circle is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// At the entry written first, whose parent was written later: the link that is wrong.
    Forward,
    /// Behind the entry where the conversation comes in, so that readers lose nothing of what
    /// they saw, though in the wrong order.
    Around,
}

/// Why a link is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Break {
    Orphan,
    Cycle,
    Reply,
    Branch,
}

struct Links<'a> {
    graph: &'a Graph<'a>,
    /// Above each entry, some entry nearer to its root; a root has itself.
    above: Vec<usize>,
    broken: Vec<(usize, Break)>,
    joined: FxHashMap<usize, usize>,
}

impl<'a> Links<'a> {
    fn new(graph: &'a Graph<'a>) -> Self {
        let n_entries = graph.outline().entries().len();
        let above = (0..n_entries)
            .map(|index| graph.parent(index).unwrap_or(index))
            .collect();
        Self {
            graph,
            above,
            broken: Vec::new(),
            joined: FxHashMap::default(),
        }
    }

    /// Finds orphans and cuts every circle once.
    fn find_broken(&mut self, cut: Cut) {
        let graph = self.graph;
        // The first record of a sub-agent's file may follow one in the file of its session.
        let first = graph.nodes().first().filter(|_| graph.is_agent_file());
        let orphans = graph.orphans().iter().filter(|index| Some(*index) != first);
        self.broken
            .extend(orphans.map(|&index| (index, Break::Orphan)));
        let cuts = match cut {
            Cut::Forward => graph.cycles().to_vec(),
            Cut::Around => cuts_around(graph),
        };
        for cut in cuts {
            self.broken.push((cut, Break::Cycle));
            if let Some(above) = self.above.get_mut(cut) {
                *above = cut;
            }
        }
        self.broken.sort_unstable_by_key(|(index, _)| *index);
    }

    /// Finds replies that follow nothing.
    fn find_replies(&mut self) {
        let graph = self.graph;
        let roots = graph.nodes().iter().copied();
        let replies = roots.filter(|&index| is_broken_reply(graph, index));
        self.broken
            .extend(replies.map(|index| (index, Break::Reply)));
        self.broken.sort_unstable_by_key(|(index, _)| *index);
    }

    /// Joins each loose root to a record outside of its own tree.
    fn join(&mut self) {
        let before = previous_by_writer(self.graph);
        let relatives = Relatives::of(self.graph);
        for (index, _) in self.broken.clone() {
            let Some(entry) = self.graph.entry(index) else {
                continue;
            };
            if entry.facet == Facet::CompactBoundary {
                continue;
            }
            let written_before = std::iter::successors(before.get(&index).copied(), |earlier| {
                before.get(earlier).copied()
            });
            let likely = relatives.parents_of(self.graph, index, entry);
            let target = likely
                .into_iter()
                .chain(written_before)
                .take(MAX_CANDIDATES)
                .find(|&candidate| self.root(candidate) != index);
            if let Some(target) = target {
                self.joined.insert(index, target);
                if let Some(above) = self.above.get_mut(index) {
                    *above = target;
                }
            }
        }
    }

    /// Finds the root above an entry, shortening the way for the next time.
    fn root(&mut self, mut index: usize) -> usize {
        loop {
            let parent = self.above.get(index).copied().unwrap_or(index);
            let grandparent = self.above.get(parent).copied().unwrap_or(parent);
            if parent == grandparent {
                return parent;
            }
            if let Some(above) = self.above.get_mut(index) {
                *above = grandparent;
            }
            index = grandparent;
        }
    }

    fn changes(&self, source: &dyn Source) -> Changes {
        let outline = self.graph.outline();
        let mut changes = Changes::default();
        let mut done = 0;
        for &(index, why) in &self.broken {
            let Some(entry) = self.graph.entry(index) else {
                continue;
            };
            let target = self
                .joined
                .get(&index)
                .and_then(|&target| self.graph.entry(target));
            if target.is_none() && why == Break::Reply {
                continue;
            }
            let value = match target {
                Some(target) => {
                    serde_json::to_string(&outline.text(target.uuid)).unwrap_or_default()
                }
                None => "null".to_owned(),
            };
            let bytes = source.read(entry.span);
            let Some(splice) = set_key(&bytes, "parentUuid", &value) else {
                continue;
            };
            push_lines(&mut changes.pieces, between(done, entry.span.start));
            changes.pieces.push(Piece::Record {
                span: entry.span,
                splices: vec![splice],
            });
            // Lines are whole and end with one byte by now.
            done = entry.span.end() + 1;
            changes.actions.push(describe(why, entry, target));
        }
        push_lines(&mut changes.pieces, between(done, outline.n_bytes()));
        changes
    }
}

/// How many candidates for a parent are tried.
const MAX_CANDIDATES: usize = 4096;

fn between(start: u64, end: u64) -> Span {
    Span {
        start,
        len: end.saturating_sub(start),
    }
}

fn describe(why: Break, entry: &Entry, target: Option<&Entry>) -> Action {
    let what = match why {
        Break::Orphan => "the parent is not in the file",
        Break::Cycle => "the parents led in a circle",
        Break::Reply => "it followed nothing, though messages stand before it",
        Break::Branch => "it would lead readers past messages",
    };
    let kind = match (why, target) {
        (Break::Cycle, _) => ActionKind::CutCycle,
        (_, Some(_)) => ActionKind::Relink,
        (_, None) => ActionKind::MakeRoot,
    };
    let words = match target {
        Some(target) => format!(
            "{what}; it now follows a record written at {}",
            time_of(target)
        ),
        None => format!("{what}; it now starts a conversation"),
    };
    action(kind, entry.span, words)
}

fn time_of(entry: &Entry) -> String {
    entry.time.map_or_else(
        || "an unknown time".to_owned(),
        ravel_format::Timestamp::to_iso,
    )
}

/// Finds where to cut each circle so that readers still come around all of it.
fn cuts_around(graph: &Graph<'_>) -> Vec<usize> {
    let leaf = main_leaf(graph).map(|choice| choice.leaf);
    let threads = leaf.map(|leaf| across_compactions(graph, leaf));
    let threads = threads.unwrap_or_default();
    let leaves = threads.iter().filter_map(|thread| thread.leaf);
    let way = way_up(graph, leaves);
    let circles = graph.cycles().iter();
    circles.map(|&first| cut_of(graph, first, &way)).collect()
}

/// Numbers the entries that readers pass on their way up from the ends of a conversation.
fn way_up(graph: &Graph<'_>, leaves: impl Iterator<Item = usize>) -> FxHashMap<usize, usize> {
    let mut way = FxHashMap::default();
    for leaf in leaves {
        for index in graph.ancestors(leaf) {
            let number = way.len();
            if *way.entry(index).or_insert(number) != number {
                break;
            }
        }
    }
    way
}

/// Chooses where to cut the circle that `first` is on.
///
/// Readers that come to the circle walk around it once. Cutting right behind the entry where the
/// conversation comes in keeps all of it on the way; other circles are cut at their first entry,
/// whose parent was written later.
fn cut_of(graph: &Graph<'_>, first: usize, way: &FxHashMap<usize, usize>) -> usize {
    let on_way = graph
        .ancestors(first)
        .filter(|index| way.contains_key(index));
    let entrance = on_way.min_by_key(|index| way.get(index).copied());
    let behind = |index: &usize| entrance.is_some() && graph.parent(*index) == entrance;
    let cut = graph.ancestors(first).find(behind);
    cut.unwrap_or(first)
}

/// Who wrote an entry: the main conversation, or a sub-agent.
fn writer(entry: &Entry) -> (bool, Option<Id>) {
    (entry.has(Flags::SIDECHAIN), entry.agent)
}

/// Returns, for each entry, the one written before it by the same writer.
fn previous_by_writer(graph: &Graph<'_>) -> FxHashMap<usize, usize> {
    let mut last = FxHashMap::default();
    let mut before = FxHashMap::default();
    for (index, entry) in graph.outline().entries().iter().enumerate() {
        if entry.is_linked() {
            before.extend(
                last.insert(writer(entry), index)
                    .map(|earlier| (index, earlier)),
            );
        }
    }
    before
}

/// Records that tell where a loose one belongs.
struct Relatives {
    callers: FxHashMap<Id, usize>,
    replies: FxHashMap<Id, Vec<usize>>,
}

impl Relatives {
    fn of(graph: &Graph<'_>) -> Self {
        let mut relatives = Self {
            callers: FxHashMap::default(),
            replies: FxHashMap::default(),
        };
        for &index in graph.nodes() {
            let Some(entry) = graph.entry(index) else {
                continue;
            };
            let calls = graph.outline().tools(entry, ToolRole::Call);
            relatives.callers.extend(calls.map(|call| (call, index)));
            if let Some(message) = entry.message {
                relatives.replies.entry(message).or_default().push(index);
            }
        }
        relatives
    }

    /// Returns the likely parents of a loose entry, the likeliest first.
    fn parents_of(&self, graph: &Graph<'_>, index: usize, entry: &Entry) -> Vec<usize> {
        let results = graph.outline().tools(entry, ToolRole::Result);
        let callers = results.filter_map(|call| self.callers.get(&call).copied());
        let source = entry.refers_to.and_then(|source| graph.holder(source));
        let reply = entry.message.and_then(|message| self.replies.get(&message));
        let part_before = reply.and_then(|parts| parts.iter().rev().find(|&&part| part < index));
        let logical = entry.logical_parent.and_then(|parent| graph.holder(parent));
        let same_writer = |&candidate: &usize| {
            candidate != index
                && graph
                    .entry(candidate)
                    .is_some_and(|other| writer(other) == writer(entry))
        };
        let likely = source
            .into_iter()
            .chain(callers)
            .chain(part_before.copied())
            .chain(logical);
        likely.filter(same_writer).collect()
    }
}
