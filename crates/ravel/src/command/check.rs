//! `ravel check`.

use std::process::ExitCode;

use clap::Args;

use crate::context::Context;
use crate::failure::Failure;

/// Check
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {}

pub(crate) fn run(_context: &Context, _args: &CheckArgs) -> Result<ExitCode, Failure> {
    Ok(ExitCode::SUCCESS)
}
