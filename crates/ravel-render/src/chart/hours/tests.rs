use proptest::prelude::*;

use super::*;

fn draw(counts: &[u64; 24], width: usize) -> String {
    let lines = hours(counts, width);
    lines.iter().map(|line| line.text() + "\n").collect()
}

fn sample() -> [u64; 24] {
    let mut counts = [0; 24];
    for (hour, count) in [
        (0, 1),
        (8, 12),
        (9, 80),
        (10, 100),
        (12, 33),
        (15, 64),
        (22, 8),
        (23, 4),
    ] {
        counts[hour] = count;
    }
    counts
}

#[test]
fn a_column_for_each_hour() {
    insta::assert_snapshot!(draw(&sample(), 80), @r"
                               ▂▂ ██
                               ██ ██             ▄▄
                               ██ ██    ▃▃       ██
    ▁▁                      ▄▄ ██ ██    ██       ██                   ▃▃ ▁▁
    0                 6                 12                18
    ");
    insta::assert_snapshot!(draw(&sample(), 50), @r"
                      ▂ █
                      █ █         ▄
                      █ █   ▃     █
    ▁               ▄ █ █   █     █             ▃ ▁
    0           6           12          18
    ");
}

#[test]
fn neighbors_are_put_together_where_there_is_no_room() {
    insta::assert_snapshot!(draw(&sample(), 30), @r"
             ▂█
             ██    ▄
             ██ ▃  █
    ▁       ▄██ █  █      ▃▁
    0     6     12    18
    ");
    insta::assert_snapshot!(draw(&sample(), 20), @r"
        ▅█
        ██ ▄
        ██▃█
    ▁   ████   ▄
    0  6  12 18
    ");
    assert_eq!(hours(&sample(), 0), Vec::new());
}

#[test]
fn nothing_done_has_no_columns() {
    let lines = hours(&[0; 24], 80);
    assert_eq!(lines.len(), HEIGHT + 1);
    assert!(lines.iter().take(HEIGHT).all(Line::is_blank));
}

proptest! {
    #[test]
    fn every_line_fits(counts in any::<[u64; 24]>(), width in 1usize..200) {
        for line in hours(&counts, width) {
            prop_assert!(line.width() <= width, "{:?} is wider than {}", line.text(), width);
        }
    }
}
