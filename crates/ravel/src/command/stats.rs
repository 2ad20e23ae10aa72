//! `ravel stats`: who did what when, in all sessions.
//!
//! Everything that the client keeps in `stats-cache.json` is counted again from the transcripts,
//! shown as charts, and compared with that file. What counts is decided in `ravel-model`.

use std::process::ExitCode;

use clap::Args;
use ravel_format::Timestamp;
use ravel_home::{Finding, load_stats};
use ravel_index::{Detail, Tally};
use ravel_model::activity::{Activity, Lens, Source, Stats};
use ravel_model::usage::{Day, Request};

use crate::catalog::{Catalog, UseIndex};
use crate::context::Context;
use crate::failure::Failure;
use crate::filter::{ProjectFilter, When, parse_day};
use crate::finding::report_findings;
use crate::zone::{Zone, parse_zone};

mod compare;
mod gather;
mod json;
mod print;

use compare::Comparison;
use gather::gather;

/// Show activity by day and hour, and what models, tools and projects were used
#[derive(Debug, Args)]
#[command(
    after_help = "A stats-cache.json of the client is compared with what the sessions say, unless only some days or\nprojects are asked for. docs/guide/stats.md says what counts.\n\nExamples:\n  ravel stats                          everything\n  ravel stats --since 30d              the last month\n  ravel stats --project . --tz UTC     one project, by the days of Greenwich\n  ravel stats --json | jq .cache.differences"
)]
pub(crate) struct StatsArgs {
    /// Only from this day on: 30d, 4w, or a date such as 2026-01-31
    #[arg(long, short, value_name = "DAY", value_parser = parse_day)]
    since: Option<When>,
    /// Only up to this day, which is included
    #[arg(long, short, value_name = "DAY", value_parser = parse_day)]
    until: Option<When>,
    /// The time zone of days and hours: Europe/Berlin, UTC or +02:00, instead of the system's
    #[arg(long, value_name = "ZONE", value_parser = parse_zone)]
    tz: Option<Zone>,
    /// Only projects whose folder contains TEXT; `.` is the working folder
    #[arg(long, short, value_name = "TEXT")]
    project: Option<String>,
    /// Read the files even if there is an index
    #[arg(long)]
    no_index: bool,
}

/// Everything that was asked and found.
struct Answer {
    stats: Stats,
    zone: Zone,
    today: Day,
    since: Option<Day>,
    until: Option<Day>,
    /// What the client says; `None` when there is no such file, or it is not asked for.
    comparison: Option<Comparison>,
    /// Lines that could not be read.
    n_skipped: u64,
}

/// Shows the figures.
pub(crate) fn run(context: &Context, args: &StatsArgs) -> Result<ExitCode, Failure> {
    let zone = args.tz.clone().unwrap_or_else(Zone::system);
    let project = args.project.as_deref();
    let project = project.map(|project| ProjectFilter::new(context, project));
    let project = project.transpose()?;
    let catalog = Catalog::open(context, UseIndex::unless(args.no_index))?;
    let tally = catalog.usage(Detail::Sums, (None, None));
    // Files that cannot be read are named once, by the tally.
    let found = Found {
        activities: gather(&catalog),
        tally,
        project,
    };
    report_findings(
        catalog
            .library
            .findings()
            .iter()
            .chain(&found.tally.skipped.findings),
    );
    let now = Timestamp(context.now_ms());
    let answer = Answer {
        since: args.since.map(|when| when.day(&zone, now)),
        until: args.until.map(|when| when.day(&zone, now)),
        today: zone.day(now),
        stats: Stats::default(),
        comparison: None,
        n_skipped: found.tally.skipped.n_lines,
        zone,
    };
    let answer = answer.with_figures(context, &found)?;
    match context.json() {
        true => context.print_json(&json::document(&answer))?,
        false => context.print_lines(&print::lines(context, &answer))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What was read.
struct Found {
    activities: Vec<(Source, Activity)>,
    tally: Tally,
    project: Option<ProjectFilter>,
}

impl Found {
    fn stats(&self, lens: &Lens<'_>) -> Stats {
        Stats::build(self.activities(), self.requests(), lens)
    }

    fn activities(&self) -> impl Iterator<Item = (&Source, &Activity)> {
        let all = self
            .activities
            .iter()
            .map(|(source, activity)| (source, activity));
        all.filter(|(source, _)| self.admits(&source.project))
    }

    fn requests(&self) -> impl Iterator<Item = &Request> {
        let all = self.tally.account.requests.iter();
        all.filter(|request| self.admits(&request.project))
    }

    fn admits(&self, name: &str) -> bool {
        self.project
            .as_ref()
            .is_none_or(|project| project.admits_project(name))
    }
}

impl Answer {
    fn with_figures(mut self, context: &Context, found: &Found) -> Result<Self, Failure> {
        let zone = self.zone.clone();
        let (day, hour) = (|time| zone.day(time), |time| zone.hour(time));
        self.stats = found.stats(&Lens {
            day: &day,
            hour: &hour,
            today: self.today,
            since: self.since,
            until: self.until,
        });
        let is_whole = found.project.is_none() && self.since.is_none() && self.until.is_none();
        if is_whole {
            self.comparison = self.compare(context, found)?;
        }
        Ok(self)
    }

    fn compare(&self, context: &Context, found: &Found) -> Result<Option<Comparison>, Failure> {
        let home = context.home()?;
        let comparison = match load_stats(home) {
            Ok(None) => return Ok(None),
            Ok(Some(cache)) => {
                let hour = |time| self.zone.hour(time);
                let until = compare::last_day(&cache);
                // The client's days are those of Greenwich.
                let stats = found.stats(&Lens {
                    day: &Day::utc,
                    hour: &hour,
                    today: self.today,
                    since: None,
                    until,
                });
                compare::compare(&cache, &stats, hour)
            }
            Err(error) => Comparison::unreadable(Finding::from(error).message),
        };
        let path = home.stats_cache();
        let findings = comparison.findings.iter();
        let findings: Vec<Finding> = findings.map(|text| Finding::new(&path, text)).collect();
        report_findings(&findings);
        Ok(Some(comparison))
    }
}
