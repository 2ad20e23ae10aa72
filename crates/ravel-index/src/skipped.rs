//! What could not be read, counted and named.

use std::path::Path;

use ravel_home::Finding;

/// The pieces of files that an answer had to do without.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skipped {
    /// How many lines, or pieces of them, say nothing that can be read.
    pub n_lines: u64,
    /// Which files they are in, and which could not be read at all.
    pub findings: Vec<Finding>,
}

impl Skipped {
    /// Notes the damaged lines of one file.
    pub(crate) fn lines(path: &Path, n_lines: u64) -> Self {
        let message = match n_lines {
            0 => return Self::default(),
            1 => "1 damaged line was left out; `ravel check` says which".to_owned(),
            n => format!("{n} damaged lines were left out; `ravel check` says which"),
        };
        Self {
            n_lines,
            findings: vec![Finding::new(path, message)],
        }
    }

    /// Notes a file that could not be read.
    pub(crate) fn file(path: &Path, error: &std::io::Error) -> Self {
        Self {
            n_lines: 0,
            findings: vec![Finding::new(path, error)],
        }
    }

    /// Adds what another part of the work left out.
    pub(crate) fn absorb(&mut self, other: Self) {
        self.n_lines += other.n_lines;
        self.findings.extend(other.findings);
    }

    /// Sorts by file, so that the order does not tell which thread was first.
    pub(crate) fn sorted(mut self) -> Self {
        self.findings
            .sort_by(|one, other| one.path.cmp(&other.path));
        self
    }
}
