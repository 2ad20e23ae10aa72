//! Hits for people: by session, the one with the best hit first.

use std::io::Write as _;

use ravel_index::{Hit, SearchResults};
use ravel_model::search;
use ravel_render::style::{Line, Role, Style};
use ravel_render::words::short_id;
use ravel_render::wrap::truncate;
use ravel_render::{amount, when};

use super::session::{SessionFacts, Sessions, open_command};
use crate::context::{Context, display_path};
use crate::failure::Failure;

/// How far what a session says is moved in.
const INDENT: usize = 2;
/// The widest role, and what is around it.
const ROLE_WIDTH: usize = 12;

/// Returns how long a snippet may be: two lines of the screen.
pub(super) fn snippet_width(context: &Context) -> usize {
    if context.json() {
        return 240;
    }
    context
        .width()
        .saturating_sub(INDENT + ROLE_WIDTH)
        .clamp(20, 200)
}

/// Prints hits.
pub(super) fn print(context: &Context, results: &SearchResults) -> Result<(), Failure> {
    let mut screen = context.screen();
    if results.hits.is_empty() {
        writeln!(screen, "nothing found")?;
        return Ok(screen.finish()?);
    }
    let mut sessions = Sessions::default();
    let painter = context.painter();
    for group in by_session(&results.hits) {
        let mut lines = Vec::new();
        if let Some(first) = group.first() {
            lines.push(header(first, &sessions.of(first), context));
        }
        for hit in group {
            lines.push(truncate(&snippet(hit), context.width()));
            lines.push(Line::of(
                &format!(
                    "{:indent$}{}",
                    "",
                    open_command(hit),
                    indent = INDENT + ROLE_WIDTH
                ),
                Role::Muted,
            ));
        }
        lines.push(Line::default());
        painter.write(&lines, &mut screen)?;
    }
    painter.write(&[summary(results)], &mut screen)?;
    Ok(screen.finish()?)
}

/// Puts hits of one file together, in the order of the best of each.
fn by_session(hits: &[Hit]) -> Vec<Vec<&Hit>> {
    let mut groups: Vec<Vec<&Hit>> = Vec::new();
    for hit in hits {
        let of_same = |group: &&mut Vec<&Hit>| {
            group
                .first()
                .is_some_and(|first| first.file.session == hit.file.session)
        };
        match groups.iter_mut().find(of_same) {
            Some(group) => group.push(hit),
            None => groups.push(vec![hit]),
        }
    }
    groups
}

fn header(hit: &Hit, session: &SessionFacts, context: &Context) -> Line {
    let title = session.title.as_deref().unwrap_or("untitled");
    let mut line = Line::of(short_id(&hit.file.session), Role::Accent)
        .with("  ", Role::Plain)
        .with(title, Style::of(Role::Plain).bold());
    let project = session.project.as_deref().unwrap_or(&hit.file.slug);
    let mut about = vec![display_path(std::path::Path::new(project))];
    about.extend(hit.branch.clone());
    if let Some(time) = hit.time {
        about.push(when::age(time.0, context.now_ms()));
    }
    if hit.file.is_archived {
        about.push("archived".to_owned());
    }
    line = line.with(&format!("  {}", about.join(" · ")), Role::Muted);
    truncate(&line, context.width())
}

fn snippet(hit: &Hit) -> Line {
    let role = match (hit.role, &hit.tool) {
        (search::Role::ToolInput | search::Role::ToolResult, Some(tool)) => tool.clone(),
        (role, _) => role.word().to_owned(),
    };
    let mark = match hit.role {
        search::Role::Prompt => Role::Prompt,
        search::Role::Reply => Role::Reply,
        _ => Role::Muted,
    };
    let role = ravel_render::words::first_words(&role, ROLE_WIDTH - 2);
    let mut line = Line::of(&" ".repeat(INDENT), Role::Plain).with(&role, mark);
    let gap = ROLE_WIDTH
        .saturating_sub(ravel_render::wrap::columns(&role))
        .max(1);
    line = line.with(&" ".repeat(gap), Role::Plain);
    let text = &hit.snippet.text;
    let mut at = 0;
    for range in &hit.snippet.highlights {
        let before = text.get(at..range.start).unwrap_or_default();
        let found = text.get(range.clone()).unwrap_or_default();
        line = line
            .with(before, Role::Plain)
            .with(found, Style::of(Role::Accent).bold());
        at = range.end;
    }
    line = line.with(text.get(at..).unwrap_or_default(), Role::Plain);
    match hit.copies.len() {
        0 => line,
        n => line.with(&format!("  (+{})", amount::counted(n, "copy")), Role::Muted),
    }
}

fn summary(results: &SearchResults) -> Line {
    let n_found = results.n_found;
    let n_shown = results.hits.len();
    let text = match (results.is_complete, n_found > n_shown) {
        (true, false) => amount::counted(n_found, "message"),
        (true, true) => format!(
            "{n_shown} of {}; -n 0 shows all",
            amount::counted(n_found, "message")
        ),
        (false, _) => format!("the best {n_shown} of the newest matches; -n 0 shows all"),
    };
    Line::of(&text, Role::Muted)
}
