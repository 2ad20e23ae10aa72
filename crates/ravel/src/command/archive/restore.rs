//! Putting a session back.

use std::path::Path;
use std::process::ExitCode;
use std::time::SystemTime;

use ravel_archive::{
    Archive, Existing, RestoreError, RestoreRequest, RestoreState, Restored, RestoredFile, Times,
    Version,
};
use ravel_format::Timestamp;
use ravel_home::{SessionFile, Target, read_head};
use ravel_render::style::{Line, Role, Style};
use ravel_render::{amount, when};
use serde_json::json;

use super::{RestoreArgs, existing, findings_json, lock};
use crate::context::{Context, display_path, epoch_ms};
use crate::failure::Failure;
use crate::finding::report_findings;
use crate::open::find;
use crate::shell::quoted;
use crate::table::{Cell, Column, layout};

/// Puts a session back, or lists the states in which it is kept.
pub(super) fn run(context: &Context, args: &RestoreArgs) -> Result<ExitCode, Failure> {
    let archive = existing(context)?;
    let session = match find(context, &args.session)? {
        Target::Session(session) => session,
        Target::Agent(_) => {
            return Err(
                Failure::request("an agent is put back with its session").hint("name the session")
            );
        }
    };
    if args.list {
        return list(context, &archive, &session);
    }
    let lock = match args.force {
        true => Some(lock(&archive)?),
        false => None,
    };
    let request = RestoreRequest {
        session: &session,
        version: args.version,
        to: args.to.as_deref(),
        existing: lock.as_ref().map_or(Existing::Refuse, Existing::Replace),
        times: match args.keep_times {
            true => Times::Kept,
            false => Times::At(SystemTime::now()),
        },
    };
    let restored = archive
        .restore(context.home()?, &request)
        .map_err(|error| failure(&error))?;
    report_findings(&restored.findings);
    // Its own words say where it was started.
    let cwd = read_head(&session).ok().flatten().and_then(|head| head.cwd);
    if context.json() {
        context.print_json(&document(&session, &restored, cwd.as_deref()))?;
    } else {
        context.print_lines(&lines(&session, &restored, args, cwd.as_deref()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn failure(error: &RestoreError) -> Failure {
    let failure = Failure::request(format!("could not {error}"));
    match error {
        RestoreError::Exists(_) => failure
            .hint("the file there differs from the archived one: --force archives it, then replaces it")
            .hint("--to DIR puts the archived one somewhere else"),
        RestoreError::NotKept(_) => failure.hint("`ravel archive` archives what is there"),
        RestoreError::NoVersion { .. } => failure.hint("--list shows the states there are"),
        _ => failure,
    }
}

fn lines(
    session: &SessionFile,
    restored: &Restored,
    args: &RestoreArgs,
    cwd: Option<&str>,
) -> Vec<Line> {
    let n_there = restored
        .files
        .iter()
        .filter(|file| file.state == RestoreState::Same);
    let n_there = n_there.count();
    let n_written = restored.files.len() - n_there;
    let files = amount::counted(n_written, "file");
    let mut text = format!("put back {files} of session {}", session.session_id);
    if n_there > 0 {
        text.push_str(&format!("; {n_there} were there already"));
    }
    let mut lines = vec![
        Line::of(&text, Role::Plain),
        Line::of(&display_path(&restored.main), Role::Muted),
    ];
    let is_replaced = |file: &RestoredFile| file.state == RestoreState::Replaced;
    if restored.files.iter().any(is_replaced) {
        let text = "what was there before is archived as an earlier state: --list shows it";
        lines.push(Line::of(text, Role::Plain));
    }
    if args.to.is_some() {
        return lines;
    }
    let note = match args.keep_times {
        true => "the files have their old times: Claude Code may delete them at its next start",
        false => "the files have the time of now, or Claude Code would delete them again",
    };
    lines.push(Line::of(note, Role::Muted));
    let place = cwd
        .map(|cwd| format!("cd {} && ", quoted(cwd)))
        .unwrap_or_default();
    let command = format!("{place}claude --resume {}", quoted(&session.session_id));
    lines.push(Line::of(&command, Style::of(Role::Accent)));
    lines
}

fn document(session: &SessionFile, restored: &Restored, cwd: Option<&str>) -> serde_json::Value {
    let files = restored.files.iter().map(|file| {
        let state = match file.state {
            RestoreState::Written => "written",
            RestoreState::Same => "same",
            RestoreState::Replaced => "replaced",
        };
        json!({"path": file.path.to_string_lossy(), "bytes": file.size, "state": state})
    });
    json!({
        "session_id": session.session_id,
        "path": restored.main.to_string_lossy(),
        "cwd": cwd,
        "files": files.collect::<Vec<_>>(),
        "findings": findings_json(&restored.findings),
    })
}

fn list(context: &Context, archive: &Archive, session: &SessionFile) -> Result<ExitCode, Failure> {
    let versions = archive.versions(context.home()?, session);
    if context.json() {
        let versions: Vec<_> = versions.iter().map(version_json).collect();
        context.print_json(&json!({"session_id": session.session_id, "versions": versions}))?;
        return Ok(ExitCode::SUCCESS);
    }
    if versions.is_empty() {
        return Err(failure(&RestoreError::NotKept(session.session_id.clone())));
    }
    let now_ms = context.now_ms();
    let rows: Vec<Vec<Cell>> = versions.iter().map(|one| row(one, now_ms)).collect();
    let columns = [
        Column::Fixed,
        Column::Right,
        Column::Right,
        Column::Flexible,
    ];
    context.print_lines(&layout(&columns, &rows, context.width()))?;
    Ok(ExitCode::SUCCESS)
}

fn version_json(version: &Version) -> serde_json::Value {
    let modified = |time: SystemTime| Timestamp(epoch_ms(time)).to_iso();
    json!({
        "version": version.number,
        "path": version.path.to_string_lossy(),
        "bytes": version.facts.map(|(size, _)| size),
        "modified": version.facts.map(|(_, time)| modified(time)),
    })
}

fn row(version: &Version, now_ms: i64) -> Vec<Cell> {
    let muted = Style::of(Role::Muted);
    let name = match version.number {
        Some(number) => format!("version {number}"),
        None => "the last state".into(),
    };
    let (size, age) = match version.facts {
        Some((size, time)) => (amount::bytes(size), when::age(epoch_ms(time), now_ms)),
        None => ("damaged".into(), String::new()),
    };
    let path: &Path = &version.path;
    vec![
        Cell::new(name, Style::of(Role::Accent)),
        Cell::new(size, muted),
        Cell::new(age, muted),
        Cell::new(display_path(path), muted),
    ]
}
