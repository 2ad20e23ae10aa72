//! The lazy reader must agree with a strict one on what is JSON and what it says.

use proptest::prelude::*;

use super::{Json, JsonKind, Reason, TextFlaws};

fn check_malformed(input: &str, reason: Reason) {
    let error = Json::parse(input.as_bytes()).expect_err(input);
    assert_eq!(error.reason, reason, "{input}");
}

#[test]
fn values_say_what_they_are() {
    let json =
        Json::parse(br#" {"a":[1,{"b":null}],"t":"x\ty","f":false,"n":-1.5e3,"a":2} "#).unwrap();
    assert_eq!(json.kind(), JsonKind::Object);
    assert_eq!(
        json.get("a").unwrap().i64(),
        Some(2),
        "the last of two equal keys wins"
    );
    assert_eq!(json.get("t").unwrap().str().unwrap(), "x\ty");
    assert_eq!(json.get("n").unwrap().i64(), Some(-1500));
    assert_eq!(json.entries().count(), 5);
    assert!(json.get("zzz").is_none());
}

#[test]
fn malformed_bytes_say_why() {
    for (input, reason) in [
        ("", Reason::Unfinished),
        ("{", Reason::Unfinished),
        (r#"{"a":"x"#, Reason::Unfinished),
        (r#"{"a":tru"#, Reason::Unfinished),
        (r#"{"a":1}{"b":2}"#, Reason::Trailing),
        (r#"{"a":1,}"#, Reason::Unexpected),
        (r#"{"a":[1}"#, Reason::Unexpected),
        (r#"{"a" 1}"#, Reason::Unexpected),
        ("[1 2]", Reason::Unexpected),
        ("[01]", Reason::Unexpected),
        ("nope", Reason::Unfinished),
        ("[nope]", Reason::Unexpected),
    ] {
        check_malformed(input, reason);
    }
}

#[test]
fn text_is_decoded_for_people_and_never_fails() {
    for (raw, text) in [
        (r#""plain""#, "plain"),
        (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
        (r#""\ud83d\ude00""#, "😀"),
        (r#""\ud83d""#, "\u{fffd}"),
        (r#""\ude00x""#, "\u{fffd}x"),
        (r#""\ud83d\u0041""#, "\u{fffd}A"),
        (r#""\u0000""#, "\0"),
    ] {
        let json = Json::parse(raw.as_bytes()).unwrap();
        assert_eq!(json.str().unwrap(), text);
        assert!(json.flaw().is_none(), "{raw}");
    }
}

#[test]
fn flaws_inside_strings_are_found() {
    for raw in [
        &b"\"\x01\""[..],
        b"\"\\q\"",
        b"\"\\u12g4\"",
        b"\"\xff\"",
        b"[\"a\tb\"]",
        b"\"a\nb\"",
    ] {
        assert!(Json::parse(raw).unwrap().flaw().is_some(), "{raw:?}");
    }
    assert!(Json::parse(b"[\"a\",\t\"b\"]").unwrap().flaw().is_none());
}

#[test]
fn a_hundred_thousand_levels_need_no_stack() {
    let deep = [b"[".repeat(100_000), b"]".repeat(100_000)].concat();
    assert!(Json::parse(&deep).is_ok());
    let mixed = [br#"{"a":["#.repeat(5_000), b"]}".repeat(5_000)].concat();
    assert!(Json::parse(&mixed).is_ok());
    assert!(Json::parse(&mixed[..mixed.len() - 1]).is_err());
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        ".*".prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(6, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(serde_json::Value::from),
            prop::collection::btree_map(".{0,6}", inner, 0..8)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

#[test]
fn escapes_are_counted_across_the_chunks_of_a_long_string() {
    for n_before in 1010..1030 {
        let text = |escape: &str| format!("\"{}{escape}\"", "x".repeat(n_before));
        let flaws = |escape: &str| TextFlaws::of(text(escape).as_bytes());
        assert_eq!(
            flaws(r"\\\\q\\\u00e9\n"),
            TextFlaws::default(),
            "{n_before}"
        );
        assert_eq!(flaws(r"\\\q").bad_text, Some(n_before + 3), "{n_before}");
        assert_eq!(flaws("\u{1}").bad_text, Some(n_before + 1), "{n_before}");
        assert_eq!(flaws(r"\ud83d\ude00"), TextFlaws::default(), "{n_before}");
        assert_eq!(flaws(r"\ud83d").lone_surrogate, Some(n_before + 1));
    }
}

proptest! {
    #[test]
    fn reads_what_serde_json_writes(value in any_json()) {
        let bytes = serde_json::to_vec(&value).unwrap();
        let json = Json::parse(&bytes).unwrap();
        prop_assert_eq!(json.raw(), &bytes[..]);
        prop_assert!(json.flaw().is_none());
        if let Some(object) = value.as_object() {
            for (key, member) in object {
                prop_assert_eq!(json.get(key).unwrap().raw(), &serde_json::to_vec(member).unwrap()[..]);
            }
        }
        if let Some(text) = value.as_str() {
            prop_assert_eq!(json.str().unwrap(), text);
        }
    }

    #[test]
    fn accepts_exactly_what_serde_json_accepts(bytes in r#"[\[\]{}:,"\\a0-9.e \-]{0,24}"#) {
        let ours = Json::parse(bytes.as_bytes()).is_ok_and(|json| json.flaw().is_none());
        let theirs = serde_json::from_str::<&serde_json::value::RawValue>(&bytes).is_ok();
        prop_assert_eq!(ours, theirs, "{}", bytes);
    }

    #[test]
    fn no_prefix_of_an_object_is_whole(value in any_json(), cut in any::<prop::sample::Index>()) {
        let bytes = serde_json::to_vec(&serde_json::json!({ "v": value })).unwrap();
        let end = cut.index(bytes.len());
        prop_assert!(Json::parse(&bytes[..end]).is_err());
    }
}
