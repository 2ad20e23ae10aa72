use super::*;
use crate::zone::parse_zone;

const NOW: Timestamp = Timestamp(1_769_810_400_000); // 2026-01-30T22:00:00Z

#[track_caller]
fn check(text: &str, zone: &str, start: &str, end: &str) {
    let (when, zone) = (parse_when(text).unwrap(), parse_zone(zone).unwrap());
    assert_eq!(when.start(&zone, NOW).to_iso(), start, "{text}");
    assert_eq!(when.end(&zone, NOW).to_iso(), end, "{text}");
}

#[track_caller]
fn check_moment(text: &str, zone: &str, expected: &str) {
    check(text, zone, expected, expected);
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
    // The last day of the calendar ends all the same.
    check(
        "9999-12-31",
        "UTC",
        "9999-12-31T00:00:00.000Z",
        "10000-01-01T00:00:00.000Z",
    );
}

#[test]
fn moments_have_no_length() {
    check_moment("2026-01-30T10:00", "-05:30", "2026-01-30T15:30:00.000Z");
    check_moment("2026-01-30T10:00:00Z", "+05:00", "2026-01-30T10:00:00.000Z");
    check_moment("2026-01-30T00:00", "UTC", "2026-01-30T00:00:00.000Z");
    check_moment("90m", "UTC", "2026-01-30T20:30:00.000Z");
    check_moment("3h", "UTC", "2026-01-30T19:00:00.000Z");
    check_moment("2w", "+02:00", "2026-01-16T22:00:00.000Z");
    check_moment("9999-12-31T12:00", "UTC", "9999-12-31T12:00:00.000Z");
}

#[test]
fn other_words_are_refused() {
    for text in [
        "",
        "d",
        "3",
        "3y",
        "yesterday",
        "2026-02-30",
        "é",
        "99999999999999999999d",
    ] {
        assert!(parse_when(text).is_err(), "{text}");
        assert!(parse_day(text).is_err(), "{text}");
    }
    for text in ["3h", "90m", "2026-01-30T10:00", "2026-01-30T00:00:00Z"] {
        assert!(parse_when(text).is_ok(), "{text}");
        assert!(parse_day(text).is_err(), "{text}");
    }
}

#[test]
fn days_are_those_of_the_calendar() {
    // Half past midnight on a Monday; the day before has 23 hours.
    let now = Timestamp::from_iso(b"2026-03-29T22:30:00Z").unwrap();
    let zone = parse_zone("Europe/Berlin").unwrap();
    for (text, expected) in [
        ("2026-01-31", "2026-01-31"),
        ("0d", "2026-03-30"),
        ("1d", "2026-03-29"),
        ("2d", "2026-03-28"),
        ("2w", "2026-03-16"),
    ] {
        let day = parse_day(text).unwrap().day(&zone, now);
        assert_eq!(day.to_string(), expected, "{text}");
    }
}

#[test]
fn a_count_of_any_size_is_some_time() {
    let zone = parse_zone("+02:00").unwrap();
    let when = parse_when("9223372036854775807w").unwrap();
    assert!(when.start(&zone, NOW) < NOW);
    assert!(when.day(&zone, NOW) < zone.day(NOW));
}
