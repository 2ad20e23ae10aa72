//! The top of the page: what the session is, and what was asked in it.

use maud::html;
use ravel_format::Timestamp;
use ravel_model::step::{What, steps};
use ravel_model::{Facts, Turn};

use super::PageOptions;
use super::paper::Paper;
use crate::amount::bytes;
use crate::html::{Markup, anchor};
use crate::sanitize::sanitize_line;
use crate::when;

/// Characters of a prompt in the table.
const MAX_PROMPT: usize = 120;

/// Returns what is known of the session, a label and a value each.
pub(super) fn facts(facts: &Facts, options: &PageOptions) -> Vec<(&'static str, String)> {
    let number = |n: usize| if n > 0 { n.to_string() } else { String::new() };
    let moment = |ms: Option<i64>| ms.map(|ms| when::moment(ms, &options.zone));
    let lasted = super::paper::elapsed(facts.started.map(Timestamp), facts.ended.map(Timestamp));
    let all = [
        ("Folder", facts.cwd.clone().unwrap_or_default()),
        ("Branch", facts.git_branch.clone().unwrap_or_default()),
        ("Tag", facts.tag.clone().unwrap_or_default()),
        ("Started", moment(facts.started).unwrap_or_default()),
        ("Lasted", lasted.map(when::duration).unwrap_or_default()),
        ("Model", facts.models.join(", ")),
        ("Client", versions(&facts.versions)),
        ("Messages", number(facts.n_messages)),
        ("Prompts", number(facts.n_turns)),
        ("Tool calls", number(facts.n_tool_calls)),
        ("Sub-agents", number(facts.n_agents)),
        ("Compactions", number(facts.n_compactions)),
        ("Pull requests", facts.pull_requests.join(" ")),
        ("Size", bytes(facts.n_bytes)),
        ("Session", facts.session_id.clone()),
    ];
    all.into_iter()
        .filter(|(_, value)| !value.is_empty())
        .collect()
}

/// Returns the first and the last version of the client.
fn versions(versions: &[String]) -> String {
    match versions {
        [] => String::new(),
        [only] => only.clone(),
        [first, .., last] => format!("{first} – {last}"),
    }
}

/// Returns the table of prompts, folded; the script makes a list beside the page from it.
pub(super) fn prompts(paper: &Paper<'_, '_>, turns: &[Turn]) -> Markup {
    let rows: Vec<(String, String, String)> = turns
        .iter()
        .filter_map(|turn| prompt(paper, turn.prompt?))
        .collect();
    if rows.len() < 2 {
        return html! {};
    }
    html! {
        details #prompts {
            summary { span { (rows.len()) " prompts" } }
            ol {
                @for (id, time, words) in &rows {
                    li { a href=(format!("#{id}")) { (words) } time { (time) } }
                }
            }
        }
    }
}

fn prompt(paper: &Paper<'_, '_>, entry: usize) -> Option<(String, String, String)> {
    let steps = steps(paper.session, 0, &[entry]);
    steps.into_iter().find_map(|step| {
        let What::Prompt(prompt) = step.what else {
            return None;
        };
        let words = match prompt.text.trim() {
            "" => "(a picture)".to_owned(),
            words => shortened(words),
        };
        Some((anchor(&step.uuid)?, paper.moment(step.time), words))
    })
}

/// Returns the start of a prompt, harmless and on one line; markup escapes it.
fn shortened(words: &str) -> String {
    let start: String = words.chars().take(MAX_PROMPT).collect();
    let mut line = sanitize_line(&start).into_owned();
    if start.len() < words.len() {
        line.push('…');
    }
    line
}
