//! The `structuredPatch` that edits carry: hunks of prefixed lines.
//!
//! One hunk is enough for everything the builder writes, because every edit it makes changes one
//! place; so the common head and tail of the two texts decide the hunk and no diff is searched.

use serde_json::{Value, json};

const CONTEXT_LINES: usize = 3;

/// Returns the hunks that turn one text into the other; none when they are equal.
pub fn structured_patch(before: &str, after: &str) -> Value {
    let (old, new) = (text_lines(before), text_lines(after));
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let shorter = old.len().min(new.len());
    if head == old.len() && head == new.len() {
        return json!([]);
    }
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(shorter - head)
        .take_while(|(a, b)| a == b)
        .count();
    let start = head.saturating_sub(CONTEXT_LINES);
    let n_after = tail.min(CONTEXT_LINES);
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let mut lines = Vec::new();
    lines.extend(
        slice(&old, start, head)
            .iter()
            .map(|line| format!(" {line}")),
    );
    lines.extend(
        slice(&old, head, old_end)
            .iter()
            .map(|line| format!("-{line}")),
    );
    lines.extend(
        slice(&new, head, new_end)
            .iter()
            .map(|line| format!("+{line}")),
    );
    lines.extend(
        slice(&old, old_end, old_end + n_after)
            .iter()
            .map(|line| format!(" {line}")),
    );
    json!([{
        "oldStart": start + 1,
        "oldLines": old_end + n_after - start,
        "newStart": start + 1,
        "newLines": new_end + n_after - start,
        "lines": lines,
    }])
}

fn text_lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

fn slice<'a>(lines: &'a [&'a str], from: usize, to: usize) -> &'a [&'a str] {
    lines.get(from..to).unwrap_or_default()
}

#[cfg(test)]
mod tests;
