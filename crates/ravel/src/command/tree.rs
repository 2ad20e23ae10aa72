//! `ravel tree`: the shape of a session.

use std::process::ExitCode;

use clap::Args;
use ravel_model::Session;
use ravel_model::branch::branches;
use ravel_render::terminal::{Renderer, TerminalOptions};

use crate::context::Context;
use crate::failure::Failure;
use crate::open::{Agents, open};

/// Show the shape of a session: turns, branches, compactions, agents
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel tree              the latest session\n  ravel tree 3f2a         another one\n  ravel show 3f2a --branch 1   read the first branch that the tree shows"
)]
pub(crate) struct TreeArgs {
    /// The session
    #[arg(value_name = "SESSION", default_value = "latest")]
    session: String,
}

/// Shows the shape of a session.
pub(crate) fn run(context: &Context, args: &TreeArgs) -> Result<ExitCode, Failure> {
    let opened = open(context, &args.session, Agents::Included)?;
    let session = Session::build(&opened.transcripts);
    let segments = session.history();
    let branches = session
        .main()
        .map(|main| branches(&main.graph, &segments))
        .unwrap_or_default();
    let mut screen = context.screen();
    if context.json() {
        ravel_render::json::tree(&session, &segments, &branches, &mut screen)?;
    } else {
        let mut options = TerminalOptions::new(context.width());
        options.palette = context.palette();
        let renderer = Renderer::new(&options);
        renderer
            .painter()
            .write(&renderer.tree(&session, &segments, &branches), &mut screen)?;
    }
    screen.finish()?;
    opened.check_read()?;
    Ok(ExitCode::SUCCESS)
}
