//! Every diagnostic code in the source is documented, and nothing else is.
//!
//! Codes are stable names that people put into scripts, so the page
//! `docs/format/diagnostics.md` must list exactly the codes that exist.

use std::collections::BTreeSet;

use super::Finding;
use super::tree::Tree;

const PAGE: &str = "docs/format/diagnostics.md";
const SOURCE: &str = "crates/ravel-model/src/";
const PREFIX: &str = "RV";

/// Compares the codes of the page with the codes of the model.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let in_source: BTreeSet<&str> = tree
        .rust()
        .filter(|file| file.path.starts_with(SOURCE) && !file.is_test())
        .flat_map(|file| codes(&file.text))
        .collect();
    let in_page: BTreeSet<&str> = tree
        .get(PAGE)
        .map(|page| codes(&page.text).collect())
        .unwrap_or_default();
    let undocumented = in_source
        .difference(&in_page)
        .map(|code| Finding::file(PAGE, format!("does not explain {code}, which exists")));
    let invented = in_page
        .difference(&in_source)
        .map(|code| Finding::file(PAGE, format!("explains {code}, which does not exist")));
    undocumented.chain(invented).collect()
}

/// Returns every code in a text: the prefix and digits, standing alone.
fn codes(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| {
            word.strip_prefix(PREFIX).is_some_and(|digits| {
                digits.len() >= 3 && digits.bytes().all(|byte| byte.is_ascii_digit())
            })
        })
}

#[cfg(test)]
mod tests;
