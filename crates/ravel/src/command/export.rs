//! `ravel export`.

use std::process::ExitCode;

use clap::Args;

use crate::context::Context;
use crate::failure::Failure;

/// Export
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {}

pub(crate) fn run(_context: &Context, _args: &ExportArgs) -> Result<ExitCode, Failure> {
    Ok(ExitCode::SUCCESS)
}
