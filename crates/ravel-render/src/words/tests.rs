//! Wordings of reports.

use super::{compaction, first_words, hook, interruption, microcompaction, retry, short_id};
use ravel_model::step::{Compaction, Hook, HookState, What};

#[test]
fn reports_are_worded_with_what_is_known() {
    let mut report = Compaction::default();
    assert_eq!(compaction(&report), "Compacted");
    (report.pre_tokens, report.trigger) = (Some(158_000), Some("manual".into()));
    assert_eq!(compaction(&report), "Compacted by hand · 158k tokens");
    report.post_tokens = Some(12_000);
    assert_eq!(compaction(&report), "Compacted by hand · 158k → 12k tokens");
    assert_eq!(microcompaction(None, 1), "Cleared 1 old result");
    let failed = Hook {
        event: "Stop".into(),
        command: Some("lint".into()),
        state: HookState::Failed,
        duration_ms: Some(1500),
        ..Hook::default()
    };
    assert_eq!(hook(&failed), "Stop hook · lint · failed · 1.5 s");
    let again = What::Retry {
        attempt: Some(2),
        max: None,
        delay_ms: Some(500),
        text: "busy\nnow".into(),
    };
    assert_eq!(retry(&again), "Retry 2 after 500 ms: busy now");
    assert_eq!(retry(&What::Reply(String::new())), "");
    assert_eq!(
        interruption("[… for tool use]"),
        "Interrupted during a tool call"
    );
}

#[test]
fn first_words_fit_one_line() {
    for (text, limit, expected) in [
        ("a  b\n\nc", 10, "a b c"),
        ("abc def", 4, "abc…"),
        ("é́é", 1, "é…"),
        ("", 5, ""),
    ] {
        assert_eq!(first_words(text, limit), expected, "{text}");
    }
    assert!(first_words(&" ".repeat(10_000), 5).chars().count() <= 6);
}

#[test]
fn only_long_ids_are_cut() {
    assert_eq!(short_id("68c4128f-fa42-4587"), "68c4128f");
    assert_eq!(short_id("a06c71a6c72c2cd15"), "a06c71a6c72c2cd15");
    assert_eq!(short_id("-"), "-");
}
