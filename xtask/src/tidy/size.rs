//! Files and functions stay small enough to be read in one go.

use super::Finding;
use super::rust_source::{functions, mask, test_module_lines};
use super::tree::{SourceFile, Tree};

const MAX_FILE_LINES: usize = 600;
const MAX_FUNCTION_LINES: usize = 70;

/// Files that may be longer, each with the reason.
const LONG_FILES: &[(&str, &str)] = &[];

/// Functions that may be longer (`path#name`), each with the reason.
const LONG_FUNCTIONS: &[(&str, &str)] = &[];

/// Finds files and functions that grew too long, and exceptions nobody needs any more.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings: Vec<Finding> = tree.rust().flat_map(check_file).collect();
    for (path, _) in LONG_FILES {
        if tree.get(path).is_none() {
            findings.push(Finding::file(
                path,
                "is excepted from the file limit but does not exist",
            ));
        }
    }
    findings
}

fn check_file(file: &SourceFile) -> Vec<Finding> {
    if file.is_test() {
        return Vec::new();
    }
    let masked = mask(&file.text);
    let mut findings = Vec::new();
    let lines =
        file.text.lines().count() - test_module_lines(&masked).min(file.text.lines().count());
    if lines > MAX_FILE_LINES && !excepted(LONG_FILES, &file.path) {
        findings.push(Finding::file(
            &file.path,
            format!("has {lines} lines outside tests; the limit is {MAX_FILE_LINES}: find a seam"),
        ));
    }
    for function in functions(&masked) {
        let lines = function.last_line - function.first_line + 1;
        let name = format!("{}#{}", file.path, function.name);
        if lines > MAX_FUNCTION_LINES && !excepted(LONG_FUNCTIONS, &name) {
            findings.push(Finding::at(
                &file.path,
                function.first_line,
                format!(
                    "`{}` has {lines} lines; the limit is {MAX_FUNCTION_LINES}",
                    function.name
                ),
            ));
        }
    }
    findings
}

fn excepted(table: &[(&str, &str)], name: &str) -> bool {
    table.iter().any(|(excepted, _)| *excepted == name)
}

#[cfg(test)]
mod tests;
