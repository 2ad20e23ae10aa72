//! Recorded sessions to test against.
//!
//! They are other people's and stay where they are; `RAVEL_CORPUS` names the folder.
#![expect(
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test that cannot read its files must stop, and one that has none says so"
)]

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the recorded sessions, by name; `None` when nobody said where they are, which is said
/// on standard error.
///
/// # Panics
/// When the folder has no session, or cannot be read.
pub fn corpus_files() -> Option<Vec<PathBuf>> {
    let Some(folder) = std::env::var_os("RAVEL_CORPUS") else {
        eprintln!("nothing done: RAVEL_CORPUS does not name a folder of session files");
        return None;
    };
    let files = session_files(Path::new(&folder));
    assert!(!files.is_empty(), "no session files below RAVEL_CORPUS");
    Some(files)
}

/// Returns the session files in a folder and below it, by name.
///
/// # Panics
/// When a folder cannot be read.
pub fn session_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("read a folder") {
            let path = entry.expect("read a folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "jsonl") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
