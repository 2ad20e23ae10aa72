//! Every diagnostic code in the source is documented, and nothing else is.
//!
//! Codes are stable names that people put into scripts, so the page
//! `docs/format/diagnostics.md` must list exactly the codes that exist. On the
//! page, a code opens a heading, a table row or a list item, in backticks.

use std::collections::BTreeSet;

use super::Finding;
use super::tree::Tree;

const PAGE: &str = "docs/format/diagnostics.md";
const SOURCE: &str = "crates/ravel-model/src/diagnostic/code.rs";

/// Compares the codes of the page with the codes of the table in the source.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let read = |path| tree.get(path).map(|file| file.text.as_str());
    let in_source: BTreeSet<&str> = read(SOURCE)
        .unwrap_or_default()
        .lines()
        .filter_map(code_in_table)
        .collect();
    let in_page: BTreeSet<&str> = read(PAGE)
        .unwrap_or_default()
        .lines()
        .filter_map(code_in_page)
        .collect();
    if in_source.is_empty() {
        return vec![Finding::file(
            SOURCE,
            "has no table of codes: did the check lose its place?",
        )];
    }
    let undocumented = in_source
        .difference(&in_page)
        .map(|code| Finding::file(PAGE, format!("does not explain `{code}`, which exists")));
    let invented = in_page
        .difference(&in_source)
        .map(|code| Finding::file(PAGE, format!("explains `{code}`, which does not exist")));
    undocumented.chain(invented).collect()
}

/// Reads the code from a row such as `TornLine = "torn-line", Error,`.
fn code_in_table(line: &str) -> Option<&str> {
    let (_, literal) = line.split_once("= \"")?;
    let (code, rest) = literal.split_once('"')?;
    let severity = rest.strip_prefix(", ")?;
    let is_row = ["Info", "Warning", "Error"]
        .iter()
        .any(|name| severity.starts_with(name));
    (is_row && is_code(code)).then_some(code)
}

/// Reads the code that a heading, a table row or a list item begins with.
fn code_in_page(line: &str) -> Option<&str> {
    let item = line.trim_start_matches(['#', '|', '-', '*', ' ']);
    if item.len() == line.len() {
        return None; // Prose may mention other things in backticks.
    }
    let (code, _) = item.strip_prefix('`')?.split_once('`')?;
    is_code(code).then_some(code)
}

fn is_code(word: &str) -> bool {
    !word.is_empty()
        && word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

#[cfg(test)]
mod tests;
