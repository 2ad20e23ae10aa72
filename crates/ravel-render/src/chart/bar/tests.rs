use proptest::prelude::*;

use super::*;

fn bar(label: &str, value: u64) -> Bar {
    Bar {
        label: label.to_owned(),
        value,
        text: crate::amount::count(value),
        style: Role::Accent.into(),
    }
}

fn draw(list: &[Bar], width: usize) -> String {
    let lines = bars(list, width);
    lines.iter().map(|line| line.text() + "\n").collect()
}

fn sample() -> Vec<Bar> {
    vec![
        bar("claude-opus-4-5", 1_200_000),
        bar("claude-haiku-4-5", 530_000),
        bar("日本語", 900),
        bar("nothing", 0),
    ]
}

#[test]
fn labels_amounts_and_bars_stand_in_columns() {
    insta::assert_snapshot!(draw(&sample(), 60), @r"
    claude-opus-4-5   1.2M  ████████████████████████████████████
    claude-haiku-4-5  530k  ███████████████▉
    日本語             900  ▏
    nothing              0
    ");
}

#[test]
fn in_a_narrow_terminal_labels_are_cut_and_then_bars_go() {
    insta::assert_snapshot!(draw(&sample(), 30), @r"
    claude-opus…  1.2M  ██████████
    claude-haik…  530k  ████▍
    日本語         900  ▏
    nothing          0
    ");
    insta::assert_snapshot!(draw(&sample(), 16), @r"
    claude-op…  1.2M
    claude-ha…  530k
    日本語       900
    nothing        0
    ");
}

#[test]
fn all_zero_is_no_bar_and_the_greatest_number_is_a_whole_one() {
    insta::assert_snapshot!(draw(&[bar("a", 0), bar("b", 0)], 20), @r"
    a  0
    b  0
    ");
    insta::assert_snapshot!(draw(&[bar("a", u64::MAX), bar("b", u64::MAX / 2)], 24), @r"
    a  18446744T  ██████████
    b   9223372T  █████
    ");
}

#[test]
fn no_bars_are_no_lines() {
    assert_eq!(bars(&[], 80), Vec::new());
}

#[test]
fn control_characters_are_made_harmless() {
    let text = draw(&[bar("a\u{1b}[31m\nb\u{7}", 1)], 40);
    assert_eq!(text.lines().count(), 1);
    assert!(!text.contains(['\u{1b}', '\u{7}']), "{text:?}");
}

proptest! {
    #[test]
    fn every_line_fits_and_longer_is_greater(
        values in proptest::collection::vec((any::<u64>(), "\\PC{0,30}"), 0..8),
        width in 1usize..120,
    ) {
        let list: Vec<Bar> = values.iter().map(|(value, label)| bar(label, *value)).collect();
        let lines = bars(&list, width);
        prop_assert_eq!(lines.len(), list.len());
        for line in &lines {
            prop_assert!(line.width() <= width, "{:?} is wider than {}", line.text(), width);
        }
        for pair in values.windows(2) {
            let [(a, _), (b, _)] = pair else { unreachable!() };
            let greatest = (*a).max(*b);
            let (a_wide, b_wide) = (eighths(*a, greatest), eighths(*b, greatest));
            prop_assert_eq!(a_wide.cmp(&b_wide).then(a.cmp(b)), a.cmp(b));
        }
    }
}

fn eighths(value: u64, greatest: u64) -> usize {
    let drawn = blocks(value, greatest, 10);
    let part = |block| EIGHTHS.iter().position(|part| *part == block).unwrap_or(8);
    drawn.chars().map(|block| part(block.to_string())).sum()
}
