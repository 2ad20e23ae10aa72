//! Results as a table on the screen and as a page in `docs/`.
//!
//! Each outcome is kept as JSON under `target/bench/results`, so that running one
//! bench renews its part of the page and leaves the others.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::project;

/// What a contest found.
pub(super) struct Outcome {
    pub(super) name: String,
    /// What was measured on, in words.
    pub(super) data: String,
    pub(super) rows: Vec<Row>,
    /// What else was seen, a sentence each.
    pub(super) notes: Vec<String>,
    pub(super) goals: Vec<Goal>,
}

impl Outcome {
    pub(super) fn new(name: &str, data: String) -> Self {
        Self {
            name: name.to_owned(),
            data,
            rows: Vec::new(),
            notes: Vec::new(),
            goals: Vec::new(),
        }
    }
}

/// The numbers of one program, in seconds and megabytes.
pub(super) struct Row {
    pub(super) program: String,
    pub(super) best: f64,
    pub(super) median: f64,
    pub(super) peak_mb: f64,
}

/// What Ravel has to reach.
pub(super) struct Goal {
    what: String,
    bound: Bound,
    limit: f64,
    actual: f64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    AtLeast,
    AtMost,
}

impl Goal {
    pub(super) fn at_least(what: &str, limit: f64, actual: f64) -> Self {
        Self {
            what: what.to_owned(),
            bound: Bound::AtLeast,
            limit,
            actual,
        }
    }

    pub(super) fn at_most(what: &str, limit: f64, actual: f64) -> Self {
        Self {
            what: what.to_owned(),
            bound: Bound::AtMost,
            limit,
            actual,
        }
    }

    /// Tells whether the goal was reached; an unknown number reaches nothing.
    pub(super) fn met(&self) -> bool {
        match self.bound {
            Bound::AtLeast => self.actual >= self.limit,
            Bound::AtMost => self.actual <= self.limit,
        }
    }

    fn sentence(&self) -> String {
        let sign = if self.bound == Bound::AtLeast {
            '≥'
        } else {
            '≤'
        };
        let verdict = if self.met() { "reached" } else { "**missed**" };
        format!(
            "{:.1} {} (goal {sign} {}): {verdict}",
            self.actual, self.what, self.limit
        )
    }
}

/// Returns the outcome as a Markdown table with its goals below.
pub(super) fn table(outcome: &Outcome) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}\n", outcome.data);
    let _ = writeln!(text, "| program | best | median | peak memory |");
    let _ = writeln!(text, "|---|---:|---:|---:|");
    for row in &outcome.rows {
        let (best, median) = (seconds(row.best), seconds(row.median));
        let _ = writeln!(
            text,
            "| {} | {best} | {median} | {:.0} MB |",
            row.program, row.peak_mb
        );
    }
    text.push('\n');
    for note in &outcome.notes {
        let _ = writeln!(text, "- {note}");
    }
    for goal in &outcome.goals {
        let _ = writeln!(text, "- {}", goal.sentence());
    }
    text
}

fn seconds(time: f64) -> String {
    if time < 1.0 {
        format!("{:.1} ms", time * 1_000.0)
    } else {
        format!("{time:.2} s")
    }
}

/// Keeps the rendered outcome for the page.
pub(super) fn save(outcome: &Outcome) -> Result<()> {
    let folder = results()?;
    fs::create_dir_all(&folder).with_context(|| format!("could not make {}", folder.display()))?;
    let kept = json!({"name": outcome.name, "table": table(outcome)});
    let file = folder.join(format!("{}.json", outcome.name));
    fs::write(&file, kept.to_string())
        .with_context(|| format!("could not write {}", file.display()))
}

/// Writes `docs/benchmarks.md` from everything that was kept.
pub(super) fn write_page() -> Result<PathBuf> {
    let mut page = format!(
        "# Benchmarks\n\n\
         Written by `cargo xtask bench`. The programs of a table run in turn on the same generated,\n\
         seeded files with a warm page cache; the median counts. Peak memory is the resident set.\n\n\
         Machine: {}.\n",
        machine()
    );
    for contest in super::contest::ALL {
        let file = results()?.join(format!("{}.json", contest.name));
        let Ok(text) = fs::read_to_string(&file) else {
            continue;
        };
        let kept: Value = serde_json::from_str(&text)
            .with_context(|| format!("could not read {}", file.display()))?;
        let table = kept
            .get("table")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let _ = write!(
            page,
            "\n## `{}`: {}\n\n{table}",
            contest.name, contest.about
        );
    }
    let path = project::root().join("docs").join("benchmarks.md");
    fs::write(&path, page).with_context(|| format!("could not write {}", path.display()))?;
    Ok(path)
}

fn results() -> Result<PathBuf> {
    Ok(project::target_dir()?.join("bench").join("results"))
}

fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let model =
        proc_field("/proc/cpuinfo", "model name").unwrap_or_else(|| "CPU unknown".to_owned());
    let memory = proc_field("/proc/meminfo", "MemTotal").unwrap_or_else(|| "unknown".to_owned());
    format!(
        "{cores} cores, {model}, memory {memory}, {}",
        std::env::consts::OS
    )
}

fn proc_field(file: &str, field: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(field))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests;
