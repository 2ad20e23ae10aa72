//! What day it is where the person lives.

use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::TimeZone;
use ravel_format::Timestamp;
use ravel_model::usage::Day;

/// A time zone and its name.
#[derive(Debug, Clone)]
pub(super) struct Zone {
    /// What it is called, for JSON and people.
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
        // A time that no calendar has is left as it is.
        let offset = jiff::Timestamp::from_millisecond(time.0)
            .map_or(0, |time| self.rules.to_offset(time).seconds());
        let local = time.0.saturating_add(i64::from(offset) * 1_000);
        Day::utc(Timestamp(local))
    }
}
