//! `ravel files`: the files a session edited, as they were before.

mod compare;
mod version;

use std::process::ExitCode;

use clap::Args;
use ravel_model::Session;
use ravel_render::style::{Line, Role, Style};
use ravel_render::{amount, diff};
use serde_json::{Value, json};

use crate::context::Context;
use crate::failure::Failure;
use crate::open::{Agents, open};
use crate::table::{Cell, Column, layout};
use compare::{Comparison, Text};
use version::{KeptFile, Moment, Store, parse_moment};

/// Show the files a session edited: their versions and what changed
///
/// Claude Code keeps a copy of a file before its first edit, and again at each prompt when it has
/// changed since. The copies go away with time.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel files                               files of the latest session\n  ravel files 3f2a src/cart.rs              versions of one, and what changed between them\n  ravel files 3f2a src/cart.rs --diff       the first version against the file now\n  ravel files 3f2a src/cart.rs --show v1 > cart.rs"
)]
pub(crate) struct FilesArgs {
    /// The session
    #[arg(value_name = "SESSION", default_value = "latest")]
    session: String,
    /// The file: its path, or the end of it
    #[arg(value_name = "PATH")]
    path: Option<String>,
    /// Compare two versions of the file
    #[arg(long, requires = "path")]
    diff: bool,
    /// Compare from this version; the first unless named
    #[arg(long, value_name = "vN", value_parser = parse_moment, requires = "path")]
    from: Option<Moment>,
    /// Compare to this version; the file on disk now unless named
    #[arg(long, value_name = "vN|now", value_parser = parse_moment, requires = "path")]
    to: Option<Moment>,
    /// Print one version of the file
    #[arg(long, value_name = "vN|now", value_parser = parse_moment, requires = "path", conflicts_with_all = ["diff", "from", "to"])]
    show: Option<Moment>,
}

/// Shows the files of a session.
pub(crate) fn run(context: &Context, args: &FilesArgs) -> Result<ExitCode, Failure> {
    let opened = open(context, &args.session, Agents::Left)?;
    let session_id = opened.session_id().map(str::to_owned);
    let session = Session::build(&opened.transcripts);
    let home = opened.home(context);
    let store = Store::new(home.as_ref(), session_id);
    let files = store.files(&session);
    opened.check_read()?;
    let Some(path) = &args.path else {
        list(context, &store, &files)?;
        return Ok(ExitCode::SUCCESS);
    };
    let file = version::choose(&files, path)?;
    if let Some(moment) = args.show {
        show(context, &store, file, moment)?;
    } else {
        compare(context, args, &store, file)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn list(context: &Context, store: &Store<'_>, files: &[KeptFile]) -> Result<(), Failure> {
    if context.json() {
        let items: Vec<Value> = files.iter().map(KeptFile::json).collect();
        let document = json!({"session_id": store.session_id(), "files": items});
        return context.print_json(&document);
    }
    if files.is_empty() {
        let message = "no edited files are recorded in this session";
        return context.print_lines(&[Line::of(message, Role::Plain)]);
    }
    let mut lines = Vec::new();
    for file in files {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(versions(context, file));
    }
    context.print_lines(&lines)
}

/// Returns a file with its versions.
fn versions(context: &Context, file: &KeptFile) -> Vec<Line> {
    const INDENT: usize = 2;
    let count = amount::counted(file.versions.len(), "version");
    let mut lines = vec![
        Line::of(&file.path, Style::of(Role::Accent).bold())
            .with(&format!("  {count}"), Role::Muted),
    ];
    let rows: Vec<Vec<Cell>> = file
        .versions
        .iter()
        .map(version::KeptVersion::row)
        .collect();
    let columns = [
        Column::Fixed,
        Column::Fixed,
        Column::Right,
        Column::Flexible,
    ];
    let width = context.width().saturating_sub(INDENT);
    for row in layout(&columns, &rows, width) {
        let mut line = Line::of(&" ".repeat(INDENT), Role::Plain);
        line.extend(row.spans().iter().cloned());
        lines.push(line);
    }
    lines
}

/// Shows what changed: between two versions, or from each version to the next.
fn compare(
    context: &Context,
    args: &FilesArgs,
    store: &Store<'_>,
    file: &KeptFile,
) -> Result<(), Failure> {
    let is_one = args.diff || args.from.is_some() || args.to.is_some();
    let pairs = match is_one {
        true => vec![pair(args, file)?],
        false => file.consecutive(),
    };
    let comparisons: Vec<Comparison> = pairs
        .into_iter()
        .map(|(from, to)| Comparison::new(store, file, from, to))
        .collect::<Result<_, _>>()?;
    if context.json() {
        let mut document = file.json();
        if let Some(object) = document.as_object_mut() {
            let diffs = comparisons.iter().map(Comparison::json);
            object.insert("diffs".into(), diffs.collect());
        }
        return context.print_json(&document);
    }
    let mut lines = match is_one {
        true => Vec::new(),
        false => versions(context, file),
    };
    for comparison in &comparisons {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(comparison.render(&diff::Options::new(context.width())));
    }
    context.print_lines(&lines)
}

/// Returns the two versions that the options name.
fn pair(args: &FilesArgs, file: &KeptFile) -> Result<(Moment, Moment), Failure> {
    let to = args.to.unwrap_or(Moment::Now);
    let first = file
        .versions
        .first()
        .map(|first| Moment::Version(first.version));
    let from = args.from.or(first).ok_or_else(|| {
        Failure::request(format!(
            "could not compare {}: it has no versions",
            file.path
        ))
        .hint("`ravel files SESSION` lists the files that have some")
    })?;
    Ok((from, to))
}

fn show(
    context: &Context,
    store: &Store<'_>,
    file: &KeptFile,
    moment: Moment,
) -> Result<(), Failure> {
    let Text { bytes, note } = store.read(file, moment)?;
    if context.json() {
        let text = String::from_utf8_lossy(&bytes);
        return context.print_json(&json!({
            "path": file.path,
            "version": moment.to_string(),
            "exists": note.is_none(),
            "bytes": bytes.len(),
            "text": text,
        }));
    }
    if let Some(note) = note {
        return Err(
            Failure::request(format!("could not show {} {moment}: {note}", file.path))
                .hint("`ravel files SESSION` lists the versions that are kept"),
        );
    }
    let mut screen = context.screen();
    screen.write_foreign(&bytes)?;
    Ok(screen.finish()?)
}
