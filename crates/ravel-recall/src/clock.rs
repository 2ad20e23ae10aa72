//! The time, as the one who starts the server tells it.

use ravel_format::Timestamp;
use ravel_model::usage::Day;

use crate::answer::Refusal;

const DAY_MS: i64 = 86_400_000;

/// What time it is, and where days begin.
pub trait Clock: Send + Sync {
    /// Returns the time.
    fn now(&self) -> Timestamp;
    /// Returns the day of a time.
    fn day_of(&self, time: Timestamp) -> Day;
    /// Returns the first moment of a day.
    fn start_of(&self, day: Day) -> Timestamp;
}

/// A clock that stands still, in Greenwich.
#[derive(Debug, Clone, Copy)]
pub struct UtcClock(Timestamp);

impl UtcClock {
    /// Stops a clock at a time in epoch milliseconds.
    pub fn at(millis: i64) -> Box<dyn Clock> {
        Box::new(Self(Timestamp(millis)))
    }
}

impl Clock for UtcClock {
    fn now(&self) -> Timestamp {
        self.0
    }

    fn day_of(&self, time: Timestamp) -> Day {
        Day::utc(time)
    }

    fn start_of(&self, day: Day) -> Timestamp {
        Timestamp(i64::from(day.0).saturating_mul(DAY_MS))
    }
}

/// Which end of a day a date stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    /// Its first moment.
    Start,
    /// Its last moment.
    End,
}

/// Reads `3d`, a date, or a time. A date is a whole day.
pub(crate) fn parse_time(text: &str, edge: Edge, clock: &dyn Clock) -> Result<Timestamp, Refusal> {
    let wrong = || {
        Refusal::new(format!("{text:?} is no time")).hint(
            "say 90m, 12h, 3d or 2w (ago), a date such as 2026-01-31, or 2026-01-31T12:00:00Z",
        )
    };
    let text = text.trim();
    if let Some(day) = parse_day(text) {
        return Ok(match edge {
            Edge::Start => clock.start_of(day),
            Edge::End => {
                let Timestamp(next) = clock.start_of(Day(day.0.saturating_add(1)));
                Timestamp(next.saturating_sub(1))
            }
        });
    }
    if text.len() > 10
        && let Some(time) = Timestamp::from_iso(text.as_bytes())
    {
        return Ok(time);
    }
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match text.get(digits.len()..) {
        Some("m" | "min") => 60_000,
        Some("h") => 3_600_000,
        Some("d") => DAY_MS,
        Some("w") => 7 * DAY_MS,
        _ => return Err(wrong()),
    };
    let count: i64 = digits.parse().map_err(|_| wrong())?;
    let Timestamp(now) = clock.now();
    Ok(Timestamp(now.saturating_sub(count.saturating_mul(unit))))
}

/// Reads `2026-01-31`.
fn parse_day(text: &str) -> Option<Day> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if year.len() != 4 || parts.next().is_some() {
        return None;
    }
    Day::from_ymd(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
}
