//! `ravel doctor`: whether things are well, and what to do where they are not.

mod period;
mod sessions;

use std::process::ExitCode;

use clap::Args;
use ravel_archive::{Archive, Selection};
use ravel_home::{Finding, SettingsPaths, load_settings};
use ravel_render::amount;
use ravel_render::style::{Line, Role, Span, Style};
use ravel_render::wrap::{Margin, wrap};
use serde_json::json;

use crate::context::{Context, display_path};
use crate::failure::Failure;
use crate::folders;
use crate::price_book::PriceBook;
use period::Period;

/// Look whether sessions are safe and Ravel's own files are in order
///
/// Says how long Claude Code keeps sessions, which of them it is about to delete, whether they are
/// archived, and what cannot be read. The exit code is 1 when something is wrong; a warning alone
/// leaves it 0.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ravel doctor\n  ravel doctor --json | jq '.checks[] | select(.state != \"ok\")'"
)]
pub(crate) struct DoctorArgs {}

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Fine,
    Warning,
    Problem,
}

/// One thing that was looked at.
struct Check {
    topic: &'static str,
    state: State,
    message: String,
    hint: Option<String>,
    /// What it is about in particular.
    items: Vec<String>,
}

impl Check {
    fn new(topic: &'static str, state: State, message: impl Into<String>) -> Self {
        Self {
            topic,
            state,
            message: message.into(),
            hint: None,
            items: Vec::new(),
        }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    fn items(mut self, items: impl IntoIterator<Item = String>) -> Self {
        self.items = items.into_iter().collect();
        self
    }
}

impl State {
    fn word(self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::Warning => "warn",
            Self::Problem => "problem",
        }
    }

    fn role(self) -> Role {
        match self {
            Self::Fine => Role::Success,
            Self::Warning => Role::Warning,
            Self::Problem => Role::Error,
        }
    }
}

/// Looks at everything.
pub(crate) fn run(context: &Context, _: &DoctorArgs) -> Result<ExitCode, Failure> {
    let home = context.home()?;
    let project = match context.global.demo {
        true => None,
        false => Some(context.working_folder()?),
    };
    let settings = load_settings(&SettingsPaths::standard(home, project.as_deref()));
    let period = Period::of(&settings);
    let archive = folders::archive_folder(context).ok().map(Archive::at);

    let place = format!("{} ({})", display_path(home.root()), home.origin());
    let mut checks = vec![Check::new("home", State::Fine, place)];
    checks.extend(settings_check(&settings.findings));
    checks.push(period.check());
    checks.extend(sessions::checks(context, &period, archive.as_ref())?);
    checks.extend(
        archive
            .map(|archive| archive_check(context, &archive))
            .transpose()?,
    );
    checks.push(index_check(context));
    checks.push(price_check());
    if context.json() {
        context.print_json(&document(&checks))?;
    } else {
        context.print_lines(&lines(&checks, context.width()))?;
    }
    let is_wrong = checks.iter().any(|check| check.state == State::Problem);
    Ok(ExitCode::from(u8::from(is_wrong)))
}

fn settings_check(findings: &[Finding]) -> Option<Check> {
    let message = format!("{} cannot be used", amount::counted(findings.len(), "file"));
    let check = Check::new("settings", State::Warning, message)
        .items(findings.iter().map(ToString::to_string));
    (!findings.is_empty()).then_some(check)
}

/// Says whether there is an archive and how much is not in it.
fn archive_check(context: &Context, archive: &Archive) -> Result<Check, Failure> {
    if !archive.exists() {
        let check = Check::new("archive", State::Warning, "there is none");
        return Ok(check.hint("`ravel archive` keeps sessions that Claude Code deletes"));
    }
    let place = display_path(archive.root());
    let planned = match archive.plan(context.home()?, &Selection::Everything) {
        Ok(planned) => planned,
        Err(error) => {
            let message = format!("could not {error}");
            return Ok(Check::new("archive", State::Problem, message));
        }
    };
    Ok(match planned.n_new_bytes + planned.n_replaced {
        0 => Check::new("archive", State::Fine, format!("up to date, in {place}")),
        _ => {
            let behind = format!("{} behind, in {place}", amount::bytes(planned.n_new_bytes));
            Check::new("archive", State::Fine, behind).hint("`ravel archive` brings it up to date")
        }
    })
}

/// Says whether there is an index. Everything works without one.
fn index_check(context: &Context) -> Check {
    let file = folders::index_file(context).ok();
    let metadata = file.as_ref().and_then(|file| file.metadata().ok());
    match (file, metadata) {
        (Some(file), Some(metadata)) => {
            let size = amount::bytes(metadata.len());
            let message = format!("{size}, in {}", display_path(&file));
            Check::new("index", State::Fine, message)
        }
        _ => Check::new(
            "index",
            State::Fine,
            "there is none; searches read the files",
        ),
    }
}

fn price_check() -> Check {
    match PriceBook::load() {
        Ok(prices) => {
            let message = match prices.own_file {
                Some(file) => format!("those of {} count", display_path(&file)),
                None => "those that come with Ravel".to_owned(),
            };
            Check::new("prices", State::Fine, message)
        }
        Err(failure) => Check::new("prices", State::Problem, failure.message()),
    }
}

/// How many things are listed at most.
const MOST_ITEMS: usize = 10;

fn lines(checks: &[Check], width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let indent = " ".repeat(9);
    let below = Margin {
        first: vec![Span::new(&indent, Role::Plain)],
        rest: vec![Span::new(&indent, Role::Plain)],
    };
    for check in checks {
        let word = format!("{:<9}", check.state.word());
        let margin = Margin {
            first: vec![Span::new(&word, Style::of(check.state.role()))],
            rest: below.rest.clone(),
        };
        let text = format!("{}: {}", check.topic, check.message);
        lines.extend(wrap(&[Span::line(&text, Role::Plain)], width, &margin));
        for item in check.items.iter().take(MOST_ITEMS) {
            lines.extend(wrap(&[Span::line(item, Role::Muted)], width, &below));
        }
        if let Some(n_more @ 1..) = check.items.len().checked_sub(MOST_ITEMS) {
            let text = format!("… and {n_more} more");
            lines.extend(wrap(&[Span::line(&text, Role::Muted)], width, &below));
        }
        if let Some(hint) = &check.hint {
            let text = format!("hint: {hint}");
            lines.extend(wrap(&[Span::line(&text, Role::Muted)], width, &below));
        }
    }
    lines
}

fn document(checks: &[Check]) -> serde_json::Value {
    let is_wrong = checks.iter().any(|check| check.state == State::Problem);
    let checks = checks.iter().map(|check| {
        json!({
            "topic": check.topic,
            "state": check.state.word(),
            "message": check.message,
            "hint": check.hint,
            "items": check.items,
        })
    });
    json!({"ok": !is_wrong, "checks": checks.collect::<Vec<_>>()})
}
