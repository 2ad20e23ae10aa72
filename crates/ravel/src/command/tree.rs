//! `ravel tree`.

use std::process::ExitCode;

use clap::Args;

use crate::context::Context;
use crate::failure::Failure;

/// Tree
#[derive(Debug, Args)]
pub(crate) struct TreeArgs {}

pub(crate) fn run(_context: &Context, _args: &TreeArgs) -> Result<ExitCode, Failure> {
    Ok(ExitCode::SUCCESS)
}
