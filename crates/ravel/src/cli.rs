//! What can be typed.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::command::{
    archive, check, doctor, export, files, history, index, ls, mcp, paths, plans, prices, repair,
    search, settings, show, stats, statusline, tail, todos, tree, usage,
};

/// Reads, shows, checks and repairs Claude Code sessions.
#[derive(Debug, Parser)]
#[command(
    name = "ravel",
    version,
    about,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    after_help = "A SESSION is a path, an id, the start of an id, an exact title, `latest`, or `-` for standard input.\n\nExamples:\n  ravel --demo ls            look around in a sample home\n  ravel show                 read the latest session\n  ravel show 3f2a --thinking read another one, thoughts included\n  ravel check --all          look for damage in every session\n  ravel export latest --format html -o session.html"
)]
pub(crate) struct Cli {
    /// What goes for every command.
    #[command(flatten)]
    pub(crate) global: Global,
    /// The command.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// The folder to read instead of $CLAUDE_CONFIG_DIR or ~/.claude
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// Use a bundled sample home, to try things out
    #[arg(long, global = true, conflicts_with = "home")]
    pub(crate) demo: bool,
    /// Print JSON for programs instead of text for people
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// When to use colors
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorWhen,
    /// Do not pipe long output through a pager
    #[arg(long, global = true)]
    pub(crate) no_pager: bool,
}

/// When to use colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    /// On a terminal that has them, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Ls(ls::LsArgs),
    Show(show::ShowArgs),
    Tree(tree::TreeArgs),
    Check(check::CheckArgs),
    Repair(repair::RepairArgs),
    Export(export::ExportArgs),
    Tail(tail::TailArgs),
    Todos(todos::TodosArgs),
    Plans(plans::PlansArgs),
    History(history::HistoryArgs),
    Files(files::FilesArgs),
    Settings(settings::SettingsArgs),
    Paths(paths::PathsArgs),
    Mcp(mcp::McpArgs),
    Archive(archive::ArchiveArgs),
    Doctor(doctor::DoctorArgs),
    Stats(stats::StatsArgs),
    Search(search::SearchArgs),
    Index(index::IndexArgs),
    Usage(usage::UsageArgs),
    Statusline(statusline::StatuslineArgs),
    Prices(prices::PricesArgs),
}

/// Prints what clap has to say: help and version are fine, anything else is a wrong request.
pub(crate) fn report_usage(error: &clap::Error) -> ExitCode {
    let printed = error.print();
    match (error.use_stderr(), printed) {
        (false, Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::from(2),
    }
}
