//! Diffs of two texts.

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

use super::{Diff, Hunk, LineKind, line};

/// Lines kept around a change.
const CONTEXT: usize = 3;

/// Above this many differing lines (old times new) a replacement is shown instead.
///
/// The search takes time in the order of this product at worst; four million steps
/// are some tens of milliseconds.
const MAX_PRODUCT: usize = 4_000_000;

impl Diff {
    /// Builds the diff from `old` to `new`.
    pub fn of_texts(old: &str, new: &str) -> Self {
        let (old_lines, new_lines) = (split(old), split(new));
        let operations = compare(&old_lines, &new_lines);
        let hunks = group_diff_ops(operations, CONTEXT)
            .iter()
            .filter_map(|group| build_hunk(group, &old_lines, &new_lines))
            .collect();
        Self::from_hunks(hunks)
    }
}

fn split(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    if lines.last() == Some(&"") {
        lines.pop();
    }
    lines
}

/// Returns the steps from `old` to `new`, searching only between equal ends.
fn compare(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let head = common(old.iter(), new.iter());
    let (old_rest, new_rest) = (tail(old, head), tail(new, head));
    let foot = common(old_rest.iter().rev(), new_rest.iter().rev());
    let (old_len, new_len) = (old_rest.len() - foot, new_rest.len() - foot);
    if old_len.saturating_mul(new_len) <= MAX_PRODUCT {
        return capture_diff_slices(Algorithm::Myers, old, new);
    }
    let equal = |old_index, new_index, len| DiffOp::Equal {
        old_index,
        new_index,
        len,
    };
    let replaced = DiffOp::Replace {
        old_index: head,
        old_len,
        new_index: head,
        new_len,
    };
    let steps = [
        equal(0, 0, head),
        replaced,
        equal(head + old_len, head + new_len, foot),
    ];
    steps
        .into_iter()
        .filter(|step| !step.old_range().is_empty() || !step.new_range().is_empty())
        .collect()
}

fn common<'a>(a: impl Iterator<Item = &'a &'a str>, b: impl Iterator<Item = &'a &'a str>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

fn tail<'s, 'a>(lines: &'s [&'a str], from: usize) -> &'s [&'a str] {
    lines.get(from..).unwrap_or_default()
}

fn build_hunk(group: &[DiffOp], old: &[&str], new: &[&str]) -> Option<Hunk> {
    let first = group.first()?;
    let mut hunk = Hunk {
        old_start: first.old_range().start + 1,
        new_start: first.new_range().start + 1,
        lines: Vec::new(),
    };
    for step in group {
        let removed = old.get(step.old_range()).unwrap_or_default();
        let added = new.get(step.new_range()).unwrap_or_default();
        if step.tag() == DiffTag::Equal {
            push(&mut hunk, LineKind::Context, removed);
        } else {
            push(&mut hunk, LineKind::Removed, removed);
            push(&mut hunk, LineKind::Added, added);
        }
    }
    Some(hunk)
}

fn push(hunk: &mut Hunk, kind: LineKind, lines: &[&str]) {
    let trimmed = lines
        .iter()
        .map(|text| text.strip_suffix('\r').unwrap_or(text));
    hunk.lines.extend(trimmed.map(|text| line(kind, text)));
}
