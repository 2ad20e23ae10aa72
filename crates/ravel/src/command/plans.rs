//! `ravel plans`.

use std::process::ExitCode;

use clap::Args;

use crate::context::Context;
use crate::failure::Failure;

/// Plans
#[derive(Debug, Args)]
pub(crate) struct PlansArgs {}

pub(crate) fn run(_context: &Context, _args: &PlansArgs) -> Result<ExitCode, Failure> {
    Ok(ExitCode::SUCCESS)
}
