//! Marks the words that changed within changed lines.
//!
//! A run of removed lines followed by as many added ones is read as lines edited
//! in place. Marks help only when most of a line stayed, so others get none.

use similar::{Algorithm, DiffTag, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

use super::{DiffLine, LineKind, Piece};

/// Longest line in bytes that is compared word by word.
const MAX_LINE: usize = 600;

/// Most line pairs of one run that are compared.
const MAX_PAIRS: usize = 200;

pub(super) fn mark(lines: &mut [DiffLine]) {
    let mut rest = lines;
    while let Some(start) = rest.iter().position(|line| line.kind == LineKind::Removed) {
        let (_, from_run) = rest.split_at_mut(start);
        let removed = run_length(from_run, LineKind::Removed);
        let (old, after) = from_run.split_at_mut(removed);
        let added = run_length(after, LineKind::Added);
        let (new, after) = after.split_at_mut(added);
        if removed == added && removed <= MAX_PAIRS {
            old.iter_mut()
                .zip(new)
                .for_each(|(old, new)| mark_pair(old, new));
        }
        rest = after;
    }
}

fn run_length(lines: &[DiffLine], kind: LineKind) -> usize {
    lines.iter().take_while(|line| line.kind == kind).count()
}

fn mark_pair(old: &mut DiffLine, new: &mut DiffLine) {
    let (old_text, new_text) = (old.text(), new.text());
    if old_text.len() > MAX_LINE || new_text.len() > MAX_LINE {
        return;
    }
    let old_words: Vec<&str> = old_text.split_word_bounds().collect();
    let new_words: Vec<&str> = new_text.split_word_bounds().collect();
    let steps = capture_diff_slices(Algorithm::Myers, &old_words, &new_words);
    let (mut old_pieces, mut new_pieces) = (Vec::new(), Vec::new());
    let mut kept = 0;
    for step in &steps {
        let is_changed = step.tag() != DiffTag::Equal;
        let old_part = old_words.get(step.old_range()).unwrap_or_default().concat();
        let new_part = new_words.get(step.new_range()).unwrap_or_default().concat();
        if !is_changed {
            kept += old_part.trim().len();
        }
        push(&mut old_pieces, old_part, is_changed);
        push(&mut new_pieces, new_part, is_changed);
    }
    let longer = old_text.trim().len().max(new_text.trim().len());
    // Less than a third in common is a new line, not an edited one.
    if kept * 3 >= longer && kept > 0 {
        old.pieces = old_pieces;
        new.pieces = new_pieces;
    }
}

fn push(pieces: &mut Vec<Piece>, text: String, is_changed: bool) {
    if !text.is_empty() {
        pieces.push(Piece { text, is_changed });
    }
}
