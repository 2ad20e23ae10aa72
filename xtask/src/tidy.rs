//! `cargo xtask tidy`: the house rules that no compiler checks.
//!
//! A check is a function from the [`Tree`] of sources to [`Finding`]s, so every
//! rule can be tested on a tree made up in a test. All findings are reported at
//! once; a rule that is wrong for one file is relaxed by name, with the reason,
//! in the table beside the rule.

mod diagnostic;
mod forgotten;
mod layering;
mod rust_source;
mod size;
mod text;
mod tree;

use anyhow::{Result, bail};

use crate::project;
use tree::Tree;

/// A broken rule and the place it is broken at.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    path: String,
    /// Counted from 1; 0 stands for the file as a whole.
    line: usize,
    message: String,
}

impl Finding {
    fn at(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            line,
            message: message.into(),
        }
    }

    fn file(path: &str, message: impl Into<String>) -> Self {
        Self::at(path, 0, message)
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => write!(out, "{}: {}", self.path, self.message),
            line => write!(out, "{}:{line}: {}", self.path, self.message),
        }
    }
}

const CHECKS: &[fn(&Tree) -> Vec<Finding>] = &[
    size::check,
    forgotten::check,
    text::check,
    diagnostic::check,
];

/// Checks the whole project.
pub(crate) fn run(args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("usage: cargo xtask tidy");
    }
    let tree = Tree::load(&project::root())?;
    let mut findings: Vec<Finding> = CHECKS.iter().flat_map(|check| check(&tree)).collect();
    findings.extend(layering::check(&project::metadata()?));
    findings.sort();
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("tidy: {} files in order", tree.files.len());
            Ok(())
        }
        1 => bail!("tidy found 1 problem"),
        several => bail!("tidy found {several} problems"),
    }
}
