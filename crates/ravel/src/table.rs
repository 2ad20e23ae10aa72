//! Columns for people.

use ravel_render::style::{Line, Span, Style};
use ravel_render::wrap::{columns, truncate};

/// A cell with its style.
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    pub(crate) fn new(text: impl Into<String>, style: Style) -> Self {
        Self {
            text: text.into(),
            style,
        }
    }
}

/// How a column behaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    /// As wide as its widest cell.
    Fixed,
    /// As wide as its widest cell, numbers to the right.
    Right,
    /// As wide as its widest cell, but gives way first when there is no room.
    Flexible,
}

/// Lays out rows so that each fits on one line of `width` columns.
pub(crate) fn layout(kinds: &[Column], rows: &[Vec<Cell>], width: usize) -> Vec<Line> {
    const GAP: usize = 2;
    let mut widths: Vec<usize> = kinds
        .iter()
        .enumerate()
        .map(|(column, _)| {
            rows.iter()
                .filter_map(|row| row.get(column))
                .map(|cell| columns(&cell.text))
                .max()
                .unwrap_or(0)
        })
        .collect();
    while !shrink(&mut widths, kinds, width, GAP) && leave_out(&mut widths, kinds) {}
    rows.iter()
        .map(|row| {
            let mut line = Line::default();
            let shown = widths.iter().rposition(|&width| width > 0);
            let last = shown.unwrap_or(0).min(row.len().saturating_sub(1));
            for (column, cell) in row.iter().enumerate() {
                let width = widths.get(column).copied().unwrap_or(0);
                if width == 0 {
                    continue;
                }
                let is_right = kinds.get(column) == Some(&Column::Right);
                push_cell(&mut line, cell, width, is_right, column == last);
            }
            line
        })
        .collect()
}

fn push_cell(line: &mut Line, cell: &Cell, width: usize, is_right: bool, is_last: bool) {
    let cut = truncate(&Line::of(&cell.text, cell.style), width);
    let padding = " ".repeat(width.saturating_sub(cut.width()));
    let pad = Span::new(&padding, Style::default());
    if is_right {
        line.push(pad.clone());
    }
    for span in cut.spans() {
        line.push(span.clone());
    }
    if !is_last {
        if !is_right {
            line.push(pad);
        }
        line.push(Span::new("  ", Style::default()));
    }
}

/// Takes columns from the widest flexible one until all fit, and says whether they do.
fn shrink(widths: &mut [usize], kinds: &[Column], room: usize, gap: usize) -> bool {
    const MIN_WIDTH: usize = 8;
    loop {
        let n_shown = widths.iter().filter(|&&width| width > 0).count();
        let gaps = gap * n_shown.saturating_sub(1);
        if widths.iter().sum::<usize>() + gaps <= room {
            return true;
        }
        let flexible = widths
            .iter_mut()
            .zip(kinds)
            .filter(|(width, kind)| **kind == Column::Flexible && **width > MIN_WIDTH);
        let Some((widest, _)) = flexible.max_by_key(|(width, _)| **width) else {
            return false;
        };
        *widest -= 1;
    }
}

/// Leaves out the last flexible column but one, and says whether there was one to leave out.
fn leave_out(widths: &mut [usize], kinds: &[Column]) -> bool {
    let is_flexible =
        |(_, (width, kind)): &(usize, (&usize, &Column))| **width > 0 && **kind == Column::Flexible;
    let flexible: Vec<usize> = widths
        .iter()
        .zip(kinds)
        .enumerate()
        .filter(is_flexible)
        .map(|(column, _)| column)
        .collect();
    let Some(width) = flexible
        .iter()
        .skip(1)
        .next_back()
        .and_then(|&column| widths.get_mut(column))
    else {
        return false;
    };
    *width = 0;
    true
}
