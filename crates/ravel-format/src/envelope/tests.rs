//! One envelope for every dialect's spelling.

use crate::line::Span;
use crate::record::parse_record;
use crate::timestamp::Timestamp;

fn check(line: &str, expect: &[(&str, Option<&str>)]) {
    let span = Span {
        start: 0,
        len: line.len() as u64,
    };
    let envelope = parse_record(line.as_bytes(), span, 1).envelope();
    for (field, value) in expect {
        let found = match *field {
            "uuid" => envelope.uuid,
            "parent" => envelope.parent_uuid,
            "session" => envelope.session_id,
            "request" => envelope.request_id,
            "parent_tool" => envelope.parent_tool_use_id,
            "fork" => envelope.forked_from.and_then(|fork| fork.message_uuid),
            "tool" => envelope.tool_name,
            other => unreachable!("{other}"),
        };
        assert_eq!(
            found.map(|text| text.decode().into_owned()).as_deref(),
            *value,
            "{field} of {line}"
        );
    }
}

#[test]
fn keys_have_one_name_in_all_spellings() {
    check(
        r#"{"parentUuid":null,"uuid":"u1","sessionId":"s1","requestId":"req_1","type":"user"}"#,
        &[
            ("uuid", Some("u1")),
            ("parent", None),
            ("session", Some("s1")),
            ("request", Some("req_1")),
        ],
    );
    check(
        r#"{"type":"assistant","session_id":"s2","request_id":"req_2","parent_tool_use_id":"t1"}"#,
        &[
            ("session", Some("s2")),
            ("request", Some("req_2")),
            ("parent_tool", Some("t1")),
        ],
    );
    check(
        r#"{"type":"user","uuid":"u\u0031","forkedFrom":{"sessionId":"s0","messageUuid":"m0"}}"#,
        &[("uuid", Some("u1")), ("fork", Some("m0"))],
    );
    check(
        r#"{"type":"assistant","toolName":"Read","toolArguments":{}}"#,
        &[("tool", Some("Read"))],
    );
}

#[test]
fn odd_and_damaged_records_have_an_empty_envelope() {
    for line in ["{\"uuid\":7,\"forkedFrom\":[]}", "[1]", "{\"uuid\":\"u", ""] {
        check(line, &[("uuid", None), ("fork", None), ("session", None)]);
    }
}

#[test]
fn timestamps_are_read_as_text_and_as_number() {
    for line in [
        r#"{"timestamp":"1970-01-01T00:00:01.500Z"}"#,
        r#"{"timestamp":1500}"#,
    ] {
        let span = Span { start: 0, len: 1 };
        let envelope = parse_record(line.as_bytes(), span, 1).envelope();
        assert_eq!(envelope.timestamp, Some(Timestamp(1500)));
    }
}
