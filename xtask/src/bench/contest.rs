//! The contests: which programs meet, on which data, and what Ravel has to reach.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use super::home;
use super::measure::{Clock, Entrant, Sample};
use super::report::{Goal, Outcome, Row};
use crate::project::{self, Program};
use crate::sdk::{Profile, build_ravel};
use crate::venv::Venv;

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
        run: ls,
    },
    Contest {
        name: "check",
        about: "check every line of a home",
        run: check,
    },
    Contest {
        name: "show",
        about: "first screen of a 1 GB session",
        run: show,
    },
    Contest {
        name: "html",
        about: "export one session as a page",
        run: html,
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
        home::ensure_home(&self.folder, self.sessions)
    }

    fn ravel(&self, clock: Clock) -> Entrant {
        Entrant::new("ravel", &self.ravel, clock)
    }
}

/// Lists sessions as the SDK does; only the call is timed, not the start of Python.
const LIST_SESSIONS: &str = "\
import time
from claude_agent_sdk import list_sessions
started = time.perf_counter()
found = list_sessions()
print(len(found))
print(time.perf_counter() - started)
";

fn ls(lab: &Lab) -> Result<Outcome> {
    let home = lab.home()?;
    let ravel =
        lab.ravel(Clock::End)
            .args([os("--home"), home.clone().into(), os("ls"), os("--json")]);
    let sdk = Entrant::new("SDK list_sessions", python()?, Clock::Own)
        .args(["-c", LIST_SESSIONS])
        .env("CLAUDE_CONFIG_DIR", &home);
    let data = format!("{} sessions, {}", lab.sessions, size_of(&home)?);
    let (ours, theirs) = compare(&ravel, &sdk, 5)?;
    let goals = vec![
        Goal::at_least(
            "times faster than the SDK",
            10.0,
            theirs.median() / ours.median(),
        ),
        Goal::at_most("MB at most", 64.0, ours.peak_mb()),
    ];
    Ok(Outcome {
        name: "ls".to_owned(),
        data,
        rows: vec![ours.row(), theirs.row()],
        goals,
    })
}

fn check(lab: &Lab) -> Result<Outcome> {
    let home = lab.home()?;
    let ravel =
        lab.ravel(Clock::End)
            .args([os("--home"), home.clone().into(), os("check"), os("--all")]);
    let ripgrep = Entrant::new("rg -c '\"type\"'", ripgrep(&lab.folder)?, Clock::End)
        .args([
            "--no-config",
            "--no-ignore",
            "--count",
            "\"type\"",
            "--glob",
            "*.jsonl",
        ])
        .args([&home]);
    let data = format!("{} sessions, {}", lab.sessions, size_of(&home)?);
    let (ours, theirs) = compare(&ravel, &ripgrep, 5)?;
    let goals = vec![
        Goal::at_most(
            "times the time of ripgrep",
            3.0,
            ours.median() / theirs.median(),
        ),
        Goal::at_most("MB at most", 200.0, ours.peak_mb()),
    ];
    Ok(Outcome {
        name: "check".to_owned(),
        data,
        rows: vec![ours.row(), theirs.row()],
        goals,
    })
}

fn show(lab: &Lab) -> Result<Outcome> {
    let session = home::ensure_session(&lab.folder, 1_000)?;
    let ravel = lab
        .ravel(Clock::Lines(50))
        .args(["show", "--color", "always"])
        .args([&session]);
    let ours = repeat(&ravel, 5)?;
    let goals = vec![
        Goal::at_most(
            "ms until 50 lines are there",
            300.0,
            ours.median() * 1_000.0,
        ),
        Goal::at_most("MB at most", 150.0, ours.peak_mb()),
    ];
    let data = format!("one session, {}", size_of(&session)?);
    Ok(Outcome {
        name: "show".to_owned(),
        data,
        rows: vec![ours.row()],
        goals,
    })
}

fn html(lab: &Lab) -> Result<Outcome> {
    let session = home::ensure_session(&lab.folder, 20)?;
    let ravel = lab
        .ravel(Clock::End)
        .args(["export", "--format", "html"])
        .args([&session]);
    let page = lab.folder.join("claude-code-log.html");
    let peer = Entrant::new(
        "claude-code-log 1.7.0",
        venv()?.program("claude-code-log"),
        Clock::End,
    )
    .args([
        session.as_os_str(),
        "--no-cache".as_ref(),
        "--output".as_ref(),
        page.as_os_str(),
    ]);
    let data = format!("one session, {}", size_of(&session)?);
    let (ours, theirs) = compare(&ravel, &peer, 3)?;
    let ratio = theirs.median() / ours.median();
    let goals = vec![Goal::at_least(
        "times faster than claude-code-log",
        10.0,
        ratio,
    )];
    Ok(Outcome {
        name: "html".to_owned(),
        data,
        rows: vec![ours.row(), theirs.row()],
        goals,
    })
}

/// The runs of one program.
struct Runs {
    name: String,
    samples: Vec<Sample>,
}

impl Runs {
    fn median(&self) -> f64 {
        let mut times: Vec<Duration> = self.samples.iter().map(|sample| sample.time).collect();
        times.sort_unstable();
        times
            .get(times.len() / 2)
            .map_or(f64::NAN, Duration::as_secs_f64)
    }

    fn best(&self) -> f64 {
        self.samples
            .iter()
            .map(|sample| sample.time.as_secs_f64())
            .fold(f64::NAN, f64::min)
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

/// Runs both programs in turn, after one run each that fills the page cache.
fn compare(ours: &Entrant, theirs: &Entrant, rounds: usize) -> Result<(Runs, Runs)> {
    ours.run_once()?;
    theirs.run_once()?;
    let mut samples = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        samples.0.push(ours.run_once()?);
        samples.1.push(theirs.run_once()?);
    }
    Ok((
        Runs {
            name: ours.name.clone(),
            samples: samples.0,
        },
        Runs {
            name: theirs.name.clone(),
            samples: samples.1,
        },
    ))
}

fn repeat(entrant: &Entrant, rounds: usize) -> Result<Runs> {
    entrant.run_once()?;
    let samples: Result<Vec<Sample>> = (0..rounds).map(|_| entrant.run_once()).collect();
    Ok(Runs {
        name: entrant.name.clone(),
        samples: samples?,
    })
}

fn venv() -> Result<Venv> {
    Venv::ensure(
        "bench-venv",
        &project::root().join("xtask").join("bench-requirements.txt"),
    )
}

fn python() -> Result<PathBuf> {
    Ok(venv()?.program("python"))
}

/// Returns ripgrep: the installed one, else one that cargo builds once.
fn ripgrep(folder: &Path) -> Result<PathBuf> {
    if Program::new("rg").args(["--version"]).succeeds() {
        return Ok(PathBuf::from("rg"));
    }
    let tools = folder.join("tools");
    let program = tools
        .join("bin")
        .join(format!("rg{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        println!("ripgrep is not installed: building it with cargo");
        Program::cargo()
            .args(["install", "ripgrep", "--locked", "--quiet", "--root"])
            .args([&tools])
            .run()
            .context("cargo could not install ripgrep; install `rg` by hand")?;
    }
    Ok(program)
}

fn size_of(path: &Path) -> Result<String> {
    let files = if path.is_dir() {
        project::files_below(path)?
    } else {
        vec![path.to_path_buf()]
    };
    let mut total = 0;
    for file in &files {
        total += file.metadata()?.len();
    }
    Ok(format!("{:.0} MB", total as f64 / 1e6))
}

fn os(text: &str) -> OsString {
    OsString::from(text)
}
