//! `ravel search`: messages in all sessions.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use ravel_format::Timestamp;
use ravel_index::SearchRequest;
use ravel_model::search::{Case, Filter, Query, Role, Syntax};

use crate::catalog::{Catalog, UseIndex};
use crate::context::Context;
use crate::failure::Failure;
use crate::filter::{ProjectFilter, When, parse_when};
use crate::finding::report_findings;
use crate::zone::Zone;

mod json;
mod print;
mod session;

/// Find messages in all sessions
///
/// Words may stand anywhere in a message, also inside other words; a "phrase" has to stand there as
/// it is. Titles, thoughts, tool calls and their results are searched too. With an index (`ravel
/// index`) the best hits are there at once; without one, all files are read.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel search cart total                 both words, in one message\n  ravel search '\"out of memory\"' --role tool-result\n  ravel search --regex 'TODO\\(\\w+\\)' --case\n  ravel search migration --project shop --since 2w\n  ravel search --tool Edit --path schema.sql    every edit of a file\n  ravel search cart --json | jq -r '.hits[].open'"
)]
pub(crate) struct SearchArgs {
    /// Words and "phrases"; may be left out if something below is given
    #[arg(value_name = "QUERY")]
    query: Vec<String>,
    /// QUERY is a regular expression
    #[arg(long, short = 'e')]
    regex: bool,
    /// Tell upper case from lower case
    #[arg(long, short)]
    case: bool,
    #[command(flatten)]
    filter: FilterArgs,
    /// Show at most N messages; 0 shows all
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Read the files even if there is an index
    #[arg(long)]
    no_index: bool,
}

/// Which messages count.
#[derive(Debug, Args)]
struct FilterArgs {
    /// Only projects whose folder contains TEXT; `.` is the working folder
    #[arg(long, short, value_name = "TEXT")]
    project: Option<String>,
    /// Only messages written on a git branch
    #[arg(long, short, value_name = "NAME")]
    branch: Option<String>,
    /// Only what was said in a role; may be given several times
    #[arg(long, short, value_name = "ROLE", value_delimiter = ',')]
    role: Vec<RoleName>,
    /// Only calls of a tool, and their results
    #[arg(long, short, value_name = "NAME")]
    tool: Option<String>,
    /// Only calls that touch a file with TEXT in its path, and their results
    #[arg(long, value_name = "TEXT")]
    path: Option<String>,
    /// Only what a model with TEXT in its name wrote, and the results of its calls
    #[arg(long, short, value_name = "TEXT")]
    model: Option<String>,
    /// Only messages since then: 90m, 12h, 3d, 2w, or a date such as 2026-01-31
    #[arg(long, short, value_name = "WHEN", value_parser = parse_when)]
    since: Option<When>,
    /// Only messages until then; a date includes that day
    #[arg(long, short, value_name = "WHEN", value_parser = parse_when)]
    until: Option<When>,
}

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RoleName {
    /// A person
    Prompt,
    /// The model
    Reply,
    /// The model, to itself
    Thinking,
    /// The model, to a tool
    ToolInput,
    /// A tool
    ToolResult,
    /// Titles, summaries, notes of the client
    Other,
}

impl From<RoleName> for Role {
    fn from(name: RoleName) -> Self {
        match name {
            RoleName::Prompt => Self::Prompt,
            RoleName::Reply => Self::Reply,
            RoleName::Thinking => Self::Thinking,
            RoleName::ToolInput => Self::ToolInput,
            RoleName::ToolResult => Self::ToolResult,
            RoleName::Other => Self::Other,
        }
    }
}

impl FilterArgs {
    fn is_empty(&self) -> bool {
        let texts = [&self.branch, &self.tool, &self.path, &self.model];
        texts.iter().all(|text| text.is_none())
            && self.project.is_none()
            && self.role.is_empty()
            && self.since.is_none()
            && self.until.is_none()
    }

    fn filter(&self, now: Timestamp) -> Filter {
        let zone = Zone::system();
        Filter {
            roles: self.role.iter().map(|&role| role.into()).collect(),
            tool: self.tool.clone(),
            path: self.path.clone(),
            model: self.model.clone(),
            since: self.since.map(|when| when.start(&zone, now)),
            until: self.until.map(|when| when.end(&zone, now)),
            branch: self.branch.clone(),
        }
    }
}

/// Finds messages. Like grep, it ends with 1 when there are none.
pub(crate) fn run(context: &Context, args: &SearchArgs) -> Result<ExitCode, Failure> {
    let query = parse_query(args)?;
    let project = args.filter.project.as_deref();
    let project = project.map(|project| ProjectFilter::new(context, project));
    let project = project.transpose()?;
    let admits_project = |name: &str| {
        let project = project.as_ref();
        project.is_none_or(|project| project.admits_project(name))
    };
    let filter = args.filter.filter(Timestamp(context.now_ms()));
    let catalog = Catalog::open(context, UseIndex::unless(args.no_index))?;
    let results = catalog.search(&SearchRequest {
        query: &query,
        filter: &filter,
        admits_project: &admits_project,
        limit: Some(args.limit).filter(|&limit| limit > 0),
        snippet_width: print::snippet_width(context),
    });
    let findings = catalog.library.findings().iter();
    report_findings(findings.chain(&results.skipped.findings));
    match context.json() {
        true => json::print(context, &catalog.library, &results)?,
        false => print::print(context, &catalog.library, &results)?,
    }
    Ok(match results.hits.is_empty() {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

fn parse_query(args: &SearchArgs) -> Result<Query, Failure> {
    let syntax = match args.regex {
        true => Syntax::Regex,
        false => Syntax::Words,
    };
    let case = match args.case {
        true => Case::Exact,
        false => Case::Fold,
    };
    let query = Query::parse(&args.query.join(" "), syntax, case).map_err(|error| {
        // The library draws where the mistake is on several lines; the last one says what it is.
        let reason = std::error::Error::source(&error).map(ToString::to_string);
        let reason = reason.as_deref().and_then(|reason| reason.lines().last());
        let reason = reason.map(|reason| reason.trim_start_matches("error: "));
        let failure = Failure::request(match reason {
            Some(reason) => format!("could not {error}: {reason}"),
            None => format!("could not {error}"),
        });
        match args.regex {
            true => failure.hint("without --regex, the query is taken as it is"),
            false => failure,
        }
    })?;
    // Quotes with nothing in them are no words either, and all messages are no answer.
    let is_blank = !query.is_regex() && query.literals().is_empty();
    match is_blank && args.filter.is_empty() {
        true => Err(Failure::request("nothing to look for")
            .hint("give words, or a filter such as --tool Edit; see `ravel search --help`")),
        false => Ok(query),
    }
}
