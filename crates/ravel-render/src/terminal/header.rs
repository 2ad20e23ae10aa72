//! What is known of a session, in a few lines.

use ravel_model::Facts;

use super::TerminalOptions;
use crate::amount::counted;
use crate::style::{Line, Role, Style};
use crate::when;
use crate::words::first_words;
use crate::wrap::truncate;

/// Title first, then where and with what, then when and how much.
pub(super) fn header(facts: &Facts, options: &TerminalOptions) -> Vec<Line> {
    let title = first_words(&facts.title, 200);
    let title = if title.is_empty() {
        "(no title)".to_owned()
    } else {
        title
    };
    let mut first = Line::of(&title, Style::of(Role::Heading));
    if let Some(tag) = &facts.tag {
        first = first.with(&format!("  #{tag}"), Role::Accent);
    }
    let lines = [
        first,
        Line::of(&place(facts).join(" · "), Role::Muted),
        Line::of(&extent(facts, options).join(" · "), Role::Muted),
    ];
    let shown = lines.iter().filter(|line| !line.is_blank());
    let mut lines: Vec<Line> = shown.map(|line| truncate(line, options.width)).collect();
    for url in &facts.pull_requests {
        let line = Line::new().with(url, Role::Link);
        lines.push(truncate(&line, options.width));
    }
    lines
}

fn place(facts: &Facts) -> Vec<String> {
    let version = facts.versions.last().map(|version| format!("v{version}"));
    let parts = [
        facts.cwd.clone(),
        facts.git_branch.clone(),
        Some(facts.models.join(", ")),
        version,
    ];
    let parts = parts.into_iter().flatten();
    parts.filter(|part| !part.is_empty()).collect()
}

fn extent(facts: &Facts, options: &TerminalOptions) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(started) = facts.started {
        let moment = when::moment(started, &options.timezone);
        let lasted = facts.ended.map(|ended| ended.abs_diff(started));
        let lasted = lasted.filter(|&ms| ms > 0).map(when::duration);
        parts.push(moment);
        parts.extend(lasted);
    }
    let counts = [
        (facts.n_turns, "turn"),
        (facts.n_messages, "message"),
        (facts.n_tool_calls, "call"),
        (facts.n_agents, "agent"),
        (facts.n_compactions, "compaction"),
    ];
    let counts = counts.into_iter().filter(|(n, _)| *n > 0);
    let counts: Vec<String> = counts.map(|(n, noun)| counted(n, noun)).collect();
    parts.push(counts.join(", "));
    parts.retain(|part| !part.is_empty());
    parts
}
