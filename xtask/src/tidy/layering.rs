//! Crates depend on each other only downward, as the table in ARCHITECTURE.md says.
//!
//! A new edge is a design decision: it is made in that table and here, not in a
//! `Cargo.toml` alone.

use serde_json::Value;

use super::Finding;

/// Every crate, also the planned ones, and the crates of this workspace it may use.
const LAYERS: &[(&str, &[&str])] = &[
    ("ravel-format", &[]),
    ("ravel-model", &["ravel-format"]),
    ("ravel-home", &["ravel-format"]),
    (
        "ravel-index",
        &["ravel-format", "ravel-model", "ravel-home"],
    ),
    ("ravel-archive", &["ravel-format", "ravel-home"]),
    (
        "ravel-recall",
        &["ravel-format", "ravel-model", "ravel-home", "ravel-index"],
    ),
    ("ravel-render", &["ravel-format", "ravel-model"]),
    ("ravel-wire", &["ravel-format"]),
    ("ravel-api", &["ravel-format"]),
    ("ravel-tools", &["ravel-format"]),
    ("ravel-mcp", &["ravel-format", "ravel-tools"]),
    (
        "ravel-agent",
        &[
            "ravel-format",
            "ravel-model",
            "ravel-home",
            "ravel-wire",
            "ravel-api",
            "ravel-tools",
            "ravel-mcp",
        ],
    ),
    (
        "ravel-tui",
        &["ravel-format", "ravel-model", "ravel-render", "ravel-agent"],
    ),
    (
        "ravel-server",
        &[
            "ravel-format",
            "ravel-model",
            "ravel-home",
            "ravel-index",
            "ravel-render",
            "ravel-wire",
        ],
    ),
    (
        "ravel",
        &[
            "ravel-format",
            "ravel-model",
            "ravel-home",
            "ravel-index",
            "ravel-archive",
            "ravel-recall",
            "ravel-render",
            "ravel-wire",
            "ravel-api",
            "ravel-tools",
            "ravel-mcp",
            "ravel-agent",
            "ravel-tui",
            "ravel-server",
        ],
    ),
    (TESTKIT, &["ravel-format", "ravel-wire"]),
    ("xtask", &[]),
];

/// Usable by every crate, in tests only.
const TESTKIT: &str = "ravel-testkit";

/// Checks the dependencies that `cargo metadata` reports.
pub(super) fn check(metadata: &Value) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in array(metadata, "packages") {
        let name = text(package, "name");
        let Some((_, allowed)) = LAYERS.iter().find(|(layer, _)| *layer == name) else {
            findings.push(Finding::file(
                name,
                "is a crate that the table of layers does not have",
            ));
            continue;
        };
        for dependency in array(package, "dependencies") {
            findings.extend(check_edge(name, allowed, dependency));
        }
    }
    findings
}

fn check_edge(name: &str, allowed: &[&str], dependency: &Value) -> Option<Finding> {
    let used = text(dependency, "name");
    let is_ours = dependency.get("path").is_some_and(Value::is_string);
    let is_dev = text(dependency, "kind") == "dev";
    if !is_ours || allowed.contains(&used) || (is_dev && used == TESTKIT) {
        return None;
    }
    let message = if used == TESTKIT {
        format!("uses {used} outside tests")
    } else {
        format!("must not use {used}: dependencies go downward only")
    };
    Some(Finding::file(name, message))
}

fn array<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests;
