//! `ravel show`.

use std::process::ExitCode;

use clap::Args;

use crate::context::Context;
use crate::failure::Failure;

/// Show
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {}

pub(crate) fn run(_context: &Context, _args: &ShowArgs) -> Result<ExitCode, Failure> {
    Ok(ExitCode::SUCCESS)
}
