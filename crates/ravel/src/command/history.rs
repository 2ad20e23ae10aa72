//! `ravel history`: everything a person typed, over all projects.

mod paste;

use std::collections::VecDeque;
use std::process::ExitCode;

use clap::Args;
use jiff::tz::TimeZone;
use ravel_format::Timestamp;
use ravel_home::{Finding, HistoryEntry, HistoryLine, PastedContent, open_history};
use ravel_render::style::{Line, Role, Span};
use ravel_render::when;
use ravel_render::wrap::{Margin, columns, truncate, wrap};
use serde_json::{Value, json};

use crate::context::{Context, display_path};
use crate::failure::Failure;
use crate::filter::{ProjectFilter, Since, parse_since};
use crate::finding::report_findings;

/// List prompts, the last typed first
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel history                          what was typed last\n  ravel history --project shop -n 5      in one project\n  ravel history --text deploy --since 2w about one thing\n  ravel history --pastes --json | jq -r '.[].expanded'"
)]
pub(crate) struct HistoryArgs {
    /// Only prompts of projects whose folder contains TEXT; `.` is the working folder
    #[arg(long, short, value_name = "TEXT")]
    project: Option<String>,
    /// Only prompts that contain TEXT
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// Only prompts since then: 90m, 12h, 3d, 2w, or a date such as 2026-01-31
    #[arg(long, short, value_name = "WHEN", value_parser = parse_since)]
    since: Option<Since>,
    /// Show at most N prompts; 0 shows all
    #[arg(long, short = 'n', value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Show pasted text in place of its placeholder
    #[arg(long)]
    pastes: bool,
}

