use ravel_format::{Span, Timestamp, parse_record};

use super::{Origin, may_hold_usage, read_request};
use crate::usage::{Geo, Request, Speed, Tier, Tokens};

fn read(line: &str) -> Option<Request> {
    let origin = Origin {
        file: "file".into(),
        session: "of-file".into(),
        project: "project".into(),
    };
    let span = Span {
        start: 70,
        len: line.len() as u64,
    };
    read_request(&parse_record(line.as_bytes(), span, 7), &origin)
}

fn with_usage(usage: &str) -> Tokens {
    let line = format!(r#"{{"type":"assistant","message":{{"id":"m","usage":{usage}}}}}"#);
    assert!(may_hold_usage(line.as_bytes()));
    read(&line).unwrap().tokens
}

#[test]
fn a_line_says_all_there_is() {
    let line = r#"{"uuid":"u","sessionId":"s","requestId":"r","isSidechain":true,"type":"assistant",
        "timestamp":"1970-01-01T00:00:01.000Z","message":{"id":"m","model":"claude-x","usage":{
        "input_tokens":1,"output_tokens":2,"cache_creation_input_tokens":7,"cache_read_input_tokens":5,
        "cache_creation":{"ephemeral_5m_input_tokens":3,"ephemeral_1h_input_tokens":4},
        "server_tool_use":{"web_search_requests":6},"speed":"fast","service_tier":"batch",
        "inference_geo":"us"}}}"#;
    let expected = Request {
        session: "s".into(),
        project: "project".into(),
        message: Some("m".into()),
        request: Some("r".into()),
        record: Some("u".into()),
        model: "claude-x".into(),
        time: Some(Timestamp(1_000)),
        tokens: Tokens {
            input: 1,
            output: 2,
            cache_write_5m: 3,
            cache_write_1h: 4,
            cache_read: 5,
        },
        web_searches: 6,
        speed: Some(Speed::Fast),
        tier: Some(Tier::Batch),
        geo: Some(Geo::Us),
        is_sidechain: true,
        is_fork: false,
        file: "file".into(),
        line: 7,
        offset: 70,
    };
    assert_eq!(read(line), Some(expected));
}

#[test]
fn what_a_line_does_not_say_is_not_made_up() {
    let request = read(r#"{"type":"assistant","requestId":"","message":{"id":null,"usage":{"speed":"","inference_geo":"","service_tier":null}}}"#).unwrap();
    assert_eq!(&*request.session, "of-file");
    assert_eq!(&*request.model, "");
    assert_eq!(
        (request.message, request.request, request.record),
        (None, None, None)
    );
    assert_eq!(
        (request.time, request.speed, request.tier, request.geo),
        (None, None, None, None)
    );
    assert_eq!(request.tokens, Tokens::default());
}

#[test]
fn cache_writes_without_lifetime_are_of_five_minutes() {
    let check = |usage: &str, written: (u64, u64)| {
        let tokens = with_usage(usage);
        assert_eq!(
            (tokens.cache_write_5m, tokens.cache_write_1h),
            written,
            "{usage}"
        );
    };
    check(r#"{"cache_creation_input_tokens":9}"#, (9, 0));
    check(
        r#"{"cache_creation_input_tokens":9,"cache_creation":null}"#,
        (9, 0),
    );
    check(
        r#"{"cache_creation_input_tokens":9,"cache_creation":{"ephemeral_1h_input_tokens":9}}"#,
        (0, 9),
    );
    check(
        r#"{"cache_creation_input_tokens":9,"cache_creation":{"ephemeral_1h_input_tokens":4}}"#,
        (5, 4),
    );
    check(
        r#"{"cache_creation":{"ephemeral_5m_input_tokens":2,"ephemeral_1h_input_tokens":4}}"#,
        (2, 4),
    );
}

#[test]
fn odd_numbers_are_none() {
    let check = |number: &str, expected| {
        let usage = format!(r#"{{"input_tokens":{number}}}"#);
        assert_eq!(with_usage(&usage).input, expected, "{number}");
    };
    check("-5", 0);
    check("\"5\"", 0);
    check("1.5", 0);
    check("null", 0);
    check("3.0", 3);
    check("99999999999999999999999", 0);
}

#[test]
fn copies_elsewhere_are_not_looked_at() {
    let usage = r#"{"id":"m","model":"x","usage":{"input_tokens":1}}"#;
    for line in [
        format!(
            r#"{{"type":"progress","data":{{"message":{{"type":"assistant","message":{usage}}}}}}}"#
        ),
        format!(r#"{{"type":"user","message":{{"content":[]}},"toolUseResult":{usage}}}"#),
        format!(r#"{{"type":"user","message":{usage}}}"#),
        format!(r#"{{"type":"assistant","toolUseResult":{usage}}}"#),
        r#"{"type":"assistant","message":{"id":"m","usage":null}}"#.into(),
        r#"{"type":"assistant","message":"usage"}"#.into(),
        r#"{"type":"assistant","message":{"model":"<synthetic>","usage":{"input_tokens":0}}}"#
            .into(),
        r#"["type","assistant"]"#.into(),
        r#"{"type":"assistant","message":{"usage":{"#.into(),
    ] {
        assert_eq!(read(&line), None, "{line}");
    }
}

#[test]
fn forks_name_their_original() {
    let fork = read(r#"{"type":"assistant","uuid":"new","forkedFrom":{"sessionId":"s","messageUuid":"old"},"message":{"usage":{}}}"#).unwrap();
    assert_eq!((fork.record.as_deref(), fork.is_fork), (Some("old"), true));
    let background =
        read(r#"{"type":"assistant","uuid":"same","sessionKind":"bg","message":{"usage":{}}}"#)
            .unwrap();
    assert_eq!(
        (background.record.as_deref(), background.is_fork),
        (Some("same"), true)
    );
}
