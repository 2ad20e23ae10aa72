//! What changed in a file, as hunks with line numbers and marked words.
//!
//! A [`Diff`] comes from two texts ([`Diff::of_texts`]) or from the patch that a
//! client stored ([`Diff::of_patch`]), and renders to terminal lines here and to
//! HTML in [`crate::html`]. Work is bounded by the number of lines, never by a
//! clock, so the same input always gives the same diff: very different big texts
//! are shown as one replacement.

mod patch;
mod render;
mod texts;
mod words;

pub use patch::PatchHunk;
pub use render::{Options, render};

/// A change of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// The places that changed, in order.
    pub hunks: Vec<Hunk>,
    /// The number of lines added.
    pub added: usize,
    /// The number of lines removed.
    pub removed: usize,
}

/// One place that changed, with the lines around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunk {
    /// Number of the first line in the old text, counted from 1.
    pub old_start: usize,
    /// Number of the first line in the new text, counted from 1.
    pub new_start: usize,
    /// The lines.
    pub lines: Vec<DiffLine>,
}

/// What a line of a diff says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// The same in both texts.
    Context,
    /// Only in the new text.
    Added,
    /// Only in the old text.
    Removed,
    /// A remark such as a missing line feed at the end of the file.
    Note,
}

/// One line of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine {
    /// What the line says.
    pub kind: LineKind,
    /// Its number in the old text.
    pub old_number: Option<usize>,
    /// Its number in the new text.
    pub new_number: Option<usize>,
    /// Its text in pieces; more than one when single words changed.
    pub pieces: Vec<Piece>,
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text, as it stands in the file.
    pub text: String,
    /// Whether this part is what changed within the line.
    pub is_changed: bool,
}

impl DiffLine {
    /// Returns the whole text of the line.
    pub fn text(&self) -> String {
        self.pieces
            .iter()
            .map(|piece| piece.text.as_str())
            .collect()
    }
}

impl LineKind {
    /// Returns the sign that stands before a line of this kind.
    pub const fn sign(self) -> char {
        match self {
            Self::Context => ' ',
            Self::Added => '+',
            Self::Removed => '-',
            Self::Note => '\\',
        }
    }
}

impl Diff {
    /// Returns the number of lines in all hunks.
    pub fn n_lines(&self) -> usize {
        self.hunks.iter().map(|hunk| hunk.lines.len()).sum()
    }

    /// Returns the change in short: `+12 −3`.
    pub fn summary(&self) -> String {
        format!("+{} −{}", self.added, self.removed)
    }

    /// Builds a diff from hunks whose lines know their kind and text only.
    fn from_hunks(hunks: Vec<Hunk>) -> Self {
        let mut diff = Self {
            hunks,
            ..Self::default()
        };
        for hunk in &mut diff.hunks {
            number(hunk);
            words::mark(&mut hunk.lines);
            let count = |kind| hunk.lines.iter().filter(|line| line.kind == kind).count();
            diff.added += count(LineKind::Added);
            diff.removed += count(LineKind::Removed);
        }
        diff
    }
}

fn line(kind: LineKind, text: &str) -> DiffLine {
    let piece = Piece {
        text: text.to_owned(),
        is_changed: false,
    };
    DiffLine {
        kind,
        old_number: None,
        new_number: None,
        pieces: vec![piece],
    }
}

fn number(hunk: &mut Hunk) {
    let (mut old, mut new) = (hunk.old_start, hunk.new_start);
    for line in &mut hunk.lines {
        if matches!(line.kind, LineKind::Context | LineKind::Removed) {
            line.old_number = Some(old);
            old = old.saturating_add(1);
        }
        if matches!(line.kind, LineKind::Context | LineKind::Added) {
            line.new_number = Some(new);
            new = new.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests;
