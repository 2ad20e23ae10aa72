//! Tables of figures that fit the terminal.
//!
//! A [`Grid`] is made of columns with a heading each. Where there is no room for all of them, the
//! ones that matter least are left out as a whole: half a number would be a wrong one.

use ravel_render::style::{Line, Role, Style};
use ravel_render::wrap::columns;

use crate::table::{Cell, Column, layout};

#[cfg(test)]
mod tests;

/// Columns between two columns, as [`layout`] has it.
const GAP: usize = 2;
/// A text that is cut to less than this says little: rather leave another column out.
const MIN_TEXT: usize = 20;

/// A table with headings.
#[derive(Default)]
pub(crate) struct Grid {
    columns: Vec<GridColumn>,
    rows: Vec<Style>,
}

/// One column of a grid.
pub(crate) struct GridColumn {
    /// What is written above it.
    pub(crate) heading: &'static str,
    /// How it behaves.
    pub(crate) kind: Column,
    /// How soon it is left out: the greatest first, zero never.
    pub(crate) rank: u8,
    /// What stands in it, one for each row.
    pub(crate) cells: Vec<String>,
}

impl Grid {
    /// Makes a grid of columns, for rows of these styles.
    pub(crate) fn new(columns: Vec<GridColumn>, rows: Vec<Style>) -> Self {
        Self { columns, rows }
    }

    /// Returns how wide it is when nothing is left out and texts are cut to `text` columns.
    pub(crate) fn width(&self, text: usize) -> usize {
        let widths = self.columns.iter().map(|column| column.width(text));
        let gaps = GAP * self.columns.len().saturating_sub(1);
        widths.sum::<usize>() + gaps
    }

    /// Leaves out the columns that matter least until the rest fits.
    pub(crate) fn fit(&mut self, width: usize) {
        while self.width(MIN_TEXT) > width {
            let rank = self.columns.iter().map(|column| column.rank).max();
            match rank {
                None | Some(0) => return,
                Some(rank) => self.columns.retain(|column| column.rank != rank),
            }
        }
    }

    /// Lays it out: the headings, then a line for each row.
    pub(crate) fn lines(&self, width: usize) -> Vec<Line> {
        let kinds: Vec<Column> = self.columns.iter().map(|column| column.kind).collect();
        let muted = Style::of(Role::Muted);
        let headings = self
            .columns
            .iter()
            .map(|column| Cell::new(column.heading, muted));
        let mut rows: Vec<Vec<Cell>> = vec![headings.collect()];
        for (row, style) in self.rows.iter().enumerate() {
            let cells = self.columns.iter().map(|column| {
                let text = column.cells.get(row).map_or("", String::as_str);
                Cell::new(text, *style)
            });
            rows.push(cells.collect());
        }
        layout(&kinds, &rows, width)
    }
}

impl GridColumn {
    fn width(&self, text: usize) -> usize {
        let cells = self.cells.iter().map(|cell| columns(cell)).max();
        let widest = cells.unwrap_or(0).max(columns(self.heading));
        match self.kind {
            Column::Flexible => widest.min(text),
            Column::Fixed | Column::Right => widest,
        }
    }
}
