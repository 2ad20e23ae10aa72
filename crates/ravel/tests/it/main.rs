//! End-to-end tests: the real binary on real files.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot go on must stop"
)]

mod archive;
mod check;
mod demo;
mod doctor;
mod export;
mod failures;
mod files;
mod fixtures;
mod history;
mod hostile;
mod index;
mod ls;
mod mcp;
mod paths;
mod plans;
mod prices;
mod repair;
mod roundtrip;
mod search;
mod settings;
mod show;
mod stats;
mod statusline;
mod tail;
#[cfg(unix)]
mod terminal;
mod todos;
mod tree;
mod usage;

/// An empty home to run the binary in.
fn home() -> ravel_testkit::TestHome {
    ravel_testkit::TestHome::new(env!("CARGO_BIN_EXE_ravel"))
}

/// Reads what a run printed for programs.
fn parsed(output: &ravel_testkit::Output) -> serde_json::Value {
    assert_eq!(output.code, 0, "{}", output.stderr);
    serde_json::from_str(&output.stdout).unwrap()
}

/// Returns the session files of a dialect under `fixtures/`, or of all of them.
fn fixture_files(dialect: &str) -> Vec<std::path::PathBuf> {
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    ravel_testkit::session_files(&fixtures.join(dialect))
}
