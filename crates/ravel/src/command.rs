//! The commands, one file each.

use std::process::ExitCode;

use crate::cli::{Cli, Command};
use crate::context::Context;
use crate::failure::Failure;

pub(crate) mod archive;
pub(crate) mod check;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod files;
pub(crate) mod history;
pub(crate) mod index;
pub(crate) mod ls;
pub(crate) mod mcp;
pub(crate) mod paths;
pub(crate) mod plans;
pub(crate) mod prices;
pub(crate) mod repair;
pub(crate) mod search;
pub(crate) mod settings;
pub(crate) mod show;
pub(crate) mod stats;
pub(crate) mod statusline;
pub(crate) mod tail;
pub(crate) mod todos;
pub(crate) mod tree;
pub(crate) mod usage;

/// Runs a command.
pub(crate) fn run(cli: Cli) -> Result<ExitCode, Failure> {
    let context = Context::new(cli.global);
    match cli.command {
        Command::Ls(args) => ls::run(&context, &args),
        Command::Show(args) => show::run(&context, &args),
        Command::Tree(args) => tree::run(&context, &args),
        Command::Check(args) => check::run(&context, &args),
        Command::Repair(args) => repair::run(&context, &args),
        Command::Export(args) => export::run(&context, &args),
        Command::Tail(args) => tail::run(&context, &args),
        Command::Todos(args) => todos::run(&context, &args),
        Command::Plans(args) => plans::run(&context, &args),
        Command::History(args) => history::run(&context, &args),
        Command::Files(args) => files::run(&context, &args),
        Command::Settings(args) => settings::run(&context, &args),
        Command::Paths(args) => paths::run(&context, &args),
        Command::Mcp(args) => mcp::run(&context, &args),
        Command::Archive(args) => archive::run(&context, &args),
        Command::Doctor(args) => doctor::run(&context, &args),
        Command::Stats(args) => stats::run(&context, &args),
        Command::Search(args) => search::run(&context, &args),
        Command::Index(args) => index::run(&context, &args),
        Command::Usage(args) => usage::run(&context, &args),
        Command::Statusline(args) => statusline::run(&context, &args),
        Command::Prices(args) => prices::run(&context, &args),
    }
}
