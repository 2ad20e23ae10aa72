//! Days of the calendar, without a time zone.

use std::fmt;

use ravel_format::{Timestamp, civil_date};

#[cfg(test)]
mod tests;

const DAY_MS: i64 = 86_400_000;

/// A day, counted from the first of 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(pub i32);

/// A day of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "everybody knows them")]
pub enum Weekday {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

impl Day {
    /// Returns the day of a date by the Gregorian calendar, if there is such a date.
    pub fn from_ymd(year: i32, month: u8, day: u8) -> Option<Self> {
        let day = Timestamp::from_iso(format!("{year:04}-{month:02}-{day:02}").as_bytes())
            .map(Self::utc)
            .filter(|found| found.ymd() == (year, month, day))?;
        Some(day)
    }

    /// Returns the day in Greenwich.
    pub fn utc(time: Timestamp) -> Self {
        let days = time.0.div_euclid(DAY_MS);
        // A hostile time is as far away as a day can be.
        let farthest = if days < 0 { i32::MIN } else { i32::MAX };
        Self(i32::try_from(days).unwrap_or(farthest))
    }

    /// Returns year, month and day of the month.
    pub fn ymd(self) -> (i32, u8, u8) {
        let (year, month, day) = civil_date(i64::from(self.0));
        (year as i32, month as u8, day as u8)
    }

    /// Returns the day of the week.
    pub fn weekday(self) -> Weekday {
        // The first day of 1970 was a Thursday.
        match (i64::from(self.0) + 3).rem_euclid(7) {
            0 => Weekday::Monday,
            1 => Weekday::Tuesday,
            2 => Weekday::Wednesday,
            3 => Weekday::Thursday,
            4 => Weekday::Friday,
            5 => Weekday::Saturday,
            _ => Weekday::Sunday,
        }
    }

    /// Returns the day its week began.
    #[must_use]
    pub fn week_start(self, first: Weekday) -> Self {
        let n_days = (self.weekday() as i32 - first as i32).rem_euclid(7);
        Self(self.0.saturating_sub(n_days))
    }

    /// Returns the first day of its month.
    #[must_use]
    pub fn month_start(self) -> Self {
        let (_, _, day) = self.ymd();
        Self(self.0.saturating_sub(i32::from(day) - 1))
    }
}

/// `2026-11-15`.
impl fmt::Display for Day {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.ymd();
        out.pad(&format!("{year:04}-{month:02}-{day:02}"))
    }
}
