//! The figures for people.

use std::fmt::Display;
use std::path::Path;

use ravel_model::activity::{Starts, Streak};
use ravel_render::amount::{count, counted};
use ravel_render::chart::{Bar, bars, calendar, hours};
use ravel_render::style::{Line, Role, Style};
use ravel_render::when;
use ravel_render::words::short_id;
use ravel_render::wrap::{columns, truncate};

use super::Answer;
use super::compare::{Comparison, Figure};
use crate::context::{Context, display_path};
use crate::table::{Cell, Column, layout};

/// Rows of a chart that is sorted by amount.
const MOST_BARS: usize = 10;
/// Differences that are listed; `--json` has them all.
const MOST_DIFFERENCES: usize = 20;

/// Lays out everything.
pub(super) fn lines(context: &Context, answer: &Answer) -> Vec<Line> {
    let width = context.width();
    let stats = &answer.stats;
    if stats.amount.messages == 0 && stats.amount.agent_messages == 0 {
        let mut lines = vec![Line::of("no messages", Role::Plain)];
        lines.extend(compared(answer, width));
        return lines;
    }
    let mut lines = totals(answer, width);
    let days = stats
        .days
        .iter()
        .map(|(day, found)| (*day, found.amount.messages))
        .collect();
    let last = answer
        .until
        .map_or(answer.today, |until| until.min(answer.today));
    section(&mut lines, "Messages by day", calendar(&days, last, width));
    section(&mut lines, "Messages by hour", hours(&stats.hours, width));
    let models = stats
        .models
        .iter()
        .map(|(model, used)| (model.to_string(), used.tokens.total()));
    section(&mut lines, "Tokens by model", chart(models, width));
    let tools = stats.tools.iter().map(|(tool, n)| (tool.to_string(), *n));
    section(&mut lines, "Calls by tool", chart(tools, width));
    let projects = stats.projects.iter();
    let projects = projects
        .map(|(project, found)| (display_path(Path::new(&**project)), found.amount.messages));
    section(&mut lines, "Messages by project", chart(projects, width));
    lines.extend(compared(answer, width));
    lines
}

fn section(lines: &mut Vec<Line>, title: &str, content: Vec<Line>) {
    if !content.is_empty() {
        lines.push(Line::new());
        lines.push(Line::of(title, Role::Heading));
        lines.extend(content);
    }
}

/// A figure with its name and a word about it.
#[derive(Clone)]
struct Total {
    name: &'static str,
    value: String,
    note: String,
}

impl Total {
    fn new(name: &'static str, value: impl Display, note: impl Into<String>) -> Self {
        Self {
            name,
            value: value.to_string(),
            note: note.into(),
        }
    }

    fn of_streak(name: &'static str, streak: Option<Streak>) -> Self {
        let Some(streak) = streak else {
            return Self::new(name, "none", "");
        };
        let range = format!("{} to {}", streak.first, streak.last);
        Self::new(name, counted(streak.n_days(), "day"), range)
    }
}

fn totals(answer: &Answer, width: usize) -> Vec<Line> {
    let totals = [counts(answer), history(answer)].concat();
    let widest = totals
        .iter()
        .map(|total| columns(&total.value))
        .max()
        .unwrap_or(0);
    let draw = |total: &Total| {
        let Total { name, value, note } = total;
        let mut line = Line::of(&format!("{name:15}  "), Role::Muted).with(value, Role::Plain);
        if !note.is_empty() {
            let gap = widest.saturating_sub(columns(value)) + 2;
            line = line.with(&format!("{:gap$}{note}", ""), Role::Muted);
        }
        truncate(&line, width)
    };
    totals.iter().map(draw).collect()
}

fn counts(answer: &Answer) -> Vec<Total> {
    let stats = &answer.stats;
    let amount = &stats.amount;
    let of_agents = |n: u64| match n {
        0 => String::new(),
        n => format!("and {n} of sub-agents"),
    };
    let tokens = stats.models.values().map(|used| used.tokens.total());
    let tokens = tokens.fold(0, u64::saturating_add);
    vec![
        Total::new("Sessions", stats.sessions.len(), ""),
        Total::new(
            "Messages",
            amount.messages,
            of_agents(amount.agent_messages),
        ),
        Total::new(
            "Tool calls",
            amount.tool_calls,
            of_agents(amount.agent_tool_calls),
        ),
        Total::new("Tokens", count(tokens), ""),
        Total::new("Active days", stats.active_days().len(), ""),
    ]
}

