use super::*;

#[test]
fn days_and_hours_are_those_of_the_zone() {
    let zone = parse_zone("+05:30").unwrap();
    let time = Timestamp::from_iso(b"2026-01-31T19:15:00Z").unwrap();
    assert_eq!(zone.day(time).to_string(), "2026-02-01");
    assert_eq!(zone.hour(time), 0);
    let berlin = parse_zone("Europe/Berlin").unwrap();
    assert_eq!(
        (berlin.hour(time), berlin.name.as_str()),
        (20, "Europe/Berlin")
    );
    assert!(parse_zone("Atlantis").is_err());
}

#[test]
fn times_that_no_calendar_has_are_on_some_day() {
    let zone = parse_zone("+02:00").unwrap();
    for time in [i64::MIN, i64::MAX] {
        zone.day(Timestamp(time));
        assert!(zone.hour(Timestamp(time)) < 24);
    }
}

#[test]
fn a_day_begins_at_its_first_moment() {
    let day = Day::from_ymd(2026, 3, 29).unwrap();
    for (zone, expected) in [
        ("UTC", "2026-03-29T00:00:00.000Z"),
        ("+05:30", "2026-03-28T18:30:00.000Z"),
        ("Europe/Berlin", "2026-03-28T23:00:00.000Z"),
    ] {
        let zone = parse_zone(zone).unwrap();
        let start = zone.start_of(day);
        assert_eq!(start.to_iso(), expected);
        assert_eq!(zone.day(start), day);
        assert_eq!(zone.day(Timestamp(start.0 - 1)), Day(day.0 - 1));
    }
    // Here the clocks went forward at midnight.
    let santiago = parse_zone("America/Santiago").unwrap();
    let start = santiago.start_of(Day::from_ymd(2026, 9, 6).unwrap());
    assert_eq!(
        (santiago.hour(start), start.to_iso()),
        (1, "2026-09-06T04:00:00.000Z".into())
    );
    for day in [Day(i32::MIN), Day(i32::MAX)] {
        assert_eq!(santiago.start_of(day).0, i64::from(day.0) * 86_400_000);
    }
}
