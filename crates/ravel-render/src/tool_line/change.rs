//! How a call changed a file.

use ravel_format::tool::{EditCall, EditOutcome, Outcome};
use ravel_format::{StructuredPatch, ToolCall};

use super::read::{Reading, decoded};
use crate::diff::{Diff, PatchHunk};

/// Returns the patch that the client kept.
pub(super) fn patch_of(reading: &Reading<'_>) -> Option<Diff> {
    let patch = match reading.outcome()? {
        Outcome::Edit(EditOutcome {
            structured_patch, ..
        }) => structured_patch,
        Outcome::Write(outcome) => outcome.structured_patch,
        _ => None,
    };
    patch.map(read_patch).filter(|diff| !diff.hunks.is_empty())
}

fn read_patch(patch: StructuredPatch<'_>) -> Diff {
    let number = |n: Option<u64>| n.and_then(|n| usize::try_from(n).ok()).unwrap_or(1);
    let hunks: Vec<_> = patch
        .iter()
        .map(|hunk| {
            let lines = hunk.lines.into_iter().flatten();
            let lines: Vec<String> = lines.map(|line| line.decode().into_owned()).collect();
            (number(hunk.old_start), number(hunk.new_start), lines)
        })
        .collect();
    let hunks: Vec<PatchHunk<'_>> = hunks
        .iter()
        .map(|(old_start, new_start, lines)| PatchHunk {
            old_start: *old_start,
            new_start: *new_start,
            lines: lines.iter().map(String::as_str).collect(),
        })
        .collect();
    Diff::of_patch(&hunks)
}

/// Returns the change that the call asked for, where the client kept no patch.
pub(super) fn asked_change(reading: &Reading<'_>) -> Option<Diff> {
    let edits: Vec<EditCall<'_>> = match reading.call? {
        ToolCall::Edit(call) => vec![call],
        ToolCall::MultiEdit(call) => call.edits.into_iter().flatten().collect(),
        _ => return None,
    };
    let mut all = Diff::default();
    for edit in edits {
        let diff = Diff::of_texts(&decoded(edit.old_string), &decoded(edit.new_string));
        all.added += diff.added;
        all.removed += diff.removed;
        all.hunks.extend(diff.hunks);
    }
    Some(all)
}

/// Returns how many lines a call added and removed.
pub(super) fn change(reading: &Reading<'_>) -> Option<(usize, usize)> {
    let diff = match reading.call? {
        ToolCall::Write(call) => match patch_of(reading) {
            Some(diff) => diff,
            None => {
                let n_lines = call.content.map_or(0, |text| text.decode().lines().count());
                return Some((n_lines, 0));
            }
        },
        ToolCall::Edit(_) | ToolCall::MultiEdit(_) => {
            patch_of(reading).or_else(|| asked_change(reading))?
        }
        _ => return None,
    };
    Some((diff.added, diff.removed))
}
