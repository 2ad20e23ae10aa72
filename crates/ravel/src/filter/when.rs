//! Times as people say them.
//!
//! There is one way to say a time, whatever the command: a [`When`] is a date, a date with a time
//! of day, or how long ago. It has a start and an end, which are the same unless it is a date: that
//! is a whole day, so `--until` with a date includes the day. Which moments these are depends on the
//! zone, and the zone may come from another option; so it is asked for last.

use jiff::civil::{DateTime, Time};
use ravel_format::Timestamp;
use ravel_model::usage::Day;

use crate::zone::{Zone, in_greenwich};

const DAY_MS: i64 = 86_400_000;

/// A time as a person says it; the zone comes later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// A whole day.
    Day(Day),
    /// A time of day.
    Local(DateTime),
    /// A time that needs no zone.
    At(Timestamp),
    /// So many milliseconds ago.
    Ago(i64),
}

/// The start of a time, where the zone is that of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Since(When);

impl When {
    /// Returns the first moment of it.
    pub(crate) fn start(self, zone: &Zone, now: Timestamp) -> Timestamp {
        match self {
            Self::Day(day) => zone.start_of(day),
            Self::Local(local) => zone.time(local),
            Self::At(time) => time,
            Self::Ago(millis) => Timestamp(now.0.saturating_sub(millis)),
        }
    }

    /// Returns the first moment after it.
    pub(crate) fn end(self, zone: &Zone, now: Timestamp) -> Timestamp {
        match self {
            Self::Day(day) => zone.start_of(Day(day.0.saturating_add(1))),
            other => other.start(zone, now),
        }
    }

    /// Returns the day it is on.
    pub(crate) fn day(self, zone: &Zone, now: Timestamp) -> Day {
        match self {
            Self::Day(day) => day,
            // Days of the calendar: not all of them have 24 hours.
            Self::Ago(millis) if millis % DAY_MS == 0 => {
                let n_days = i32::try_from(millis / DAY_MS).unwrap_or(i32::MAX);
                Day(zone.day(now).0.saturating_sub(n_days))
            }
            other => zone.day(other.start(zone, now)),
        }
    }

    /// Tells whether it is a day, or so many days ago.
    fn names_day(self) -> bool {
        match self {
            Self::Day(_) => true,
            Self::Ago(millis) => millis % DAY_MS == 0,
            Self::Local(_) | Self::At(_) => false,
        }
    }
}

impl Since {
    /// Returns the time in epoch milliseconds.
    pub(crate) fn at(self, now_ms: i64) -> i64 {
        self.0.start(&Zone::system(), Timestamp(now_ms)).0
    }
}

/// Reads `3d`, `12h`, a date, or a date with a time.
pub(crate) fn parse_when(text: &str) -> Result<When, String> {
    if let Ok(time) = text.parse::<jiff::Timestamp>() {
        return Ok(When::At(Timestamp(time.as_millisecond())));
    }
    if let Ok(local) = text.parse::<DateTime>() {
        let names_time = text.contains([':', 'T', 't', ' ']);
        return Ok(match names_time || local.time() != Time::midnight() {
            true => When::Local(local),
            false => When::Day(Day::utc(in_greenwich(local))),
        });
    }
    parse_ago(text).map(When::Ago)
}

/// Reads the same, for what begins then and ends never.
pub(crate) fn parse_since(text: &str) -> Result<Since, String> {
    parse_when(text).map(Since)
}

/// Reads the same, for what is counted by the day: nothing shorter.
pub(crate) fn parse_day(text: &str) -> Result<When, String> {
    let when = parse_when(text).ok().filter(|when| when.names_day());
    when.ok_or_else(|| "say 30d, 4w, or a date such as 2026-01-31".to_owned())
}

fn parse_ago(text: &str) -> Result<i64, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match text.get(digits.len()..) {
        Some("m" | "min") => 60_000,
        Some("h") => 3_600_000,
        Some("d") => DAY_MS,
        Some("w") => 7 * DAY_MS,
        _ => return Err("say 90m, 12h, 3d, 2w, or a date such as 2026-01-31".into()),
    };
    let count: i64 = digits
        .parse()
        .map_err(|_| format!("{digits:?} is no number"))?;
    Ok(count.saturating_mul(unit))
}

#[cfg(test)]
mod tests;
