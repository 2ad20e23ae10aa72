//! Horizontal bars.

use crate::style::{Line, Role, Span, Style};
use crate::wrap::truncate;

#[cfg(test)]
mod tests;

/// Columns between label, figure and bar.
const GAP: usize = 2;
/// A bar that is shorter than this says nothing; it gives its room to the label.
const SHORTEST: usize = 4;
/// A longer bar says no more.
const LONGEST: usize = 60;
/// The widest label that is not cut for the sake of the bars.
const WIDEST_LABEL: usize = 36;
/// Bars that end within a column, by eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// An amount to be compared with others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bar {
    /// What it is the amount of.
    pub label: String,
    /// How long the bar is, in proportion to the others.
    pub value: u64,
    /// The amount in words.
    pub text: String,
    /// How the bar looks.
    pub style: Style,
}

/// Draws one line for each bar: label, amount to the right of its column, bar.
///
/// The greatest value takes all the room there is. Any value above zero shows, zero does not. Long
/// labels are cut; where there is no room for bars at all, labels and amounts remain.
pub fn bars(bars: &[Bar], width: usize) -> Vec<Line> {
    let labels: Vec<Line> = bars
        .iter()
        .map(|bar| Line::of(&bar.label, Role::Plain))
        .collect();
    let texts: Vec<Line> = bars
        .iter()
        .map(|bar| Line::of(&bar.text, Role::Plain))
        .collect();
    let columns = Columns::fit(&labels, &texts, width);
    let greatest = bars.iter().map(|bar| bar.value).max().unwrap_or(0);
    bars.iter()
        .zip(labels.iter().zip(&texts))
        .map(|(bar, (label, text))| {
            let mut line = Line::new();
            let label = truncate(label, columns.label);
            pad(&mut line, &label, columns.label, Side::Left);
            line.push(spaces(columns.gap));
            pad(&mut line, text, columns.text, Side::Right);
            let blocks = blocks(bar.value, greatest, columns.bar);
            if !blocks.is_empty() {
                line.push(spaces(GAP));
                line.push(Span::line(&blocks, bar.style));
            }
            truncate(&line, width)
        })
        .collect()
}

/// How many columns each part of a line gets.
struct Columns {
    label: usize,
    gap: usize,
    text: usize,
    bar: usize,
}

impl Columns {
    fn fit(labels: &[Line], texts: &[Line], width: usize) -> Self {
        let widest = |lines: &[Line]| lines.iter().map(Line::width).max().unwrap_or(0);
        let text = widest(texts);
        let wanted = widest(labels);
        let gap = if wanted == 0 || text == 0 { 0 } else { GAP };
        let beside_text = width.saturating_sub(text + gap);
        let beside_bar = beside_text.saturating_sub(SHORTEST + GAP);
        // Labels may have half of what is left, or all that short bars leave when that is little.
        let fair = (beside_text / 2).min(WIDEST_LABEL);
        let label = wanted.min(fair.max(beside_bar.min(WIDEST_LABEL / 3)));
        let bar = beside_text.saturating_sub(label + GAP).min(LONGEST);
        if bar < SHORTEST {
            let label = wanted.min(beside_text);
            return Self {
                label,
                gap,
                text,
                bar: 0,
            };
        }
        Self {
            label,
            gap,
            text,
            bar,
        }
    }
}

/// Returns the characters of a bar: whole columns and the eighths that are left.
fn blocks(value: u64, greatest: u64, width: usize) -> String {
    if value == 0 || greatest == 0 || width == 0 {
        return String::new();
    }
    let all = width as u128 * 8;
    let eighths = (all * u128::from(value) + u128::from(greatest) / 2) / u128::from(greatest);
    let eighths = usize::try_from(eighths.max(1)).unwrap_or(width * 8);
    let rest = EIGHTHS.get(eighths % 8).copied().unwrap_or_default();
    format!("{}{rest}", "█".repeat(eighths / 8))
}

/// Which edge of a column a text stands at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

fn pad(line: &mut Line, cell: &Line, width: usize, side: Side) {
    let padding = spaces(width.saturating_sub(cell.width()));
    if side == Side::Right {
        line.push(padding.clone());
    }
    line.extend(cell.spans().iter().cloned());
    if side == Side::Left {
        line.push(padding);
    }
}

fn spaces(n: usize) -> Span {
    Span::new(&" ".repeat(n), Role::Plain)
}
