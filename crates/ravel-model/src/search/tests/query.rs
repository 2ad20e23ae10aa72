//! What is looked for, and where it is found.

use super::{find, prompt, regex, words};
use crate::search::{Case, Literal, Query, QueryError, Role, Syntax};

#[track_caller]
fn check_literals(query: &str, expected: &[&str]) {
    let query = words(query);
    let literals: Vec<&str> = query.literals().iter().map(Literal::text).collect();
    assert_eq!(literals, expected);
}

#[test]
fn queries_are_words_and_phrases() {
    check_literals("  one two\tone ", &["one", "two"]);
    check_literals(r#"a "b  c" d"#, &["a", "b  c", "d"]);
    check_literals(r#""b c"d"#, &["b c", "d"]);
    check_literals(r#"say"hi" \"x"#, &["say\"hi\"", "\"x"]);
    check_literals(r#""a \" b" c"#, &["a \" b", "c"]);
    check_literals(r#""no end "#, &["no end "]);
    check_literals(r#""" """#, &[]);
    check_literals("-p --resume", &["-p", "--resume"]);
    check_literals(r"C:\new", &[r"C:\new"]);
    assert_eq!(words("ÉTÉ").literals()[0].folded(), "été");
}

#[test]
fn words_are_found_in_any_case_anywhere() {
    for (query, text, is_found) in [
        ("retention", "The Retention-Policy", true),
        ("tent", "retention", true),
        ("policy retention", "retention policy", true),
        ("\"policy retention\"", "retention policy", false),
        ("retention missing", "retention policy", false),
        ("été", "L'ÉTÉ", true),
        ("straße", "STRAẞE", true),
        ("k", "\u{212A}", false),
        ("日本", "今日本当", true),
        ("-p", "claude -p x", true),
        ("a\\b", "A\\B", true),
        ("aab", "aaab", true),
        ("", "anything", true),
        ("", "", false),
    ] {
        let found = find(&words(query), &prompt(text));
        assert_eq!(found.is_some(), is_found, "{query} in {text}");
    }
    let exact = |query| Query::parse(query, Syntax::Words, Case::Exact).unwrap();
    assert!(find(&exact("Été"), &prompt("un Été")).is_some());
    assert!(find(&exact("été"), &prompt("un Été")).is_none());
}

#[test]
fn words_may_be_in_different_texts_of_a_record() {
    let line = r#"{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"alpha alpha"},{"type":"text","text":"beta"}]}}"#;
    let found = find(&words("alpha beta"), line).unwrap();
    assert_eq!((found.passage, found.role), (1, Role::Reply));
    assert!(find(&regex("alpha.*beta"), line).is_none());
    assert!(find(&words("alpha gamma"), line).is_none());
}

#[test]
fn a_match_has_places_and_a_score() {
    let found = find(&words("art cart"), &prompt("art, cart; start")).unwrap();
    assert_eq!(found.spans, [0..3, 5..9, 13..16]);
    assert_eq!(found.n_hits, 4);
    assert!(found.is_whole_word);
    let many = find(&words("x"), &prompt(&"x ".repeat(1000))).unwrap();
    assert_eq!((many.spans.len(), many.n_hits), (64, 1000));

    let score = |query: &str, line: &str| find(&words(query), line).unwrap().score();
    let result = |text: &str| {
        format!(
            r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","content":"{text}"}}]}}}}"#
        )
    };
    let order = [
        score("art", &prompt("art art")),
        score("art", &prompt("art")),
        score("art", &result("art art")),
        score("art", &prompt("start start start")),
        score("art", &result("start")),
    ];
    assert!(
        order.is_sorted_by(|better, worse| better > worse),
        "{order:?}"
    );
    assert_eq!(
        score("x", &prompt(&"x ".repeat(50))),
        score("x", &prompt(&"x ".repeat(5000))),
        "more and more hits do not beat everything else"
    );
}

#[test]
fn patterns_match_within_a_text() {
    for (pattern, text, is_found) in [
        (r"fo+\b", "a FOOO b", true),
        (r"^second$", "first\nsecond\nthird", true),
        (r"[é-ï]", "NAÏVE", true),
        (r"a*", "nothing of it", true),
        (r"\d{4}", "12 34", false),
    ] {
        assert_eq!(
            find(&regex(pattern), &prompt(text)).is_some(),
            is_found,
            "{pattern}"
        );
    }
    let exact = Query::parse("foo", Syntax::Regex, Case::Exact).unwrap();
    assert!(find(&exact, &prompt("FOO")).is_none());
    assert!(exact.is_regex() && exact.literals().is_empty());
    assert!(find(&regex(r"a*"), &prompt("b")).unwrap().spans.is_empty());
}

#[test]
fn bad_queries_say_why() {
    let error = |text: &str, syntax| Query::parse(text, syntax, Case::Fold).unwrap_err();
    assert!(matches!(error("(", Syntax::Regex), QueryError::Regex(_)));
    assert!(matches!(
        error(r"\w{1000}{1000}", Syntax::Regex),
        QueryError::TooBig { .. }
    ));
    let long = "x".repeat(5000);
    assert!(matches!(
        error(&long, Syntax::Words),
        QueryError::TooLong { .. }
    ));
}

#[test]
fn places_in_any_text() {
    assert_eq!(words("a bc").spans("abc A", 10), [0..1, 1..3, 4..5]);
    assert_eq!(regex("b+").spans("abba bb b", 2), [1..3, 5..7]);
}
