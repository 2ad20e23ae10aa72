//! Deterministic time and ids.
//!
//! Everything a builder writes must be the same on every machine and in every run, so time is a
//! counter that starts where the caller says and ids are digests of a seed and a counter.

use sha2::{Digest, Sha256};

const MS_PER_DAY: i64 = 86_400_000;

/// A clock that only moves when told to.
#[derive(Debug, Clone)]
pub struct Clock {
    ms: i64,
}

impl Clock {
    /// Starts at a moment written as `2026-01-20T09:00:00.000Z` (the part after seconds is optional).
    ///
    /// Text of any other form starts at the epoch.
    pub fn starting_at(text: &str) -> Self {
        Self {
            ms: parse_iso(text).unwrap_or(0),
        }
    }

    /// Moves on by some milliseconds.
    pub fn advance(&mut self, ms: i64) {
        self.ms += ms;
    }

    /// Returns the moment in milliseconds since 1970.
    pub fn epoch_ms(&self) -> i64 {
        self.ms
    }

    /// Returns the moment as the client writes it: ISO 8601 with milliseconds and `Z`.
    pub fn iso(&self) -> String {
        let (year, month, day) = civil_from_days(self.ms.div_euclid(MS_PER_DAY));
        let ms = self.ms.rem_euclid(MS_PER_DAY);
        let (hour, minute, second) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
        format!(
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z",
            ms % 1000
        )
    }
}

fn parse_iso(text: &str) -> Option<i64> {
    let mut numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty());
    let mut next = || numbers.next().and_then(|part| part.parse::<i64>().ok());
    let (year, month, day) = (next()?, next()?, next()?);
    let (hour, minute, second) = (
        next().unwrap_or(0),
        next().unwrap_or(0),
        next().unwrap_or(0),
    );
    let ms = next().unwrap_or(0);
    let seconds = (hour * 60 + minute) * 60 + second;
    Some(days_from_civil(year, month, day) * MS_PER_DAY + seconds * 1000 + ms)
}

/// Days since 1970-01-01 of a Gregorian date; years start in March so that the leap day is last.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// A source of ids in the client's forms, the same for the same seed.
#[derive(Debug, Clone)]
pub struct Ids {
    seed: String,
    n_made: u64,
}

impl Ids {
    /// Makes a source; different seeds give different ids.
    pub fn new(seed: &str) -> Self {
        Self {
            seed: seed.to_owned(),
            n_made: 0,
        }
    }

    /// Returns the next id in the form of a version 4 UUID.
    pub fn uuid(&mut self) -> String {
        let hex = self.hex();
        let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
        format!(
            "{}-{}-4{}-a{}-{}",
            part(0, 8),
            part(8, 12),
            part(13, 16),
            part(17, 20),
            part(20, 32)
        )
    }

    /// Returns the next id with a prefix of the API, such as `msg_01` or `toolu_01`.
    pub fn prefixed(&mut self, prefix: &str) -> String {
        let hex = self.hex();
        format!("{prefix}{}", hex.get(..20).unwrap_or_default())
    }

    /// Returns the next `length` hexadecimal digits (at most 64).
    pub fn digits(&mut self, length: usize) -> String {
        let hex = self.hex();
        hex.get(..length).unwrap_or(&hex).to_owned()
    }

    fn hex(&mut self) -> String {
        self.n_made += 1;
        hex_digest(format!("{}#{}", self.seed, self.n_made).as_bytes())
    }
}

/// Returns the SHA-256 of some bytes in hexadecimal digits.
pub fn hex_digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests;
