//! Diffs from a patch that a client stored with an edit.

use super::{Diff, Hunk, LineKind, line};

/// One hunk of a stored patch, as the transcript has it.
///
/// The numbers come from hostile input; only the starts are used, and the counts
/// are ignored in favor of the lines that are really there.
#[derive(Clone, Debug, Default)]
pub struct PatchHunk<'a> {
    /// First line in the old file, from 1.
    pub old_start: usize,
    /// First line in the new file, from 1.
    pub new_start: usize,
    /// Lines that start with a space, `+`, `-` or `\`.
    pub lines: Vec<&'a str>,
}

impl Diff {
    /// Builds a diff from the hunks of a stored patch.
    pub fn of_patch(patch: &[PatchHunk<'_>]) -> Self {
        Self::from_hunks(patch.iter().map(read_hunk).collect())
    }
}

fn read_hunk(patch: &PatchHunk<'_>) -> Hunk {
    let read_line = |text: &&str| {
        let (kind, rest) = split_sign(text);
        line(kind, rest.strip_suffix('\r').unwrap_or(rest))
    };
    Hunk {
        old_start: patch.old_start,
        new_start: patch.new_start,
        lines: patch.lines.iter().map(read_line).collect(),
    }
}

fn split_sign(text: &str) -> (LineKind, &str) {
    let kind = match text.as_bytes().first() {
        Some(b'+') => LineKind::Added,
        Some(b'-') => LineKind::Removed,
        Some(b'\\') => LineKind::Note,
        Some(b' ') => LineKind::Context,
        // Some writers leave the space off; the line still belongs here.
        _ => return (LineKind::Context, text),
    };
    (kind, text.get(1..).unwrap_or_default())
}
