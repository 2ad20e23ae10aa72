//! `cargo xtask bench`: how fast and how small Ravel is, beside the programs people use now.
//!
//! Every comparison runs its programs in turn on the same generated files, so a
//! busy machine disturbs all alike. Numbers are printed and kept in
//! `docs/benchmarks.md`; no test depends on them.

mod contest;
mod home;
mod measure;
mod moment;
mod random;
mod report;
mod session;
mod vocabulary;

use anyhow::{Context, Result, bail};

pub(crate) use measure::measure_one;

/// Sessions in the generated home, unless `--size` says otherwise.
const DEFAULT_SESSIONS: usize = 10_000;

/// What to measure and on how much data.
#[derive(Debug, PartialEq, Eq)]
struct Request {
    names: Vec<String>,
    sessions: usize,
}

/// Runs the named benches, all of them when none is named.
pub(crate) fn run(args: &[String]) -> Result<()> {
    let request = parse(args)?;
    let contests = contest::ALL.iter().filter(|contest| {
        request.names.is_empty() || request.names.iter().any(|n| n == contest.name)
    });
    let lab = contest::Lab::open(request.sessions)?;
    let (mut missed, mut failed) = (Vec::new(), Vec::new());
    for contest in contests {
        println!("\n== {}: {}", contest.name, contest.about);
        let outcome = match (contest.run)(&lab) {
            Ok(outcome) => outcome,
            Err(error) => {
                println!("could not be measured: {error:#}");
                failed.push(contest.name);
                continue;
            }
        };
        print!("{}", report::table(&outcome));
        if outcome.goals.iter().any(|goal| !goal.met()) {
            missed.push(contest.name);
        }
        report::save(&outcome)?;
    }
    let page = report::write_page()?;
    println!("\nwrote {}", page.display());
    if !missed.is_empty() {
        println!("goals missed in: {}", missed.join(", "));
    }
    if !failed.is_empty() {
        bail!("not measured: {}", failed.join(", "));
    }
    Ok(())
}

fn parse(args: &[String]) -> Result<Request> {
    let mut request = Request {
        names: Vec::new(),
        sessions: DEFAULT_SESSIONS,
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--size" => {
                let count = args.next().context("--size needs a number of sessions")?;
                request.sessions = count
                    .parse()
                    .with_context(|| format!("--size {count} is not a number of sessions"))?;
            }
            name if contest::ALL.iter().any(|contest| contest.name == name) => {
                request.names.push(name.to_owned());
            }
            other => {
                let names: Vec<&str> = contest::ALL.iter().map(|contest| contest.name).collect();
                bail!("no bench `{other}`; there are: {}", names.join(", "));
            }
        }
    }
    Ok(request)
}

#[cfg(test)]
mod tests;
