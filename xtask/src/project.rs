//! The checkout: where it is, its files, and how programs are started in it.
//!
//! Every task starts programs through [`Program`], which runs in the project root
//! and turns a bad exit status into an error that repeats the command line.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail};

/// Folders that are never part of the project's own sources.
const SKIPPED_FOLDERS: &[&str] = &["target", ".git", "node_modules", "__pycache__"];

/// Returns the root of the checkout.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// Returns the folder that build products go to.
///
/// `cargo` is asked rather than assumed, because `CARGO_TARGET_DIR` and
/// configuration files can move it.
pub(crate) fn target_dir() -> Result<PathBuf> {
    let metadata = metadata()?;
    metadata
        .get("target_directory")
        .and_then(serde_json::Value::as_str)
        .map(PathBuf::from)
        .context("cargo metadata names no target_directory")
}

/// Returns what `cargo metadata` says about the workspace's own crates.
pub(crate) fn metadata() -> Result<serde_json::Value> {
    let text = Program::cargo()
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .output()?;
    serde_json::from_str(&text).context("could not read the output of cargo metadata")
}

/// Returns every file below `folder`, sorted, build products left out.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(current) = pending.pop() {
        let entries = fs::read_dir(&current)
            .with_context(|| format!("could not list {}", current.display()))?;
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            if entry.file_type()?.is_dir() {
                if !SKIPPED_FOLDERS.iter().any(|skipped| name == *skipped) {
                    pending.push(entry.path());
                }
            } else {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// A program to start in the project root.
pub(crate) struct Program {
    command: Command,
    shown: String,
}

impl Program {
    /// Prepares any program.
    pub(crate) fn new(program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program.as_ref());
        command.current_dir(root());
        Self {
            command,
            shown: program.as_ref().to_string_lossy().into_owned(),
        }
    }

    /// Prepares the same cargo that started this task.
    pub(crate) fn cargo() -> Self {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let mut program = Self::new(cargo);
        program.shown = "cargo".to_owned();
        program
    }

    /// Adds arguments.
    pub(crate) fn args<I>(mut self, args: I) -> Self
    where
        I: IntoIterator,
        I::Item: AsRef<OsStr>,
    {
        for arg in args {
            self.shown.push(' ');
            self.shown.push_str(&arg.as_ref().to_string_lossy());
            self.command.arg(arg);
        }
        self
    }

    /// Sets an environment variable for the program.
    pub(crate) fn env(mut self, key: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(key, value);
        self
    }

    /// Runs the program with this terminal as its own.
    pub(crate) fn run(mut self) -> Result<()> {
        let status = self
            .command
            .status()
            .with_context(|| format!("could not start `{}`", self.shown))?;
        if !status.success() {
            bail!("`{}` ended with {status}", self.shown);
        }
        Ok(())
    }

    /// Runs the program and returns what it printed.
    pub(crate) fn output(mut self) -> Result<String> {
        let output = self
            .command
            .stderr(std::process::Stdio::inherit())
            .output()
            .with_context(|| format!("could not start `{}`", self.shown))?;
        if !output.status.success() {
            bail!("`{}` ended with {}", self.shown, output.status);
        }
        String::from_utf8(output.stdout)
            .with_context(|| format!("`{}` printed something that is not UTF-8", self.shown))
    }

    /// Runs the program and shows what it printed only when it ends badly.
    pub(crate) fn run_quietly(mut self) -> Result<()> {
        let output = self
            .command
            .output()
            .with_context(|| format!("could not start `{}`", self.shown))?;
        if !output.status.success() {
            let printed = String::from_utf8_lossy(&output.stderr);
            let tail: Vec<&str> = printed.lines().rev().take(40).collect();
            for line in tail.iter().rev() {
                eprintln!("{line}");
            }
            bail!("`{}` ended with {}", self.shown, output.status);
        }
        Ok(())
    }

    /// Tells whether the program can be started and ends well; prints nothing.
    pub(crate) fn succeeds(mut self) -> bool {
        self.command
            .output()
            .is_ok_and(|output| output.status.success())
    }
}
