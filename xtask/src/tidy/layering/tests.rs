//! Tests of the layering rule on made-up metadata.

use serde_json::{Value, json};

use super::{LAYERS, check};

fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Value {
    let dependencies: Vec<Value> = dependencies
        .iter()
        .map(|(used, kind)| json!({"name": used, "kind": kind, "path": "somewhere"}))
        .collect();
    json!({"name": name, "dependencies": dependencies})
}

fn findings(packages: &[Value]) -> Vec<String> {
    check(&json!({"packages": packages}))
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn edges_go_downward() {
    assert!(findings(&[package("ravel-model", &[("ravel-format", None)])]).is_empty());
    assert_eq!(
        findings(&[package("ravel-format", &[("ravel-model", None)])]),
        ["ravel-format: must not use ravel-model: dependencies go downward only"]
    );
}

#[test]
fn the_testkit_is_for_tests() {
    assert!(findings(&[package("ravel-home", &[("ravel-testkit", Some("dev"))])]).is_empty());
    assert_eq!(
        findings(&[package("ravel-home", &[("ravel-testkit", None)])]),
        ["ravel-home: uses ravel-testkit outside tests"]
    );
}

#[test]
fn crates_from_elsewhere_are_no_layers() {
    let outside = json!({"name": "ravel-api", "dependencies": [{"name": "memchr", "kind": null}]});
    assert!(findings(&[outside]).is_empty());
    assert_eq!(
        findings(&[package("ravel-extra", &[])]),
        ["ravel-extra: is a crate that the table of layers does not have"]
    );
}

#[test]
fn the_table_itself_has_no_cycle() {
    // An entry may only name crates whose own entries never lead back to it.
    fn reaches(from: &str, to: &str) -> bool {
        let used = LAYERS
            .iter()
            .find(|(name, _)| *name == from)
            .map_or(&[][..], |(_, used)| used);
        used.iter().any(|next| *next == to || reaches(next, to))
    }
    for (name, _) in LAYERS {
        assert!(!reaches(name, name), "{name} uses itself");
    }
}
