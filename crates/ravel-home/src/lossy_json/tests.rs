use super::*;

#[test]
fn escapes_are_decoded_and_lone_surrogates_replaced() {
    let check = |raw: &str, expect: &str| assert_eq!(decode_text(raw.as_bytes()), expect, "{raw}");
    check("plain", "plain");
    check(r#"a\nb\t\"q\"\\\/"#, "a\nb\t\"q\"\\/");
    check(r"\u00e9\u65e5", "é日");
    check(r"\ud83d\ude00", "😀");
    check(r"\ud83d", "\u{fffd}");
    check(r"\ude00x", "\u{fffd}x");
    check(r"\ud83d\u0041", "\u{fffd}A");
    check(r"\ud83d\ud83d\ude00", "\u{fffd}😀");
    check(r"\x \u12", r"\x \u12");
    check("torn\\", "torn\\");
}

#[test]
fn bytes_that_are_not_utf8_are_replaced() {
    assert_eq!(decode_text(b"a\xff\\nb"), "a\u{fffd}\nb");
}

#[test]
fn a_document_survives_a_lone_surrogate() {
    let value = parse_value(br#"{"a":"x\ud83dy","b":"\ud83d\ude00","c":"\\ud83d"}"#).unwrap();
    assert_eq!(value["a"], "x\u{fffd}y");
    assert_eq!(value["b"], "😀");
    assert_eq!(value["c"], "\\ud83d");
}

#[test]
fn a_document_survives_a_byte_order_mark_and_bad_utf8() {
    assert_eq!(parse_value(b"\xef\xbb\xbf[1]").unwrap()[0], 1);
    assert_eq!(parse_value(b"[\"a\xffb\"]").unwrap()[0], "a\u{fffd}b");
    assert!(parse_value(b"{torn").is_err());
}
