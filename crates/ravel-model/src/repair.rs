//! Makes a copy that other readers read in full.
//!
//! [`plan()`] says what has to change, [`write()`] writes the copy. A plan is a stack of layers, each
//! over the file as the one below leaves it: first every line becomes one whole record, then every
//! record gets the keys that readers need, then every record gets a parent, then every tool result
//! without a call becomes text. Files of a paper dialect are told in the words of a client before
//! that. A layer names what it changes and copies everything else byte for
//! byte, so a healthy file comes out as it went in, and repairing a copy again changes nothing.
//!
//! Nothing is invented beyond ids, times and links: what cannot be read is left out, and said so.

use std::io;

use ravel_format::{Outline, Source, Span};
use rustc_hash::FxHashSet;
use serde::{Serialize, Serializer};

use crate::check::{across_compactions, for_each_line, is_stream};
use crate::graph::Graph;
use crate::thread::main_leaf;

mod answer;
mod close;
mod key;
mod layer;
mod link;
mod record;
mod shape;
mod splice;
#[cfg(test)]
mod tests;

use layer::{Layer, Piece};

/// What has to change in a file.
#[derive(Debug, Clone, Default)]
pub struct RepairPlan {
    /// What is done, in file order within each layer.
    pub actions: Vec<Action>,
    /// How many messages of the conversation, across its compactions, are reached before.
    pub reached_before: usize,
    /// How many are reached after; never fewer.
    pub reached_after: usize,
    /// How many bytes could not be read and are left out.
    pub left_out_bytes: u64,
    layers: Vec<Vec<Piece>>,
    n_bytes: u64,
}

/// One thing that a repair does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Action {
    /// What is done.
    pub kind: ActionKind,
    /// The line of the original file, counted from 1.
    pub line: u64,
    /// What was done, in one sentence. May quote the file: escape it before showing it.
    pub words: String,
}

/// The kinds of things that a repair does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[expect(missing_docs, reason = "see ActionKind::name")]
pub enum ActionKind {
    LeaveOut,
    CloseLine,
    SplitLine,
    CleanLine,
    MendText,
    AddUuid,
    AddTimestamp,
    AddSessionId,
    DropDuplicate,
    RenameDuplicate,
    CutCycle,
    Relink,
    MakeRoot,
    KeepAsText,
    Convert,
}

impl ActionKind {
    /// Returns the stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::LeaveOut => "leave-out",
            Self::CloseLine => "close-line",
            Self::SplitLine => "split-line",
            Self::CleanLine => "clean-line",
            Self::MendText => "mend-text",
            Self::AddUuid => "add-uuid",
            Self::AddTimestamp => "add-timestamp",
            Self::AddSessionId => "add-session-id",
            Self::DropDuplicate => "drop-duplicate",
            Self::RenameDuplicate => "rename-duplicate",
            Self::CutCycle => "cut-cycle",
            Self::Relink => "relink",
            Self::MakeRoot => "make-root",
            Self::KeepAsText => "keep-as-text",
            Self::Convert => "convert",
        }
    }
}

impl Serialize for ActionKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl RepairPlan {
    /// Tells whether the copy would be the same file.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }
}

/// What one layer changes.
#[derive(Debug, Default)]
struct Changes {
    pieces: Vec<Piece>,
    actions: Vec<Action>,
    left_out_bytes: u64,
}

/// Says what has to change in a file so that other readers read it in full.
pub fn plan(graph: &Graph<'_>, source: &dyn Source) -> RepairPlan {
    let mut plan = RepairPlan {
        reached_before: n_reached(graph),
        n_bytes: graph.outline().n_bytes(),
        ..RepairPlan::default()
    };
    plan.add(graph, record::mend_lines(graph.outline(), source));
    if is_stream(graph.outline()) {
        // Standard output has no parents and times to mend.
        plan.reached_after = plan.reached_before;
        return plan;
    }
    plan.add_layer(graph, source, shape::to_client);
    plan.mend_records(graph, source);
    plan
}

/// What becomes of a branch that readers did not take before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Branches {
    Left,
    /// It goes on where readers ended: a record from a damaged line, which they could not see,
    /// may start a shorter branch.
    Joined,
}

/// The ways to mend records and their links, the best first.
const WAYS: [[Make; 2]; 9] = [
    [key::keep_first, link::link_all],
    [key::keep_last, link::link_all],
    [key::keep_only_last, link::link_all],
    [key::keep_only_first, link::link_all],
    [key::keep_first, link::link_around],
    [key::keep_last, link::link_around],
    [key::keep_only_last, link::link_around],
    [key::keep_only_first, link::link_around],
    [key::keep_only_last, link::cut_all],
];

