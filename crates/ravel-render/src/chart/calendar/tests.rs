use proptest::prelude::*;

use super::*;

fn day(year: i32, month: u8, day: u8) -> Day {
    Day::from_ymd(year, month, day).unwrap()
}

fn draw(days: &BTreeMap<Day, u64>, last: Day, width: usize) -> String {
    let lines = calendar(days, last, width);
    lines.iter().map(|line| line.text() + "\n").collect()
}

/// A few weeks of work up to a Wednesday.
fn sample() -> BTreeMap<Day, u64> {
    let first = day(2026, 1, 5);
    let values = [3, 10, 0, 40, 90, 0, 0, 5, 20, 60];
    (0..87)
        .map(|n| (Day(first.0 + n), values[(n * n) as usize % values.len()]))
        .collect()
}

#[test]
fn weeks_of_days_with_the_names_of_months() {
    insta::assert_snapshot!(draw(&sample(), day(2026, 4, 1), 80), @r"
        Jan   Feb     Mar       Apr
    Mon ░ ▓ · ▒ █ · █ ▒ · ▓ ░ ▓ ·
        ▒ █ · █ ▒ · ▓ ░ ▓ · ▒ █ ·
    Wed █ ▒ · ▓ ░ ▓ · ▒ █ · █ ▒ ·
        ▓ ░ ▓ · ▒ █ · █ ▒ · ▓ ░
    Fri · ▒ █ · █ ▒ · ▓ ░ ▓ · ▒
        · █ ▒ · ▓ ░ ▓ · ▒ █ · █
        · ▓ ░ ▓ · ▒ █ · █ ▒ · ▓
        less · ░ ▒ ▓ █ more
    ");
}

#[test]
fn fewer_weeks_in_a_narrow_terminal() {
    insta::assert_snapshot!(draw(&sample(), day(2026, 4, 1), 20), @r"
        Feb Mar
    Mon · █ ▒ · ▓ ░ ▓ ·
        · ▓ ░ ▓ · ▒ █ ·
    Wed ▓ · ▒ █ · █ ▒ ·
        █ · █ ▒ · ▓ ░
    Fri ▒ · ▓ ░ ▓ · ▒
        ░ ▓ · ▒ █ · █
        ▒ █ · █ ▒ · ▓
    ");
}

#[test]
fn nothing_done_is_a_page_of_dots() {
    insta::assert_snapshot!(draw(&BTreeMap::new(), day(2026, 3, 1), 40), @r"
        Dec   Jan     Feb     Mar
    Mon · · · · · · · · · · · ·
        · · · · · · · · · · · ·
    Wed · · · · · · · · · · · ·
        · · · · · · · · · · · ·
    Fri · · · · · · · · · · · ·
        · · · · · · · · · · · ·
        · · · · · · · · · · · ·
        less · ░ ▒ ▓ █ more
    ");
}

#[test]
fn the_busiest_quarter_is_darkest_however_busy_one_day_is() {
    let last = day(2026, 3, 1);
    let values = [1, 2, 3, u64::MAX];
    let days: BTreeMap<Day, u64> = (0..4)
        .map(|n| (Day(last.0 - 3 + n), values[n as usize]))
        .collect();
    let page = Page {
        bounds: bounds(days.values().copied()),
        days: &days,
        first: last,
        last,
        n_weeks: 1,
        width: 80,
    };
    let levels: Vec<usize> = days.keys().map(|day| page.level(*day)).collect();
    assert_eq!(levels, [1, 2, 3, 4]);
}

proptest! {
    #[test]
    fn every_line_fits(
        days in proptest::collection::btree_map(any::<i32>().prop_map(Day), any::<u64>(), 0..20),
        last in any::<i32>(),
        width in 0usize..200,
    ) {
        for line in calendar(&days, Day(last), width) {
            prop_assert!(line.width() <= width, "{:?} is wider than {}", line.text(), width);
        }
    }
}
