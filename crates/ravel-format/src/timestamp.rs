//! Points in time, as the dialects write them.
//!
//! The client writes ISO 8601 in UTC with milliseconds. Third parties write microseconds or an
//! offset, and seed 004 writes epoch milliseconds. All become milliseconds since 1970.

use crate::json::Json;

#[cfg(test)]
mod tests;

/// Milliseconds since the start of 1970, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// Reads a JSON string in ISO 8601 or a JSON number of epoch milliseconds.
    pub fn from_json(json: Json<'_>) -> Option<Self> {
        match json.text() {
            Some(text) => Self::from_iso(text.plain()?),
            None => json.i64().map(Self),
        }
    }

    /// Reads `2026-01-31T09:30:00.123Z`, with any number of decimals and an optional offset.
    pub fn from_iso(text: &[u8]) -> Option<Self> {
        let (date, time) = text.split_at_checked(10)?;
        let days = days_since_1970(
            number(date, 0, 4)?,
            number(date, 5, 7)?,
            number(date, 8, 10)?,
        )?;
        if date.get(4) != Some(&b'-') || date.get(7) != Some(&b'-') {
            return None;
        }
        let clock = match time {
            [] => 0,
            [b'T' | b't' | b' ', clock @ ..] => milliseconds(clock)?,
            _ => return None,
        };
        Some(Self(days * 86_400_000 + clock))
    }

    /// Writes the time as the client does.
    pub fn to_iso(self) -> String {
        let (year, month, day) = civil_date(self.0.div_euclid(86_400_000));
        let clock = self.0.rem_euclid(86_400_000);
        let (hours, minutes) = (clock / 3_600_000, clock / 60_000 % 60);
        let (seconds, millis) = (clock / 1_000 % 60, clock % 1_000);
        format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{millis:03}Z")
    }
}

fn number(text: &[u8], from: usize, to: usize) -> Option<i64> {
    let digits = text.get(from..to)?;
    digits.iter().try_fold(0_i64, |sum, digit| {
        digit
            .is_ascii_digit()
            .then(|| sum * 10 + i64::from(digit - b'0'))
    })
}

/// Reads `hh:mm[:ss[.fraction]]` and an optional `Z` or `±hh:mm`.
fn milliseconds(clock: &[u8]) -> Option<i64> {
    let (hours, minutes) = (number(clock, 0, 2)?, number(clock, 3, 5)?);
    if clock.get(2) != Some(&b':') || hours > 24 || minutes > 59 {
        return None;
    }
    let mut rest = clock.get(5..)?;
    let mut millis = 0;
    if let Some(seconds) = rest.strip_prefix(b":") {
        millis = number(seconds, 0, 2)? * 1_000;
        rest = seconds.get(2..)?;
    }
    if let Some(fraction) = rest.strip_prefix(b".") {
        let n_digits = fraction
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let mut scale = 100;
        for digit in fraction.iter().take(n_digits) {
            millis += i64::from(digit - b'0') * scale;
            scale /= 10;
        }
        rest = fraction.get(n_digits..)?;
    }
    Some((hours * 60 + minutes - offset(rest)?) * 60_000 + millis)
}

/// Reads the zone in minutes east of Greenwich.
fn offset(zone: &[u8]) -> Option<i64> {
    let (sign, digits) = match zone {
        [] | b"Z" | b"z" => return Some(0),
        [b'+', digits @ ..] => (1, digits),
        [b'-', digits @ ..] => (-1, digits),
        _ => return None,
    };
    let minutes = if digits.get(2) == Some(&b':') {
        number(digits, 3, 5)
    } else {
        number(digits, 2, 4)
    };
    Some(sign * (number(digits, 0, 2)? * 60 + minutes?))
}

/// Counts days by the proleptic Gregorian calendar, in 400-year eras that start in March.
fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let year = if month <= 2 { year - 1 } else { year };
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(year.div_euclid(400) * 146_097 + day_of_era - 719_468)
}

/// Returns year, month and day of the month of a day that is counted from the first of 1970.
pub fn civil_date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    (
        days.div_euclid(146_097) * 400 + year_of_era + i64::from(month <= 2),
        month,
        day,
    )
}
