use proptest::prelude::*;
use ravel_format::{Span, Timestamp, lines_from, parse_line, parse_record};

use super::{Origin, Unusual, may_hold_usage, read_entry, read_request};
use crate::usage::{Entry, Geo, Request, Speed, Tier, Tokens};

fn origin() -> Origin {
    Origin {
        file: "file".into(),
        session: "of-file".into(),
        project: "project".into(),
    }
}

fn read(line: &str) -> Option<Request> {
    let span = Span {
        start: 70,
        len: line.len() as u64,
    };
    check_entries(line.as_bytes());
    read_request(&parse_record(line.as_bytes(), span, 7), &origin())
}

/// Expects the single walk to say what parsing says, where it says something.
fn check_entries(bytes: &[u8]) -> usize {
    let mut n_usual = 0;
    for line in lines_from(
        bytes,
        ravel_format::Place {
            offset: 70,
            line: 7,
        },
    ) {
        let Ok(entry) = read_entry(&line, &origin()) else {
            continue;
        };
        let records = parse_line(&line);
        let [record] = &records[..] else {
            panic!("{} records: {}", records.len(), line.bytes.escape_ascii());
        };
        assert!(record.json.is_some() && record.damage.is_none());
        let parsed = read_request(record, &origin()).map(|request| {
            let mut entry = Entry::from(request);
            let request = entry.request_mut();
            (request.message, request.request, request.record) = (None, None, None);
            entry
        });
        assert_eq!(entry, parsed, "{}", line.bytes.escape_ascii());
        n_usual += 1;
    }
    n_usual
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

const USUAL: &str = r#"{"parentUuid":null,"isSidechain":true,"sessionId":"s","type":"assistant","message":{"id":"m\u0041","model":"claude-x","content":[{"type":"text","text":"a \"usage\" {}"}],"usage":{"input_tokens":1,"cache_creation":{"ephemeral_1h_input_tokens":4},"speed":"fast"}},"requestId":"r","uuid":"u","forkedFrom":{"messageUuid":"old"},"timestamp":"1970-01-01T00:00:01.000Z"}"#;

#[test]
fn the_lines_of_the_client_are_read_in_a_single_walk() {
    assert_eq!(check_entries(USUAL.as_bytes()), 1);
    assert_eq!(
        check_entries(format!("{USUAL}\r\n{USUAL}\n{{}}").as_bytes()),
        3
    );
    for unusual in [
        format!(" {USUAL}"),
        format!("{USUAL}{USUAL}"),
        format!("{USUAL}\0"),
        USUAL[..200].to_owned(),
        USUAL.replace("\":", "\" :"),
        USUAL.replace("\"message\":", "\"message\": "),
        "[1]".to_owned(),
    ] {
        let line = lines_from(unusual.as_bytes(), Default::default())
            .next()
            .unwrap();
        assert_eq!(read_entry(&line, &origin()), Err(Unusual), "{unusual}");
    }
}

proptest! {
    #[test]
    fn damage_is_left_to_the_parser(
        changes in prop::collection::vec((0..USUAL.len(), 0..3_u8, prop::sample::select(b"\"\\{}[]:,0n \n\0x\xff".to_vec())), 1..4)
    ) {
        let mut bytes = USUAL.as_bytes().to_vec();
        for (at, kind, byte) in changes {
            let at = at.min(bytes.len() - 1);
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => { bytes.remove(at); }
            }
        }
        check_entries(&bytes);
    }

    #[test]
    fn keys_count_wherever_and_however_often_they_stand(
        picks in prop::collection::vec(prop::sample::select(vec![
            r#""type":"assistant""#, r#""type":"user""#, r#""message":{"usage":{}}"#, r#""message":{"id":"m","usage":{"input_tokens":3}}"#,
            r#""message":{"model":"<synthetic>","usage":{}}"#, r#""message":null"#, r#""message":{}"#, r#""message":{"usage":{},"usage":null}"#,
            r#""sessionId":"a""#, r#""session_id":7"#, r#""requestId":"""#, r#""request_id":"r""#, r#""uuid":"u""#, r#""uuid":null"#,
            r#""timestamp":5"#, r#""timestamp":"no""#, r#""forkedFrom":{}"#, r#""sessionKind":"bg""#,
        ]), 0..12)
    ) {
        let line = format!("{{{}}}", picks.join(","));
        prop_assert_eq!(check_entries(line.as_bytes()), 1);
    }
}
