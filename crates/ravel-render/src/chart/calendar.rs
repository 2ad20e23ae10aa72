//! A year of days, a column for each week.

use std::collections::BTreeMap;

use ravel_model::usage::{Day, Weekday};

use super::axis;
use crate::style::{Line, Role, Span, Style};

#[cfg(test)]
mod tests;

/// Columns before the first week, for the names of the days.
const MARGIN: usize = 4;
/// Columns of a week.
const WEEK: usize = 2;
/// Weeks of a year, with parts at both ends.
const MOST_WEEKS: usize = 53;
/// Fewer weeks look like a mistake.
const FEWEST_WEEKS: usize = 12;
/// What a day looks like: nothing, and then more and more.
const SHADES: [&str; 5] = ["·", "░", "▒", "▓", "█"];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Draws the weeks up to `last`, as many as there is room for and at most a year.
///
/// The busiest quarter of the days shown has the darkest shade, and so on: one day of a thousand
/// messages does not make all others look alike.
pub fn calendar(days: &BTreeMap<Day, u64>, last: Day, width: usize) -> Vec<Line> {
    let n_weeks = n_weeks(days, last, width);
    if n_weeks == 0 {
        return Vec::new();
    }
    let past = i32::try_from((n_weeks - 1) * 7).unwrap_or(i32::MAX);
    let first = Day(last.week_start(Weekday::Monday).0.saturating_sub(past));
    let page = Page {
        bounds: bounds(days.range(first..=last).map(|(_, n)| *n)),
        days,
        first,
        last,
        n_weeks,
        width,
    };
    let mut lines = vec![page.months()];
    lines.extend((0..7).map(|weekday| page.row(weekday)));
    let legend = legend();
    lines.extend(Some(legend).filter(|legend| legend.width() <= width));
    lines
}

fn n_weeks(days: &BTreeMap<Day, u64>, last: Day, width: usize) -> usize {
    // The last week needs no gap after it.
    let room = (width + 1).saturating_sub(MARGIN) / WEEK;
    let active = days.range(..=last).find(|(_, n)| **n > 0);
    let since_first = active.map_or(0, |(first, _)| {
        let start = first.week_start(Weekday::Monday);
        usize::try_from(last.0.abs_diff(start.0) / 7).unwrap_or(usize::MAX)
    });
    let wanted = since_first.saturating_add(1);
    wanted.clamp(FEWEST_WEEKS, MOST_WEEKS).min(room)
}

/// The days that are shown.
struct Page<'a> {
    days: &'a BTreeMap<Day, u64>,
    /// The values that begin the second, third and fourth quarter.
    bounds: [u64; 3],
    first: Day,
    last: Day,
    n_weeks: usize,
    width: usize,
}

impl Page<'_> {
    fn day(&self, week: usize, weekday: usize) -> Day {
        let days = i32::try_from(week * 7 + weekday).unwrap_or(i32::MAX);
        Day(self.first.0.saturating_add(days))
    }

    /// Names each month above the week that its first day is in, and the first week if there is
    /// room.
    fn months(&self) -> Line {
        let mut labels = Vec::new();
        for week in 0..self.n_weeks {
            let (_, month, day) = self.day(week, 6).ymd();
            if let Some(name) = month_name(month).filter(|_| day <= 7) {
                labels.push((MARGIN + week * WEEK, name));
            }
        }
        let is_clear = labels
            .first()
            .is_none_or(|(column, _)| *column >= MARGIN + 2 * WEEK);
        let (_, month, _) = self.day(0, 6).ymd();
        if let Some(name) = month_name(month).filter(|_| is_clear) {
            labels.insert(0, (MARGIN, name));
        }
        Line::of(&axis(&labels, self.width), Role::Muted)
    }

    fn row(&self, weekday: usize) -> Line {
        let name = match weekday {
            0 => "Mon",
            2 => "Wed",
            4 => "Fri",
            _ => "",
        };
        let mut line = Line::of(&format!("{name:MARGIN$}"), Role::Muted);
        for week in 0..self.n_weeks {
            let day = self.day(week, weekday);
            if day > self.last {
                break;
            }
            if week > 0 {
                line.push(Span::new(" ", Role::Plain));
            }
            line.push(shade(self.level(day)));
        }
        line
    }

    /// Returns how much was done on a day: 0 for nothing, 1 to 4 by quarters of the days.
    fn level(&self, day: Day) -> usize {
        match self.days.get(&day).copied().unwrap_or(0) {
            0 => 0,
            value => 1 + self.bounds.iter().filter(|bound| value >= **bound).count(),
        }
    }
}

fn legend() -> Line {
    let mut line = Line::of(&" ".repeat(MARGIN), Role::Plain).with("less ", Role::Muted);
    for level in 0..SHADES.len() {
        line.push(shade(level));
        line.push(Span::new(" ", Role::Plain));
    }
    line.with("more", Role::Muted)
}

fn month_name(month: u8) -> Option<String> {
    let index = usize::from(month).checked_sub(1)?;
    MONTHS.get(index).map(|name| (*name).to_owned())
}

/// Returns the values that begin the second, third and fourth quarter of those above zero.
fn bounds(values: impl Iterator<Item = u64>) -> [u64; 3] {
    let mut values: Vec<u64> = values.filter(|n| *n > 0).collect();
    values.sort_unstable();
    let at = |quarter: usize| values.get(values.len() * quarter / 4).copied();
    [at(1), at(2), at(3)].map(|bound| bound.unwrap_or(u64::MAX))
}

fn shade(level: usize) -> Span {
    let style = match level {
        0 => Style::of(Role::Muted),
        4.. => Style::of(Role::Success).bold(),
        _ => Style::of(Role::Success),
    };
    Span::line(SHADES.get(level).copied().unwrap_or_default(), style)
}
