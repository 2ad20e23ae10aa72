//! `ravel paths`: where things are.

mod belonging;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use ravel_home::{Home, Target};
use ravel_render::amount;
use ravel_render::style::{Line, Role, Style};
use serde_json::{Value, json};

use crate::context::{Context, display_path};
use crate::failure::Failure;
use crate::open::find;
use crate::table::{Cell, Column, layout};
use belonging::{Belonging, belongings};

/// Show where things are, in the home or of one session
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel paths                            the home and what is in it\n  ravel paths latest                     every file of the latest session\n  ravel paths 3f2a --json | jq -r '.files[].path'"
)]
pub(crate) struct PathsArgs {
    /// List the files of this session instead
    #[arg(value_name = "SESSION")]
    session: Option<String>,
}

/// Shows where things are.
pub(crate) fn run(context: &Context, args: &PathsArgs) -> Result<ExitCode, Failure> {
    match &args.session {
        Some(query) => session_paths(context, query)?,
        None => home_paths(context)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// A place in the home.
struct Place {
    name: &'static str,
    path: PathBuf,
    /// What is there; `None` when nothing is.
    contents: Option<Contents>,
}

/// What is below a place.
#[derive(Default, Clone, Copy)]
struct Contents {
    n_files: u64,
    n_bytes: u64,
}

fn home_paths(context: &Context) -> Result<(), Failure> {
    let home = context.home()?;
    let places: Vec<Place> = home
        .places()
        .into_iter()
        .map(|(name, path)| Place {
            name,
            contents: measure(&path),
            path,
        })
        .collect();
    if context.json() {
        return context.print_json(&home_json(context, home, &places));
    }
    let rows: Vec<Vec<Cell>> = places.iter().map(place_row).collect();
    let columns = [
        Column::Fixed,
        Column::Right,
        Column::Right,
        Column::Flexible,
    ];
    let mut lines = vec![
        Line::of(&display_path(home.root()), Style::of(Role::Accent).bold())
            .with(&format!("  {}", origin(context, home)), Role::Muted),
        Line::default(),
    ];
    lines.extend(layout(&columns, &rows, context.width()));
    context.print_lines(&lines)
}

fn origin(context: &Context, home: &Home) -> String {
    if context.global.demo {
        return "the bundled sample".into();
    }
    home.origin().to_string()
}

fn place_row(place: &Place) -> Vec<Cell> {
    let muted = Style::of(Role::Muted);
    let style = match place.contents {
        Some(_) => Style::PLAIN,
        None => muted,
    };
    let (files, bytes) = match place.contents {
        Some(contents) => (
            amount::counted(contents.n_files, "file"),
            amount::bytes(contents.n_bytes),
        ),
        None => ("not there".into(), String::new()),
    };
    vec![
        Cell::new(place.name, style),
        Cell::new(files, muted),
        Cell::new(bytes, muted),
        Cell::new(display_path(&place.path), muted),
    ]
}

fn home_json(context: &Context, home: &Home, places: &[Place]) -> Value {
    let places = places.iter().map(|place| {
        json!({
            "name": place.name,
            "path": place.path.to_string_lossy(),
            "exists": place.contents.is_some(),
            "files": place.contents.map(|contents| contents.n_files),
            "bytes": place.contents.map(|contents| contents.n_bytes),
        })
    });
    json!({
        "home": home.root(),
        "origin": origin(context, home),
        "places": places.collect::<Vec<_>>(),
    })
}

/// Counts the files below a path and their bytes. Links are counted, not followed.
fn measure(path: &Path) -> Option<Contents> {
    let metadata = path.metadata().ok()?;
    let mut contents = Contents::default();
    if !metadata.is_dir() {
        contents.n_files = 1;
        contents.n_bytes = metadata.len();
        return Some(contents);
    }
    let mut open = vec![path.to_path_buf()];
    while let Some(folder) = open.pop() {
        // What cannot be listed has no size that we could tell.
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            if metadata.is_dir() {
                open.push(entry.path());
            } else {
                contents.n_files += 1;
                contents.n_bytes += metadata.len();
            }
        }
    }
    Some(contents)
}

fn session_paths(context: &Context, query: &str) -> Result<(), Failure> {
    if query == "-" {
        return Err(
            Failure::request("could not list files: standard input has none")
                .hint("name a session by its id, its title, a path, or `latest`"),
        );
    }
    let target = find(context, query)?;
    // A file that was named by its path may lie outside of any home.
    let files = belongings(context.home().ok(), &target);
    if context.json() {
        return context.print_json(&session_json(&target, &files));
    }
    let rows: Vec<Vec<Cell>> = files.iter().map(file_row).collect();
    let columns = [Column::Fixed, Column::Right, Column::Fixed];
    // Paths are for copying: they are never cut.
    context.print_lines(&layout(&columns, &rows, usize::MAX))
}

fn file_row(file: &Belonging) -> Vec<Cell> {
    vec![
        Cell::new(file.role, Style::of(Role::Accent)),
        Cell::new(amount::bytes(file.n_bytes), Style::of(Role::Muted)),
        Cell::new(display_path(&file.path), Style::PLAIN),
    ]
}

fn session_json(target: &Target, files: &[Belonging]) -> Value {
    let files = files
        .iter()
        .map(|file| json!({"role": file.role, "path": file.path.to_string_lossy(), "bytes": file.n_bytes}));
    json!({"session_id": target.session_id(), "files": files.collect::<Vec<_>>()})
}
