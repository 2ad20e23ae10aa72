//! Real branches, apart from forks of parallel tools.

use super::branches;
use crate::history::history;
use crate::testing::{names, with_graph};
use crate::thread::main_leaf;

fn check(words: &str, expected: &[&str]) {
    with_graph(words, |graph| {
        let segments = history(graph, main_leaf(graph).unwrap().leaf);
        let found: Vec<String> = branches(graph, &segments)
            .iter()
            .map(|branch| {
                let fork = branch
                    .fork
                    .map(|fork| names(graph, [fork]))
                    .unwrap_or_default();
                format!(
                    "{:?} {fork}: {}",
                    branch.origin,
                    names(graph, branch.entries.iter().copied())
                )
            })
            .collect();
        assert_eq!(found, expected, "{words}");
    });
}

#[test]
fn forks_of_tools_and_progress_are_no_branches() {
    check("u:a< a:b<a/m!t1 a:c<b/m!t2 u:d<b=t1 u:e<c=t2 a:f<e/n", &[]);
    check("u:a< a:b<a p:h<b s:i<b u:c<b a:d<c", &[]);
}

#[test]
fn words_that_were_taken_back_are_a_branch() {
    check("u:a< a:b<a u:c<b a:d<c u:e<b a:f<e", &["Rewind b: c d"]);
    check("u:a< a:b<a/m a:c<a/n u:d<c", &["Retry a: b"]);
    check("u:a< a:b<a u:c< a:d<c", &["OtherRoot : a b"]);
    check(
        "u:a< u:b<a u:c<b u:d<b u:e<a",
        &["Rewind a: b d", "Rewind b: c"],
    );
}
