//! Project tasks: `cargo xtask test`, `tidy`, `fuzz` and `bench`.
//!
//! One file per task. Tasks are plain Rust that starts the tools a contributor
//! would start by hand, so there is no second place (Makefile, script) where the
//! truth about "how is this tested" could live. Nothing here ships to users.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a task runner talks to the terminal"
)]

mod bench;
mod fuzz;
mod project;
mod sdk;
mod test;
mod tidy;
mod venv;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: cargo xtask TASK

tasks:
  test [--only STEP,...] [--list]     run every check, in the order CI runs them
  tidy                                check the rules no compiler checks
  fuzz TARGET [LIBFUZZER ARGS...]     fuzz one target on the stable toolchain
  bench [NAME...] [--size SESSIONS]   measure against other tools, write docs/benchmarks.md
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<()> {
    let Some((task, rest)) = args.split_first() else {
        print!("{USAGE}");
        return Ok(());
    };
    match task.as_str() {
        "test" => test::run(rest),
        "tidy" => tidy::run(rest),
        "fuzz" => fuzz::run(rest),
        "bench" => bench::run(rest),
        // Not for people: `bench` starts itself with it to measure one program.
        "measure" => bench::measure_one(rest),
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            Ok(())
        }
        other => bail!("no task `{other}`\n\n{USAGE}"),
    }
}
