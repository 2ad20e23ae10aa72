//! Rules that a search for text can hold: names, module docs, leftovers, blanks.

use super::Finding;
use super::rust_source::{line_of, mask};
use super::tree::{SourceFile, Tree};

/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &["utils", "util", "helpers", "helper", "common", "misc"];

/// Code that must not be committed, and why.
const LEFTOVERS: &[(&str, &str)] = &[
    ("dbg!", "debug output was left in"),
    ("todo!", "unfinished code was left in"),
    ("unimplemented!", "unfinished code was left in"),
    ("#[ignore", "a test that does not run proves nothing"),
];

/// Text files whose lines must not end in blanks. Fixtures and snapshots are data.
const CHECKED_FOR_BLANKS: &[&str] = &["rs", "toml", "md", "py", "yml", "yaml", "sh", "html", "css"];

/// Checks every file.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &tree.files {
        findings.extend(empty_names(file));
        findings.extend(machine_paths(file));
        if file.has_extension(&["rs"]) {
            findings.extend(module_docs(file));
            findings.extend(leftovers(file));
        }
        if file.has_extension(CHECKED_FOR_BLANKS) && !file.path.starts_with("fixtures/") {
            findings.extend(trailing_blanks(file));
        }
    }
    findings
}

fn empty_names(file: &SourceFile) -> Option<Finding> {
    if !file.has_extension(&["rs", "py"]) {
        return None;
    }
    let stem = file.path.trim_end_matches(".rs").trim_end_matches(".py");
    let name = stem.split('/').find(|part| EMPTY_NAMES.contains(part))?;
    Some(Finding::file(
        &file.path,
        format!("`{name}` says nothing: name it after what it does"),
    ))
}

/// A `tests.rs` needs none: it lies beside the module it tests and is named after its role.
fn module_docs(file: &SourceFile) -> Option<Finding> {
    if file.path.ends_with("/tests.rs") {
        return None;
    }
    let first = file
        .text
        .lines()
        .find(|line| !line.trim().is_empty() && !line.starts_with("#!"));
    let documented = first.is_some_and(|line| line.starts_with("//!") || line.starts_with("/*!"));
    (!documented).then(|| Finding::at(&file.path, 1, "has no module documentation (`//!`)"))
}

fn leftovers(file: &SourceFile) -> Vec<Finding> {
    let masked = mask(&file.text);
    let mut findings = Vec::new();
    let sleep = ("thread::sleep", "tests wait for events, never for time");
    let rules = LEFTOVERS.iter().chain(file.is_test().then_some(&sleep));
    for (pattern, reason) in rules {
        for (offset, _) in masked.match_indices(pattern) {
            findings.push(Finding::at(
                &file.path,
                line_of(&masked, offset),
                format!("`{pattern}`: {reason}"),
            ));
        }
    }
    findings
}

fn trailing_blanks(file: &SourceFile) -> Vec<Finding> {
    file.text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.ends_with([' ', '\t']))
        .map(|(index, _)| Finding::at(&file.path, index + 1, "line ends in blanks"))
        .collect()
}

/// Paths of the machine the project is developed on mean nothing elsewhere.
fn machine_paths(file: &SourceFile) -> Vec<Finding> {
    // Put together, so that this file does not find itself.
    let needle = concat!("/", "work", "/");
    file.text
        .match_indices(needle)
        .filter(|(offset, _)| starts_path(&file.text, *offset))
        .map(|(offset, _)| {
            Finding::at(
                &file.path,
                line_of(&file.text, offset),
                "path of the development machine",
            )
        })
        .collect()
}

/// Tells whether the slash at `offset` is the first of its path.
fn starts_path(text: &str, offset: usize) -> bool {
    let before = text
        .get(..offset)
        .and_then(|before| before.chars().next_back());
    !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '~' | '/' | '}'))
}

#[cfg(test)]
mod tests;
