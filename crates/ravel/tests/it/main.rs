//! End-to-end tests: the real binary on real files.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot go on must stop"
)]

mod files;
mod fixtures;
mod history;
mod paths;
mod plans;
mod settings;
mod tail;
mod todos;

/// An empty home to run the binary in.
fn home() -> ravel_testkit::TestHome {
    ravel_testkit::TestHome::new(env!("CARGO_BIN_EXE_ravel"))
}

/// Reads what a run printed for programs.
fn parsed(output: &ravel_testkit::Output) -> serde_json::Value {
    assert_eq!(output.code, 0, "{}", output.stderr);
    serde_json::from_str(&output.stdout).unwrap()
}
