use super::*;

#[test]
fn durations_have_two_units_at_most() {
    for (ms, expect) in [
        (0, "0 ms"),
        (340, "340 ms"),
        (1_000, "1 s"),
        (1_440, "1.4 s"),
        (9_949, "9.9 s"),
        (9_960, "10 s"),
        (12_000, "12 s"),
        (184_000, "3 m 4 s"),
        (180_000, "3 m"),
        (59_700, "1 m"),
        (7_500_000, "2 h 5 m"),
        (273_600_000, "3 d 4 h"),
    ] {
        assert_eq!(duration(ms), expect, "{ms}");
    }
    assert!(!duration(u64::MAX).is_empty());
}

#[test]
fn ages_look_both_ways() {
    let now = 1_800_000_000_000;
    for (then, expect) in [
        (now, "now"),
        (now - 59_000, "now"),
        (now - 300_000, "5 m ago"),
        (now - 7_200_000, "2 h ago"),
        (now - 3 * 86_400_000, "3 d ago"),
        (now - 90 * 86_400_000, "3 mo ago"),
        (now - 800 * 86_400_000, "2 y ago"),
        (now + 300_000, "in 5 m"),
    ] {
        assert_eq!(age(then, now), expect);
    }
    assert!(age(i64::MIN, i64::MAX).ends_with("y ago"));
}

#[test]
fn moments_follow_the_zone() {
    let plus_two = TimeZone::fixed(jiff::tz::offset(2));
    assert_eq!(
        moment(1_767_225_600_000, &TimeZone::UTC),
        "2026-01-01 00:00"
    );
    assert_eq!(moment(1_767_225_600_000, &plus_two), "2026-01-01 02:00");
    assert_eq!(clock(1_767_225_609_000, &TimeZone::UTC), "00:00:09");
    assert_eq!(moment(i64::MAX, &TimeZone::UTC), "");
}
