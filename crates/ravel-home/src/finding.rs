//! What was noticed while reading the folder.
//!
//! A folder that a program writes and people edit is never quite in order: a
//! directory is unreadable, a JSON file is empty, a line is torn. None of this may
//! hide the rest, so readers return a [`Listing`]: what could be read, and a
//! [`Finding`] for each thing that could not.

use std::fmt;
use std::path::{Path, PathBuf};

/// Something that could not be read or understood, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The file or folder it is about.
    pub path: PathBuf,
    /// The line, counted from 1, where there is one.
    pub line: Option<u64>,
    /// What is wrong, as a lowercase fragment.
    pub message: String,
}

/// What a reader found, and what it stumbled over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing<T> {
    /// The things that could be read.
    pub items: Vec<T>,
    /// The things that could not.
    pub findings: Vec<Finding>,
}

impl Finding {
    /// Makes a finding about a whole file or folder.
    pub fn new(path: &Path, message: impl fmt::Display) -> Self {
        Self {
            path: path.to_path_buf(),
            line: None,
            message: message.to_string(),
        }
    }

    /// Makes a finding about one line of a file.
    pub fn at_line(path: &Path, line: u64, message: impl fmt::Display) -> Self {
        Self {
            line: Some(line),
            ..Self::new(path, message)
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(out, "{}:{line}: {}", self.path.display(), self.message),
            None => write!(out, "{}: {}", self.path.display(), self.message),
        }
    }
}

impl<T> Default for Listing<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            findings: Vec::new(),
        }
    }
}

impl<T> Listing<T> {
    /// Takes in the outcome of reading one thing.
    pub(crate) fn take(&mut self, outcome: Result<Option<T>, Finding>) {
        match outcome {
            Ok(Some(item)) => self.items.push(item),
            Ok(None) => {}
            Err(finding) => self.findings.push(finding),
        }
    }
}
