//! `ravel statusline` as Claude Code starts it, several times a minute.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::json;

use super::{Lab, repeat};
use crate::bench::home;
use crate::bench::report::{Goal, Outcome};

pub(super) fn run(lab: &Lab) -> Result<Outcome> {
    let home = lab.home()?;
    lab.index(&home)?;
    let told = write_status(&lab.folder, &home::newest_session(&home)?)?;
    let ravel = lab.ravel_on(&home, "ravel", &["statusline"]).stdin(&told);
    let ours = repeat(&ravel, 100)?;
    let mut outcome = Outcome::new("statusline", lab.describe(&home)?);
    outcome.rows = vec![ours.row()];
    outcome.notes = vec![format!(
        "95 % within {:.1} ms",
        ours.percentile(95) * 1_000.0
    )];
    outcome.goals = vec![Goal::at_most(
        "ms with a warm index",
        20.0,
        ours.median() * 1_000.0,
    )];
    Ok(outcome)
}

/// Writes what Claude Code says on standard input about a running session.
fn write_status(folder: &Path, session: &Path) -> Result<PathBuf> {
    let id = session.file_stem().unwrap_or_default().to_string_lossy();
    let cwd = home::cwd_of(session)?;
    let status = json!({
        "hook_event_name": "Status", "session_id": id, "transcript_path": session, "cwd": cwd,
        "model": {"id": "claude-opus-4-5-20251101", "display_name": "Opus 4.5"},
        "workspace": {"current_dir": cwd, "project_dir": cwd},
        "version": "2.1.29", "output_style": {"name": "default"},
        "cost": {"total_cost_usd": 1.25, "total_duration_ms": 540_000, "total_api_duration_ms": 210_000,
            "total_lines_added": 156, "total_lines_removed": 23},
        "exceeds_200k_tokens": false,
    });
    let file = folder.join("statusline.json");
    fs::write(&file, status.to_string())
        .with_context(|| format!("could not write {}", file.display()))?;
    Ok(file)
}
