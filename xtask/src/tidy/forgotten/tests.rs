//! Tests of the search for forgotten files.

use super::{incomplete_fixtures, unreachable_sources};
use crate::tidy::Finding;
use crate::tidy::tree::Tree;

fn paths(findings: &[Finding]) -> Vec<&str> {
    findings
        .iter()
        .map(|finding| finding.path.as_str())
        .collect()
}

#[test]
fn a_source_needs_a_mod_that_leads_to_it() {
    let tree = Tree::of(&[
        ("a/src/lib.rs", "mod b;\npub mod c;"),
        ("a/src/b.rs", "#[cfg(test)]\nmod tests;"),
        ("a/src/b/tests.rs", ""),
        ("a/src/c/mod.rs", "mod d;"),
        ("a/src/c/d.rs", ""),
        ("a/src/lost.rs", ""),
        ("a/data/table.rs", ""),
        ("a/src/c/tests.rs", ""),
    ]);
    assert_eq!(
        paths(&unreachable_sources(&tree)),
        ["a/src/lost.rs", "a/src/c/tests.rs"]
    );
}

#[test]
fn every_end_to_end_test_is_declared() {
    let tree = Tree::of(&[
        ("a/tests/it/main.rs", "mod ls;"),
        ("a/tests/it/ls.rs", ""),
        ("a/tests/it/show.rs", ""),
        ("a/tests/other.rs", ""),
        ("fuzz/fuzz_targets/line.rs", ""),
    ]);
    assert_eq!(paths(&unreachable_sources(&tree)), ["a/tests/it/show.rs"]);
}

#[test]
fn a_fixture_has_a_session_and_a_snapshot() {
    let tree = Tree::of(&[
        ("fixtures/README.md", ""),
        ("fixtures/2.1/whole/projects/p/s.jsonl", ""),
        ("fixtures/2.1/whole/model.snap", ""),
        ("fixtures/2.1/whole-not/model.snap", ""),
        ("fixtures/2.1/unseen/s.jsonl", ""),
    ]);
    assert_eq!(
        paths(&incomplete_fixtures(&tree)),
        ["fixtures/2.1/unseen", "fixtures/2.1/whole-not"]
    );
}
