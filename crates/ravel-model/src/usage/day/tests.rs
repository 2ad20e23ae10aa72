use ravel_format::Timestamp;

use super::{Day, Weekday};

fn day(year: i32, month: u8, day: u8) -> Day {
    Day::from_ymd(year, month, day).unwrap()
}

#[test]
fn dates_become_days_and_back() {
    assert_eq!(day(1970, 1, 1), Day(0));
    assert_eq!(day(1969, 12, 31), Day(-1));
    for days in [-719_468, -1, 0, 58, 59, 60, 11_016, 20_772, 100_000] {
        let (year, month, of_month) = Day(days).ymd();
        assert_eq!(day(year, month, of_month), Day(days));
    }
    assert_eq!(day(2026, 11, 15).to_string(), "2026-11-15");
    assert_eq!(Day::utc(Timestamp(-1)), Day(-1));
    for (month, of_month) in [(2, 29), (2, 30), (4, 31), (13, 1), (0, 1), (1, 0), (1, 32)] {
        assert_eq!(Day::from_ymd(2026, month, of_month), None);
    }
    assert!(Day::from_ymd(2024, 2, 29).is_some());
}

#[test]
fn weeks_and_months_begin() {
    let sunday = day(2026, 11, 15);
    assert_eq!(sunday.weekday(), Weekday::Sunday);
    assert_eq!(sunday.week_start(Weekday::Monday), day(2026, 11, 9));
    assert_eq!(sunday.week_start(Weekday::Sunday), sunday);
    assert_eq!(sunday.week_start(Weekday::Saturday), day(2026, 11, 14));
    assert_eq!(sunday.month_start(), day(2026, 11, 1));
    assert_eq!(
        day(2026, 1, 1).week_start(Weekday::Monday),
        day(2025, 12, 29)
    );
}

#[test]
fn far_times_are_days_too() {
    for time in [i64::MIN, i64::MAX] {
        let day = Day::utc(Timestamp(time));
        let _ = (
            day.to_string(),
            day.month_start(),
            day.week_start(Weekday::Friday),
        );
    }
}
