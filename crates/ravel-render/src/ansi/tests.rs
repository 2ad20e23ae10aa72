use super::*;

#[track_caller]
fn check(output: &str, expect: &[&str]) {
    let found: Vec<_> = lines(output).iter().map(Line::text).collect();
    assert_eq!(found, expect);
}

#[test]
fn sequences_are_read_or_dropped() {
    check("\u{1b}[31mred\u{1b}[0m plain", &["red plain"]);
    check("\u{1b}]0;title\u{7}a\u{1b}[2Kb\n", &["ab"]);
    check("\u{1b}[38;5;9mx\u{1b}[48;2;1;2;3my", &["xy"]);
    check("\u{1b}[31", &["␛[31"]);
}

#[test]
fn a_carriage_return_draws_over() {
    check("10%\r50%\r100%\ndone\r\n", &["100%", "done"]);
}

#[test]
fn colors_become_roles_and_last_over_lines() {
    let found = lines("\u{1b}[1;31ma\nb\u{1b}[mc");
    assert_eq!(found[0].spans()[0].style(), Style::of(Role::Error).bold());
    assert_eq!(found[1].spans()[0].style(), Style::of(Role::Error).bold());
    assert_eq!(found[1].spans()[1].style(), Style::PLAIN);
}
