use std::borrow::Cow;

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(input: &str, expect: &str) {
    assert_eq!(sanitize(input), expect);
}

#[test]
fn plain_text_is_borrowed() {
    for text in ["", "plain\ttext\n", "naïve café", "日本語", "👍🏽"] {
        assert!(matches!(sanitize(text), Cow::Borrowed(_)), "{text:?}");
    }
}

#[test]
fn controls_become_pictures() {
    check("a\u{1b}[31mred", "a␛[31mred");
    check(
        "bell\u{7} back\u{8} nul\0 del\u{7f}",
        "bell␇ back␈ nul␀ del␡",
    );
    check("one\r\ntwo\rthree", "one\ntwo␍three");
    check("\u{9b}31m", "<U+009B>31m");
}

#[test]
fn characters_that_reorder_or_smuggle_are_named() {
    check("a\u{202e}b\u{2066}c", "a<U+202E>b<U+2066>c");
    check("\u{e0041}", "<U+E0041>");
    check("\u{2028}", "<U+2028>");
}

#[test]
fn invisible_characters_go_unless_they_join() {
    check("a\u{200b}b\u{feff}c\u{ad}", "abc");
    check("a\u{200d}b", "ab");
    check(
        "👩\u{200d}💻 ❤\u{fe0f} 1\u{fe0f}\u{20e3}",
        "👩\u{200d}💻 ❤\u{fe0f} 1\u{fe0f}\u{20e3}",
    );
    check("❤\u{fe0f}\u{fe0f}\u{fe0f}", "❤\u{fe0f}");
    check("🏳\u{fe0f}\u{200d}🌈", "🏳\u{fe0f}\u{200d}🌈");
}

#[test]
fn one_line_stays_one_line() {
    assert_eq!(sanitize_line("a\n\tb\r\nc"), "a  b c");
}

#[test]
fn complete_sequences_are_stripped_and_torn_ones_shown() {
    for (input, expect) in [
        ("\u{1b}[1;31mred\u{1b}[0m", "red"),
        ("\u{1b}]0;title\u{7}x", "x"),
        ("\u{1b}]8;;http://e.x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
        ("\u{1b}Pq data\u{1b}\\x", "x"),
        ("\u{9b}2Jx\u{9d}0;t\u{9c}y", "xy"),
        ("\u{1b}(Bx\u{1b}7y", "xy"),
        ("\u{1b}]0;never ends", "␛]0;never ends"),
        ("\u{1b}]0;a\nb\u{7}", "␛]0;a\nb␇"),
        ("\u{1b}[12", "␛[12"),
        ("\u{1b}", "␛"),
    ] {
        assert_eq!(strip_escapes(input), expect, "{input:?}");
    }
}

#[test]
fn huge_hostile_runs_take_linear_time() {
    let openers = "\u{1b}]".repeat(500_000);
    assert_eq!(strip_escapes(&openers).len(), 500_000 * 4);
    assert_eq!(sanitize(&"\u{200d}".repeat(500_000)), "");
}

fn hostile_text() -> impl Strategy<Value = String> {
    let nasty = prop::sample::select(vec![
        '\u{1b}', '[', ']', 'P', '\\', ';', '1', 'm', '\u{7}', '\u{8}', '\r', '\n', '\t', '\u{9b}',
        '\u{9c}', '\u{9d}', '\u{202e}', '\u{2067}', '\u{200d}', '\u{fe0f}', '❤', 'a',
    ]);
    prop::collection::vec(prop_oneof![3 => nasty, 1 => any::<char>()], 0..60)
        .prop_map(|chars| chars.into_iter().collect())
}

fn is_safe(c: char) -> bool {
    let control = c.is_control() && c != '\n' && c != '\t';
    !control && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

proptest! {
    #[test]
    fn output_is_safe_and_stable(text in hostile_text()) {
        for clean in [sanitize(&text), strip_escapes(&text), sanitize_line(&text)] {
            prop_assert!(clean.chars().all(is_safe), "{clean:?}");
            prop_assert_eq!(sanitize(&clean), clean.clone());
        }
    }
}
