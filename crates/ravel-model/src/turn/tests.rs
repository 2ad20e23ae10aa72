//! Turns start with what is asked.

use super::turns;
use crate::history::history;
use crate::testing::{names, with_graph};
use crate::thread::main_leaf;

fn check(words: &str, expected: &str) {
    with_graph(words, |graph| {
        let segments = history(graph, main_leaf(graph).unwrap().leaf);
        let found: Vec<String> = turns(graph, &segments)
            .iter()
            .map(|turn| names(graph, turn.entries.iter().copied()))
            .collect();
        assert_eq!(found.join(" | "), expected, "{words}");
    });
}

#[test]
fn a_prompt_opens_a_turn_and_results_do_not() {
    check("u:a< a:b<a!t1 u:c<b=t1 a:d<c u:e<d a:f<e", "a b c d | e f");
    check("p:h< u:a<h a:b<a s:t<b", "h | a b t");
    check("u:a< u:m<a? a:b<m", "a m b");
    check("u:a< a:b<a B:c<~b S:d<c u:e<d a:f<e", "a b | c d | e f");
}
