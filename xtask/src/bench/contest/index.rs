//! `ravel index`: a whole home from nothing, then one line more in one file.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

use super::{Lab, Runs, bytes_of, repeat};
use crate::bench::home;
use crate::bench::report::{Goal, Outcome};

/// Appends to measure; one takes a few milliseconds and so does the noise.
const APPENDS: usize = 25;

pub(super) fn run(lab: &Lab) -> Result<Outcome> {
    let home = lab.home()?;
    let rebuild = lab.ravel_on(&home, "ravel index --rebuild", &["index", "--rebuild"]);
    let cold = repeat(&rebuild, 3)?;
    let source: u64 = home::session_files(&home)?
        .iter()
        .map(|file| file.metadata().map_or(0, |metadata| metadata.len()))
        .sum();
    let index = bytes_of(&lab.cache())?;
    let (idle, append) = append_lines(lab, &home)?;

    let mut outcome = Outcome::new("index", lab.describe(&home)?);
    outcome.rows = vec![cold.row(), idle.row(), append.row()];
    outcome.notes = vec![format!(
        "index of {:.0} MB for {:.0} MB of sessions",
        index as f64 / 1e6,
        source as f64 / 1e6
    )];
    outcome.goals = vec![
        Goal::at_least("MB/s", 60.0, source as f64 / 1e6 / cold.median()),
        Goal::at_most("MB at most", 500.0, cold.peak_mb()),
        Goal::at_most(
            "% of the source in size",
            20.0,
            100.0 * index as f64 / source as f64,
        ),
        Goal::at_most(
            "ms for an appended line, beyond a run with nothing to do",
            10.0,
            (append.median() - idle.median()) * 1_000.0,
        ),
    ];
    Ok(outcome)
}

/// Runs `ravel index` in turn with nothing to do and with one new line in one session.
fn append_lines(lab: &Lab, home: &Path) -> Result<(Runs, Runs)> {
    let nothing = lab.ravel_on(home, "ravel index, nothing to do", &["index"]);
    let one_line = lab.ravel_on(home, "ravel index, one line appended", &["index"]);
    let (mut idle, mut append) = (Runs::new(&nothing), Runs::new(&one_line));
    {
        let mut session = Borrowed::open(home::newest_session(home)?)?;
        nothing.run_once()?;
        for number in 0..APPENDS {
            idle.samples.push(nothing.run_once()?);
            session.append(number)?;
            append.samples.push(one_line.run_once()?);
        }
    }
    // The file has its old length again, and the index learns of it.
    nothing.run_once()?;
    Ok((idle, append))
}

/// A session that grows for a while and is as it was afterwards.
struct Borrowed {
    path: PathBuf,
    file: File,
    length: u64,
    modified: SystemTime,
}

impl Borrowed {
    fn open(path: PathBuf) -> Result<Self> {
        let metadata =
            fs::metadata(&path).with_context(|| format!("could not look at {}", path.display()))?;
        let file = OpenOptions::new()
            .append(true)
            .open(&path)
            .with_context(|| format!("could not open {}", path.display()))?;
        Ok(Self {
            path,
            file,
            length: metadata.len(),
            modified: metadata.modified()?,
        })
    }

    fn append(&mut self, number: usize) -> Result<()> {
        let mut line = home::appended_line(&self.path, number).to_string();
        line.push('\n');
        self.file
            .write_all(line.as_bytes())
            .with_context(|| format!("could not append to {}", self.path.display()))
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        let restored = self
            .file
            .set_len(self.length)
            .and_then(|()| self.file.set_modified(self.modified));
        if let Err(error) = restored {
            println!("could not restore {}: {error}", self.path.display());
        }
    }
}
