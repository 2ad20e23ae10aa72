//! Each code is found where it should be and nowhere else.

use proptest::prelude::*;
use ravel_format::{Outline, lines};

use super::{LineChecker, MAX_KEPT, Report, check_with};
use crate::diagnostic::Code;
use crate::graph::Graph;
use crate::testing::session;

fn report(bytes: &[u8]) -> Report {
    let outline = Outline::from_bytes(bytes);
    let mut checker = LineChecker::default();
    lines(bytes).for_each(|line| checker.line(&line));
    let report = check_with(&Graph::build(&outline), &bytes.to_vec(), checker);
    let again = super::check(&Graph::build(&outline), &bytes.to_vec());
    assert_eq!(report.diagnostics, again.diagnostics);
    report
}

/// Lists the codes found, each with its lines.
fn codes(bytes: &[u8]) -> String {
    let report = report(bytes);
    let found = report
        .diagnostics
        .iter()
        .map(|finding| format!("{}:{}", finding.code.name(), finding.place.line));
    found.collect::<Vec<_>>().join(" ")
}

/// Checks a session in the shorthand of `testing`, with the session id that it leaves out.
fn check(words: &str, expected: &str) {
    let text = String::from_utf8(session(words)).unwrap();
    let bytes = text.replace("\"isMeta\"", "\"sessionId\":\"s\",\"isMeta\"");
    assert_eq!(codes(bytes.as_bytes()), expected, "{words}");
}

fn check_lines(file: &[u8], expected: &str) {
    let shown = String::from_utf8_lossy(file);
    assert_eq!(codes(file), expected, "{shown}");
}

/// A message with everything it needs; `parent` is JSON.
fn message(uuid: &str, parent: &str, more: &str) -> String {
    let time = "2026-01-01T00:00:00.000Z";
    format!(
        r#"{{"type":"user","uuid":"{uuid}","parentUuid":{parent},"sessionId":"s","timestamp":"{time}","message":{{"role":"user","content":"hi"}}{more}}}"#
    )
}

#[test]
fn a_healthy_session_has_no_findings() {
    check("u:a< a:b<a/m1!t1 u:c<b=t1 a:d<c/m2", "");
    check(
        "s:a< u:b<a a:c<b/m1!t1 a:d<c/m1!t2 u:e<c=t1 u:f<d=t2 a:g<f/m2",
        "",
    );
}

#[test]
fn links_are_checked() {
    check("u:a<gone a:b<a/m", "orphan:1");
    check(
        "u:a< a:b<a/m u:c<gone",
        "unreachable-messages:1 broken-thread:3",
    );
    check("u:a< u:b<gone a:c<a/m", "orphan:2 unreachable-messages:2");
    check(
        "u:a<c a:b<a/m u:c<b a:z<c/n",
        "parent-cycle:1 forward-reference:1 time-goes-back:1",
    );
    check("u:a<a a:b<a/m", "self-parent:1");
    check("u:a< a:c<b/m u:b<a", "forward-reference:2 time-goes-back:2");
    check("u:a< a:b<a/m u:c< a:d<c/n", "second-root:3");
    check(
        "u:a< a:b<a/m a:c</n",
        "unreachable-messages:1 rootless-reply:3",
    );
    check("u:a< a:b<a/m u:b<a a:c<b/n", "duplicate-uuid:2");
    check("u:a< a:b<a/m u:c<b L:b", "");
    check(
        "u:a< a:b<a/m u:c<a L:b",
        "branch-not-named-by-last-prompt:4",
    );
    check("u:a< a:b<a/m L:x", "last-prompt-leaf-missing:3");
}

#[test]
fn compactions_are_checked() {
    check("u:a< a:b<a/m B:c<~b S:d<c", "compacted:3");
    check(
        "u:a< a:b<a/m B:c<~x S:d<c",
        "compaction-parent-missing:3 compacted:3",
    );
}

