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
