//! `ravel repair`.

use std::process::ExitCode;

use clap::Args;

use crate::context::Context;
use crate::failure::Failure;

/// Repair
#[derive(Debug, Args)]
pub(crate) struct RepairArgs {}

pub(crate) fn run(_context: &Context, _args: &RepairArgs) -> Result<ExitCode, Failure> {
    Ok(ExitCode::SUCCESS)
}
