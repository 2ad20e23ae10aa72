//! `cargo xtask test`: everything that must hold, in the order of growing cost.
//!
//! A [`Step`] is a name and a function. The first failing step ends the run, so
//! the last lines on the screen are the ones to read. CI runs exactly this.

mod page;

use std::path::PathBuf;
use std::time::Instant;
use std::{env, fs};

use anyhow::{Context, Result, bail};

use crate::project::{self, Program};
use crate::{fuzz, sdk, tidy};

/// The variable that tells tests where recorded sessions lie.
pub(crate) const CORPUS: &str = "RAVEL_CORPUS";

struct Step {
    name: &'static str,
    about: &'static str,
    run: fn(&Settings) -> Result<()>,
}

/// What all steps share.
struct Settings {
    corpus: Option<PathBuf>,
}

const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        about: "sources are formatted",
        run: |_| fmt(),
    },
    Step {
        name: "clippy",
        about: "no lint fires, warnings included",
        run: |_| clippy(),
    },
    Step {
        name: "tidy",
        about: "layering, sizes, forgotten files",
        run: |_| tidy::run(&[]),
    },
    Step {
        name: "doc",
        about: "documentation builds without warnings",
        run: |_| doc(),
    },
    Step {
        name: "test",
        about: "unit, fixture, end-to-end and doc tests",
        run: test,
    },
    Step {
        name: "sdk",
        about: "the official Agent SDK agrees with us",
        run: run_sdk,
    },
    Step {
        name: "page",
        about: "exported pages run nothing of a transcript, in a real browser",
        run: |_| page::run(),
    },
    Step {
        name: "fuzz",
        about: "fuzz targets compile and accept the fixtures",
        run: |_| fuzz::smoke(),
    },
];

/// Runs the chosen steps, all of them unless `--only` names some.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let steps = match parse(args)? {
        Request::List => {
            for step in STEPS {
                println!("{:<8} {}", step.name, step.about);
            }
            return Ok(());
        }
        Request::Run(steps) => steps,
    };
    let settings = Settings {
        corpus: find_corpus()?,
    };
    let started = Instant::now();
    for (number, step) in steps.iter().enumerate() {
        println!(
            "\n== {}/{} {}: {}",
            number + 1,
            steps.len(),
            step.name,
            step.about
        );
        let step_started = Instant::now();
        (step.run)(&settings).with_context(|| {
            format!(
                "step `{0}` failed; repeat it alone with: cargo xtask test --only {0}",
                step.name
            )
        })?;
        println!(
            "== {} passed in {:.1} s",
            step.name,
            step_started.elapsed().as_secs_f64()
        );
    }
    println!(
        "\nall {} steps passed in {:.1} s",
        steps.len(),
        started.elapsed().as_secs_f64()
    );
    Ok(())
}

enum Request {
    List,
    Run(Vec<&'static Step>),
}

fn parse(args: &[String]) -> Result<Request> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        [] => Ok(Request::Run(STEPS.iter().collect())),
        ["--list"] => Ok(Request::List),
        ["--only", names] => choose(names).map(Request::Run),
        _ => bail!("usage: cargo xtask test [--only STEP,...] [--list]"),
    }
}

/// Picks steps by name; they still run in the order of the table.
fn choose(names: &str) -> Result<Vec<&'static Step>> {
    let names: Vec<&str> = names.split(',').map(str::trim).collect();
    if let Some(unknown) = names
        .iter()
        .find(|name| STEPS.iter().all(|step| step.name != **name))
    {
        bail!("no step `{unknown}`; see cargo xtask test --list");
    }
    Ok(STEPS
        .iter()
        .filter(|step| names.contains(&step.name))
        .collect())
}

/// Finds the recorded sessions and says what it decided.
fn find_corpus() -> Result<Option<PathBuf>> {
    if let Some(set) = env::var_os(CORPUS) {
        println!("{CORPUS} is set to {}", set.display());
        return Ok(Some(PathBuf::from(set)));
    }
    let beside = project::root().join("..").join("shared");
    if !beside.is_dir() {
        println!("{CORPUS} is not set and ../shared does not exist: fixtures only");
        return Ok(None);
    }
    let corpus = fs::canonicalize(&beside).context("could not resolve ../shared")?;
    println!(
        "{CORPUS} is not set: using ../shared ({})",
        corpus.display()
    );
    Ok(Some(corpus))
}

fn fmt() -> Result<()> {
    Program::cargo().args(["fmt", "--all", "--check"]).run()
}

fn clippy() -> Result<()> {
    Program::cargo()
        .args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ])
        .run()
}

fn doc() -> Result<()> {
    Program::cargo()
        .args(["doc", "--workspace", "--no-deps"])
        .env("RUSTDOCFLAGS", "-D warnings")
        .run()
}

fn test(settings: &Settings) -> Result<()> {
    let mut program = Program::cargo().args(["test", "--workspace"]);
    if let Some(corpus) = &settings.corpus {
        program = program.env(CORPUS, corpus);
    }
    program.run()
}

fn run_sdk(settings: &Settings) -> Result<()> {
    sdk::run(settings.corpus.as_deref())
}

#[cfg(test)]
mod tests;
