//! What day and hour it is where the person lives, and how days are named.

use jiff::civil::Date;
use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::TimeZone;
use ravel_format::Timestamp;
use ravel_model::usage::Day;

const HOUR_MS: i64 = 3_600_000;

/// A time zone and its name.
#[derive(Debug, Clone)]
pub(super) struct Zone {
    /// What it is called, for programs and people.
    pub(super) name: String,
    /// Its rules.
    pub(super) rules: TimeZone,
}

/// Reads `Europe/Berlin`, `UTC` or `+02:00`.
pub(super) fn parse_zone(text: &str) -> Result<Zone, String> {
    let rules = DateTimeParser::new()
        .parse_time_zone(text)
        .map_err(|_| "say a name such as Europe/Berlin, UTC, or an offset such as +02:00")?;
    Ok(Zone::new(rules, text))
}

impl Zone {
    /// Returns the zone of this machine.
    pub(super) fn system() -> Self {
        Self::new(TimeZone::system(), "local")
    }

    fn new(rules: TimeZone, otherwise: &str) -> Self {
        let name = rules.iana_name().unwrap_or(otherwise).to_owned();
        Self { name, rules }
    }

    /// Returns the day that a time is in.
    pub(super) fn day(&self, time: Timestamp) -> Day {
        Day::utc(self.local(time))
    }

    /// Returns the hour of the day that a time is in.
    pub(super) fn hour(&self, time: Timestamp) -> u8 {
        let hours = self.local(time).0.div_euclid(HOUR_MS);
        u8::try_from(hours.rem_euclid(24)).unwrap_or(0)
    }

    /// Returns the time as if the clock on the wall were that of Greenwich.
    fn local(&self, time: Timestamp) -> Timestamp {
        // A time that no calendar has is left as it is.
        let offset = jiff::Timestamp::from_millisecond(time.0)
            .map_or(0, |time| self.rules.to_offset(time).seconds());
        Timestamp(time.0.saturating_add(i64::from(offset) * 1_000))
    }
}

/// A day as a person says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DayName {
    /// So many days before today.
    Ago(i32),
    /// By its date.
    On(Day),
}

impl DayName {
    /// Returns the day that is meant.
    pub(super) fn on(self, today: Day) -> Day {
        match self {
            Self::Ago(n_days) => Day(today.0.saturating_sub(n_days)),
            Self::On(day) => day,
        }
    }
}

/// Reads `30d`, `4w` or a date.
pub(super) fn parse_day(text: &str) -> Result<DayName, String> {
    const WANTED: &str = "say 30d, 4w, or a date such as 2026-01-31";
    if let Ok(date) = text.parse::<Date>() {
        let part = |number: i8| u8::try_from(number).unwrap_or(0);
        let day = Day::from_ymd(date.year().into(), part(date.month()), part(date.day()));
        return day.map(DayName::On).ok_or_else(|| WANTED.into());
    }
    let (digits, n_days) = match (text.strip_suffix('d'), text.strip_suffix('w')) {
        (Some(digits), _) => (digits, 1),
        (_, Some(digits)) => (digits, 7),
        _ => return Err(WANTED.into()),
    };
    let count: i32 = digits.parse().map_err(|_| WANTED)?;
    Ok(DayName::Ago(count.saturating_mul(n_days)))
}

#[cfg(test)]
mod tests;
