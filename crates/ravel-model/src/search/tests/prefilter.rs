//! The prefilter must let through every line that matches, however its writer spells JSON.

use std::fmt::Write as _;

use proptest::prelude::*;
use ravel_format::{lines, parse_line};

use super::super::fold::spellings;
use super::{find, prompt, regex, words};
use crate::search::{Case, Query, Syntax, passages};

#[track_caller]
fn check(query: &Query, line: &str, may_match: bool) {
    assert_eq!(
        query.prefilter().may_match(line.as_bytes()),
        may_match,
        "{query:?} in {line}"
    );
}

#[test]
fn lines_without_the_words_are_rejected() {
    for (query, line, may_match) in [
        ("foo", r#"{"a":"x FoO y"}"#, true),
        ("foo", r#"{"a":"bar"}"#, false),
        ("foo bar", r#"{"a":"foo"}"#, false),
        ("foo", r#"{"a":"\u0066oo"}"#, true),
        ("foo", r#"{"a":"f\u004F\u006f"}"#, true),
        ("foo", r#"{"a":"\u001b[0m \u00e9 \u003c"}"#, false),
        ("foo", r#"{"a":"\\u0066 \\\\u0066"}"#, false),
        ("foo", r#"{"a":"\\\u0066oo"}"#, true),
        (r#"foo"bar"#, r#"{"a":"foo\"bar"}"#, true),
        ("/usr/lib", r#"{"a":"\/usr\/lib"}"#, true),
        ("été", r#"{"a":"ÉTÉ"}"#, true),
        ("été", r#"{"a":"\u00C9t\u00e9"}"#, true),
        ("été", r#"{"a":"ete \u00e8"}"#, false),
        ("日本", r#"{"a":"日本"}"#, true),
        ("日本", r#"{"a":"日 本"}"#, false),
        ("日本", r#"{"a":"\u65e5\u672C"}"#, true),
        ("😀", r#"{"a":"\ud83D\uDE00"}"#, true),
        ("😀", r#"{"a":"\ud83d\ude01 \ud83d"}"#, false),
        ("::", r#"{"a":"std::fmt"}"#, true),
        ("::", r#"{"a":"std:fmt"}"#, false),
        ("\"\u{fffd}\\", r#"{"a":1}"#, true),
        ("", "x", true),
        ("", "", false),
    ] {
        check(&words(query), line, may_match);
    }
    let exact = |query| Query::parse(query, Syntax::Words, Case::Exact).unwrap();
    check(&exact("Foo"), r#"{"a":"foo"}"#, false);
    check(&exact("Foo"), r#"{"a":"\u0066oo"}"#, false);
    check(&exact("Foo"), r#"{"a":"\u0046oo"}"#, true);
}

#[test]
fn patterns_have_required_texts_too() {
    for (pattern, line, may_match) in [
        (r"\bfoo\d+", r#"{"a":"FOO1"}"#, true),
        (r"\bfoo\d+", r#"{"a":"bar1"}"#, false),
        (r"\w+\s+(?:policy)+", r#"{"a":"b"}"#, false),
        ("foo|bar", r#"{"a":"Bar"}"#, true),
        ("foo|bar", r#"{"a":"baz"}"#, false),
        ("task", "{\"a\":\"ta\u{17f}k\"}", true),
        ("task", r#"{"a":"tas\u212a"}"#, true),
        ("task", r#"{"a":"tak"}"#, false),
        ("(foo)?", r#"{"a":"b"}"#, true),
        (r"\d", r#"{"a":"b"}"#, true),
    ] {
        check(&regex(pattern), line, may_match);
    }
}

#[test]
fn hostile_lines_are_no_trouble() {
    let long = prompt(&("ab\u{1}é".repeat(2_000_000) + "needle"));
    assert!(words("needle").prefilter().may_match(long.as_bytes()));
    assert!(find(&words("NEEDLE éab"), &long).is_some());
    assert!(find(&words("noodle"), &long).is_none());
    let lone = r#"{"type":"user","message":{"content":"a\ud800b\udc00\ud800\ud800c \q \u12"}}"#;
    for query in ["a", "b", "c", "\u{fffd}b", "b\u{fffd}", "q", "12"] {
        assert!(find(&words(query), lone).is_some(), "{query}");
        check(&words(query), lone, true);
    }
    let slashes = format!("{{\"a\":\"{}\\u0066oo\"}}", r"\\".repeat(1_000_000));
    check(&words("foo"), &slashes, true);
}

/// Writes a JSON string in one of the ways that are seen, and in some that are only allowed.
fn write(text: &str, way: usize) -> String {
    let plain = serde_json::to_string(text).unwrap();
    match way {
        0 => plain,
        1 => [('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026")]
            .iter()
            .fold(plain, |text, (from, to)| text.replace(*from, to)),
        2 => plain.replace('/', "\\/"),
        _ => {
            let mut all = String::from("\"");
            for (n, unit) in text.encode_utf16().enumerate() {
                let character = char::from_u32(u32::from(unit));
                let is_plain = |one: &char| one.is_alphanumeric() && way == 5 && n % 2 == 0;
                match (way, character.filter(is_plain)) {
                    (5, Some(character)) => all.push(character),
                    (3, _) => write!(all, "\\u{unit:04x}").unwrap(),
                    _ => write!(all, "\\u{unit:04X}").unwrap(),
                }
            }
            all + "\""
        }
    }
}

fn character() -> impl Strategy<Value = char> {
    let odd: Vec<char> = "kKsS\u{212A}ſéÉßẞİıΣςσ日本😀\u{1}\n\t\"\\/<>&'\u{7f}\u{2028}\u{fffd}ȺⱥǄǅǆÅå\u{212B}Ωω\u{2126} -_:.0u"
        .chars()
        .collect();
    prop_oneof![
        proptest::char::range('a', 'e'),
        proptest::sample::select(odd)
    ]
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(character(), 1..40).prop_map(String::from_iter)
}

fn line_of(text: &str, way: usize) -> String {
    format!(
        r#"{{"type":"user","uuid":"u","message":{{"content":{}}}}}"#,
        write(text, way)
    )
}

/// Takes a part of a text, with other cases of its letters if `is_respelled`.
fn part_of(text: &str, place: (usize, usize), case: Case) -> String {
    let chars: Vec<char> = text.chars().collect();
    let start = place.0 % chars.len();
    let length = 1 + place.1 % (chars.len() - start);
    let respell = |(n, &one): (usize, &char)| match case {
        Case::Exact => one,
        Case::Fold => {
            let all = spellings(one);
            all.get((n + place.1) % all.len().max(1))
                .copied()
                .unwrap_or(one)
        }
    };
    chars[start..start + length]
        .iter()
        .enumerate()
        .map(respell)
        .collect()
}

proptest! {
    #[test]
    fn whatever_is_in_a_text_is_found(
        text in text(), way in 0_usize..6, place in any::<(usize, usize)>(), is_exact: bool
    ) {
        let case = if is_exact { Case::Exact } else { Case::Fold };
        let line = line_of(&text, way);
        let part = part_of(&text, place, case);
        let phrase = format!("\"{}", part.replace('"', "\\\""));
        let query = Query::parse(&phrase, Syntax::Words, case).unwrap();
        prop_assert_eq!(query.literals()[0].text(), &part);
        prop_assert!(find(&query, &line).is_some(), "{:?} in {}", part, line);
        prop_assert!(query.prefilter().may_match(line.as_bytes()), "{:?} in {}", part, line);
        let pattern = Query::parse(&regex_syntax::escape(&part), Syntax::Regex, case).unwrap();
        if find(&pattern, &line).is_some() {
            prop_assert!(pattern.prefilter().may_match(line.as_bytes()), "{:?} in {}", part, line);
        }
    }

    #[test]
    fn patterns_let_through_what_they_match(
        text in text(),
        way in 0_usize..6,
        pattern in proptest::sample::select(vec![
            "a|b", "[a-c]d", "k+s", "(?:ab|cd)e?", "a.*e", "(?i:É)b", "ss|ß", "[^a]b", r"\ba", "(ab){2,}",
            "日.", "a(?-i:K)", r"[\\/]b", "^a", "[😀日]a", "ςa?", r"a\s*b", "(a|)b", "k.?é", "å|ω",
        ])
    ) {
        let line = line_of(&text, way);
        for case in [Case::Fold, Case::Exact] {
            let query = Query::parse(pattern, Syntax::Regex, case).unwrap();
            if find(&query, &line).is_some() {
                prop_assert!(query.prefilter().may_match(line.as_bytes()), "{}", line);
            }
        }
    }

    #[test]
    fn pieces_are_their_lines(
        texts in proptest::collection::vec(("[a-cé \\\\u06]{0,12}", 0_usize..6), 0..30),
        query in "[a-cé]{1,3}( [a-c])?", ends: bool
    ) {
        let all: Vec<String> = texts
            .iter()
            .map(|(text, way)| if text.is_empty() { String::new() } else { write(text, *way) })
            .collect();
        let piece = all.join("\n") + if ends { "\n" } else { "" };
        let prefilter = words(&query).prefilter();
        let found: Vec<&str> = prefilter.candidates(piece.as_bytes()).map(|line| &piece[line]).collect();
        let expected: Vec<&str> = piece.split('\n').filter(|line| prefilter.may_match(line.as_bytes())).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn no_bytes_cause_a_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..200), query in ".{0,8}", is_regex: bool
    ) {
        let syntax = if is_regex { Syntax::Regex } else { Syntax::Words };
        let mut piece = br#"{"type":"user","message":{"content":[""#.to_vec();
        piece.extend(&bytes);
        piece.extend(br#""]}}"#);
        if let Ok(query) = Query::parse(&query, syntax, Case::Fold) {
            let prefilter = query.prefilter();
            prop_assert!(prefilter.candidates(&piece).all(|line| piece.get(line).is_some()));
            for record in lines(&piece).flat_map(|line| parse_line(&line)) {
                let passages = passages(&record);
                if let Some(found) = query.matches(&passages, |_| true) {
                    found.snippet(&passages[found.passage].text, 20);
                    prop_assert!(prefilter.may_match(record.raw));
                }
            }
        }
    }
}

#[test]
fn long_pieces_are_searched_to_their_ends() {
    let filler = prompt(&"lorem ipsum ".repeat(900));
    let hit = prompt("a Needle here");
    let escaped = line_of("needle", 3);
    let mut piece = String::new();
    let mut expected = Vec::new();
    for n in 0..300 {
        let line = match n % 50 {
            7 => &hit,
            8 => &escaped,
            _ => &filler,
        };
        if n % 50 == 7 || n % 50 == 8 {
            expected.push(piece.len()..piece.len() + line.len());
        }
        piece += line;
        piece.push('\n');
    }
    assert!(piece.len() > 2 << 20);
    let found: Vec<_> = words("needle")
        .prefilter()
        .candidates(piece.as_bytes())
        .collect();
    assert_eq!(found, expected);
}
