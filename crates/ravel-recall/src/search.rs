//! `search_sessions`: messages by their words.

use ravel_format::{Source, parse_record};
use ravel_home::{Discovery, SessionBytes};
use ravel_index::{Hit, Library, SearchRequest, SearchResults, scan_search, search as look_up};
use ravel_model::search::{CallFacts, Case, Filter, Passage, Query, Role, Syntax, passages};
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

/// How long a snippet is, in characters.
const WIDTH: usize = 320;

/// How many places of the query are looked at to find the best one.
const MAX_PLACES: usize = 64;

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
        // Snippets are made here, of masked text.
        snippet_width: 1,
    };
    let results = run(recall, &request);
    Ok(page(recall, &request, &results))
}

/// Asks the index where there is one, and reads the files where it cannot help.
fn run(recall: &Recall, request: &SearchRequest<'_>) -> SearchResults {
    let settings = &recall.settings;
    let library = Library::open(&settings.home, settings.archive.as_deref());
    let found = recall
        .index()
        .and_then(|index| look_up(&library, &index, request, &()).ok());
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

fn page(recall: &Recall, request: &SearchRequest<'_>, results: &SearchResults) -> Answer {
    let found = recall.discover();
    let about = if results.is_complete { "" } else { "at least " };
    let heading = format!("{about}{} messages match, the best first", results.n_found);
    let mut page = Page::new(recall.settings.max_bytes, &heading);
    for hit in &results.hits {
        let item = item(recall, request, hit, &found);
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

fn item(recall: &Recall, request: &SearchRequest<'_>, hit: &Hit, found: &Discovery) -> Value {
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
        "snippet": snippet(recall, request, hit).unwrap_or_default(),
        "n_copies": hit.copies.len(),
        "is_archived": hit.file.is_archived,
    })
}

/// Reads the text of a hit again, masks all of it, and only then cuts the snippet out.
///
/// What makes a secret known may stand far from the hit. `None` when the file changed meanwhile.
fn snippet(recall: &Recall, request: &SearchRequest<'_>, hit: &Hit) -> Option<String> {
    let file = SessionBytes::open(&hit.file.path).ok()?;
    let bytes = file.read(hit.span);
    let record = parse_record(&bytes, hit.span, 1);
    let passages = passages(&record);
    let call = CallFacts {
        tool: hit.tool.clone().unwrap_or_default(),
        path: hit.path.clone(),
        model: hit.model.clone(),
    };
    let query = request.query;
    let is_admitted = |passage: &Passage<'_>| request.filter.admits_passage(passage, Some(&call));
    let mut found = query
        .matches(&passages, is_admitted)
        .or_else(|| query.matches(&passages, |_| true))?;
    let text = &passages.get(found.passage)?.text;
    let place = found.spans.first().map_or(0, |span| span.start);
    let (clean, place) = recall.text_around(text, place);
    // Where the query itself was masked, its place is shown all the same.
    found.spans = query.spans(&clean, MAX_PLACES);
    if found.spans.is_empty() {
        found.spans.push(place..place);
    }
    Some(found.snippet(&clean, WIDTH).text)
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
