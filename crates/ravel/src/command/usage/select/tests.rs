use super::{When, parse_when};
use crate::zone::parse_zone;

const NOW_MS: i64 = 1_769_810_400_000; // 2026-01-30T22:00:00Z

#[track_caller]
fn check(text: &str, zone: &str, start: &str, end: &str) {
    let (when, zone) = (parse_when(text).unwrap(), parse_zone(zone).unwrap());
    let iso = |time: Option<ravel_format::Timestamp>| time.unwrap().to_iso();
    assert_eq!(iso(when.start(&zone, NOW_MS)), start, "{text}");
    assert_eq!(iso(when.end(&zone, NOW_MS)), end, "{text}");
}

#[test]
fn a_date_is_the_whole_day_where_the_person_is() {
    check(
        "2026-01-30",
        "UTC",
        "2026-01-30T00:00:00.000Z",
        "2026-01-31T00:00:00.000Z",
    );
    check(
        "2026-01-30",
        "+02:00",
        "2026-01-29T22:00:00.000Z",
        "2026-01-30T22:00:00.000Z",
    );
    // The clocks went forward: the day has 23 hours.
    check(
        "2026-03-29",
        "Europe/Berlin",
        "2026-03-28T23:00:00.000Z",
        "2026-03-29T22:00:00.000Z",
    );
}

#[test]
fn moments_have_no_length() {
    check(
        "2026-01-30T10:00",
        "-05:30",
        "2026-01-30T15:30:00.000Z",
        "2026-01-30T15:30:00.000Z",
    );
    check(
        "2026-01-30T10:00:00Z",
        "+05:00",
        "2026-01-30T10:00:00.000Z",
        "2026-01-30T10:00:00.000Z",
    );
    check(
        "2026-01-30T00:00",
        "UTC",
        "2026-01-30T00:00:00.000Z",
        "2026-01-30T00:00:00.000Z",
    );
    check(
        "3h",
        "UTC",
        "2026-01-30T19:00:00.000Z",
        "2026-01-30T19:00:00.000Z",
    );
}

#[test]
fn other_words_are_refused() {
    for text in ["", "yesterday", "2026-02-30", "3", "3y"] {
        assert!(parse_when(text).is_err(), "{text}");
    }
    assert!(matches!(parse_when("2026-01-30"), Ok(When::Day(_))));
    for zone in ["", "Berlin", "25:00", "Europe/Atlantis"] {
        assert!(parse_zone(zone).is_err(), "{zone}");
    }
}
