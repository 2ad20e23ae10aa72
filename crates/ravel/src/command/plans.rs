//! `ravel plans`: what sessions planned before they acted.

mod mention;

use std::process::ExitCode;

use clap::Args;
use ravel_format::Timestamp;
use ravel_home::{Plan, list_plans, load_plan};
use ravel_render::markdown;
use ravel_render::style::{Line, Role, Style};
use ravel_render::when;
use ravel_render::words::short_id;
use serde_json::{Value, json};

use crate::context::{Context, epoch_ms};
use crate::failure::Failure;
use crate::finding::report_findings;
use crate::table::{Cell, Column, layout};
use mention::Mentions;

/// List plans, or read one
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel plans                    all plans, the newest first\n  ravel plans calm-red-fox       read one; the start of its name will do\n  ravel plans calm --raw > plan.md"
)]
pub(crate) struct PlansArgs {
    /// The plan to read: its name, or the start of it
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Print the plan as it is written instead of rendered
    #[arg(long, requires = "name")]
    raw: bool,
}

/// Lists plans or shows one.
pub(crate) fn run(context: &Context, args: &PlansArgs) -> Result<ExitCode, Failure> {
    let listing = list_plans(context.home()?);
    report_findings(listing.findings.iter());
    match &args.name {
        Some(name) => show(context, choose(&listing.items, name)?, args.raw)?,
        None => list(context, &listing.items)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn list(context: &Context, plans: &[Plan]) -> Result<(), Failure> {
    let mentions = Mentions::find(context.home()?, plans);
    if context.json() {
        let items = plans.iter().map(|plan| plan_json(plan, &mentions));
        return context.print_json(&Value::Array(items.collect()));
    }
    if plans.is_empty() {
        return context.print_lines(&[Line::of("no plans here yet", Role::Plain)]);
    }
    let rows: Vec<Vec<Cell>> = plans
        .iter()
        .map(|plan| row(plan, &mentions, context.now_ms()))
        .collect();
    let columns = [
        Column::Flexible,
        Column::Flexible,
        Column::Fixed,
        Column::Right,
    ];
    context.print_lines(&layout(&columns, &rows, context.width()))
}

fn row(plan: &Plan, mentions: &Mentions, now_ms: i64) -> Vec<Cell> {
    const MAX_SHOWN: usize = 2;
    let muted = Style::of(Role::Muted);
    let sessions = mentions.of(&plan.name);
    let short = sessions.iter().map(|id| short_id(id).to_owned());
    let mut shown: Vec<String> = short.take(MAX_SHOWN).collect();
    if let Some(rest @ 1..) = sessions.len().checked_sub(MAX_SHOWN) {
        shown.push(format!("+{rest}"));
    }
    vec![
        Cell::new(&plan.name, Style::of(Role::Accent)),
        Cell::new(plan.title.clone().unwrap_or_default(), Style::default()),
        Cell::new(shown.join(" "), muted),
        Cell::new(when::age(epoch_ms(plan.modified), now_ms), muted),
    ]
}

fn plan_json(plan: &Plan, mentions: &Mentions) -> Value {
    json!({
        "name": plan.name,
        "title": plan.title,
        "modified": Timestamp(epoch_ms(plan.modified)).to_iso(),
        "bytes": plan.size,
        "path": plan.path.to_string_lossy(),
        "sessions": mentions.of(&plan.name),
    })
}

/// Finds the plan a person means: by its name, else by the start of it.
fn choose<'p>(plans: &'p [Plan], name: &str) -> Result<&'p Plan, Failure> {
    let name = name.strip_suffix(".md").unwrap_or(name);
    if let Some(plan) = plans.iter().find(|plan| plan.name == name) {
        return Ok(plan);
    }
    let fitting: Vec<&Plan> = plans
        .iter()
        .filter(|plan| plan.name.starts_with(name))
        .collect();
    match fitting.as_slice() {
        [plan] => Ok(plan),
        [] => Err(
            Failure::request(format!("could not find a plan named {name:?}"))
                .hint("`ravel plans` lists the plans there are"),
        ),
        several => {
            let failure = Failure::request(format!(
                "could not choose a plan: {name:?} fits {}",
                several.len()
            ));
            let named = several.iter().take(5);
            Err(named.fold(failure, |failure, plan| {
                failure.hint(format!("it may be {}", plan.name))
            }))
        }
    }
}

fn show(context: &Context, plan: &Plan, is_raw: bool) -> Result<(), Failure> {
    let home = context.home()?;
    let text = load_plan(home, &plan.name)
        .map_err(|error| Failure::io(format_args!("read {}", plan.path.display()), &error))?
        .unwrap_or_default();
    if context.json() {
        let mut document = plan_json(plan, &Mentions::find(home, std::slice::from_ref(plan)));
        if let Some(object) = document.as_object_mut() {
            object.insert("text".into(), text.into());
        }
        return context.print_json(&document);
    }
    if !is_raw {
        let options = markdown::Options::new(context.width().min(100));
        return context.print_lines(&markdown::render(&text, &options));
    }
    let mut screen = context.screen();
    screen.write_foreign(text.as_bytes())?;
    Ok(screen.finish()?)
}
