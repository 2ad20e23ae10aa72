//! Diffs as terminal lines.

use super::{Diff, DiffLine, LineKind};
use crate::amount::counted;
use crate::style::{Line, Role, Span};
use crate::wrap::{Margin, fold};

/// How a diff is shown in a terminal.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Columns of the terminal.
    pub width: usize,
    /// Most lines of the diff that are shown.
    pub max_lines: usize,
}

impl Options {
    /// Returns options that show every line.
    pub const fn new(width: usize) -> Self {
        Self {
            width,
            max_lines: usize::MAX,
        }
    }

    /// Returns these options with a limit on the lines shown.
    #[must_use]
    pub const fn with_max_lines(self, max_lines: usize) -> Self {
        Self { max_lines, ..self }
    }
}

/// Returns the diff with line numbers, cut to the limit with a count of the rest.
pub fn render(diff: &Diff, options: &Options) -> Vec<Line> {
    let digits = number_width(diff);
    let mut out = Vec::new();
    let mut left = options.max_lines;
    for (index, hunk) in diff.hunks.iter().enumerate() {
        if left == 0 {
            break;
        }
        if index > 0 {
            out.push(Line::of(&format!("{:>digits$} ⋮", ""), Role::Muted));
        }
        for line in hunk.lines.iter().take(left) {
            out.extend(render_line(line, digits, options.width));
        }
        left -= hunk.lines.len().min(left);
    }
    let hidden = diff.n_lines().saturating_sub(options.max_lines);
    if hidden > 0 {
        let rest = format!("… {}", counted(hidden, "more line"));
        out.push(Line::of(&rest, Role::Muted));
    }
    if diff.hunks.is_empty() {
        out.push(Line::of("no change", Role::Muted));
    }
    out
}

fn number_width(diff: &Diff) -> usize {
    let numbers = diff.hunks.iter().flat_map(|hunk| &hunk.lines);
    let largest = numbers
        .filter_map(|line| line.new_number.max(line.old_number))
        .max();
    largest.unwrap_or(1).to_string().len()
}

fn render_line(line: &DiffLine, digits: usize, width: usize) -> Vec<Line> {
    let (role, word_role) = match line.kind {
        LineKind::Context => (Role::Plain, Role::Plain),
        LineKind::Added => (Role::Added, Role::AddedWord),
        LineKind::Removed => (Role::Removed, Role::RemovedWord),
        LineKind::Note => (Role::Muted, Role::Muted),
    };
    // One column of numbers: the old one for removed lines, else the new one.
    let number = match line.kind {
        LineKind::Removed => line.old_number,
        _ => line.new_number,
    };
    let number = number.map(|number| number.to_string()).unwrap_or_default();
    let margin = Margin {
        first: vec![
            Span::new(&format!("{number:>digits$} "), Role::Muted),
            Span::new(&format!("{} ", line.kind.sign()), role),
        ],
        rest: vec![Span::new(&" ".repeat(digits + 3), Role::Plain)],
    };
    let spans: Vec<Span> = line
        .pieces
        .iter()
        .map(|piece| Span::new(&piece.text, if piece.is_changed { word_role } else { role }))
        .collect();
    fold(&spans, width, &margin)
}
