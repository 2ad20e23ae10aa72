//! Hits for people: by session, the one with the best hit first.

use std::collections::HashMap;
use std::io::Write as _;

use ravel_index::{Hit, Library, SearchResults};
use ravel_model::search;
use ravel_render::style::{Line, Role, Style};
use ravel_render::words::short_id;
use ravel_render::wrap::truncate;
use ravel_render::{amount, when};

use super::session::{SessionFacts, Sessions};
use crate::context::{Context, display_path};
use crate::failure::Failure;

/// How far what a session says is moved in.
const INDENT: usize = 2;
/// The short id of a record, and what is after it.
const ID_WIDTH: usize = 10;
/// The widest role, and what is after it.
const ROLE_WIDTH: usize = 13;

/// Returns how long a snippet may be: what is left of a line.
pub(super) fn snippet_width(context: &Context) -> usize {
    if context.json() {
        return 240;
    }
    context
        .width()
        .saturating_sub(INDENT + ID_WIDTH + ROLE_WIDTH)
        .clamp(20, 200)
}

/// Prints hits.
pub(super) fn print(
    context: &Context,
    library: &Library,
    results: &SearchResults,
) -> Result<(), Failure> {
    let mut screen = context.screen();
    let Some(best) = results.hits.first() else {
        writeln!(screen, "nothing found")?;
        return Ok(screen.finish()?);
    };
    let mut sessions = Sessions::new(context, library);
    let painter = context.painter();
    for group in by_file(&results.hits) {
        let mut lines = Vec::new();
        if let Some(first) = group.first() {
            lines.push(header(first, &sessions.of(first), context));
        }
        let hits = group.into_iter();
        lines.extend(hits.map(|hit| truncate(&snippet(hit), context.width())));
        lines.push(Line::default());
        painter.write(&lines, &mut screen)?;
    }
    let open = format!("open one with `{}`", sessions.open_command(best));
    let end = [summary(results), Line::of(&open, Role::Muted)];
    painter.write(&end, &mut screen)?;
    Ok(screen.finish()?)
}

/// Puts hits of one file together, in the order of the best of each.
fn by_file(hits: &[Hit]) -> Vec<Vec<&Hit>> {
    let mut groups: Vec<Vec<&Hit>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for hit in hits {
        let place = *places.entry(&hit.file.name).or_insert(groups.len());
        match groups.get_mut(place) {
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
    if let Some(agent) = &hit.file.agent {
        about.push(format!("sub-agent {agent}"));
    }
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
    let id = hit.uuid.as_deref().map_or("", short_id);
    let role = ravel_render::words::first_words(&role, ROLE_WIDTH - 2);
    let mut line = padded(
        Line::of(&" ".repeat(INDENT), Role::Plain),
        id,
        ID_WIDTH,
        Role::Muted,
    );
    line = padded(line, &role, ROLE_WIDTH, mark);
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

/// Adds a text in a column of its own.
fn padded(line: Line, text: &str, width: usize, role: Role) -> Line {
    let gap = width.saturating_sub(ravel_render::wrap::columns(text));
    line.with(text, role)
        .with(&" ".repeat(gap.max(1)), Role::Plain)
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
