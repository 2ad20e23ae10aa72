//! Files that exist but take no part: sources without a `mod`, fixtures without a snapshot.
//!
//! The compiler never sees such a file, so a test in it passes forever.

use std::collections::BTreeSet;

use super::Finding;
use super::rust_source::{declared_modules, mask};
use super::tree::Tree;

/// Files that must exist for the project to be whole.
const REQUIRED: &[&str] = &[
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "Cargo.lock",
    "fuzz/Cargo.lock",
];

/// Finds what was forgotten.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = unreachable_sources(tree);
    findings.extend(incomplete_fixtures(tree));
    findings.extend(
        REQUIRED
            .iter()
            .filter(|path| tree.get(path).is_none())
            .map(|path| Finding::file(path, "is missing")),
    );
    findings
}

/// Follows `mod` from every crate root and reports the files it never meets.
fn unreachable_sources(tree: &Tree) -> Vec<Finding> {
    let mut reached = BTreeSet::new();
    let mut pending: Vec<&str> = tree
        .rust()
        .map(|file| file.path.as_str())
        .filter(|path| is_crate_root(path))
        .collect();
    while let Some(path) = pending.pop() {
        if !reached.insert(path) {
            continue;
        }
        let Some(file) = tree.get(path) else { continue };
        for module in declared_modules(&mask(&file.text)) {
            let folder = module_folder(path);
            let places = [
                format!("{folder}/{module}.rs"),
                format!("{folder}/{module}/mod.rs"),
            ];
            pending.extend(
                places
                    .iter()
                    .filter_map(|place| tree.get(place))
                    .map(|file| file.path.as_str()),
            );
        }
    }
    tree.rust()
        .filter(|file| file.path.split('/').any(is_source_folder))
        .filter(|file| !reached.contains(file.path.as_str()))
        .map(|file| Finding::file(&file.path, "is not compiled: no `mod` declares it"))
        .collect()
}

/// Cargo finds these by their place.
fn is_crate_root(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        [.., "src", "lib.rs" | "main.rs"] | [.., "build.rs"] | [.., "src", "bin", _] => true,
        [.., folder, _] if is_target_folder(folder) => true,
        [.., folder, _, "main.rs"] => is_target_folder(folder),
        _ => false,
    }
}

fn is_target_folder(folder: &str) -> bool {
    matches!(folder, "tests" | "benches" | "examples" | "fuzz_targets")
}

/// Rust files elsewhere are data: something includes them.
fn is_source_folder(folder: &str) -> bool {
    folder == "src" || is_target_folder(folder)
}

/// Returns where the modules that a file declares lie.
fn module_folder(path: &str) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    match name {
        "lib.rs" | "main.rs" | "mod.rs" | "build.rs" => folder.to_owned(),
        _ if is_crate_root(path) => folder.to_owned(),
        _ => format!("{folder}/{}", name.trim_end_matches(".rs")),
    }
}

/// A case is a folder `fixtures/<dialect>/<case>` with a session and its expected model.
fn incomplete_fixtures(tree: &Tree) -> Vec<Finding> {
    let cases: BTreeSet<String> = tree
        .files
        .iter()
        .filter_map(|file| fixture_case(&file.path))
        .collect();
    let has = |case: &str, matches: &dyn Fn(&str) -> bool| {
        tree.files
            .iter()
            .filter_map(|file| file.path.strip_prefix(case))
            .any(|rest| rest.strip_prefix('/').is_some_and(matches))
    };
    let mut findings = Vec::new();
    for case in cases {
        if !has(&case, &|name| name.ends_with(".jsonl")) {
            findings.push(Finding::file(
                &case,
                "is a fixture without a session (*.jsonl)",
            ));
        }
        if !has(&case, &|name| name == "model.snap") {
            findings.push(Finding::file(&case, "is a fixture without model.snap"));
        }
    }
    findings
}

fn fixture_case(path: &str) -> Option<String> {
    let mut parts = path.strip_prefix("fixtures/")?.split('/');
    let (dialect, case) = (parts.next()?, parts.next()?);
    parts.next()?;
    Some(format!("fixtures/{dialect}/{case}"))
}

#[cfg(test)]
mod tests;
