//! What day and hour it is where the person lives, and when a day begins there.

use jiff::civil::{Date, DateTime};
use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::TimeZone;
use ravel_format::Timestamp;
use ravel_model::usage::Day;

const HOUR_MS: i64 = 3_600_000;

/// A time zone and its name.
#[derive(Debug, Clone)]
pub(crate) struct Zone {
    /// What it is called, for programs and people.
    pub(crate) name: String,
    /// Its rules.
    pub(crate) rules: TimeZone,
}

/// Reads `Europe/Berlin`, `UTC` or `+02:00`.
pub(crate) fn parse_zone(text: &str) -> Result<Zone, String> {
    let rules = DateTimeParser::new()
        .parse_time_zone(text)
        .map_err(|_| "say a name such as Europe/Berlin, UTC, or an offset such as +02:00")?;
    Ok(Zone::new(rules, text))
}

impl Zone {
    /// Returns the zone of this machine.
    pub(crate) fn system() -> Self {
        Self::new(TimeZone::system(), "local")
    }

    fn new(rules: TimeZone, otherwise: &str) -> Self {
        let name = rules.iana_name().unwrap_or(otherwise).to_owned();
        Self { name, rules }
    }

    /// Returns the day that a time is in.
    pub(crate) fn day(&self, time: Timestamp) -> Day {
        Day::utc(self.local(time))
    }

    /// Returns the hour of the day that a time is in.
    pub(crate) fn hour(&self, time: Timestamp) -> u8 {
        let hours = self.local(time).0.div_euclid(HOUR_MS);
        u8::try_from(hours.rem_euclid(24)).unwrap_or(0)
    }

    /// Returns the moment a day begins.
    pub(crate) fn start_of(&self, day: Day) -> Timestamp {
        let (year, month, number) = day.ymd();
        let date = || {
            let (month, number) = (i8::try_from(month).ok()?, i8::try_from(number).ok()?);
            Date::new(i16::try_from(year).ok()?, month, number).ok()
        };
        match date() {
            Some(date) => self.time(date.into()),
            // A day that no calendar has begins as in Greenwich.
            None => Timestamp(i64::from(day.0).saturating_mul(24 * HOUR_MS)),
        }
    }

    /// Returns the moment at which calendar and clock say this.
    pub(crate) fn time(&self, local: DateTime) -> Timestamp {
        match local.to_zoned(self.rules.clone()) {
            Ok(zoned) => Timestamp(zoned.timestamp().as_millisecond()),
            Err(_) => in_greenwich(local),
        }
    }

    /// Returns the time as if the clock on the wall were that of Greenwich.
    fn local(&self, time: Timestamp) -> Timestamp {
        // A time that no calendar has is left as it is.
        let offset = jiff::Timestamp::from_millisecond(time.0)
            .map_or(0, |time| self.rules.to_offset(time).seconds());
        Timestamp(time.0.saturating_add(i64::from(offset) * 1_000))
    }
}

/// Returns the moment at which calendar and clock of Greenwich say this.
pub(crate) fn in_greenwich(local: DateTime) -> Timestamp {
    let epoch = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
    let millis = local.duration_since(epoch).as_millis();
    Timestamp(i64::try_from(millis).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests;
