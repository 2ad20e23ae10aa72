//! Times in generated sessions.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAY: u64 = 86_400_000;

/// Milliseconds since 1970, shown as sessions write them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment(u64);

impl Moment {
    pub(super) fn new(millis: u64) -> Self {
        Self(millis)
    }

    pub(super) fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Self(since.map_or(0, |since| since.as_secs() * 1_000))
    }

    pub(super) fn later(self, millis: u64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    pub(super) fn earlier(self, millis: u64) -> Self {
        Self(self.0.saturating_sub(millis))
    }

    /// The day as a date.
    pub(super) fn day(self) -> String {
        let (year, month, day) = date(self.0 / DAY);
        format!("{year}-{month:02}-{day:02}")
    }

    pub(super) fn system_time(self) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(self.0)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rest = self.0 % DAY;
        let (hours, minutes) = (rest / 3_600_000, rest / 60_000 % 60);
        let (seconds, millis) = (rest / 1_000 % 60, rest % 1_000);
        let day = self.day();
        write!(
            out,
            "{day}T{hours:02}:{minutes:02}:{seconds:02}.{millis:03}Z"
        )
    }
}

/// Returns year, month and day of a number of days since 1970.
fn date(mut days: u64) -> (u64, u64, u64) {
    let mut year = 1970;
    while days >= year_length(year) {
        days -= year_length(year);
        year += 1;
    }
    let february = year_length(year) - 337;
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in months {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

fn year_length(year: u64) -> u64 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    365 + u64::from(is_leap)
}

#[cfg(test)]
mod tests;
