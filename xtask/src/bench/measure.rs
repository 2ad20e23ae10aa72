//! Runs one program and reports its time and its peak memory.
//!
//! The kernel tells a parent the largest peak among *all* children it waited for.
//! To get the number of one program, the task starts itself as `xtask measure …`,
//! which starts that program only and prints what it saw as one JSON line.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

/// When the clock stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Clock {
    /// When the program has ended.
    End,
    /// When this many lines have arrived; then the pipe is closed.
    Lines(usize),
    /// When the program says so: the last line it prints is the seconds it took.
    Own,
}

impl Clock {
    fn parse(text: &str) -> Result<Self> {
        match text.split_once('=') {
            None if text == "end" => Ok(Self::End),
            None if text == "own" => Ok(Self::Own),
            Some(("lines", count)) => Ok(Self::Lines(count.parse()?)),
            _ => bail!("unknown clock `{text}`"),
        }
    }

    fn to_arg(self) -> String {
        match self {
            Self::End => "end".to_owned(),
            Self::Own => "own".to_owned(),
            Self::Lines(count) => format!("lines={count}"),
        }
    }
}

/// A program with its arguments, as it takes part in a contest.
pub(super) struct Entrant {
    pub(super) name: String,
    pub(super) command: Vec<OsString>,
    pub(super) clock: Clock,
    pub(super) env: Vec<(&'static str, OsString)>,
    stdin: Option<PathBuf>,
}

impl Entrant {
    pub(super) fn new(name: impl Into<String>, program: impl AsRef<OsStr>, clock: Clock) -> Self {
        let command = vec![program.as_ref().to_owned()];
        Self {
            name: name.into(),
            command,
            clock,
            env: Vec::new(),
            stdin: None,
        }
    }

    pub(super) fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    pub(super) fn args<I>(mut self, args: I) -> Self
    where
        I: IntoIterator,
        I::Item: AsRef<OsStr>,
    {
        self.command
            .extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    pub(super) fn env(mut self, key: &'static str, value: impl AsRef<OsStr>) -> Self {
        self.env.push((key, value.as_ref().to_owned()));
        self
    }

    /// Gives the program a file to read; otherwise it finds nothing there.
    pub(super) fn stdin(mut self, file: &Path) -> Self {
        self.stdin = Some(file.to_path_buf());
        self
    }

    /// Runs the program once, in a measuring process of its own.
    pub(super) fn run_once(&self) -> Result<Sample> {
        let this = std::env::current_exe().context("could not find this program")?;
        let stdin = match &self.stdin {
            Some(file) => File::open(file)
                .with_context(|| format!("could not open {}", file.display()))?
                .into(),
            None => Stdio::null(),
        };
        let output = Command::new(this)
            .args(["measure", &self.clock.to_arg()])
            .args(&self.command)
            .envs(self.env.iter().map(|(key, value)| (key, value)))
            .stdin(stdin)
            .stderr(Stdio::inherit())
            .output()
            .context("could not start the measuring process")?;
        if !output.status.success() {
            bail!("{} could not be measured", self.name);
        }
        let seen: Value = serde_json::from_slice(&output.stdout)
            .with_context(|| format!("{}: no measurement came back", self.name))?;
        let seconds = seen
            .get("seconds")
            .and_then(Value::as_f64)
            .context("no seconds")?;
        let peak_kib = seen.get("peak_kib").and_then(Value::as_u64);
        Ok(Sample {
            time: Duration::from_secs_f64(seconds),
            peak_kib,
        })
    }
}

/// One run.
#[derive(Clone, Copy)]
pub(super) struct Sample {
    pub(super) time: Duration,
    /// Unknown where the platform does not tell.
    pub(super) peak_kib: Option<u64>,
}

/// `xtask measure CLOCK PROGRAM ARGS…`: runs the program and prints what was seen.
pub(crate) fn measure_one(args: &[String]) -> Result<()> {
    let [clock, program, args @ ..] = args else {
        bail!("usage: xtask measure CLOCK PROGRAM ARGS")
    };
    let clock = Clock::parse(clock)?;
    let stdout = if clock == Clock::End {
        Stdio::null()
    } else {
        Stdio::piped()
    };
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::inherit())
        .stdout(stdout)
        .spawn()
        .with_context(|| format!("could not start {program}"))?;
    let mut printed = child.stdout.take().map(BufReader::new);
    let mut time = None;
    match (clock, printed.as_mut()) {
        (Clock::Lines(count), Some(reader)) => {
            skip_lines(reader, count)?;
            time = Some(started.elapsed());
        }
        (Clock::Own, Some(reader)) => time = Some(own_time(reader)?),
        _ => {}
    }
    drop(printed);
    let status = child.wait().context("could not wait for the program")?;
    let time = time.unwrap_or_else(|| started.elapsed());
    // 1 means "found something" for both `ravel check` and ripgrep; a reader that
    // hangs up early may end the program in any way.
    if !matches!(clock, Clock::Lines(_)) && !matches!(status.code(), Some(0 | 1)) {
        bail!("{program} ended with {status}");
    }
    println!(
        "{}",
        json!({"seconds": time.as_secs_f64(), "peak_kib": children_peak_kib()})
    );
    Ok(())
}

fn skip_lines(reader: &mut impl BufRead, count: usize) -> Result<()> {
    let mut line = Vec::new();
    for number in 0..count {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            bail!("the program printed only {number} lines");
        }
    }
    Ok(())
}

fn own_time(reader: &mut impl Read) -> Result<Duration> {
    let mut printed = String::new();
    reader.read_to_string(&mut printed)?;
    let last = printed.lines().last().unwrap_or_default();
    let seconds = last
        .parse()
        .with_context(|| format!("`{last}` is no number of seconds"))?;
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(unix)]
fn children_peak_kib() -> Option<u64> {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
    let peak = u64::try_from(usage.max_rss()).ok()?;
    // macOS counts bytes, everyone else kibibytes.
    Some(if cfg!(target_os = "macos") {
        peak / 1024
    } else {
        peak
    })
}

#[cfg(not(unix))]
fn children_peak_kib() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests;
