//! `ravel archive`: sessions that stay when Claude Code deletes them.

mod check;
mod keep;
mod restore;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use ravel_archive::{Archive, ArchiveError, Lock};
use ravel_home::Finding;
use serde_json::{Value, json};

use crate::context::Context;
use crate::failure::Failure;
use crate::folders;

/// Keep sessions that Claude Code would delete, and put them back
///
/// Claude Code deletes sessions some weeks after they were last used. This keeps a compressed copy
/// of them, with their agents, todos, plans and file versions. `ls`, `show`, `search` and `usage`
/// see archived sessions too. Run it again at any time: only what is new is read.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  ravel archive                    archive everything that is new\n  ravel archive 3f2a latest        only these sessions\n  ravel ls --archived              what is only in the archive by now\n  ravel archive restore 3f2a       put one back, so that `claude --resume` finds it\n  ravel archive verify             read everything there is"
)]
pub(crate) struct ArchiveArgs {
    #[command(subcommand)]
    command: Option<ArchiveCommand>,
    /// Only these sessions [default: all]
    #[arg(value_name = "SESSION")]
    sessions: Vec<String>,
    /// Say what would be archived, and change nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Subcommand)]
enum ArchiveCommand {
    Restore(RestoreArgs),
    /// Read every archived file and check it against its hashes
    ///
    /// What is damaged is put aside, so that the next `ravel archive` writes it again if it is
    /// still in the home.
    Verify,
    /// Remove what no archived file needs any more
    Prune,
}

/// Put an archived session back
///
/// The files go where they were. They get the time of now, because Claude Code deletes by time and
/// would delete them again at its next start.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel archive restore 3f2a\n  ravel archive restore 3f2a --list          the states in which it is kept\n  ravel archive restore 3f2a --version 1 --to /tmp/look"
)]
struct RestoreArgs {
    /// The session
    #[arg(value_name = "SESSION")]
    session: String,
    /// Put it into this folder instead of the home
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// Put back an earlier state of a session that was cut or rewritten
    #[arg(long, value_name = "N")]
    version: Option<u32>,
    /// List the states there are, and change nothing
    #[arg(long, conflicts_with_all = ["to", "version", "force", "keep_times"])]
    list: bool,
    /// Replace files that are there and differ, after archiving them as an earlier state
    #[arg(long)]
    force: bool,
    /// Give the files the times they had
    #[arg(long)]
    keep_times: bool,
}

/// Runs what was asked for.
pub(crate) fn run(context: &Context, args: &ArchiveArgs) -> Result<ExitCode, Failure> {
    match &args.command {
        None => keep::run(context, args),
        Some(ArchiveCommand::Restore(args)) => restore::run(context, args),
        Some(ArchiveCommand::Verify) => check::verify(context),
        Some(ArchiveCommand::Prune) => check::prune(context),
    }
}

/// Returns the archive of the home.
fn archive(context: &Context) -> Result<Archive, Failure> {
    folders::archive_folder(context).map(Archive::at)
}

/// Returns the archive of the home, which has to be there.
fn existing(context: &Context) -> Result<Archive, Failure> {
    let archive = archive(context)?;
    if archive.exists() {
        return Ok(archive);
    }
    Err(Failure::request("there is no archive of this home yet").hint("`ravel archive` makes one"))
}

/// Takes the right to change the archive; says so when that takes a while.
fn lock(archive: &Archive) -> Result<Lock, Failure> {
    use std::io::Write as _;
    if let Some(lock) = archive.try_lock().map_err(|error| failure(&error))? {
        return Ok(lock);
    }
    let mut err = std::io::stderr().lock();
    // Nobody has to see this.
    let _ = writeln!(err, "waiting for another `ravel archive` to end");
    drop(err);
    archive.lock().map_err(|error| failure(&error))
}

fn failure(error: &ArchiveError) -> Failure {
    let failure = Failure::request(format!("could not {error}"));
    match error {
        ArchiveError::NotAnArchive(_) => failure.hint("move the folder away"),
        ArchiveError::Newer(_) => failure.hint("a newer Ravel has made it: use that one"),
        _ => failure,
    }
}

fn findings_json(findings: &[Finding]) -> Value {
    let findings = findings
        .iter()
        .map(|finding| json!({"path": finding.path.to_string_lossy(), "message": finding.message}));
    Value::Array(findings.collect())
}
