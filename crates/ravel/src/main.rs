//! The command line.
//!
//! `main` parses and dispatches; every command is one file under [`command`] that turns its
//! arguments into calls of the libraries. What can go wrong for a person becomes a [`failure::Failure`]
//! with a hint and an exit code: 0 fine, 1 something is wrong with the sessions, 2 something is
//! wrong with the request or the machine, 3 something is wrong with Ravel.

use std::process::ExitCode;

use clap::Parser;

mod catalog;
mod cli;
mod command;
mod context;
mod demo;
#[path = "../demo/files.rs"]
mod demo_files;
mod failure;
mod filter;
mod finding;
mod folders;
mod grid;
mod interrupt;
mod open;
mod output;
mod price_book;
mod progress;
mod screen;
mod session_of;
mod shell;
mod table;
mod zone;

use cli::Cli;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return cli::report_usage(&error),
    };
    match std::panic::catch_unwind(|| command::run(cli)) {
        Ok(Ok(code)) => code,
        Ok(Err(failure)) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Ok(Err(failure)) => failure.report(),
        // The panic has said where; this says whose fault it is.
        Err(_) => failure::report_panic(),
    }
}
