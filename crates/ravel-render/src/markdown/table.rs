//! Tables with columns that shrink to the width.
//!
//! A table that fits keeps its natural columns. Otherwise the widest columns give
//! way first and their cells wrap. When even that is too tight, each row becomes a
//! list of `heading: value` lines, which stays readable at any width.

use pulldown_cmark::Alignment;

use crate::style::{Line, Role, Span, Style};
use crate::wrap::{Margin, wrap};

/// Below this many columns a cell is not worth wrapping.
const MIN_COLUMN: usize = 6;

/// Columns taken by what stands between two cells.
const SEPARATOR: &str = " │ ";

type Cell = Vec<Span>;

/// A table while it is read.
pub(super) struct Table {
    alignments: Vec<Alignment>,
    /// The head is the first row.
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(super) fn new(alignments: Vec<Alignment>) -> Self {
        Self {
            alignments,
            rows: Vec::new(),
        }
    }

    pub(super) fn begin_row(&mut self) {
        self.rows.push(Vec::new());
    }

    pub(super) fn push_cell(&mut self, cell: Cell) {
        if let Some(row) = self.rows.last_mut() {
            row.push(cell);
        }
    }

    pub(super) fn render(&self, width: usize) -> Vec<Line> {
        match self.fit(width) {
            Some(columns) => self.render_grid(&columns),
            None => self.render_stacked(width),
        }
    }

    /// Returns the width of each column, or nothing when the table is too tight.
    fn fit(&self, width: usize) -> Option<Vec<usize>> {
        let n_columns = self.alignments.len();
        let between = SEPARATOR.chars().count() * n_columns.saturating_sub(1);
        let room = width.checked_sub(between)?;
        let mut natural = vec![1; n_columns];
        for row in &self.rows {
            for (column, cell) in natural.iter_mut().zip(row) {
                *column = (*column).max(cell_width(cell));
            }
        }
        let cap = column_cap(&natural, room);
        let widest = natural.iter().copied().max().unwrap_or(0);
        (cap >= MIN_COLUMN || cap >= widest)
            .then(|| natural.into_iter().map(|column| column.min(cap)).collect())
    }

    fn render_grid(&self, columns: &[usize]) -> Vec<Line> {
        let mut lines = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            lines.extend(self.render_row(row, columns, index == 0));
            if index == 0 {
                let rule: Vec<String> = columns.iter().map(|width| "─".repeat(*width)).collect();
                lines.push(Line::of(&rule.join("─┼─"), Role::Muted));
            }
        }
        lines
    }

    fn render_row(&self, row: &[Cell], columns: &[usize], is_head: bool) -> Vec<Line> {
        let cells: Vec<Vec<Line>> = columns
            .iter()
            .enumerate()
            .map(|(index, width)| {
                let cell = row.get(index).map(Vec::as_slice).unwrap_or_default();
                let spans = if is_head { bold(cell) } else { cell.to_vec() };
                wrap(&spans, *width, &Margin::default())
            })
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        (0..height)
            .map(|at| self.join_cells(&cells, columns, at))
            .collect()
    }

    fn join_cells(&self, cells: &[Vec<Line>], columns: &[usize], at: usize) -> Line {
        let mut out = Line::new();
        for (index, (cell, width)) in cells.iter().zip(columns).enumerate() {
            if index > 0 {
                out.push(Span::new(SEPARATOR, Role::Muted));
            }
            let line = cell.get(at).cloned().unwrap_or_default();
            let free = width.saturating_sub(line.width());
            let left = match self.alignments.get(index) {
                Some(Alignment::Right) => free,
                Some(Alignment::Center) => free / 2,
                _ => 0,
            };
            let is_last = index + 1 == columns.len();
            let right = if is_last { 0 } else { free - left };
            out.push(Span::new(&" ".repeat(left), Role::Plain));
            out.extend(line.spans().iter().cloned());
            out.push(Span::new(&" ".repeat(right), Role::Plain));
        }
        out
    }

    fn render_stacked(&self, width: usize) -> Vec<Line> {
        let head = self.rows.first().map(Vec::as_slice).unwrap_or_default();
        let mut lines = Vec::new();
        for row in self.rows.iter().skip(1) {
            if !lines.is_empty() {
                lines.push(Line::new());
            }
            for (name, cell) in head.iter().zip(row).filter(|(_, cell)| !cell.is_empty()) {
                let mut spans = bold(name);
                spans.push(Span::new(": ", Role::Muted));
                spans.extend(cell.iter().cloned());
                lines.extend(wrap(&spans, width, &Margin::hanging(0, 2)));
            }
        }
        if lines.is_empty() {
            lines.extend(head.iter().map(|name| Line::from(bold(name))));
        }
        lines
    }
}

fn cell_width(cell: &[Span]) -> usize {
    cell.iter().map(Span::width).sum()
}

fn bold(cell: &[Span]) -> Cell {
    cell.iter()
        .map(|span| {
            let style = Style {
                bold: true,
                ..span.style()
            };
            Span::new(span.text(), style)
        })
        .collect()
}

/// Returns the largest width that columns may have so that all fit into `room`.
fn column_cap(natural: &[usize], room: usize) -> usize {
    let mut sorted = natural.to_vec();
    sorted.sort_unstable();
    let mut left = room;
    for (index, width) in sorted.iter().enumerate() {
        let share = left / (sorted.len() - index);
        if *width > share {
            return share;
        }
        left -= width;
    }
    usize::MAX
}