fn history(answer: &Answer) -> Vec<Total> {
    let stats = &answer.stats;
    let mut totals = vec![
        Total::of_streak("Current streak", stats.streaks.current),
        Total::of_streak("Longest streak", stats.streaks.longest),
    ];
    let starts = Starts::of(&stats.sessions, |time| answer.zone.hour(time));
    if let Some(longest) = &starts.longest {
        let parts = [
            when::moment(longest.first.0, &answer.zone.rules),
            counted(longest.n_messages, "message"),
            longest.session.to_string(),
        ];
        let duration = when::duration(longest.duration_ms);
        totals.push(Total::new("Longest session", duration, parts.join(" · ")));
    }
    if let Some(first) = starts.first {
        let zone = format!("days are those of {}", answer.zone.name);
        totals.push(Total::new("First session", answer.zone.day(first), zone));
    }
    totals
}

/// Draws the greatest amounts, and says how many others there are.
fn chart(amounts: impl Iterator<Item = (String, u64)>, width: usize) -> Vec<Line> {
    let mut amounts: Vec<(String, u64)> = amounts.filter(|(_, n)| *n > 0).collect();
    amounts.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    let n_more = amounts.len().saturating_sub(MOST_BARS);
    amounts.truncate(MOST_BARS);
    let named = |label: String| {
        if label.is_empty() {
            "(no name)".into()
        } else {
            label
        }
    };
    let list: Vec<Bar> = amounts
        .into_iter()
        .map(|(label, value)| Bar {
            label: named(label),
            value,
            text: count(value),
            style: Style::of(Role::Accent),
        })
        .collect();
    let mut lines = bars(&list, width);
    if n_more > 0 {
        lines.push(Line::of(&format!("and {n_more} more"), Role::Muted));
    }
    lines
}

fn compared(answer: &Answer, width: usize) -> Vec<Line> {
    let Some(comparison) = &answer.comparison else {
        return Vec::new();
    };
    let mut lines = vec![Line::new(), Line::of("stats-cache.json", Role::Heading)];
    lines.push(Line::of(&verdict(comparison), Role::Plain));
    let differences = comparison.differences.iter().take(MOST_DIFFERENCES);
    let text = |figure: &Option<Figure>| match figure {
        None => "none".to_owned(),
        Some(Figure::Name(name)) => short_id(name).to_owned(),
        Some(figure) => figure.text(),
    };
    let mut rows = vec![header()];
    rows.extend(differences.map(|difference| {
        vec![
            Cell::new(&*difference.figure, Style::PLAIN),
            Cell::new(text(&difference.cache), Style::PLAIN),
            Cell::new(text(&difference.ravel), Style::PLAIN),
        ]
    }));
    if rows.len() > 1 {
        let kinds = [Column::Flexible, Column::Right, Column::Right];
        let table = layout(&kinds, &rows, width);
        lines.extend(table.iter().map(|line| truncate(line, width)));
    }
    let n_more = comparison
        .differences
        .len()
        .saturating_sub(MOST_DIFFERENCES);
    if n_more > 0 {
        lines.push(Line::of(
            &format!("and {n_more} more; --json has them all"),
            Role::Muted,
        ));
    }
    lines
}

fn header() -> Vec<Cell> {
    ["figure", "cache", "Ravel"]
        .map(|name| Cell::new(name, Style::of(Role::Muted)))
        .into()
}

fn verdict(comparison: &Comparison) -> String {
    let up_to = comparison
        .last
        .map(|day| format!(" up to {day}"))
        .unwrap_or_default();
    match (comparison.n_compared, comparison.differences.len()) {
        (0, _) => "has nothing that could be compared".into(),
        (n, 0) => format!("agrees in {}{up_to}", counted(n, "figure")),
        (n, n_different) => format!(
            "differs in {n_different} of {}{up_to}",
            counted(n, "figure")
        ),
    }
}
