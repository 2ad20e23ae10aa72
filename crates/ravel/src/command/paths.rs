//! `ravel paths`.

use std::process::ExitCode;

use clap::Args;

use crate::context::Context;
use crate::failure::Failure;

/// Paths
#[derive(Debug, Args)]
pub(crate) struct PathsArgs {}

pub(crate) fn run(_context: &Context, _args: &PathsArgs) -> Result<ExitCode, Failure> {
    Ok(ExitCode::SUCCESS)
}
