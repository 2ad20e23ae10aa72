use super::*;

#[track_caller]
fn check(days: &[i32], today: i32, current: Option<(i32, i32)>, longest: Option<(i32, i32)>) {
    let days = days.iter().map(|&day| Day(day)).collect();
    let ends = |streak: Option<Streak>| streak.map(|streak| (streak.first.0, streak.last.0));
    let streaks = Streaks::of(&days, Day(today));
    assert_eq!(ends(streaks.current), current);
    assert_eq!(ends(streaks.longest), longest);
}

#[test]
fn days_in_a_row() {
    check(&[], 10, None, None);
    check(&[10], 10, Some((10, 10)), Some((10, 10)));
    check(&[3, 4, 5, 8, 9], 10, Some((8, 9)), Some((3, 5)));
    check(&[3, 4, 5, 8, 9], 11, None, Some((3, 5)));
    check(&[1, 2, 5, 6], 6, Some((5, 6)), Some((5, 6)));
}

#[test]
fn the_future_is_not_the_current_streak() {
    check(&[9, 10, 20], 10, Some((9, 10)), Some((9, 10)));
    check(
        &[i32::MIN, i32::MAX],
        i32::MIN,
        Some((i32::MIN, i32::MIN)),
        Some((i32::MAX, i32::MAX)),
    );
}

#[test]
fn a_streak_counts_both_ends() {
    let streak = Streak {
        first: Day(i32::MIN),
        last: Day(i32::MAX),
    };
    assert_eq!(streak.n_days(), 1 << 32);
}
