//! `ravel todos`: what was to be done, and how far it is.

mod change;
mod list;

use std::process::ExitCode;

use clap::Args;
use ravel_home::Target;
use ravel_model::{Session, todo};
use ravel_render::style::{Line, Role};
use serde_json::{Value, json};

use crate::context::Context;
use crate::failure::Failure;
use crate::finding::report_findings;
use crate::open::{Agents, Opened, open};
use list::{Checklist, Origin};

/// Without `--all` so many lists are shown.
const MAX_LISTS: usize = 10;

/// Show todo lists and tasks
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel todos                      the newest lists of all sessions\n  ravel todos latest               those of one session\n  ravel todos 3f2a --over-time     how they changed, call by call\n  ravel todos --all --json | jq '.lists[].items[].text'"
)]
pub(crate) struct TodosArgs {
    /// Only the lists of this session
    #[arg(value_name = "SESSION")]
    session: Option<String>,
    /// Show every list, also the empty ones
    #[arg(long)]
    all: bool,
    /// Show how the lists of a session changed while it ran; the latest session unless named
    #[arg(long)]
    over_time: bool,
}

/// Shows todo lists.
pub(crate) fn run(context: &Context, args: &TodosArgs) -> Result<ExitCode, Failure> {
    let query = match (&args.session, args.over_time) {
        (Some(query), _) => Some(query.as_str()),
        (None, true) => Some("latest"),
        (None, false) => None,
    };
    match query {
        Some(query) => of_session(context, args, query)?,
        None => of_home(context, args)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn of_home(context: &Context, args: &TodosArgs) -> Result<(), Failure> {
    let home = context.home()?;
    let mut found = list::all(home);
    report_findings(found.findings.iter());
    if !args.all {
        found.items.retain(|list| !list.items.is_empty());
    }
    let n_all = found.items.len();
    if !args.all {
        found.items.truncate(MAX_LISTS);
    }
    list::add_titles(context, &mut found.items);
    if context.json() {
        return context.print_json(&json!({"lists": lists_json(&found.items)}));
    }
    let mut lines = render(context, &found.items);
    if let Some(rest @ 1..) = n_all.checked_sub(found.items.len()) {
        let note = format!("… and {rest} more lists; --all shows them");
        lines.extend([Line::default(), Line::of(&note, Role::Muted)]);
    }
    context.print_lines(&lines)
}

fn of_session(context: &Context, args: &TodosArgs, query: &str) -> Result<(), Failure> {
    let opened = open(context, query, Agents::Included)?;
    let session = Session::build(&opened.transcripts);
    let changes = change::changes(&session);
    let mut lists = on_disk(context, &opened);
    if !args.all {
        lists.retain(|list| !list.items.is_empty());
    }
    // The files go away with time, and a session from elsewhere never had them here.
    if lists.is_empty() {
        let ends = change::last_states(&session);
        lists.extend(ends.into_iter().filter(|list| !list.items.is_empty()));
    }
    opened.check_read()?;
    if context.json() {
        let mut document = json!({"lists": lists_json(&lists)});
        if let (true, Some(object)) = (args.over_time, document.as_object_mut()) {
            let changes = changes.iter().map(change::Named::json);
            object.insert("changes".into(), changes.collect());
        }
        return context.print_json(&document);
    }
    if args.over_time {
        return context.print_lines(&change::render(context.width(), &changes));
    }
    context.print_lines(&render(context, &lists))
}

/// Returns the lists that the home has of a session.
fn on_disk(context: &Context, opened: &Opened) -> Vec<Checklist> {
    let session_id = opened.session_id();
    let (Some(home), Some(session_id)) = (opened.home(context), session_id) else {
        return Vec::new();
    };
    let mut found = list::of_session(&home, session_id);
    report_findings(found.findings.iter());
    list::add_titles(context, &mut found.items);
    if let Some(Target::Agent(agent)) = &opened.target {
        let own = Origin::Todos {
            agent_id: Some(agent.agent_id.clone()),
        };
        found.items.retain(|list| list.origin == own);
    }
    found.items
}

fn render(context: &Context, lists: &[Checklist]) -> Vec<Line> {
    if lists.is_empty() {
        return vec![Line::of("nothing to do here", Role::Plain)];
    }
    let mut lines = Vec::new();
    for list in lists {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(list.render(context.width(), context.now_ms()));
    }
    lines
}

fn lists_json(lists: &[Checklist]) -> Vec<Value> {
    lists.iter().map(Checklist::json).collect()
}

/// Returns the box that stands for how far an item is, in its color.
fn mark(status: &todo::TodoStatus) -> (&'static str, Role) {
    match status {
        todo::TodoStatus::Pending => ("☐", Role::Plain),
        todo::TodoStatus::InProgress => ("◐", Role::Warning),
        todo::TodoStatus::Completed => ("☑", Role::Success),
        todo::TodoStatus::Other(_) => ("☒", Role::Muted),
    }
}

/// Counts what is done: `2 of 5`.
fn progress<'i>(statuses: impl Iterator<Item = &'i todo::TodoStatus>) -> (usize, usize) {
    statuses.fold((0, 0), |(done, all), status| {
        let is_done = usize::from(*status == todo::TodoStatus::Completed);
        (done + is_done, all + 1)
    })
}
