//! `search_sessions`: messages by their words.

use ravel_home::Discovery;
use ravel_index::{
    Hit, Index, Library, SearchRequest, SearchResults, scan_search, search as look_up,
};
use ravel_model::search::{Case, Filter, Query, Role, Syntax};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{Answer, Refusal};
use crate::clock::{Edge, parse_time};
use crate::files::title;
use crate::page::Page;
use crate::recall::Recall;

/// How many hits an answer has, unless said otherwise.
const N_HITS: usize = 20;

/// The most hits that can be asked for.
const MAX_HITS: usize = 200;

/// How much text around a hit is masked before the snippet is cut out of it, in characters: what
/// makes a secret known may stand before the snippet.
const WIDE: usize = 4_000;

/// How much is shown to each side of a hit, in characters.
const SIDE: usize = 160;

/// What to look for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchArgs {
    query: String,
    project: Option<String>,
    role: Option<String>,
    tool: Option<String>,
    path: Option<String>,
    since: Option<String>,
    until: Option<String>,
    limit: Option<usize>,
}

/// Finds messages.
pub(crate) fn search(recall: &Recall, args: &SearchArgs) -> Result<Answer, Refusal> {
    if args.query.trim().is_empty() {
        return Err(Refusal::new("the query is empty").hint(
            "give words that stand in the message; list_sessions lists sessions without words",
        ));
    }
    let query = Query::parse(&args.query, Syntax::Words, Case::Fold)
        .map_err(|error| Refusal::new(format!("could not read the query: {error}")))?;
    let filter = filter(recall, args)?;
    let project = args.project.as_ref().map(|project| project.to_lowercase());
    let admits_project = |folder: &str| {
        let folder = folder.to_lowercase();
        project
            .as_ref()
            .is_none_or(|project| folder.contains(project))
    };
    let request = SearchRequest {
        query: &query,
        filter: &filter,
        admits_project: &admits_project,
        limit: Some(args.limit.unwrap_or(N_HITS).clamp(1, MAX_HITS)),
        snippet_width: WIDE,
    };
    let results = run(recall, &request);
    Ok(page(recall, &query, &results))
}

/// Asks the index where there is one, and reads the files where it cannot help.
fn run(recall: &Recall, request: &SearchRequest<'_>) -> SearchResults {
    let settings = &recall.settings;
    let library = Library::open(&settings.home, settings.archive.as_deref());
    let index = settings.index.as_deref().map(Index::open);
    let index = index.and_then(Result::ok).flatten();
    let found = index.and_then(|index| look_up(&library, &index, request, &()).ok());
    found.unwrap_or_else(|| scan_search(&library, request, &()))
}

fn filter(recall: &Recall, args: &SearchArgs) -> Result<Filter, Refusal> {
    let clock = &*recall.settings.clock;
    let time = |text: &Option<String>, edge| {
        let text = text.as_deref();
        text.map(|text| parse_time(text, edge, clock)).transpose()
    };
    let role = args.role.as_deref().map(|word| {
        Role::from_word(word).ok_or_else(|| {
            let words = Role::ALL.map(Role::word).join(", ");
            Refusal::new(format!("there is no role {:?}", recall.line(word)))
                .hint(format!("the roles are {words}"))
        })
    });
    Ok(Filter {
        roles: role.transpose()?.into_iter().collect(),
        tool: args.tool.clone(),
        path: args.path.clone(),
        since: time(&args.since, Edge::Start)?,
        until: time(&args.until, Edge::End)?,
        ..Filter::default()
    })
}

fn page(recall: &Recall, query: &Query, results: &SearchResults) -> Answer {
    let found = recall.discover();
    let about = if results.is_complete { "" } else { "at least " };
    let heading = format!("{about}{} messages match, the best first", results.n_found);
    let mut page = Page::new(recall.settings.max_bytes, &heading);
    for hit in &results.hits {
        let item = item(recall, query, hit, &found);
        if !page.add(&text(&item), item) {
            break;
        }
    }
    let n_more = results.n_found.saturating_sub(page.n_items());
    let mut notes = Vec::new();
    if n_more > 0 {
        notes.push(format!(
            "{n_more} more: add words, filters or times, or raise limit (up to {MAX_HITS})"
        ));
    }
    if results.skipped.n_lines > 0 {
        notes.push(format!(
            "{} damaged lines were left out",
            results.skipped.n_lines
        ));
    }
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    let facts = json!({"n_found": results.n_found, "is_complete": results.is_complete});
    page.finish("hits", facts, note)
}

fn item(recall: &Recall, query: &Query, hit: &Hit, found: &Discovery) -> Value {
    let line = |text: &Option<String>| text.as_deref().map(|text| recall.line(text));
    // What read_messages finds is the session of the file; an old client resumes into new files.
    let session = match found.session(&hit.file.session) {
        Some(_) => &*hit.file.session,
        None => hit.session.as_str(),
    };
    json!({
        "session": recall.line(session),
        "title": title(recall, found, session),
        "project": recall.line(hit.folder.as_deref().unwrap_or(&hit.file.slug)),
        "agent": hit.file.agent.as_deref().map(|agent| recall.line(agent)),
        "uuid": line(&hit.uuid),
        "time": hit.time.map(ravel_format::Timestamp::to_iso),
        "role": hit.role.word(),
        "tool": line(&hit.tool),
        "path": line(&hit.path),
        "snippet": snippet(recall, query, &hit.snippet.text),
        "n_copies": hit.copies.len(),
        "is_archived": hit.file.is_archived,
    })
}

/// Masks the text around a hit and cuts the snippet out of it.
fn snippet(recall: &Recall, query: &Query, wide: &str) -> String {
    let clean = recall.text(wide);
    let place = query.spans(&clean, 1).into_iter().next().unwrap_or(0..0);
    let (before, after) = clean.split_at_checked(place.start).unwrap_or(("", &clean));
    let start = before
        .char_indices()
        .rev()
        .nth(SIDE)
        .map_or(0, |(at, _)| at);
    let n_shown = SIDE + place.len();
    let end = after
        .char_indices()
        .nth(n_shown)
        .map(|(at, _)| before.len() + at);
    let cut = clean
        .get(start..end.unwrap_or(clean.len()))
        .unwrap_or_default();
    let line = cut.split_whitespace().collect::<Vec<_>>().join(" ");
    let lead = if start > 0 { "…" } else { "" };
    let tail = if end.is_some() { "…" } else { "" };
    format!("{lead}{line}{tail}")
}

fn text(item: &Value) -> String {
    let field = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default();
    let tool = match field("tool") {
        "" => String::new(),
        tool => format!(" {tool}"),
    };
    let agent = match field("agent") {
        "" => String::new(),
        agent => format!(" · sub-agent {agent}"),
    };
    format!(
        "- session {} {} · {}\n  {}{tool} · {} · uuid {}{agent}\n  {}\n",
        field("session"),
        field("title"),
        field("project"),
        field("role"),
        field("time"),
        field("uuid"),
        field("snippet"),
    )
}
