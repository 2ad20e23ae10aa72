//! The sources that the checks look at, read into memory once.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::project;

/// Folders that fuzzing fills with random bytes.
const FOUND_BY_FUZZING: &[&str] = &["fuzz/corpus/", "fuzz/artifacts/"];

/// All files of the project.
pub(super) struct Tree {
    pub(super) files: Vec<SourceFile>,
}

/// One file; the text is empty when it is not UTF-8.
pub(super) struct SourceFile {
    /// Relative to the root, with `/` on every platform.
    pub(super) path: String,
    pub(super) text: String,
}

impl Tree {
    /// Reads every file below `root`.
    pub(super) fn load(root: &Path) -> Result<Self> {
        let mut files = Vec::new();
        for path in project::files_below(root)? {
            let relative = path.strip_prefix(root).unwrap_or(&path);
            let relative = relative.to_string_lossy().replace('\\', "/");
            if FOUND_BY_FUZZING
                .iter()
                .any(|folder| relative.starts_with(folder))
            {
                continue;
            }
            let bytes =
                fs::read(&path).with_context(|| format!("could not read {}", path.display()))?;
            let text = String::from_utf8(bytes).unwrap_or_default();
            files.push(SourceFile {
                path: relative,
                text,
            });
        }
        Ok(Self { files })
    }

    /// Makes a tree up, for tests.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let files = files
            .iter()
            .map(|(path, text)| SourceFile {
                path: (*path).to_owned(),
                text: (*text).to_owned(),
            })
            .collect();
        Self { files }
    }

    /// Returns a file by its path.
    pub(super) fn get(&self, path: &str) -> Option<&SourceFile> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Returns the project's Rust files.
    pub(super) fn rust(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter().filter(|file| file.has_extension(&["rs"]))
    }
}

impl SourceFile {
    /// Tells whether the file's extension is one of `extensions`.
    pub(super) fn has_extension(&self, extensions: &[&str]) -> bool {
        Path::new(&self.path)
            .extension()
            .is_some_and(|extension| extensions.iter().any(|wanted| extension == *wanted))
    }

    /// Tells whether the file holds only tests.
    pub(super) fn is_test(&self) -> bool {
        self.path.ends_with("/tests.rs")
            || self.path.contains("/tests/")
            || self.path.starts_with("tests/")
    }
}
