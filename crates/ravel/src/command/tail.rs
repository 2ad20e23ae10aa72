//! `ravel tail`.

use std::process::ExitCode;

use clap::Args;

use crate::context::Context;
use crate::failure::Failure;

/// Tail
#[derive(Debug, Args)]
pub(crate) struct TailArgs {}

pub(crate) fn run(_context: &Context, _args: &TailArgs) -> Result<ExitCode, Failure> {
    Ok(ExitCode::SUCCESS)
}
