//! Compactions cut the thread and not the history.

use proptest::prelude::*;

use super::history;
use crate::branch::branches;
use crate::placement::placements;
use crate::testing::{names, with_graph};
use crate::thread::main_leaf;

fn check(words: &str, expected: &str) {
    with_graph(words, |graph| {
        let segments = history(graph, main_leaf(graph).unwrap().leaf);
        let parts: Vec<String> = segments
            .iter()
            .map(|segment| names(graph, segment.thread.entries.iter().copied()))
            .collect();
        assert_eq!(parts.join(" ~ "), expected, "{words}");
    });
}

#[test]
fn a_boundary_starts_a_new_root_and_keeps_the_logical_parent() {
    check("u:a< a:b<a B:c<~b S:d<c u:e<d a:f<e", "a b ~ c d e f");
    check(
        "u:a< a:b<a B:c<~b S:d<c a:e<d B:f<~e S:g<f a:h<g",
        "a b ~ c d e ~ f g h",
    );
}

#[test]
fn a_logical_parent_in_another_file_falls_back_to_the_line_before() {
    check("u:a< a:b<a B:c<~gone S:d<c a:e<d", "a b ~ c d e");
    check("B:c<~gone S:d<c a:e<d", "c d e");
}

#[test]
fn a_summary_without_boundary_joins_too() {
    check("u:a< a:b<a S:d< a:e<d", "a b ~ d e");
    check("S:d< a:e<d", "d e");
}

#[test]
fn a_lost_parent_leaves_a_gap_and_not_an_end() {
    check("u:a< a:b<a u:d<lost a:e<d", "a b ~ d e");
    check("u:d<lost a:e<d", "d e");
}

proptest! {
    #[test]
    fn every_record_is_placed_exactly_once(words in prop::collection::vec("[uasBS]:[a-h]<[a-h]?(/[mn])?([!=]t[12])?(~[a-h])?#?", 1..24)) {
        let words = words.join(" ");
        with_graph(&words, |graph| {
            let segments = main_leaf(graph).map(|choice| history(graph, choice.leaf)).unwrap_or_default();
            let branches = branches(graph, &segments);
            let mut claimed: Vec<usize> = segments.iter().flat_map(|segment| segment.thread.entries.clone()).collect();
            claimed.extend(branches.iter().flat_map(|branch| branch.entries.clone()));
            let n_claimed = claimed.len();
            claimed.sort_unstable();
            claimed.dedup();
            assert_eq!(claimed.len(), n_claimed, "an entry stands in two places: {words}");
            assert_eq!(placements(graph, &segments, &branches).len(), graph.outline().entries().len());
        });
    }
}
