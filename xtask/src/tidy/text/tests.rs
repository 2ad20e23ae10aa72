//! Tests of the rules about text.

use super::check;
use crate::tidy::tree::Tree;

fn findings(path: &str, text: &str) -> Vec<String> {
    check(&Tree::of(&[(path, text)]))
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn a_module_says_what_it_is_for() {
    assert!(findings("a.rs", "//! Why.\nfn a() {}\n").is_empty());
    assert!(findings("a/tests.rs", "use super::*;\n").is_empty());
    assert!(findings("a.rs", "#![no_main]\n//! Why.\n").is_empty());
    assert_eq!(
        findings("a.rs", "fn a() {}\n"),
        ["a.rs:1: has no module documentation (`//!`)"]
    );
}

#[test]
fn leftovers_are_found_in_code_only() {
    assert_eq!(
        findings("a.rs", "//! todo!() is fine here.\nfn a() { todo!() }\n"),
        ["a.rs:2: `todo!`: unfinished code was left in"]
    );
    assert!(findings("a.rs", "//! x\nfn a() { std::thread::sleep(d) }\n").is_empty());
    assert_eq!(
        findings("a/tests/b.rs", "//! x\nfn a() { std::thread::sleep(d) }\n"),
        ["a/tests/b.rs:2: `thread::sleep`: tests wait for events, never for time"]
    );
}

#[test]
fn names_say_something() {
    assert_eq!(
        findings("a/helpers/b.rs", "//! x\n"),
        ["a/helpers/b.rs: `helpers` says nothing: name it after what it does"]
    );
    assert!(findings("a/common_prefix.rs", "//! x\n").is_empty());
}

#[test]
fn lines_do_not_end_in_blanks_but_data_may() {
    assert_eq!(findings("a.md", "x \ny\n"), ["a.md:1: line ends in blanks"]);
    assert!(findings("fixtures/a/b/note.md", "x \n").is_empty());
    assert!(findings("a.snap", "x \n").is_empty());
}

#[test]
fn paths_of_this_machine_are_found() {
    let path = concat!("/", "work", "/main");
    assert_eq!(
        findings("a.txt", &format!("see {path}")),
        ["a.txt:1: path of the development machine"]
    );
    assert!(findings("a.txt", &format!("see /home/sam{path} and ~{path}")).is_empty());
}
