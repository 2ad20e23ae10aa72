//! `ravel history`.

use std::process::ExitCode;

use clap::Args;

use crate::context::Context;
use crate::failure::Failure;

/// History
#[derive(Debug, Args)]
pub(crate) struct HistoryArgs {}

pub(crate) fn run(_context: &Context, _args: &HistoryArgs) -> Result<ExitCode, Failure> {
    Ok(ExitCode::SUCCESS)
}
