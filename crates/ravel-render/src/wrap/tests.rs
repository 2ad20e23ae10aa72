use proptest::prelude::*;

use super::*;
use crate::style::Style;

fn text_of(lines: &[Line]) -> Vec<String> {
    lines.iter().map(Line::text).collect()
}

#[track_caller]
fn check(text: &str, width: usize, expect: &[&str]) {
    let lines = wrap(&[Span::new(text, Role::Plain)], width, &Margin::default());
    assert_eq!(text_of(&lines), expect);
}

#[test]
fn words_move_down_whole() {
    check("the quick brown fox", 10, &["the quick", "brown fox"]);
    check("one\ntwo", 10, &["one", "two"]);
    check("", 10, &[""]);
    check("a  b", 10, &["a  b"]);
    check("don't split-up (this)", 9, &["don't", "split-up", "(this)"]);
}

#[test]
fn long_words_are_broken() {
    check("abcdefghij", 4, &["abcd", "efgh", "ij"]);
    check("x abcdefgh", 4, &["x", "abcd", "efgh"]);
    check("abc", 0, &["a", "b", "c"]);
}

#[test]
fn wide_characters_take_two_columns_and_break_anywhere() {
    check("日本語日本語", 7, &["日本語", "日本語"]);
    check("👩\u{200d}💻👍🏽x", 4, &["👩\u{200d}💻👍🏽", "x"]);
    check(
        "e\u{301}e\u{301}e\u{301}",
        2,
        &["e\u{301}e\u{301}", "e\u{301}"],
    );
}

#[test]
fn words_may_span_styles() {
    let spans = [
        Span::new("aa bb", Role::Plain),
        Span::new("cc", Style::PLAIN.bold()),
        Span::new("dd ee", Role::Plain),
    ];
    let lines = wrap(&spans, 8, &Margin::default());
    assert_eq!(text_of(&lines), ["aa", "bbccdd", "ee"]);
    assert_eq!(lines[1].spans().len(), 3);
}

#[test]
fn hanging_indents_count() {
    let margin = Margin {
        first: vec![Span::new("- ", Role::Accent)],
        rest: vec![Span::new("  ", Role::Plain)],
    };
    let lines = wrap(&[Span::new("aaa bbb ccc", Role::Plain)], 6, &margin);
    assert_eq!(text_of(&lines), ["- aaa", "  bbb", "  ccc"]);
}

#[test]
fn folding_keeps_space_and_expands_tabs() {
    let folded = fold(&[Span::new("\ta  b\tc", Role::Code)], 8, &Margin::default());
    assert_eq!(text_of(&folded), ["    a  b", "    c"]);
}

#[test]
fn truncation_shows_that_something_is_missing() {
    let line = Line::of("abcdef", Role::Plain);
    assert_eq!(truncate(&line, 6).text(), "abcdef");
    assert_eq!(truncate(&line, 4).text(), "abc…");
    assert_eq!(truncate(&line, 0).text(), "");
    assert_eq!(truncate(&Line::of("日本語", Role::Plain), 4).text(), "日…");
}

proptest! {
    #[test]
    fn lines_fit_and_nothing_is_lost(text in "[a-z日👍é \\n]{0,80}", width in 2usize..20) {
        let lines = wrap(&[Span::new(&text, Role::Plain)], width, &Margin::default());
        prop_assert!(lines.iter().all(|line| line.width() <= width));
        let without_space = |text: &str| text.split_whitespace().collect::<String>();
        prop_assert_eq!(without_space(&text_of(&lines).concat()), without_space(&text));
    }
}
