//! How days are named.

use jiff::civil::Date;
use ravel_model::usage::Day;

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
