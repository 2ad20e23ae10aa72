//! The hours of the day, a column each.

use super::axis;
use crate::style::{Line, Role};

#[cfg(test)]
mod tests;

/// Lines of the highest column.
const HEIGHT: usize = 4;
/// What a column ends with, by eighths of a line.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
/// The hours that are named below.
const NAMED: [usize; 4] = [0, 6, 12, 18];

/// Draws one column for each hour from 0 to 23, and the hours below.
///
/// Columns get narrower with the width; when there is no room for 24, neighbors are put together.
pub fn hours(counts: &[u64; 24], width: usize) -> Vec<Line> {
    let Some(n_together) = [1, 2, 3, 4, 6, 8, 12, 24]
        .into_iter()
        .find(|n_together| 24 / n_together <= width)
    else {
        return Vec::new();
    };
    let sums: Vec<u64> = counts
        .chunks(n_together)
        .map(|chunk| chunk.iter().fold(0, |sum, n| n.saturating_add(sum)))
        .collect();
    let cell = (width / sums.len()).clamp(1, 3);
    let mut lines: Vec<Line> = (0..HEIGHT)
        .rev()
        .map(|level| Line::of(row(&sums, level, cell).trim_end(), Role::Accent))
        .collect();
    let named = NAMED.map(|hour| (hour / n_together * cell, hour.to_string()));
    lines.push(Line::of(&axis(&named, width), Role::Muted));
    lines
}

/// Draws one line of all columns, `level` lines above the ground.
fn row(sums: &[u64], level: usize, cell: usize) -> String {
    let greatest = sums.iter().copied().max().unwrap_or(0);
    let mut row = String::new();
    for &sum in sums {
        let eighths = height(sum, greatest).saturating_sub(level * 8).min(8);
        let block = EIGHTHS.get(eighths).copied().unwrap_or_default();
        // A gap keeps neighbors apart where there is room for one.
        let n_blocks = cell.saturating_sub(1).max(1);
        row.push_str(&block.repeat(n_blocks));
        row.push_str(&" ".repeat(cell - n_blocks));
    }
    row
}

/// Returns the height of a column in eighths of a line; anything above zero shows.
fn height(value: u64, greatest: u64) -> usize {
    if value == 0 {
        return 0;
    }
    let all = (HEIGHT * 8) as u128;
    let eighths = (all * u128::from(value) + u128::from(greatest) / 2) / u128::from(greatest);
    usize::try_from(eighths).map_or(HEIGHT * 8, |eighths| eighths.max(1))
}
