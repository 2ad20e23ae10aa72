//! `ravel check`: what is wrong, and where.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use ravel_format::{Outline, Place, Source, lines_from};
use ravel_home::{
    Depth, Finding, SessionBytes, Target, agents_of, is_kept, kept_path, load_agent_meta,
};
use ravel_model::Graph;
use ravel_model::check::{LineChecker, Report, check, check_with};
use ravel_model::diagnostic::Severity;
use rayon::prelude::*;
use serde_json::json;

use crate::context::Context;
use crate::failure::Failure;
use crate::finding::report_findings;
use crate::open;

mod print;

/// Look for damage in sessions
///
/// Says what is in a file, how much of it readers can reach, and everything that is wrong or odd,
/// each with a stable code, its line and what to do. The exit code is 1 when something is wrong.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel check                   the latest session and its agents\n  ravel check --all             every session of the home\n  ravel check ~/backup          every session file in a folder\n  ravel check --all --json | jq '.files[] | select(.errors > 0)'\n\nCodes are explained in docs/format/diagnostics.md."
)]
pub(crate) struct CheckArgs {
    /// Sessions, files or folders [default: the latest session]
    #[arg(value_name = "SESSION|FILE|FOLDER")]
    what: Vec<String>,
    /// Check every session of the home
    #[arg(long, conflicts_with = "what")]
    all: bool,
    /// Show warnings and notes too, not only errors and a count of the rest
    #[arg(long, short)]
    verbose: bool,
}

/// One checked file.
pub(crate) struct Checked {
    path: PathBuf,
    outcome: io::Result<Report>,
    /// What is wrong with the sidecar of an agent.
    sidecar: Option<Finding>,
}

/// What is to be checked.
#[derive(Default)]
struct Wanted {
    paths: Vec<PathBuf>,
    /// What could not even be listed.
    findings: Vec<Finding>,
}

impl Checked {
    fn is_wrong(&self) -> bool {
        self.outcome.as_ref().map_or(true, Report::has_errors)
    }
}

/// Checks files and says what was found.
pub(crate) fn run(context: &Context, args: &CheckArgs) -> Result<ExitCode, Failure> {
    let Wanted {
        paths,
        mut findings,
    } = files(context, args)?;
    report_findings(&findings);
    let mut screen = context.screen();
    let mut totals = print::Totals::default();
    let mut printer = print::Printer::new(context, args.verbose || paths.len() == 1);
    printer.begin(&mut screen)?;
    // Some files at a time, so that findings appear as they are made and none are kept. Each
    // group waits for its slowest file, so it is not too small.
    for some in paths.chunks(1024) {
        let checked: Vec<Checked> = some.par_iter().map(|path| check_file(path)).collect();
        for file in &checked {
            totals.add(file);
            printer.file(file, &mut screen)?;
        }
        let sidecars = checked.into_iter().filter_map(|file| file.sidecar);
        let sidecars: Vec<Finding> = sidecars.collect();
        report_findings(&sidecars);
        findings.extend(sidecars);
    }
    printer.end(&totals, &findings, &mut screen)?;
    screen.finish()?;
    Ok(ExitCode::from(u8::from(totals.is_wrong())))
}

/// Returns the files to check.
fn files(context: &Context, args: &CheckArgs) -> Result<Wanted, Failure> {
    if args.all {
        let found = open::discover_all(context, Depth::Agents)?;
        let sessions = found.sessions.into_iter().map(|session| session.path);
        let agents = found.agents.into_iter().map(|agent| agent.path);
        return Ok(Wanted {
            paths: sessions.chain(agents).collect(),
            findings: found.findings,
        });
    }
    let latest = ["latest".to_owned()];
    let what = if args.what.is_empty() {
        &latest[..]
    } else {
        &args.what
    };
    let mut wanted = Wanted::default();
    for one in what {
        let path = Path::new(one);
        if one == "-" {
            wanted.paths.push(one.into());
        } else if path.is_dir() {
            wanted.add_below(path)?;
        } else {
            wanted.add(&open::find(context, one)?);
        }
    }
    Ok(wanted)
}

impl Wanted {
    /// Adds a session with its agents.
    fn add(&mut self, target: &Target) {
        self.paths.push(target.path().to_owned());
        if let Target::Session(session) = target {
            let agents = agents_of(session);
            self.paths
                .extend(agents.items.into_iter().map(|agent| agent.path));
            self.findings.extend(agents.findings);
        }
    }
}

impl Wanted {
    /// Adds the session files in a folder and below it; what cannot be read is a finding.
    fn add_below(&mut self, folder: &Path) -> Result<(), Failure> {
        let n_before = self.paths.len();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            let entries = match std::fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    self.findings.push(Finding::new(&folder, error));
                    continue;
                }
            };
            for entry in entries.flatten() {
                let path = entry.path();
                let is_session = path.extension().is_some_and(|ending| ending == "jsonl");
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(path),
                    Ok(kind) if kind.is_file() && is_session => self.paths.push(path),
                    Ok(_) => {}
                    Err(error) => self.findings.push(Finding::new(&path, error)),
                }
            }
        }
        self.paths.get_mut(n_before..).unwrap_or_default().sort();
        if self.paths.len() == n_before {
            report_findings(&self.findings);
            return Err(
                Failure::request(format!("no session files in {}", folder.display()))
                    .hint("a session is a .jsonl file"),
            );
        }
        Ok(())
    }
}

/// Checks one file, reading it once.
fn check_file(path: &Path) -> Checked {
    let outcome = || -> io::Result<Report> {
        let (mut outline, mut lines) = (Outline::default(), LineChecker::default());
        let source = SessionBytes::open(path)?;
        source.scan(read_piece, |(piece, seen)| {
            outline.append(piece);
            lines.append(seen);
        })?;
        let report = check_with(&Graph::build(&outline), &source, lines);
        source.take_error().map_or(Ok(report), Err)
    };
    let is_stdin = path.as_os_str() == "-";
    Checked {
        path: path.to_owned(),
        outcome: if is_stdin { check_stdin() } else { outcome() },
        sidecar: check_sidecar(path),
    }
}

/// Reads what stands beside the file of an agent.
fn check_sidecar(path: &Path) -> Option<Finding> {
    let name = path.file_name()?.to_str()?;
    name.starts_with("agent-").then_some(())?;
    let (stem, _) = name.split_once(".jsonl")?;
    let meta = path.with_file_name(format!("{stem}.meta.json"));
    let meta = if is_kept(path) {
        kept_path(&meta)
    } else {
        meta
    };
    load_agent_meta(&meta).err()
}

fn read_piece(bytes: &[u8], offset: u64) -> (Outline, LineChecker) {
    let (mut outline, mut lines) = (Outline::default(), LineChecker::default());
    for line in lines_from(bytes, Place { offset, line: 1 }) {
        outline.add_line(&line);
        lines.line(&line);
    }
    (outline.of_piece(bytes.len()), lines)
}

/// Checks standard input, which is read whole.
fn check_stdin() -> io::Result<Report> {
    let bytes = open::read_stdin()?;
    Ok(check(&Graph::build(&Outline::from_bytes(&bytes)), &bytes))
}

/// Returns a finding as JSON, with its file.
pub(crate) fn diagnostic_json(
    path: &Path,
    diagnostic: &ravel_model::diagnostic::Diagnostic,
) -> serde_json::Value {
    let mut value = serde_json::to_value(diagnostic).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.insert("file".into(), json!(path.to_string_lossy()));
    }
    value
}

/// Returns the severities from worst to least.
fn severities() -> [Severity; 3] {
    [Severity::Error, Severity::Warning, Severity::Info]
}
