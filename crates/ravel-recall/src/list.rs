//! `list_sessions`: the sessions there are.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{SystemTime, UNIX_EPOCH};

use ravel_format::Timestamp;
use ravel_home::{SessionHead, list_heads};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{Answer, Refusal};
use crate::clock::{Edge, parse_time};
use crate::page::Page;
use crate::recall::Recall;

/// How many sessions a page has, unless said otherwise.
const N_SESSIONS: usize = 20;

/// Which sessions are asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListArgs {
    project: Option<String>,
    branch: Option<String>,
    text: Option<String>,
    since: Option<String>,
    limit: Option<usize>,
    cursor: Option<String>,
}

/// Lists sessions, the last used first.
pub(crate) fn list(recall: &Recall, args: &ListArgs) -> Result<Answer, Refusal> {
    let clock = &*recall.settings.clock;
    let since = args.since.as_deref();
    let since = since
        .map(|since| parse_time(since, Edge::Start, clock))
        .transpose()?;
    let cursor = args.cursor.as_deref().map(parse_cursor).transpose()?;
    let found = recall.discover();
    let heads = list_heads(&found.sessions).items;
    let mut fitting: Vec<&SessionHead> = heads
        .iter()
        .filter(|head| admits(args, head) && since.is_none_or(|since| written(head) >= since))
        .collect();
    fitting.sort_by_key(|head| std::cmp::Reverse(place(head)));
    let n_fitting = fitting.len();
    let rest: Vec<&SessionHead> = fitting
        .into_iter()
        .filter(|head| cursor.as_ref().is_none_or(|cursor| place(head) < *cursor))
        .collect();
    let archived = |head: &SessionHead| {
        let mut files = found.sessions.iter();
        files.any(|file| file.is_archived && file.path == head.path)
    };
    let heading = format!("{n_fitting} sessions, the last used first");
    let mut page = Page::new(recall.settings.max_bytes, &heading);
    let limit = args.limit.unwrap_or(N_SESSIONS).max(1);
    for head in rest.iter().take(limit) {
        let item = item(recall, head, archived(head));
        if !page.add(&text(&item), item) {
            break;
        }
    }
    let n_shown = page.n_items();
    let next = match rest.len() > n_shown {
        true => n_shown.checked_sub(1).and_then(|last| rest.get(last)),
        false => None,
    };
    let next = next.map(|last| {
        let (millis, id) = place(last);
        format!("{millis}.{id}")
    });
    let note = next.as_ref().map(|cursor| {
        let n_more = rest.len() - n_shown;
        format!(
            "{n_more} more: call list_sessions again with the same arguments and cursor {cursor:?}"
        )
    });
    let facts = json!({"n_fitting": n_fitting, "next_cursor": next});
    Ok(page.finish("sessions", facts, note))
}

/// Where a session stands in the list; the place of one session does not move by another's.
///
/// It is handed on as a cursor, so the id is a number there: names of files are not to be trusted.
fn place(head: &SessionHead) -> (i64, u64) {
    let mut hasher = DefaultHasher::new();
    head.session_id.hash(&mut hasher);
    (written(head).0, hasher.finish())
}

fn parse_cursor(cursor: &str) -> Result<(i64, u64), Refusal> {
    let parts = cursor.split_once('.');
    let place = parts.and_then(|(millis, id)| Some((millis.parse().ok()?, id.parse().ok()?)));
    place.ok_or_else(|| {
        Refusal::new("the cursor is none of list_sessions")
            .hint("leave it out to start from the last used session")
    })
}

fn admits(args: &ListArgs, head: &SessionHead) -> bool {
    let contains = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
    let in_project = |project: &String| {
        let folder = head.cwd.as_deref().unwrap_or(&head.project.slug);
        contains(folder, project) || contains(&head.project.slug, project)
    };
    let has_text = |text: &String| {
        let prompt = head.first_prompt.as_deref().unwrap_or_default();
        contains(&head.title, text) || contains(prompt, text)
    };
    args.project.as_ref().is_none_or(in_project)
        && args.text.as_ref().is_none_or(has_text)
        && args
            .branch
            .as_ref()
            .is_none_or(|branch| head.git_branch.as_ref() == Some(branch))
}

/// Returns when a session was last written.
pub(crate) fn written(head: &SessionHead) -> Timestamp {
    modified(head.modified)
}

/// Returns the time of a file.
pub(crate) fn modified(time: SystemTime) -> Timestamp {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

fn item(recall: &Recall, head: &SessionHead, is_archived: bool) -> Value {
    let line = |text: &Option<String>| text.as_deref().map(|text| recall.line(text));
    json!({
        "session": recall.line(&head.session_id),
        "title": recall.line(&head.title),
        "project": recall.line(head.cwd.as_deref().unwrap_or(&head.project.slug)),
        "branch": line(&head.git_branch),
        "model": line(&head.model),
        "tag": line(&head.tag),
        "created": head.created.map(|time| time.to_string()),
        "last_used": written(head).to_iso(),
        "n_messages": head.n_messages,
        "is_count_exact": head.is_exact,
        "is_archived": is_archived,
        "first_prompt": line(&head.first_prompt),
    })
}

fn text(item: &Value) -> String {
    let field = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default();
    let n_messages = item.get("n_messages").and_then(Value::as_u64).unwrap_or(0);
    let branch = match field("branch") {
        "" => String::new(),
        branch => format!(" · {branch}"),
    };
    let archived = match item.get("is_archived") {
        Some(Value::Bool(true)) => " · archived",
        _ => "",
    };
    format!(
        "- {} {}\n  {}{branch} · last used {} · {n_messages} messages{archived}\n",
        field("session"),
        field("title"),
        field("project"),
        field("last_used"),
    )
}
