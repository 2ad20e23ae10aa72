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
    shrink(
        &mut widths,
        kinds,
        width.saturating_sub(GAP * kinds.len().saturating_sub(1)),
    );
    rows.iter()
        .map(|row| {
            let mut line = Line::default();
            let last = row.len().saturating_sub(1);
            for (column, cell) in row.iter().enumerate() {
                let width = widths.get(column).copied().unwrap_or(0);
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

/// Takes columns from the widest flexible one until all fit.
fn shrink(widths: &mut [usize], kinds: &[Column], room: usize) {
    const MIN_WIDTH: usize = 8;
    while widths.iter().sum::<usize>() > room {
        let flexible = widths
            .iter_mut()
            .zip(kinds)
            .filter(|(width, kind)| **kind == Column::Flexible && **width > MIN_WIDTH);
        let Some((widest, _)) = flexible.max_by_key(|(width, _)| **width) else {
            return;
        };
        *widest -= 1;
    }
}
