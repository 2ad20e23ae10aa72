//! Lines around a match.

use proptest::prelude::*;

use super::{find, prompt, words};

/// Checks a snippet, with what matches in brackets.
#[track_caller]
fn check(query: &str, text: &str, width: usize, expected: &str) {
    let found = find(&words(query), &prompt(text)).unwrap();
    let snippet = found.snippet(text, width);
    let mut shown = snippet.text.clone();
    for span in snippet.highlights.iter().rev() {
        shown.insert(span.end, ']');
        shown.insert(span.start, '[');
    }
    assert_eq!(shown, expected);
}

#[test]
fn snippets_are_one_line_around_the_best_place() {
    check("two", "one two three", 40, "one [two] three");
    check("two", " one\n\n  two\t three \n", 40, "one [two] three");
    check("two three", "one two three", 40, "one [two] [three]");
    check("\"two three\"", "one two three", 40, "one [two three]");
    check("k", "abcdefghijklmnopqrstuvwxyz", 10, "…hij[k]lmnopq…");
    check("a", "abcdefghijkl", 4, "[a]bcd…");
    check("l", "abcdefghijkl", 7, "…jk[l]");
    check("abcdef", "abcdefghi", 3, "[abc]…");
    check("art", "start of some art here", 14, "…me [art] here");
    check("été", "un ÉTÉ 日本語日本語", 12, "un [ÉTÉ] 日本語日本…");
    check("", "all of it", 6, "all of…");
}

proptest! {
    #[test]
    fn snippets_fit_and_mark_whole_characters(
        text in "[ab é日\n\t]{1,60}", query in "[ab é日]{1,3}", width in 0_usize..30
    ) {
        if let Some(found) = find(&words(&format!("\"{query}")), &prompt(&text)) {
            let snippet = found.snippet(&text, width);
            prop_assert!(snippet.text.chars().count() <= width.max(1) + 2);
            prop_assert!(!snippet.text.contains(['\n', '\t']));
            for span in &snippet.highlights {
                prop_assert!(snippet.text.get(span.clone()).is_some_and(|text| !text.is_empty()));
            }
        }
    }
}
