//! The main thread, as the official readers see it.

use crate::testing::{names, with_graph};

use super::{Thread, main_leaf};

fn check(words: &str, expected: &str) {
    with_graph(words, |graph| {
        let thread = Thread::main(graph);
        assert_eq!(names(graph, thread.visible(graph)), expected, "{words}");
    });
}

#[test]
fn the_last_written_leaf_is_the_end() {
    check("u:a< a:b<a u:c<b a:d<c", "a b c d");
    check("u:a< a:b<a u:c<b u:d<b a:e<d", "a b d e");
    check("u:a< a:b<a u:c< a:d<c", "c d");
    check("u:a< a:b<a u:x<#  a:y<x#", "a b");
    check("u:a< a:b<a u:m<b?", "a b");
    check("u:a< a:b<a s:t<b p:h<t", "a b");
}

#[test]
fn parallel_calls_and_results_are_put_back() {
    // Each result hangs under its own call; the conversation goes on from the last one written.
    check(
        "u:a< a:b<a/m!t1 a:c<b/m!t2 u:d<b=t1 u:e<c=t2 a:f<e/n",
        "a b c d e f",
    );
    check(
        "u:a< a:b<a/m!t1 a:c<b/m!t2 u:e<c=t2 u:d<b=t1 a:f<d/n",
        "a b c e d f",
    );
    // A result between two lines of one reply.
    check(
        "u:a< a:b<a/m!t1 u:d<b=t1 a:c<d/m!t2 u:e<c=t2 a:f<e/n",
        "a b d c e f",
    );
}

#[test]
fn a_last_prompt_on_another_branch_is_followed() {
    check("u:a< a:b<a u:c<b a:d<c u:e<b a:f<e L:c", "a b c d");
    check("u:a< a:b<a u:c<b a:d<c L:b", "a b c d");
    check("u:a< a:b<a L:gone", "a b");
    with_graph("u:a< a:b<a u:c<b u:e<b L:c", |graph| {
        let choice = main_leaf(graph).unwrap();
        assert_eq!(names(graph, [choice.leaf]), "c");
        assert_eq!(names(graph, choice.instead_of), "e");
    });
}

#[test]
fn circles_do_not_hide_the_conversation() {
    check("u:a<b a:b<a", "a b");
    check("u:a<c a:b<a u:c<b a:d<c", "a b c d");
}
