//! The contests: which programs meet, on which data, and what Ravel has to reach.
//!
//! Each contest is a file below; here is what they share: the [`Lab`] with the
//! program under test and its data, and the [`Runs`] of one program.

mod check;
mod html;
mod index;
mod ls;
mod peer;
mod search;
mod show;
mod statusline;
mod usage;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;

use super::home::{self, Extent};
use super::measure::{Clock, Entrant, Sample};
use super::report::{Outcome, Row};
use crate::project;
use crate::sdk::{Profile, build_ravel};

/// One comparison.
pub(super) struct Contest {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) run: fn(&Lab) -> Result<Outcome>,
}

pub(super) const ALL: &[Contest] = &[
    Contest {
        name: "ls",
        about: "list every session of a home",
        run: ls::run,
    },
    Contest {
        name: "check",
        about: "check every line of a home",
        run: check::run,
    },
    Contest {
        name: "show",
        about: "first screen of a 1 GB session",
        run: show::run,
    },
    Contest {
        name: "html",
        about: "export one session as a page",
        run: html::run,
    },
    Contest {
        name: "usage",
        about: "tokens and cost of every day",
        run: usage::run,
    },
    Contest {
        name: "index",
        about: "index a home, then one more line",
        run: index::run,
    },
    Contest {
        name: "search",
        about: "find words in every session of a home",
        run: search::run,
    },
    Contest {
        name: "statusline",
        about: "the status line of a running session",
        run: statusline::run,
    },
];

/// What the contests share: the program under test, the data, the other programs.
pub(super) struct Lab {
    ravel: PathBuf,
    folder: PathBuf,
    sessions: usize,
}

impl Lab {
    /// Builds `ravel` with optimizations.
    pub(super) fn open(sessions: usize) -> Result<Self> {
        let ravel = build_ravel(Profile::Release)?;
        Ok(Self {
            ravel,
            folder: project::target_dir()?.join("bench"),
            sessions,
        })
    }

    fn home(&self) -> Result<PathBuf> {
        self.home_of(Extent {
            sessions: self.sessions,
            scale: 1,
        })
    }

    /// A home of the same size in a tenth of the sessions.
    fn home_of_large_sessions(&self) -> Result<PathBuf> {
        self.home_of(Extent {
            sessions: self.sessions / 10,
            scale: 10,
        })
    }

    fn home_of(&self, extent: Extent) -> Result<PathBuf> {
        home::ensure_home(&self.folder, extent)
    }

    /// What a home holds, in words.
    fn describe(&self, home: &Path) -> Result<String> {
        let n_files = home::session_files(home)?.len();
        Ok(format!("{n_files} files, {}", size_of(home)?))
    }

    /// Prepares `ravel`, with folders of its own so that nobody's index is touched.
    fn ravel(&self, clock: Clock) -> Entrant {
        Entrant::new("ravel", &self.ravel, clock)
            .env("XDG_CACHE_HOME", self.cache())
            .env("XDG_DATA_HOME", self.folder.join("data"))
            .env("XDG_CONFIG_HOME", self.folder.join("config"))
    }

    /// Prepares a command of `ravel` on a home.
    fn ravel_on(&self, home: &Path, name: &str, args: &[&str]) -> Entrant {
        self.ravel(Clock::End)
            .named(name)
            .args([os("--home"), home.into()])
            .args(args)
    }

    /// Where `ravel` keeps the index; homes of several sizes have one each.
    fn cache(&self) -> PathBuf {
        self.folder.join(format!("cache-{}", self.sessions))
    }

    /// Brings the index of a home up to date.
    fn index(&self, home: &Path) -> Result<()> {
        println!("bringing the index up to date");
        self.ravel_on(home, "ravel index", &["index"]).run_once()?;
        Ok(())
    }
}

/// The runs of one program.
struct Runs {
    name: String,
    samples: Vec<Sample>,
}

impl Runs {
    fn new(entrant: &Entrant) -> Self {
        Self {
            name: entrant.name.clone(),
            samples: Vec::new(),
        }
    }

    /// Returns the time that `percent` of the runs do not exceed.
    fn percentile(&self, percent: usize) -> f64 {
        let mut times: Vec<Duration> = self.samples.iter().map(|sample| sample.time).collect();
        times.sort_unstable();
        let place = (times.len() * percent / 100).min(times.len().saturating_sub(1));
        times.get(place).map_or(f64::NAN, Duration::as_secs_f64)
    }

    fn median(&self) -> f64 {
        self.percentile(50)
    }

    fn best(&self) -> f64 {
        self.percentile(0)
    }

    /// The worst run counts; not a number where the platform does not tell.
    fn peak_mb(&self) -> f64 {
        let peak = self
            .samples
            .iter()
            .filter_map(|sample| sample.peak_kib)
            .max();
        peak.map_or(f64::NAN, |kib| kib as f64 * 1_024.0 / 1e6)
    }

    fn row(&self) -> Row {
        Row {
            program: self.name.clone(),
            best: self.best(),
            median: self.median(),
            peak_mb: self.peak_mb(),
        }
    }
}

/// Runs all programs in turn, after one run each that fills the page cache.
fn race(entrants: &[&Entrant], rounds: usize) -> Result<Vec<Runs>> {
    for entrant in entrants {
        entrant.run_once()?;
    }
    let mut all: Vec<Runs> = entrants.iter().copied().map(Runs::new).collect();
    for _ in 0..rounds {
        for (entrant, runs) in entrants.iter().zip(&mut all) {
            runs.samples.push(entrant.run_once()?);
        }
    }
    Ok(all)
}

/// Runs two programs in turn.
fn compare(ours: &Entrant, theirs: &Entrant, rounds: usize) -> Result<(Runs, Runs)> {
    let mut all = race(&[ours, theirs], rounds)?.into_iter();
    Ok((
        all.next().unwrap_or_else(|| Runs::new(ours)),
        all.next().unwrap_or_else(|| Runs::new(theirs)),
    ))
}

/// Runs one program, after one run that fills the page cache.
fn repeat(entrant: &Entrant, rounds: usize) -> Result<Runs> {
    let runs = race(&[entrant], rounds)?.into_iter().next();
    Ok(runs.unwrap_or_else(|| Runs::new(entrant)))
}

fn size_of(path: &Path) -> Result<String> {
    Ok(format!("{:.0} MB", bytes_of(path)? as f64 / 1e6))
}

/// Adds up a file or all files below a folder.
fn bytes_of(path: &Path) -> Result<u64> {
    if !path.is_dir() {
        return Ok(path.metadata()?.len());
    }
    let mut total = 0;
    for file in &project::files_below(path)? {
        total += file.metadata()?.len();
    }
    Ok(total)
}

fn os(text: &str) -> OsString {
    OsString::from(text)
}
