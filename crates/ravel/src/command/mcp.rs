//! `ravel mcp`: sessions for agents, over the Model Context Protocol.

use std::process::ExitCode;

use clap::Args;
use ravel_format::Timestamp;
use ravel_model::usage::Day;
use ravel_recall::{Clock, Recall, Secrets, ServeError, Settings, serve_stdio};

use crate::context::{Context, epoch_ms};
use crate::failure::Failure;
use crate::folders;
use crate::price_book::PriceBook;
use crate::zone::Zone;

/// Let an agent use its own history: an MCP server on standard input and output
///
/// Read-only tools to search and list sessions, to read messages, and to see files touched and
/// usage. Answers are bounded in size, and secrets in them are masked.
#[derive(Debug, Args)]
#[command(
    after_help = "Register it with Claude Code:\n  claude mcp add ravel -- ravel mcp\n  claude mcp add --scope user ravel -- ravel mcp      for all projects\n\nOther clients take the command `ravel` with the argument `mcp`."
)]
pub(crate) struct McpArgs {
    /// Hand on secrets that stand in transcripts instead of masking them
    #[arg(long)]
    show_secrets: bool,
    /// How many bytes of text an answer has at most
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(4_000..=1_000_000))]
    max_bytes: u64,
}

/// Serves until standard input ends.
pub(crate) fn run(context: &Context, args: &McpArgs) -> Result<ExitCode, Failure> {
    let mut settings = Settings::new(context.home()?.clone(), Box::new(Local(Zone::system())));
    settings.archive = folders::archive_folder(context).ok();
    settings.index = folders::index_file(context).ok();
    settings.book = PriceBook::load()?.book;
    settings.max_bytes = usize::try_from(args.max_bytes).unwrap_or(usize::MAX);
    if args.show_secrets {
        settings.secrets = Secrets::Shown;
    }
    match serve_stdio(Recall::new(settings), env!("CARGO_PKG_VERSION")) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error @ ServeError::Greeting(_)) => Err(Failure::request(format!("could not {error}"))
            .hint("an MCP client starts this command: claude mcp add ravel -- ravel mcp")),
        Err(error) => Err(Failure::request(format!("could not {error}"))),
    }
}

/// The time of this machine.
struct Local(Zone);

impl Clock for Local {
    fn now(&self) -> Timestamp {
        Timestamp(epoch_ms(std::time::SystemTime::now()))
    }

    fn day_of(&self, time: Timestamp) -> Day {
        self.0.day(time)
    }

    fn start_of(&self, day: Day) -> Timestamp {
        self.0.start_of(day)
    }
}
