//! Charts made of characters.
//!
//! [`bars`] compares amounts, one a line, with labels and figures in columns; [`calendar`] shows a
//! year of days by weeks; [`hours`] shows the hours of the day. Lengths and shades are in the
//! characters themselves, so a chart says the same without colors; a style only helps the eye.
//! Every line fits the width that the caller names, however narrow.

mod bar;
mod calendar;
mod hours;

pub use bar::{Bar, bars};
pub use calendar::calendar;
pub use hours::hours;

/// Puts labels at columns of one line, without those that another one or the edge leaves no room
/// for.
fn axis(labels: &[(usize, String)], width: usize) -> String {
    let mut line = String::new();
    let mut used = 0;
    for (column, label) in labels {
        let is_free = used == 0 || *column > used;
        let end = column + label.len();
        if is_free && end <= width {
            line.push_str(&" ".repeat(column - used));
            line.push_str(label);
            used = end;
        }
    }
    line
}