/// Makes a layer from the file as the layers below leave it.
type Make = fn(&Graph<'_>, &dyn Source) -> Changes;

/// Writes the repaired copy of a file.
pub fn write(plan: &RepairPlan, source: &dyn Source, out: &mut dyn io::Write) -> io::Result<()> {
    plan.view(source, |top, n_bytes| layer::copy(top, n_bytes, out))
}

impl RepairPlan {
    fn add(&mut self, original: &Graph<'_>, changes: Changes) {
        if changes.actions.is_empty() {
            return;
        }
        let lines = self.original_lines(original.outline(), &changes.actions);
        let placed = changes.actions.into_iter().zip(lines);
        self.actions
            .extend(placed.map(|(action, line)| Action { line, ..action }));
        self.left_out_bytes += changes.left_out_bytes;
        self.layers.push(changes.pieces);
    }

    /// Adds the layers above whole lines.
    ///
    /// A new link may lead readers to a shorter branch; then less is changed.
    fn mend_records(&mut self, original: &Graph<'_>, source: &dyn Source) {
        let (n_layers, n_actions) = (self.layers.len(), self.actions.len());
        let left_out_bytes = self.left_out_bytes;
        self.reached_after = self.reached_before;
        let ways = WAYS.into_iter().map(|way| (way, Branches::Left));
        let more = WAYS.into_iter().map(|way| (way, Branches::Joined));
        for (way, branches) in ways.chain(more) {
            self.layers.truncate(n_layers);
            self.actions.truncate(n_actions);
            self.left_out_bytes = left_out_bytes;
            for make in way {
                self.add_layer(original, source, make);
            }
            if branches == Branches::Joined {
                self.add_layer(original, source, |top, source| {
                    link::join_branch(top, source, original)
                });
            }
            if self.layers.is_empty() {
                break;
            }
            self.reached_after = self.view(source, count_reached);
            if self.reached_after >= self.reached_before {
                break;
            }
        }
        self.tell_answers(original, source);
    }

    /// Adds the layer of results without calls, unless readers would lose one.
    ///
    /// Readers put results of parallel calls back from beside the thread, but no text.
    fn tell_answers(&mut self, original: &Graph<'_>, source: &dyn Source) {
        let (n_layers, n_actions) = (self.layers.len(), self.actions.len());
        self.add_layer(original, source, answer::keep_as_text);
        if self.layers.len() == n_layers {
            return;
        }
        let reached = self.view(source, count_reached);
        if reached >= self.reached_after {
            self.reached_after = reached;
        } else {
            self.layers.truncate(n_layers);
            self.actions.truncate(n_actions);
        }
    }

    fn add_layer(
        &mut self,
        original: &Graph<'_>,
        source: &dyn Source,
        make: impl FnOnce(&Graph<'_>, &dyn Source) -> Changes,
    ) {
        let changes = match self.layers.is_empty() {
            true => make(original, source),
            false => self.view(source, |top, n_bytes| {
                make(&Graph::build(&outline(top, n_bytes)), top)
            }),
        };
        self.add(original, changes);
    }

    /// Finds the lines of the original file that actions on the top layer are about.
    ///
    /// Layers name the place of an action by its offset, which only the layers below understand.
    fn original_lines(&self, original: &Outline, actions: &[Action]) -> Vec<u64> {
        let layers: Vec<Layer<'_>> = self
            .layers
            .iter()
            .rev()
            .map(|pieces| Layer::new(NOTHING, pieces))
            .collect();
        let entries = original.entries();
        let line = |action: &Action| {
            let layers = layers.iter();
            let offset = layers.fold(action.line, |offset, layer| layer.origin(offset));
            let after = entries.partition_point(|entry| entry.span.start <= offset);
            let entry = after.checked_sub(1).and_then(|index| entries.get(index));
            entry.map_or(1, |entry| u64::from(entry.line))
        };
        actions.iter().map(line).collect()
    }

    /// Hands the file to `view` as the layers leave it.
    fn view<T>(&self, source: &dyn Source, view: impl FnOnce(&dyn Source, u64) -> T) -> T {
        stacked(source, self.n_bytes, &self.layers, view)
    }
}

fn stacked<T>(
    source: &dyn Source,
    n_bytes: u64,
    layers: &[Vec<Piece>],
    view: impl FnOnce(&dyn Source, u64) -> T,
) -> T {
    let Some((lowest, above)) = layers.split_first() else {
        return view(source, n_bytes);
    };
    let layer = Layer::new(source, lowest);
    stacked(&layer, layer.len(), above, view)
}

/// Stands in where only the places of a layer matter.
const NOTHING: &Vec<u8> = &Vec::new();

fn outline(source: &dyn Source, n_bytes: u64) -> Outline {
    let mut outline = Outline::default();
    for_each_line(source, n_bytes, |line| outline.add_line(line));
    outline
}

fn count_reached(source: &dyn Source, n_bytes: u64) -> usize {
    n_reached(&Graph::build(&outline(source, n_bytes)))
}

/// Counts across compactions: a repair that finds the newest one again is no loss. Nor is one
/// that leaves out the second of two records with one id.
fn n_reached(graph: &Graph<'_>) -> usize {
    let leaf = main_leaf(graph).map(|choice| choice.leaf);
    let threads = leaf.map(|leaf| across_compactions(graph, leaf));
    let mut seen = FxHashSet::default();
    for thread in threads.into_iter().flatten() {
        let entries = thread.visible(graph).filter_map(|index| graph.entry(index));
        seen.extend(entries.map(|entry| entry.uuid));
    }
    seen.len()
}

/// Makes an action at an offset of the layer below; [`RepairPlan::add`] turns it into a line.
fn action(kind: ActionKind, at: Span, words: String) -> Action {
    Action {
        kind,
        line: at.start,
        words,
    }
}