#[test]
fn tools_are_checked() {
    check("u:a< a:b<a/m!t", "tool-call-open:2");
    check("u:a< a:b<a/m!t u:c<b a:d<c/n", "tool-call-without-result:2");
    check("u:a< a:b<a/m u:c<b=t", "tool-result-without-call:3");
    check(
        "u:a< a:b<a/m!t u:c<b=t a:d<c/n!t u:e<d=t",
        "duplicate-tool-call:4 duplicate-tool-result:5",
    );
}

#[test]
fn keys_are_checked() {
    let cases = [
        (r#"{"uuid":"a"}"#, "no-messages:0 missing-type:1"),
        (r#"{"type":"novelty"}"#, "no-messages:0 unknown-type:1"),
        (
            r#"{"type":"summary","summary":"A title","leafUuid":"x"}"#,
            "no-messages:0",
        ),
        (
            r#"{"type":"user"}"#,
            "missing-uuid:1 missing-timestamp:1 missing-session-id:1 missing-parent-key:1 missing-message:1 unreachable-messages:1",
        ),
        (
            r#"{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","timestamp":"noon","message":{"content":"x"}}"#,
            "bad-timestamp:1 no-time-at-end:1",
        ),
        (
            r#"{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","timestamp":1767225600000,"message":{"content":"x"}}"#,
            "no-time-at-end:1",
        ),
        (
            r#"{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"content":null}}"#,
            "bad-content:1",
        ),
        (
            &message("a", "null", r#","agentId":"x""#),
            "sidechain-mark-missing:1",
        ),
        (
            &format!(
                "{}\n{}",
                message("a", "null", ""),
                message("b", "\"a\"", "").replace("\"s\"", "\"t\"")
            ),
            "foreign-session-id:2",
        ),
        (
            &format!(
                "{}\n{}",
                message("a", "null", r#","version":"1""#),
                message("b", "\"a\"", r#","version":"2""#)
            ),
            "mixed-versions:2",
        ),
    ];
    for (line, expected) in cases {
        check_lines(format!("{line}\n").as_bytes(), expected);
    }
}

#[test]
fn images_are_checked() {
    let image = |media: &str, data: &str| {
        let block = format!(
            r#"[{{"type":"image","source":{{"type":"base64","media_type":"{media}","data":"{data}"}}}}]"#
        );
        message("a", "null", "").replace("\"hi\"", &block) + "\n"
    };
    check_lines(image("image/png", "iVBORw0KGgo=").as_bytes(), "");
    check_lines(image("image/png", "not base64!").as_bytes(), "bad-image:1");
    check_lines(image("text/html", "iVBORw0KGgo=").as_bytes(), "bad-image:1");
    let pointer = report(image("image/png", "").as_bytes())
        .diagnostics
        .remove(0)
        .place
        .pointer;
    assert_eq!(pointer.as_deref(), Some("/message/content/0/source"));
}

#[test]
fn damaged_lines_are_found() {
    let whole = message("a", "null", "");
    let with = |text: &str| whole.replace("hi", text) + "\n";
    let cases: &[(Vec<u8>, &str)] = &[
        (Vec::new(), "empty-file:0"),
        (whole.clone().into_bytes(), "no-final-newline:1"),
        (
            format!("{whole}\n{}", &whole[..40]).into_bytes(),
            "torn-tail:2",
        ),
        (
            format!("{}\n{whole}\n", &whole[..40]).into_bytes(),
            "torn-line:1",
        ),
        (format!("nonsense\n{whole}\n").into_bytes(), "not-json:1"),
        (format!("\0\0\0{whole}\n").into_bytes(), "nul-bytes:1"),
        (format!("{whole}\n\n").into_bytes(), "blank-line:2"),
        (format!("{whole}\n[1]\n").into_bytes(), "not-an-object:2"),
        (
            format!("\u{FEFF}{whole}\n").into_bytes(),
            "byte-order-mark:1",
        ),
        (format!("{whole}\r\n").into_bytes(), "crlf-line-ends:1"),
        (with("a\tb").into_bytes(), "bad-text:1"),
        (with("a\\qb").into_bytes(), "bad-text:1"),
        (with("a\\ud83d").into_bytes(), "lone-surrogate:1"),
        (with("a\\ud83d\\ude00").into_bytes(), ""),
        (with("a").replace("\"a\"}", "\"\u{e9}\"}").into_bytes(), ""),
    ];
    for (file, expected) in cases {
        check_lines(file, expected);
    }
    let mut invalid = with("hi").into_bytes();
    let at = invalid.windows(2).position(|pair| pair == b"hi").unwrap();
    invalid[at] = 0xFF;
    check_lines(&invalid, "invalid-utf-8:1");
    let glued = format!("{whole}{}\n", message("b", "\"a\"", ""));
    check_lines(glued.as_bytes(), "glued-records:1");
}

#[test]
fn paper_rules_hold_only_on_paper() {
    let flat = |more: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"a","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":"hi"{more}}}"#
        ) + "\n"
    };
    let cases = [
        (flat(""), "paper-dialect:0"),
        (
            flat(r#","isSidechain":false"#),
            "paper-dialect:0 paper-sidechain-key:1",
        ),
        (
            flat(r#","userType":"external""#),
            "paper-dialect:0 paper-external-user:1",
        ),
        (
            flat(r#","subtype":"tool_use""#),
            "paper-dialect:0 paper-tool-name:1",
        ),
        (
            flat(r#","toolName":"Read","toolArguments":"x""#),
            "paper-dialect:0 paper-tool-arguments:1",
        ),
        (
            message("a", "null", r#","userType":"external","isSidechain":false"#) + "\n",
            "",
        ),
        (
            message("a", "null", "").replace("\"user\",\"uuid", "\"human\",\"uuid") + "\n",
            "paper-dialect:0",
        ),
        (
            message("a", "null", "")
                .replace("\"user\",\"uuid", "\"human\",\"uuid")
                .replace("\"hi\"", "7")
                + "\n",
            "paper-dialect:0 bad-content:1",
        ),
    ];
    for (file, expected) in cases {
        check_lines(file.as_bytes(), expected);
    }
}

#[test]
fn findings_are_bounded_and_counted() {
    let file = "nonsense\n".repeat(100);
    let report = report(file.as_bytes());
    assert_eq!(report.more, [(Code::NotJson, 100 - MAX_KEPT)]);
    assert_eq!(report.n_findings(Code::NotJson.severity()), 100);
}

#[test]
fn messages_are_counted_where_they_went() {
    let check = |words: &str, expected: [u64; 7]| {
        let counts = report(&session(words)).counts;
        let found = [
            counts.messages,
            counts.reachable,
            counts.compacted,
            counts.on_branches,
            counts.in_sidechains,
            counts.hidden,
            counts.unreachable,
        ];
        assert_eq!(found, expected, "{words}");
    };
    let words = "u:a< a:b<a/m B:c<~b S:d<c a:e<d/n u:g<e u:s<# u:h<g? u:f<d";
    check(words, [8, 2, 2, 2, 1, 1, 0]);
    // An orphan that was written last is all that readers show.
    check(&format!("{words} u:x<gone"), [9, 1, 0, 0, 1, 1, 6]);
}

proptest! {
    #[test]
    fn no_input_panics_and_messages_add_up(parts in prop::collection::vec((0..8_usize, 0..200_usize), 0..8)) {
        let whole = session("u:a< a:b<a/m!t u:c<b=t B:d<~c S:e<d u:f<x a:f<e/n");
        let mut bytes = Vec::new();
        for (line, cut) in parts {
            let line = whole.split_inclusive(|&byte| byte == b'\n').nth(line).unwrap_or(b"\0\n");
            bytes.extend_from_slice(&line[..line.len().saturating_sub(cut)]);
        }
        let counts = report(&bytes).counts;
        let sum = counts.reachable + counts.compacted + counts.on_branches + counts.in_sidechains
            + counts.hidden + counts.superseded + counts.unreachable;
        prop_assert_eq!(counts.messages, sum);
    }
}
