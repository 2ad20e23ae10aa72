//! `ravel index`: a catalog of all sessions, for quick answers.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use ravel_index::{Index, IndexError, Library, Patience, Status, Updated};
use ravel_render::amount;
use serde_json::json;

use crate::context::{Context, display_path};
use crate::failure::Failure;
use crate::finding::report_findings;
use crate::folders;
use crate::progress::Bar;

/// Make or update the index, for quick searches and sums
///
/// The index lies in the cache folder, apart from the sessions. Once it is there, `search`,
/// `usage`, `stats` and `statusline` use it and keep it up to date; each gives the same answer
/// without it. Deleting it loses nothing.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel index            make it, or bring it up to date\n  ravel index --status   where it is, how large, how current\n  ravel index --rebuild  make it anew\n  ravel index --prune    forget what is gone, and give back space"
)]
pub(crate) struct IndexArgs {
    /// Make it anew
    #[arg(long, conflicts_with_all = ["status", "prune"])]
    rebuild: bool,
    /// Only say how it is
    #[arg(long, conflicts_with = "prune")]
    status: bool,
    /// Forget sessions that are gone, and make the file as small as it can be
    #[arg(long)]
    prune: bool,
}

/// Makes, updates or describes the index.
pub(crate) fn run(context: &Context, args: &IndexArgs) -> Result<ExitCode, Failure> {
    let path = folders::index_file(context)?;
    let archive = folders::archive_folder(context)?;
    let library = Library::open(context.home()?, Some(&archive));
    report_findings(library.findings());
    if args.status {
        return describe(context, &path, &library);
    }
    let done = (|| {
        let mut index = Index::create(&path)?;
        if args.rebuild {
            index.clear()?;
        }
        let mut updated = update(&mut index, &library)?;
        if args.prune {
            if index.status(&library)?.n_forgotten > 0 {
                index.clear()?;
                updated = update(&mut index, &library)?;
            }
            index.compact()?;
        }
        let status = index.status(&library)?;
        Ok::<_, IndexError>((updated, status))
    })();
    let (updated, status) = done?;
    report_findings(&updated.findings);
    match context.json() {
        true => context.print_json(&json!({
            "path": path.to_string_lossy(),
            "new": updated.n_new,
            "grown": updated.n_grown,
            "replaced": updated.n_replaced,
            "gone": updated.n_gone,
            "bytes_read": updated.n_bytes,
            "status": status_json(&status),
        }))?,
        false => context.print_lines(&[
            line(&what_was_done(&updated)),
            line(&what_it_is(&status, &path)),
        ])?,
    }
    Ok(ExitCode::SUCCESS)
}

fn update(index: &mut Index, library: &Library) -> Result<Updated, IndexError> {
    let bar = Bar::new("indexing");
    bar.set_length(library.n_bytes());
    index.update(library, Patience::Wait, &bar)
}

fn describe(context: &Context, path: &Path, library: &Library) -> Result<ExitCode, Failure> {
    let status =
        Index::open(path).and_then(|index| index.map(|index| index.status(library)).transpose())?;
    if context.json() {
        let status = status.as_ref().map(status_json);
        context.print_json(&json!({"path": path.to_string_lossy(), "status": status}))?;
        return Ok(ExitCode::SUCCESS);
    }
    let lines = match &status {
        None => vec![line("there is no index; `ravel index` makes one")],
        Some(status) => vec![line(&what_it_is(status, path)), line(&how_current(status))],
    };
    context.print_lines(&lines)?;
    Ok(ExitCode::SUCCESS)
}

fn line(text: &str) -> ravel_render::style::Line {
    ravel_render::style::Line::of(text, ravel_render::style::Role::Plain)
}

fn what_was_done(updated: &Updated) -> String {
    if updated.is_nothing() {
        return "already up to date".to_owned();
    }
    let parts = [
        (updated.n_new, "new"),
        (updated.n_grown, "grown"),
        (updated.n_replaced, "replaced"),
        (updated.n_gone, "gone"),
    ];
    let parts = parts.into_iter().filter(|(n_files, _)| *n_files > 0);
    let parts: Vec<String> = parts
        .map(|(n_files, what)| format!("{} {what}", amount::count(n_files)))
        .collect();
    format!(
        "read {}: files {}",
        amount::bytes(updated.n_bytes),
        parts.join(", ")
    )
}

fn what_it_is(status: &Status, path: &Path) -> String {
    format!(
        "{} of {} in {} ({})",
        amount::counted(status.n_files, "file"),
        amount::bytes(status.n_read),
        display_path(path),
        amount::bytes(status.n_bytes),
    )
}

fn how_current(status: &Status) -> String {
    let mut parts = match (status.n_changed, status.n_gone) {
        (0, 0) => vec!["up to date".to_owned()],
        (n_changed, n_gone) => vec![format!(
            "{} to read, {} to forget",
            amount::counted(n_changed, "file"),
            amount::counted(n_gone, "file")
        )],
    };
    if status.n_forgotten > 0 {
        parts.push(format!(
            "terms of {} that are gone still take space; --prune gives it back",
            amount::bytes(status.n_forgotten)
        ));
    }
    parts.join("; ")
}

fn status_json(status: &Status) -> serde_json::Value {
    json!({
        "files": status.n_files,
        "bytes_read": status.n_read,
        "changed": status.n_changed,
        "gone": status.n_gone,
        "requests": status.n_requests,
        "forgotten_bytes": status.n_forgotten,
        "bytes": status.n_bytes,
    })
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Self {
        let failure = Self::request(format!("could not {error}"));
        match error {
            IndexError::Folder { .. } => {
                failure.hint("the index lies in $XDG_CACHE_HOME/ravel or ~/.cache/ravel")
            }
            _ if error.is_damage() => failure.hint("`ravel index --rebuild` makes it anew"),
            _ => failure,
        }
    }
}
