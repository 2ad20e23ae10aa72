//! Which sessions and prompts a person asks for.
//!
//! Several commands list things by their project and their time; these are the two filters, read
//! from options in one way.

use std::path::{Path, PathBuf};

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::context::Context;
use crate::failure::Failure;

/// A point in time as a person says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Since {
    /// So many milliseconds ago.
    Ago(i64),
    /// At this time, in epoch milliseconds.
    At(i64),
}

/// Projects by their folder.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ProjectFilter {
    /// The folder itself and what is below it.
    Below(PathBuf),
    /// Folders whose path contains this text, in lower case.
    Containing(String),
}

impl Since {
    /// Returns the time in epoch milliseconds.
    pub(crate) fn at(self, now_ms: i64) -> i64 {
        match self {
            Self::Ago(millis) => now_ms.saturating_sub(millis),
            Self::At(millis) => millis,
        }
    }
}

/// Reads `3d`, `12h` or a date, which begins at midnight where the person is.
pub(crate) fn parse_since(text: &str) -> Result<Since, String> {
    parse_since_in(text, TimeZone::system())
}

fn parse_since_in(text: &str, zone: TimeZone) -> Result<Since, String> {
    const WANTED: &str = "say 90m, 12h, 3d, 2w, or a date such as 2026-01-31";
    if let Ok(time) = text.parse::<jiff::Timestamp>() {
        return Ok(Since::At(time.as_millisecond()));
    }
    if let Ok(date) = text.parse::<DateTime>() {
        let time = date.to_zoned(zone).map_err(|_| WANTED.to_owned())?;
        return Ok(Since::At(time.timestamp().as_millisecond()));
    }
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match text.get(digits.len()..) {
        Some("m" | "min") => 60_000,
        Some("h") => 3_600_000,
        Some("d") => 86_400_000,
        Some("w") => 7 * 86_400_000,
        _ => return Err(WANTED.into()),
    };
    let count: i64 = digits
        .parse()
        .map_err(|_| format!("{digits:?} is no number"))?;
    Ok(Since::Ago(count.saturating_mul(unit)))
}

impl ProjectFilter {
    /// Reads the option: `.` is the working folder, anything else a part of a path.
    pub(crate) fn new(context: &Context, project: &str) -> Result<Self, Failure> {
        Ok(match project {
            "." => Self::Below(context.working_folder()?),
            part => Self::Containing(part.to_lowercase()),
        })
    }

    /// Tells whether a folder is asked for.
    pub(crate) fn admits(&self, folder: &str) -> bool {
        match self {
            // Whole components: the folder `shop` has nothing to do with `shop-old`.
            Self::Below(wanted) => Path::new(folder).starts_with(wanted),
            Self::Containing(part) => folder.to_lowercase().contains(part),
        }
    }

    /// Tells whether a project folder of the home is asked for, where no line says which
    /// folder it stands for.
    pub(crate) fn admits_slug(&self, slug: &str) -> bool {
        match self {
            // What is below cannot be told: `-srv-shop-old` may be `/srv/shop/old` or not.
            Self::Below(wanted) => {
                ravel_home::slugs_of(&wanted.to_string_lossy()).contains(&slug.to_owned())
            }
            Self::Containing(_) => self.admits(slug),
        }
    }
}

#[cfg(test)]
mod tests;
