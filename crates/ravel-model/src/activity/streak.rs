//! Days in a row.

use std::collections::BTreeSet;

use crate::usage::Day;

#[cfg(test)]
mod tests;

/// Days in a row on which something was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Streak {
    /// The first day.
    pub first: Day,
    /// The last day.
    pub last: Day,
}

/// The streaks that people like to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Streaks {
    /// The one that goes on: its last day is today, or yesterday while today is young.
    pub current: Option<Streak>,
    /// The longest; of several the latest.
    pub longest: Option<Streak>,
}

impl Streak {
    /// Returns how many days it has.
    pub fn n_days(self) -> u64 {
        u64::from(self.first.0.abs_diff(self.last.0)) + 1
    }
}

impl Streaks {
    /// Finds them among the days on which something was done.
    pub fn of(days: &BTreeSet<Day>, today: Day) -> Self {
        let mut streaks = Self::default();
        let mut streak: Option<Streak> = None;
        for &day in days {
            let goes_on = streak.filter(|streak| streak.last.0.checked_add(1) == Some(day.0));
            let first = goes_on.map_or(day, |streak| streak.first);
            let grown = Streak { first, last: day };
            streak = Some(grown);
            if streaks
                .longest
                .is_none_or(|longest| longest.n_days() <= grown.n_days())
            {
                streaks.longest = Some(grown);
            }
            if day <= today {
                streaks.current = Some(grown);
            }
        }
        let is_alive = |streak: &Streak| streak.last.0 >= today.0.saturating_sub(1);
        streaks.current = streaks.current.filter(is_alive);
        streaks
    }
}
