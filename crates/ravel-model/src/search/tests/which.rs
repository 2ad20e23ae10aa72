//! Filters and copies.

use ravel_format::Timestamp;

use super::{admits, with_passages, with_record};
use crate::search::{CallFacts, CopyKey, Filter, Role, copy_key};

const CALL: &str = r#"{"type":"assistant","uuid":"a","timestamp":"1970-01-01T00:00:10.000Z","gitBranch":"main","message":{"model":"claude-Opus-5","content":[{"type":"tool_use","id":"t1","name":"mcp__Files__Write_it","input":{"file_path":"/src/Main.rs","text":"x"}}]}}"#;
const RESULT: &str = r#"{"type":"user","uuid":"b","timestamp":"1970-01-01T00:00:20.000Z","gitBranch":"dev","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"done"}]}}"#;
const TITLE: &str = r#"{"type":"custom-title","customTitle":"a"}"#;

fn filter(set: impl FnOnce(&mut Filter)) -> Filter {
    let mut filter = Filter::default();
    set(&mut filter);
    filter
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// Checks what a filter does with the call, the result and the title.
#[track_caller]
fn check(set: impl FnOnce(&mut Filter), expected: [bool; 3]) {
    let filter = filter(set);
    let found = [CALL, RESULT, TITLE].map(|line| admits(&filter, line));
    assert_eq!(found, expected, "{filter:?}");
}

#[test]
fn filters_let_through_what_they_name() {
    check(|_| (), [true, true, true]);
    let roles = vec![Role::ToolInput, Role::Other];
    check(|filter| filter.roles = roles, [true, false, true]);
    for (tool, is_it) in [
        ("write_IT", true),
        ("mcp__files__write_it", true),
        ("it", false),
    ] {
        check(|filter| filter.tool = some(tool), [is_it, false, false]);
    }
    for (path, is_it) in [("SRC/main", true), ("lib", false)] {
        check(|filter| filter.path = some(path), [is_it, false, false]);
    }
    for (model, is_it) in [("opus", true), ("sonnet", false)] {
        check(|filter| filter.model = some(model), [is_it, false, false]);
    }
    for (branch, is_it) in [("main", true), ("mai", false)] {
        check(|filter| filter.branch = some(branch), [is_it, false, false]);
    }
}

#[test]
fn times_are_from_one_and_before_another() {
    let at = |millis| Some(Timestamp(millis));
    check(|filter| filter.since = at(20_000), [false, true, false]);
    check(|filter| filter.until = at(20_000), [true, false, false]);
    let both = |filter: &mut Filter| {
        filter.since = at(10_000);
        filter.until = at(20_001);
    };
    check(both, [true, true, false]);
}

#[test]
fn calls_decide_about_their_results() {
    let facts = CallFacts {
        tool: "Write".into(),
        path: some("/src/Main.rs"),
        model: some("claude-opus-5"),
    };
    assert!(!Filter::default().needs_calls());
    for (filter, is_admitted) in [
        (filter(|filter| filter.tool = some("write")), true),
        (filter(|filter| filter.tool = some("read")), false),
        (filter(|filter| filter.path = some("main.rs")), true),
        (filter(|filter| filter.model = some("opus")), true),
        (filter(|filter| filter.model = some("haiku")), false),
    ] {
        assert!(filter.needs_calls());
        with_record(RESULT, |record| assert!(filter.admits_record(record)));
        let found = with_passages(RESULT, |all| filter.admits_passage(&all[0], Some(&facts)));
        assert_eq!(found, is_admitted, "{filter:?}");
    }
}

#[test]
fn the_model_of_a_call_says_nothing_about_words_beside_its_result() {
    let line = r#"{"type":"user","message":{"content":[{"type":"tool_result","content":"x"},{"type":"text","text":"y"}]}}"#;
    let facts = CallFacts {
        model: some("claude-opus-5"),
        ..CallFacts::default()
    };
    let filter = filter(|filter| filter.model = some("opus"));
    let found = with_passages(line, |all| {
        [0, 1].map(|n| filter.admits_passage(&all[n], Some(&facts)))
    });
    assert_eq!(found, [true, false]);
}

#[test]
fn copies_have_one_key() {
    let key = |line: &str| with_record(line, copy_key);
    let id = "01234567-89ab-4def-8123-456789abcdef";
    let original = key(&format!(
        r#"{{"type":"user","uuid":"{id}","message":{{"content":"a"}}}}"#
    ));
    let copy = key(&format!(
        r#"{{"type":"user","uuid":"{id}","sessionId":"other"}}"#
    ));
    let fork = key(&format!(
        r#"{{"type":"user","uuid":"x","forkedFrom":{{"sessionId":"s","messageUuid":"{id}"}}}}"#
    ));
    assert_eq!([original, copy, fork], [original; 3]);
    assert_eq!(CopyKey::from_bytes(original.to_bytes()), original);
    assert_eq!(original.to_bytes()[..3], [0x01, 0x23, 0x45]);

    let lines = [
        r#"{"type":"user","uuid":"x"}"#,
        r#"{"type":"user","uuid":"y"}"#,
        r#"{"type":"summary","summary":"a"}"#,
        r#"{"type":"summary","summary":"b"}"#,
        r#"{"type":"summary","summary":"a","timestamp":"1970-01-01T00:00:10.000Z"}"#,
        r#"{"type":"tag","tag":"a"}"#,
    ];
    let mut keys: Vec<CopyKey> = lines.iter().map(|line| key(line)).collect();
    keys.push(original);
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), lines.len() + 1);
    let elsewhere = key(r#"{"summary":"a","leafUuid":"l","type":"summary"}"#);
    assert_eq!(elsewhere, key(lines[2]));
}
