//! `ravel ls`: the sessions there are.

use std::process::ExitCode;

use clap::Args;
use ravel_home::{Depth, SessionHead, list_heads};
use ravel_render::style::{Role, Style};
use ravel_render::words::short_id;
use ravel_render::{amount, when};
use serde_json::json;

use crate::context::{Context, display_path, epoch_ms};
use crate::failure::Failure;
use crate::filter::{ProjectFilter, Since, parse_since};
use crate::finding::report_findings;
use crate::open::discover_all;
use crate::table::{Cell, Column, layout};

/// List sessions, the last used first
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel ls                       the last used sessions\n  ravel ls --project shop -n 5   five sessions of one project\n  ravel ls --since 2d --text bug sessions of two days about a bug\n  ravel ls --json | jq -r '.[].id'"
)]
pub(crate) struct LsArgs {
    /// Only sessions of projects whose folder contains TEXT; `.` is the working folder
    #[arg(long, short, value_name = "TEXT")]
    project: Option<String>,
    /// Only sessions on a git branch
    #[arg(long, short, value_name = "NAME")]
    branch: Option<String>,
    /// Only sessions with a tag
    #[arg(long, short, value_name = "TAG")]
    tag: Option<String>,
    /// Only sessions whose title contains TEXT
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// Only sessions used since then: 90m, 12h, 3d, 2w, or a date such as 2026-01-31
    #[arg(long, short, value_name = "WHEN", value_parser = parse_since)]
    since: Option<Since>,
    /// Only sessions that are gone from the home and still in the archive
    #[arg(long)]
    archived: bool,
    /// Show at most N sessions; 0 shows all
    #[arg(long, short = 'n', value_name = "N", default_value_t = 0)]
    limit: usize,
}

/// Lists sessions.
pub(crate) fn run(context: &Context, args: &LsArgs) -> Result<ExitCode, Failure> {
    let found = discover_all(context, Depth::Sessions)?;
    let listing = list_heads(&found.sessions);
    let filter = Filter::new(context, args)?;
    let limit = if args.limit == 0 {
        usize::MAX
    } else {
        args.limit
    };
    let heads: Vec<&SessionHead> = listing
        .items
        .iter()
        .filter(|head| filter.admits(head))
        .take(limit)
        .collect();
    report_findings(found.findings.iter().chain(&listing.findings));
    if context.json() {
        return print_json(context, &heads);
    }
    print_table(context, &heads, listing.items.len())
}

/// What the options ask for.
struct Filter<'a> {
    args: &'a LsArgs,
    project: Option<ProjectFilter>,
    since_ms: Option<i64>,
}

impl<'a> Filter<'a> {
    fn new(context: &Context, args: &'a LsArgs) -> Result<Self, Failure> {
        let project = args.project.as_deref();
        let project = project.map(|project| ProjectFilter::new(context, project));
        let since_ms = args.since.map(|since| since.at(context.now_ms()));
        Ok(Self {
            args,
            project: project.transpose()?,
            since_ms,
        })
    }

    fn admits(&self, head: &SessionHead) -> bool {
        let contains = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
        let in_project = |project: &ProjectFilter| match &head.cwd {
            Some(cwd) => project.admits(cwd),
            None => project.admits_slug(&head.project.slug),
        };
        self.project.as_ref().is_none_or(in_project)
            && (head.is_archived || !self.args.archived)
            && self
                .args
                .branch
                .as_ref()
                .is_none_or(|branch| head.git_branch.as_ref() == Some(branch))
            && self
                .args
                .tag
                .as_ref()
                .is_none_or(|tag| head.tag.as_deref() == Some(tag.trim_start_matches('#')))
            && self
                .args
                .text
                .as_ref()
                .is_none_or(|text| contains(&head.title, text))
            && self
                .since_ms
                .is_none_or(|since| epoch_ms(head.modified) >= since)
    }
}

fn print_table(
    context: &Context,
    heads: &[&SessionHead],
    n_all: usize,
) -> Result<ExitCode, Failure> {
    use std::io::Write as _;
    let mut screen = context.screen();
    if heads.is_empty() {
        let message = if n_all == 0 {
            "no sessions here yet"
        } else {
            "no session fits"
        };
        writeln!(screen, "{message}")?;
        screen.finish()?;
        return Ok(ExitCode::SUCCESS);
    }
    let now_ms = context.now_ms();
    let rows: Vec<Vec<Cell>> = heads.iter().map(|head| row(head, now_ms)).collect();
    let columns = [
        Column::Fixed,
        Column::Flexible,
        Column::Fixed,
        Column::Flexible,
        Column::Flexible,
        Column::Right,
        Column::Right,
    ];
    context
        .painter()
        .write(&layout(&columns, &rows, context.width()), &mut screen)?;
    screen.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn row(head: &SessionHead, now_ms: i64) -> Vec<Cell> {
    let muted = Style::of(Role::Muted);
    let about = if head.is_exact { "" } else { "~" };
    let project = head.cwd.as_deref().map_or_else(
        || head.project.slug.clone(),
        |cwd| display_path(std::path::Path::new(cwd)),
    );
    let title = match &head.tag {
        Some(tag) => format!("{} #{tag}", head.title),
        None => head.title.clone(),
    };
    vec![
        Cell::new(short_id(&head.session_id), Style::of(Role::Accent)),
        Cell::new(title, Style::default()),
        Cell::new(if head.is_archived { "archived" } else { "" }, muted),
        Cell::new(project, muted),
        Cell::new(head.git_branch.clone().unwrap_or_default(), muted),
        Cell::new(format!("{about}{}", amount::count(head.n_messages)), muted),
        Cell::new(when::age(epoch_ms(head.modified), now_ms), muted),
    ]
}

fn print_json(context: &Context, heads: &[&SessionHead]) -> Result<ExitCode, Failure> {
    use std::io::Write as _;
    let mut screen = context.plain_screen();
    // One at a time: ten thousand sessions as one value would need more memory than reading them.
    write!(screen, "[")?;
    for (number, head) in heads.iter().enumerate() {
        write!(screen, "{}", if number == 0 { "\n" } else { ",\n" })?;
        serde_json::to_writer(&mut screen, &head_json(head)).map_err(std::io::Error::from)?;
    }
    writeln!(screen, "\n]")?;
    screen.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn head_json(head: &SessionHead) -> serde_json::Value {
    json!({
        "id": head.session_id,
        "title": head.title,
        "title_source": head.title_source.name(),
        "project": head.cwd,
        "slug": head.project.slug,
        "branch": head.git_branch,
        "tag": head.tag,
        "model": head.model,
        "version": head.version,
        "messages": head.n_messages,
        "messages_exact": head.is_exact,
        "created": head.created.map(|time| time.to_string()),
        "last_active": head.last_active.map(|time| time.to_string()),
        "modified": ravel_format::Timestamp(epoch_ms(head.modified)).to_iso(),
        "bytes": head.size,
        "archived": head.is_archived,
        "path": head.path.to_string_lossy(),
        "first_prompt": head.first_prompt,
        "sidechain": head.is_sidechain_only,
        "sdk_visible": head.sdk_visible,
    })
}
