//! `ravel usage`: how many tokens were used, and what they cost.
//!
//! All requests are read and counted once each before anything is filtered: a copy that lies
//! outside what was asked for still is a copy. What counts and what it costs is decided in
//! `ravel-model`; here are the questions that can be asked and how the answers look.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use ravel_format::Timestamp;
use ravel_index::{Detail, Library, Tally};
use ravel_model::usage::{Request, Weekday};

use crate::catalog::{Catalog, UseIndex};
use crate::context::Context;
use crate::failure::Failure;
use crate::filter::{When, parse_when};
use crate::finding::report_findings;
use crate::price_book::PriceBook;
use crate::zone::{Zone, parse_zone};

mod explain;
mod figure;
mod json;
mod print;
mod row;
mod select;
mod session;

use row::{Builder, Table};
use select::Selection;

/// Count tokens and what they cost, by day, session, project, model or five-hour block
#[derive(Debug, Args)]
#[command(
    after_help = "Every request is counted once, however many lines and files repeat it; --explain says which.\n--since and --until are applied after that, to the time of the line that counts. docs/guide/usage.md has the rules.\n\nExamples:\n  ravel usage                               each day\n  ravel usage monthly --breakdown           each month, by model\n  ravel usage session --since 7d -n 10      the last ten sessions of a week\n  ravel usage blocks --active               the current five-hour block\n  ravel usage daily --since 2026-01-31 --until 2026-01-31 --explain\n  ravel usage --json | jq -r .total.cost_usd"
)]
pub(crate) struct UsageArgs {
    /// What each row stands for
    #[arg(value_name = "BY", value_enum, default_value = "daily")]
    by: By,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    shape: ShapeArgs,
    /// Show the requests, copies and prices that the figures are made of
    #[arg(long)]
    explain: bool,
    /// Read the files even if there is an index
    #[arg(long)]
    no_index: bool,
}

/// Which requests are counted.
#[derive(Debug, Args)]
struct FilterArgs {
    /// Only requests since then: 12h, 3d, 2w, or a date such as 2026-01-31
    #[arg(long, short, value_name = "WHEN", value_parser = parse_when)]
    since: Option<When>,
    /// Only requests until then; a date includes that day
    #[arg(long, short, value_name = "WHEN", value_parser = parse_when)]
    until: Option<When>,
    /// Only projects whose folder contains TEXT; `.` is the working folder
    #[arg(long, short, value_name = "TEXT")]
    project: Option<String>,
    /// Only sessions whose id starts with ID, sub-agents included
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Only models whose name contains TEXT
    #[arg(long, short, value_name = "TEXT")]
    model: Option<String>,
    /// With blocks: only the one that is not over
    #[arg(long)]
    active: bool,
    /// With blocks: only those of the last three days
    #[arg(long)]
    recent: bool,
}

/// How the answer looks.
#[derive(Debug, Args)]
struct ShapeArgs {
    /// The time zone of days: Europe/Berlin, UTC or +02:00, instead of the system's
    #[arg(long, value_name = "ZONE", value_parser = parse_zone)]
    tz: Option<Zone>,
    /// The first day of a week
    #[arg(long, value_name = "DAY", value_enum, default_value = "monday")]
    week_start: WeekStart,
    /// A row for each model below each row
    #[arg(long, short)]
    breakdown: bool,
    /// Show at most N rows, the newest or costliest; 0 shows all
    #[arg(long, short = 'n', value_name = "N", default_value_t = 0)]
    limit: usize,
    /// The newest or costliest first
    #[arg(long, conflicts_with = "asc")]
    desc: bool,
    /// The oldest or cheapest first
    #[arg(long)]
    asc: bool,
    /// No bars
    #[arg(long)]
    no_chart: bool,
}

/// What a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// A day
    Daily,
    /// A week
    Weekly,
    /// A month
    Monthly,
    /// A session with its sub-agents
    Session,
    /// A project's folder
    Project,
    /// A model
    Model,
    /// A window of five hours, as subscriptions have them
    Blocks,
}

/// The first day of a week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WeekStart {
    Monday,
    Sunday,
}

impl WeekStart {
    fn weekday(self) -> Weekday {
        match self {
            Self::Monday => Weekday::Monday,
            Self::Sunday => Weekday::Sunday,
        }
    }
}

/// Everything that was asked and found.
struct Answer<'a> {
    args: &'a UsageArgs,
    prices: &'a PriceBook,
    library: &'a Library,
    tally: &'a Tally,
    zone: &'a Zone,
    selection: &'a Selection,
    table: Table,
    /// The requests behind the table, by their place in the account.
    counted: Vec<usize>,
}

impl Answer<'_> {
    fn requests(&self) -> impl Iterator<Item = &Request> {
        let all = &self.tally.account.requests;
        self.counted.iter().filter_map(|&index| all.get(index))
    }
}

/// Counts tokens and money.
pub(crate) fn run(context: &Context, args: &UsageArgs) -> Result<ExitCode, Failure> {
    check_options(args)?;
    let prices = PriceBook::load()?;
    let zone = args.shape.tz.clone().unwrap_or_else(Zone::system);
    let selection = Selection::new(context, &args.filter, &zone)?;
    let catalog = Catalog::open(context, UseIndex::unless(args.no_index))?;
    let library = &catalog.library;
    let detail = match args.explain {
        true => Detail::Copies,
        false => Detail::Sums,
    };
    // A block may begin before what is asked for, so blocks need all days.
    let days = match args.by {
        By::Blocks => (None, None),
        _ => (selection.since, selection.until),
    };
    let tally = catalog.usage(detail, days);
    report_findings(library.findings().iter().chain(&tally.skipped.findings));
    let builder = Builder {
        args,
        zone: &zone,
        selection: &selection,
        book: &prices.book,
        now: Timestamp(context.now_ms()),
    };
    let rows = builder.build(&tally.account);
    let answer = Answer {
        args,
        prices: &prices,
        library,
        tally: &tally,
        zone: &zone,
        selection: &selection,
        counted: rows.counted,
        table: rows.table,
    };
    match context.json() {
        true => json::print(context, &answer)?,
        false => print::print(context, &answer)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn check_options(args: &UsageArgs) -> Result<(), Failure> {
    let filter = &args.filter;
    if args.by != By::Blocks && (filter.active || filter.recent) {
        return Err(Failure::request("--active and --recent are about blocks")
            .hint("say `ravel usage blocks`, or --since 3d for other rows"));
    }
    Ok(())
}
