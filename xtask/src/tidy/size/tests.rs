//! Tests of the size limits.

use super::check;
use crate::tidy::tree::Tree;

fn messages(path: &str, text: &str) -> Vec<String> {
    check(&Tree::of(&[(path, text)]))
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn a_file_may_have_600_lines() {
    assert!(messages("a/src/lib.rs", &"//\n".repeat(600)).is_empty());
    assert_eq!(
        messages("a/src/lib.rs", &"//\n".repeat(601)),
        ["a/src/lib.rs: has 601 lines outside tests; the limit is 600: find a seam"]
    );
}

#[test]
fn tests_do_not_count() {
    assert!(messages("a/src/b/tests.rs", &"//\n".repeat(900)).is_empty());
    let inline = format!(
        "fn a() {{}}\n#[cfg(test)]\nmod tests {{\n{}}}\n",
        "//\n".repeat(900)
    );
    assert!(messages("a/src/lib.rs", &inline).is_empty());
}

#[test]
fn a_function_may_have_70_lines() {
    let function = |lines: usize| format!("\nfn long() {{\n{}}}\n", "    x();\n".repeat(lines - 2));
    assert!(messages("a/src/lib.rs", &function(70)).is_empty());
    assert_eq!(
        messages("a/src/lib.rs", &function(71)),
        ["a/src/lib.rs:2: `long` has 71 lines; the limit is 70"]
    );
}
