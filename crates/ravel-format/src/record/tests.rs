//! Damage does not end the reading.

use proptest::prelude::*;

use super::{Damage, parse_line};
use crate::line::lines;

/// Writes one word a record: what it is, and its `uuid` when it has one.
fn check(input: &[u8], expected: &str) {
    let mut words = Vec::new();
    for line in lines(input) {
        for record in parse_line(&line) {
            let uuid = record
                .get("uuid")
                .and_then(crate::Json::str)
                .unwrap_or("-".into());
            let damage = match record.damage {
                None => "ok",
                Some(Damage::Blank) => "blank",
                Some(Damage::Nul) => "nul",
                Some(Damage::Torn(_)) => "torn",
                Some(Damage::Malformed(_)) => "malformed",
                Some(Damage::NotAnObject(_)) => "not-an-object",
                Some(Damage::Glued) => "glued",
            };
            words.push(format!("{damage}:{uuid}"));
        }
    }
    assert_eq!(
        words.join(" "),
        expected,
        "{}",
        String::from_utf8_lossy(input)
    );
}

#[test]
fn every_kind_of_line_becomes_records() {
    check(br#"{"uuid":"a"}"#, "ok:a");
    check(b"\xEF\xBB\xBF{\"uuid\":\"a\"}\r\n", "ok:a");
    check(b"\n  \n", "blank:- blank:-");
    check(b"\0\0\0\0", "nul:-");
    check(b"\0\0{\"uuid\":\"a\"}", "nul:a");
    check(br#"{"uuid":"a"#, "torn:-");
    check(b"[1]\n\"x\"", "not-an-object:- not-an-object:-");
    check(br#"{"uuid":"a"}{"uuid":"b"}"#, "glued:a glued:b");
    check(
        br#"{"uuid":"a"} {"uuid":"b"} x"#,
        "glued:a glued:b malformed:-",
    );
    check(
        br#"{"type":"user","mess{"type":"user","uuid":"b"}"#,
        "malformed:- glued:b",
    );
    check(
        br#"{"message":{"content":"ab{"parentUuid":null,"uuid":"b"}"#,
        "malformed:- glued:b",
    );
    check(br#"not json at all"#, "malformed:-");
}

proptest! {
    #[test]
    fn records_cover_their_line(input in r#"(\{"uuid":"[ab]{0,2}"\}|\{"type":"x|[{}\[\]",:a1\x00 ]){0,8}"#) {
        for line in lines(input.as_bytes()) {
            let mut end = line.span.start;
            for record in parse_line(&line) {
                prop_assert_eq!(record.span.start, end);
                end = record.span.end();
            }
            prop_assert_eq!(end, line.span.end());
        }
    }
}
