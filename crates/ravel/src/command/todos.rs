//! `ravel todos`.

use std::process::ExitCode;

use clap::Args;

use crate::context::Context;
use crate::failure::Failure;

/// Todos
#[derive(Debug, Args)]
pub(crate) struct TodosArgs {}

pub(crate) fn run(_context: &Context, _args: &TodosArgs) -> Result<ExitCode, Failure> {
    Ok(ExitCode::SUCCESS)
}
