//! `ravel repair`: a copy that other readers can read in full.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use ravel_model::Graph;
use ravel_model::repair::{RepairPlan, plan, write};
use ravel_render::amount;
use ravel_render::style::{Line, Role, Style};
use serde_json::json;

use crate::context::{Context, display_path};
use crate::failure::Failure;
use crate::open::{Agents, open};
use crate::output::{Access, Content, Existing, Output, is_same_file};

/// Write a repaired copy of a damaged session
///
/// Re-links parents, closes torn lines, separates glued ones, cuts circles, and says what it did.
/// The copy is a session that the official client can resume. The original is never changed.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel repair 3f2a                     writes 3f2a….repaired.jsonl into the working folder\n  ravel repair session.jsonl -o new.jsonl\n  ravel repair session.jsonl --dry-run  only says what it would do"
)]
pub(crate) struct RepairArgs {
    /// The session
    #[arg(value_name = "SESSION")]
    session: String,
    /// Where to write the copy; `-` is standard output [default: NAME.repaired.jsonl in the working folder]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
    /// Replace the output file when it exists
    #[arg(long)]
    force: bool,
}

/// Repairs a session into a copy.
pub(crate) fn run(context: &Context, args: &RepairArgs) -> Result<ExitCode, Failure> {
    let opened = open(context, &args.session, Agents::Left)?;
    let Some((main, path)) = opened.transcripts.first().zip(opened.paths.first()) else {
        return Ok(ExitCode::SUCCESS);
    };
    let plan = plan(&Graph::build(&main.outline), &*main.source);
    opened.check_read()?;
    let named = args.output.clone().unwrap_or_else(|| default_output(path));
    let output = Output {
        home: context.home().ok(),
        path: &named,
        existing: Existing::by_force(args.force),
        content: Content::Raw,
        access: Access::Private,
    };
    if args.dry_run {
        report(context, args, &named, &plan)?;
        return Ok(ExitCode::SUCCESS);
    }
    if is_same_file(path, &named) {
        return Err(Failure::request("the copy would replace the original")
            .hint("name another file with --output"));
    }
    output.write(&opened, |out| write(&plan, &*main.source, out))?;
    if output.is_file() {
        report(context, args, &named, &plan)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn default_output(path: &Path) -> PathBuf {
    match path.file_stem().filter(|_| path.as_os_str() != "-") {
        Some(stem) => PathBuf::from(format!("{}.repaired.jsonl", stem.to_string_lossy())),
        None => PathBuf::from("-"),
    }
}

fn report(
    context: &Context,
    args: &RepairArgs,
    output: &Path,
    plan: &RepairPlan,
) -> Result<(), Failure> {
    let mut screen = context.screen();
    if context.json() {
        let value = json!({
            "output": (!args.dry_run).then(|| output.display().to_string()),
            "changed": !plan.is_empty(),
            "actions": plan.actions,
            "reached_before": plan.reached_before,
            "reached_after": plan.reached_after,
            "left_out_bytes": plan.left_out_bytes,
        });
        writeln!(screen, "{value}")?;
    } else {
        context
            .painter()
            .write(&report_lines(args, output, plan), &mut screen)?;
    }
    Ok(screen.finish()?)
}

fn report_lines(args: &RepairArgs, output: &Path, plan: &RepairPlan) -> Vec<Line> {
    let mut lines: Vec<Line> = plan
        .actions
        .iter()
        .map(|action| {
            Line::of(&format!("line {}", action.line), Role::Muted)
                .with(&format!("  {}", action.kind.name()), Role::Accent)
                .with(&format!("  {}", action.words), Style::default())
        })
        .collect();
    let reached = format!(
        "{} → {} messages reachable",
        plan.reached_before, plan.reached_after
    );
    let done = match (plan.is_empty(), args.dry_run) {
        (true, _) => "nothing to repair".to_owned(),
        (false, true) => format!("{} to make", amount::counted(plan.actions.len(), "change")),
        (false, false) => format!("{} made", amount::counted(plan.actions.len(), "change")),
    };
    lines
        .push(Line::of(&done, Style::default().bold()).with(&format!(" · {reached}"), Role::Muted));
    if !args.dry_run {
        lines.push(Line::of(
            &format!("written to {}", display_path(output)),
            Role::Muted,
        ));
    }
    lines
}
