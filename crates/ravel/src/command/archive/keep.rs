//! Bringing the archive up to date.

use std::process::ExitCode;

use ravel_archive::{Selection, Summary};
use ravel_home::{SessionFile, Target};
use ravel_render::amount;
use ravel_render::style::{Line, Role};
use serde_json::json;

use super::{ArchiveArgs, archive, failure, findings_json, lock};
use crate::context::{Context, display_path};
use crate::failure::Failure;
use crate::finding::report_findings;
use crate::open::find;
use crate::progress::Bar;

/// Archives all sessions, or those that were named.
pub(super) fn run(context: &Context, args: &ArchiveArgs) -> Result<ExitCode, Failure> {
    let home = context.home()?;
    let archive = archive(context)?;
    let sessions = named(context, &args.sessions)?;
    let selection = match sessions.as_slice() {
        [] => Selection::Everything,
        some => Selection::Sessions(some),
    };
    let summary = if args.dry_run {
        archive
            .plan(home, &selection)
            .map_err(|error| failure(&error))?
    } else {
        let lock = lock(&archive)?;
        let bar = Bar::new("archiving");
        archive
            .keep(&lock, home, &selection, &bar)
            .map_err(|error| failure(&error))?
    };
    report_findings(&summary.findings);
    let root = archive.root();
    if context.json() {
        context.print_json(&document(&summary, args, root))?;
    } else {
        let mut lines = lines(&summary, args);
        lines.push(Line::of(&format!("in {}", display_path(root)), Role::Muted));
        context.print_lines(&lines)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the sessions that were named.
fn named(context: &Context, queries: &[String]) -> Result<Vec<SessionFile>, Failure> {
    let mut sessions = Vec::new();
    for query in queries {
        match find(context, query)? {
            Target::Session(session) if session.is_archived => {
                return Err(Failure::request(format!(
                    "{query} is in the archive already, and nowhere else"
                ))
                .hint("`ravel archive restore` puts it back"));
            }
            // A path leads to a session of no project; its id leads to the one of the home.
            Target::Session(session) => sessions.push(at_home(context, &session)?),
            Target::Agent(_) => {
                return Err(
                    Failure::request(format!("{query} is an agent, not a session"))
                        .hint("name its session: agents are archived with it"),
                );
            }
        }
    }
    Ok(sessions)
}

/// Returns the session as the home knows it.
fn at_home(context: &Context, session: &SessionFile) -> Result<SessionFile, Failure> {
    let found = ravel_home::discover(context.home()?, ravel_home::Depth::Sessions);
    let real = session.path.canonicalize().ok();
    let is_it = |one: &SessionFile| {
        one.session_id == session.session_id && one.path.canonicalize().ok() == real
    };
    found.sessions.into_iter().find(is_it).ok_or_else(|| {
        let path = display_path(&session.path);
        Failure::request(format!("could not archive {path}: it is not in this home"))
            .hint("name the home it is in with --home DIR")
    })
}

fn lines(summary: &Summary, args: &ArchiveArgs) -> Vec<Line> {
    let verb = if args.dry_run {
        "would archive"
    } else {
        "archived"
    };
    let sessions = amount::counted(summary.n_sessions, "session");
    let changed = match summary.n_sessions_changed {
        0 => "nothing new".to_owned(),
        n_changed => format!("{} new or changed", amount::count(n_changed)),
    };
    let files = amount::counted(summary.n_files, "file");
    let mut text = format!("{files}, {} new", amount::bytes(summary.n_new_bytes));
    if summary.n_stored_bytes > 0 {
        let stored = amount::bytes(summary.n_stored_bytes);
        text.push_str(&format!(", stored in {stored}{}", ratio(summary)));
    }
    let mut lines = vec![
        Line::of(&format!("{verb} {sessions}: {changed}"), Role::Plain),
        Line::of(&text, Role::Plain),
    ];
    if summary.n_replaced > 0 {
        let replaced = amount::counted(summary.n_replaced, "file");
        let text = format!("{replaced} had been cut or rewritten; the earlier state is kept too");
        lines.push(Line::of(&text, Role::Plain));
    }
    lines
}

/// Says how much smaller things have become.
fn ratio(summary: &Summary) -> String {
    let tenths = (summary.n_new_bytes * 10).checked_div(summary.n_stored_bytes);
    match tenths {
        Some(tenths @ 11..) => format!(" ({}.{} times smaller)", tenths / 10, tenths % 10),
        _ => String::new(),
    }
}

fn document(summary: &Summary, args: &ArchiveArgs, root: &std::path::Path) -> serde_json::Value {
    json!({
        "archive": root,
        "dry_run": args.dry_run,
        "sessions": summary.n_sessions,
        "sessions_changed": summary.n_sessions_changed,
        "files": summary.n_files,
        "files_new": summary.n_new,
        "files_grown": summary.n_grown,
        "files_replaced": summary.n_replaced,
        "bytes": summary.n_bytes,
        "new_bytes": summary.n_new_bytes,
        "stored_bytes": summary.n_stored_bytes,
        "pruned_chunks": summary.pruned.n_chunks,
        "pruned_bytes": summary.pruned.n_bytes,
        "findings": findings_json(&summary.findings),
    })
}