/// Lists prompts.
pub(crate) fn run(context: &Context, args: &HistoryArgs) -> Result<ExitCode, Failure> {
    let found = read(context, args)?;
    report_findings(found.findings.iter());
    if found.n_unreadable > found.findings.len() {
        let rest = found.n_unreadable - found.findings.len();
        let message = format!("{rest} more lines that are no entries");
        report_findings([Finding::new(&context.home()?.history(), message)].iter());
    }
    let entries: Vec<Typed> = found
        .entries
        .into_iter()
        .map(|entry| Typed::new(context, args, entry))
        .collect::<Result<_, _>>()?;
    if context.json() {
        let items = entries.iter().map(entry_json);
        context.print_json(&Value::Array(items.collect()))?;
    } else {
        let lines = render(context, &entries, found.n_all);
        context.print_lines(&lines)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What was found in the history.
#[derive(Default)]
struct Found {
    /// The last entries that fit, the newest first.
    entries: Vec<HistoryEntry>,
    /// How many entries there are.
    n_all: usize,
    /// The first lines that are no entries.
    findings: Vec<Finding>,
    /// How many lines are no entries.
    n_unreadable: usize,
}

/// Reads the history once and keeps only what will be shown.
fn read(context: &Context, args: &HistoryArgs) -> Result<Found, Failure> {
    const MAX_FINDINGS: usize = 5;
    let mut found = Found::default();
    let failed = |error: &std::io::Error| Failure::io("read the history", error);
    let Some(reader) = open_history(context.home()?).map_err(|error| failed(&error))? else {
        return Ok(found);
    };
    let filter = Filter::new(context, args)?;
    let mut kept = VecDeque::new();
    for line in reader {
        match line.map_err(|error| failed(&error))? {
            HistoryLine::Entry(entry) => {
                found.n_all += 1;
                if filter.admits(&entry) {
                    kept.push_front(entry);
                }
                if args.limit > 0 {
                    kept.truncate(args.limit);
                }
            }
            HistoryLine::Unreadable(finding) => {
                found.n_unreadable += 1;
                if found.findings.len() < MAX_FINDINGS {
                    found.findings.push(finding);
                }
            }
        }
    }
    found.entries = kept.into();
    Ok(found)
}

/// What the options ask for.
struct Filter {
    project: Option<ProjectFilter>,
    text: Option<String>,
    since_ms: Option<i64>,
}

impl Filter {
    fn new(context: &Context, args: &HistoryArgs) -> Result<Self, Failure> {
        let project = args.project.as_deref();
        let project = project.map(|project| ProjectFilter::new(context, project));
        Ok(Self {
            project: project.transpose()?,
            text: args.text.as_ref().map(|text| text.to_lowercase()),
            since_ms: args.since.map(|since| since.at(context.now_ms())),
        })
    }

    fn admits(&self, entry: &HistoryEntry) -> bool {
        let project = entry.project.as_deref().unwrap_or_default();
        let fits_project = |wanted: &ProjectFilter| wanted.admits(project);
        let fits_text = |part: &String| {
            let pasted = entry
                .pasted
                .iter()
                .filter_map(|paste| paste.content.as_ref());
            let mut texts = std::iter::once(&entry.display).chain(pasted);
            texts.any(|text| text.to_lowercase().contains(part))
        };
        self.project.as_ref().is_none_or(fits_project)
            && self.text.as_ref().is_none_or(fits_text)
            && self
                .since_ms
                .is_none_or(|since| entry.timestamp_ms.is_some_and(|time| time >= since))
    }
}

/// An entry as it will be shown.
struct Typed {
    entry: HistoryEntry,
    /// The text with what was pasted, when that was asked for.
    expanded: Option<String>,
}

impl Typed {
    fn new(context: &Context, args: &HistoryArgs, entry: HistoryEntry) -> Result<Self, Failure> {
        let expanded = match args.pastes {
            true => Some(paste::expand(context.home()?, &entry)),
            false => None,
        };
        Ok(Self { entry, expanded })
    }

    fn text(&self) -> &str {
        self.expanded.as_deref().unwrap_or(&self.entry.display)
    }
}

fn render(context: &Context, entries: &[Typed], n_all: usize) -> Vec<Line> {
    const WIDEST_PROJECT: usize = 28;
    /// The columns that the time, the gaps and a few words need.
    const NARROWEST_TEXT: usize = 44;
    if entries.is_empty() {
        let message = match n_all {
            0 => "nothing was typed here yet",
            _ => "no prompt fits",
        };
        return vec![Line::of(message, Role::Plain)];
    }
    let zone = TimeZone::system();
    let widths = entries.iter().map(|typed| columns(&project(typed)));
    // In a narrow terminal the words matter more than where they were typed.
    let room = context.width().saturating_sub(NARROWEST_TEXT);
    let width = widths.max().unwrap_or(0).min(WIDEST_PROJECT).min(room);
    let mut lines = Vec::new();
    for typed in entries {
        let time = typed
            .entry
            .timestamp_ms
            .map(|time| when::moment(time, &zone));
        let time = format!("{:16}  ", time.unwrap_or_default());
        let mut first = Line::of(&time, Role::Muted);
        let cut = truncate(&Line::of(&project(typed), Role::Accent), width);
        let n_gap = if width == 0 { 0 } else { 2 };
        let gap = " ".repeat(width.saturating_sub(cut.width()) + n_gap);
        first.extend(cut.spans().iter().cloned());
        first.push(Span::new(&gap, Role::Plain));
        let margin = Margin {
            rest: vec![Span::new(&" ".repeat(first.width()), Role::Plain)],
            first: first.spans().to_vec(),
        };
        let text = [Span::new(typed.text().trim_end(), Role::Plain)];
        lines.extend(wrap(&text, context.width(), &margin));
    }
    lines
}

fn project(typed: &Typed) -> String {
    let project = typed.entry.project.as_deref().unwrap_or_default();
    display_path(std::path::Path::new(project))
}

fn entry_json(typed: &Typed) -> Value {
    let entry = &typed.entry;
    let mut document = json!({
        "time": entry.timestamp_ms.map(|time| Timestamp(time).to_iso()),
        "project": entry.project,
        "session_id": entry.session_id,
        "text": entry.display,
        "pastes": entry.pasted.iter().map(paste_json).collect::<Vec<_>>(),
    });
    if let (Some(expanded), Some(object)) = (&typed.expanded, document.as_object_mut()) {
        object.insert("expanded".into(), expanded.as_str().into());
    }
    document
}

fn paste_json(paste: &PastedContent) -> Value {
    json!({
        "id": paste.id,
        "kind": paste.kind,
        "text": paste.content,
        "hash": paste.content_hash,
    })
}
