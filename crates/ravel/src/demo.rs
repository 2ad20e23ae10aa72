//! The sample home of `--demo`.
//!
//! It is unpacked into a temporary folder that goes away with the command. Its times are moved
//! to the present by whole days, so that it looks like the work of the last two weeks.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ravel_format::Timestamp;
use tempfile::TempDir;

use crate::demo_files::FILES;
use crate::failure::Failure;

/// The newest day in the bundled files.
const NEWEST_DAY: &str = "2026-01-30";
const DAY_MS: i64 = 86_400_000;

/// The sample home, on disk.
pub(crate) struct DemoHome {
    folder: TempDir,
}

impl DemoHome {
    /// Writes the sample home as if its newest day were the day before `now_ms`.
    pub(crate) fn unpack(now_ms: i64) -> Result<Self, Failure> {
        let unpacked = || -> io::Result<TempDir> {
            let folder = tempfile::Builder::new().prefix("ravel-demo-").tempdir()?;
            crate::interrupt::remove_on_end(folder.path().to_owned());
            let n_days = days_since_newest(now_ms);
            for (name, bytes) in FILES {
                write_file(&folder.path().join(name), bytes, n_days)?;
            }
            Ok(folder)
        };
        let folder = unpacked().map_err(|error| Failure::io("unpack the sample home", &error))?;
        Ok(Self { folder })
    }

    /// Returns the folder.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().to_owned()
    }
}

/// Counts whole days from the newest day of the sample to yesterday.
fn days_since_newest(now_ms: i64) -> i64 {
    let newest = Timestamp::from_iso(NEWEST_DAY.as_bytes()).map_or(0, |Timestamp(millis)| millis);
    now_ms.div_euclid(DAY_MS) - newest.div_euclid(DAY_MS) - 1
}

fn write_file(path: &Path, bytes: &[u8], n_days: i64) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let Shifted { bytes, latest } = shift(bytes, n_days);
    fs::write(path, bytes)?;
    let modified = latest.and_then(|Timestamp(millis)| u64::try_from(millis).ok());
    if let Some(millis) = modified {
        fs::File::options()
            .append(true)
            .open(path)?
            .set_modified(SystemTime::UNIX_EPOCH + Duration::from_millis(millis))?;
    }
    Ok(())
}

struct Shifted {
    bytes: Vec<u8>,
    latest: Option<Timestamp>,
}

/// Moves every date and every epoch time of the sample's month by whole days.
fn shift(bytes: &[u8], n_days: i64) -> Shifted {
    let mut shifted = Shifted {
        bytes: Vec::with_capacity(bytes.len()),
        latest: None,
    };
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let moved = move_date(rest, n_days).or_else(|| move_epoch(bytes, at, n_days));
        let Some((text, length, time)) = moved else {
            shifted.bytes.extend(rest.first());
            at += 1;
            continue;
        };
        shifted.bytes.extend_from_slice(text.as_bytes());
        shifted.latest = shifted.latest.max(time);
        at += length;
    }
    shifted
}

/// Moves `2026-01-17` or `2026-01-17T10:00:00.000Z` at the start of `rest`.
fn move_date(rest: &[u8], n_days: i64) -> Option<(String, usize, Option<Timestamp>)> {
    rest.starts_with(b"2026-01-").then_some(())?;
    let (length, moved) = match rest.get(..24).and_then(Timestamp::from_iso) {
        Some(time) => (24, time),
        None => (10, Timestamp::from_iso(rest.get(..10)?)?),
    };
    let time = Timestamp(moved.0 + n_days * DAY_MS);
    let text = time.to_iso().get(..length)?.to_owned();
    Some((text, length, (length == 24).then_some(time)))
}

/// Moves thirteen digits that are a time in the sample's month, such as `1768900000000`.
fn move_epoch(bytes: &[u8], at: usize, n_days: i64) -> Option<(String, usize, Option<Timestamp>)> {
    const LENGTH: usize = 13;
    let digits = bytes.get(at..at + LENGTH)?;
    let is_digit = |place: Option<usize>| {
        place
            .and_then(|place| bytes.get(place))
            .is_some_and(u8::is_ascii_digit)
    };
    if !digits.starts_with(b"176") || is_digit(at.checked_sub(1)) || is_digit(Some(at + LENGTH)) {
        return None;
    }
    let millis: i64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let time = Timestamp(millis + n_days * DAY_MS);
    Some((time.0.to_string(), LENGTH, Some(time)))
}
