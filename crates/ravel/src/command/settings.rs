//! `ravel settings`.

use std::process::ExitCode;

use clap::Args;

use crate::context::Context;
use crate::failure::Failure;

/// Settings
#[derive(Debug, Args)]
pub(crate) struct SettingsArgs {}

pub(crate) fn run(_context: &Context, _args: &SettingsArgs) -> Result<ExitCode, Failure> {
    Ok(ExitCode::SUCCESS)
}
