//! Words times for people: durations, ages and moments.
//!
//! The caller passes the time now and the time zone: nothing here reads a clock.
//! Two units at most, since the third never changes what a reader does.

use jiff::Timestamp;
use jiff::tz::TimeZone;

const SECOND: u64 = 1000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Returns a length of time: `340 ms`, `1.4 s`, `12 s`, `3 m 4 s`, `2 h 5 m`, `3 d 4 h`.
pub fn duration(ms: u64) -> String {
    match ms {
        0..SECOND => format!("{ms} ms"),
        // Tenths matter for short waits only.
        SECOND..9_950 => tenths_of_seconds(ms),
        _ => two_units(ms.saturating_add(SECOND / 2)),
    }
}

/// Returns how long before `now_ms` the moment `then_ms` was: `now`, `5 m ago`, `3 d ago`.
///
/// A moment after `now_ms` (clocks differ between machines) reads `in 5 m`.
pub fn age(then_ms: i64, now_ms: i64) -> String {
    let distance = then_ms.abs_diff(now_ms);
    let worded = one_unit(distance);
    match worded {
        None => "now".to_owned(),
        Some(worded) if then_ms > now_ms => format!("in {worded}"),
        Some(worded) => format!("{worded} ago"),
    }
}

/// Returns a moment as date and minute in `zone`: `2026-01-31 14:05`.
///
/// Empty when the number is outside what a calendar can hold.
pub fn moment(ms: i64, zone: &TimeZone) -> String {
    strftime(ms, zone, "%Y-%m-%d %H:%M")
}

/// Returns the time of day in `zone`: `14:05:09`.
pub fn clock(ms: i64, zone: &TimeZone) -> String {
    strftime(ms, zone, "%H:%M:%S")
}

fn strftime(ms: i64, zone: &TimeZone, format: &str) -> String {
    Timestamp::from_millisecond(ms)
        .map(|at| at.to_zoned(zone.clone()).strftime(format).to_string())
        .unwrap_or_default()
}

fn tenths_of_seconds(ms: u64) -> String {
    let tenths = (ms + 50) / 100;
    match tenths % 10 {
        0 => format!("{} s", tenths / 10),
        tenth => format!("{}.{tenth} s", tenths / 10),
    }
}

fn two_units(ms: u64) -> String {
    let (large, large_name, small, small_name) = match ms {
        0..MINUTE => return format!("{} s", ms / SECOND),
        MINUTE..HOUR => (ms / MINUTE, "m", ms % MINUTE / SECOND, "s"),
        HOUR..DAY => (ms / HOUR, "h", ms % HOUR / MINUTE, "m"),
        _ => (ms / DAY, "d", ms % DAY / HOUR, "h"),
    };
    match small {
        0 => format!("{large} {large_name}"),
        _ => format!("{large} {large_name} {small} {small_name}"),
    }
}

fn one_unit(ms: u64) -> Option<String> {
    let (n, unit) = match ms {
        0..MINUTE => return None,
        MINUTE..HOUR => (ms / MINUTE, "m"),
        HOUR..DAY => (ms / HOUR, "h"),
        _ if ms < 60 * DAY => (ms / DAY, "d"),
        _ if ms < 730 * DAY => (ms / (30 * DAY), "mo"),
        _ => (ms / (365 * DAY), "y"),
    };
    Some(format!("{n} {unit}"))
}

#[cfg(test)]
mod tests;
