//! `ravel files`.

use std::process::ExitCode;

use clap::Args;

use crate::context::Context;
use crate::failure::Failure;

/// Files
#[derive(Debug, Args)]
pub(crate) struct FilesArgs {}

pub(crate) fn run(_context: &Context, _args: &FilesArgs) -> Result<ExitCode, Failure> {
    Ok(ExitCode::SUCCESS)
}
