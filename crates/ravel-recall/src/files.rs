//! `list_files`: which session touched which file, by which tool.

use std::collections::BTreeMap;
use std::sync::Mutex;

use ravel_format::{Json, Kind, Record, Timestamp, ToolRole, lines, parse_line};
use ravel_home::{Discovery, SessionBytes, read_head};
use ravel_index::{Library, SourceFile};
use ravel_model::Session;
use ravel_model::search::{Case, Passage, Prefilter, Query, Syntax, fold, passages};
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::json;

use crate::answer::{Answer, Refusal};
use crate::clean::prefix;
use crate::open::{find, open};
use crate::page::Page;
use crate::recall::Recall;

/// How many rows an answer has, unless said otherwise.
const N_ROWS: usize = 100;

/// How many rows are collected; a session that touched more is no work of people.
const MAX_ROWS: usize = 100_000;

/// The longest path that is kept, in bytes.
const MAX_PATH: usize = 4096;

/// Whose files, or which file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FilesArgs {
    session: Option<String>,
    path: Option<String>,
    limit: Option<usize>,
    cursor: Option<usize>,
}

/// One use of a file by a tool.
struct Touch {
    /// The id of the call. Copies of a session repeat it.
    call: String,
    path: String,
    tool: String,
    session: String,
    time: Option<Timestamp>,
}

/// All uses of a file by one tool in one session.
#[derive(Default)]
struct Row {
    n_times: usize,
    first: Option<Timestamp>,
    last: Option<Timestamp>,
}

/// Session, path and tool.
type Key = (String, String, String);

/// Lists files touched.
pub(crate) fn files(recall: &Recall, args: &FilesArgs) -> Result<Answer, Refusal> {
    let found = recall.discover();
    let touches = match (&args.session, &args.path) {
        (Some(name), path) => {
            let file = find(recall, &found, name)?;
            let mut touches = of_session(&file.session_id, &open(recall, &file)?);
            touches.retain(|touch| path.as_ref().is_none_or(|path| fits(&touch.path, path)));
            touches
        }
        (None, Some(path)) if !path.trim().is_empty() => of_path(recall, path.trim())?,
        _ => {
            return Err(Refusal::new("list_files needs a session or a path").hint(
                "a session lists the files it touched; a path lists the sessions that touched it",
            ));
        }
    };
    let mut rows: Vec<(Key, Row)> = sums(touches).into_iter().collect();
    rows.sort_by(|(one_key, one), (other_key, other)| {
        other
            .last
            .cmp(&one.last)
            .then_with(|| one_key.cmp(other_key))
    });
    Ok(page(recall, args, &found, &rows))
}

fn page(recall: &Recall, args: &FilesArgs, found: &Discovery, rows: &[(Key, Row)]) -> Answer {
    let heading = format!("{} rows, the last touched first", rows.len());
    let mut page = Page::new(recall.settings.max_bytes, &heading);
    let start = args.cursor.unwrap_or(0);
    let limit = args.limit.unwrap_or(N_ROWS).max(1);
    let mut titles: BTreeMap<&str, String> = BTreeMap::new();
    for ((session, path, tool), row) in rows.iter().skip(start).take(limit) {
        let title = titles
            .entry(session)
            .or_insert_with(|| title(recall, found, session));
        let (first, last) = (
            row.first.map(Timestamp::to_iso),
            row.last.map(Timestamp::to_iso),
        );
        let item = json!({
            "path": recall.line(path), "tool": recall.line(tool), "n_times": row.n_times,
            "first": first, "last": last, "session": recall.line(session), "title": title,
        });
        let text = format!(
            "- {} · {} {}× · last {} · {} {}\n",
            recall.line(path),
            recall.line(tool),
            row.n_times,
            last.as_deref().unwrap_or("unknown"),
            recall.line(session),
            title,
        );
        if !page.add(&text, item) {
            break;
        }
    }
    let next = start.saturating_add(page.n_items());
    let has_more = next < rows.len();
    let note = has_more.then(|| {
        let n_more = rows.len() - next;
        format!("{n_more} more: call list_files again with the same arguments and cursor {next}")
    });
    let facts = json!({"n_rows": rows.len(), "next_cursor": has_more.then_some(next)});
    page.finish("files", facts, note)
}

/// Returns the title of a session of this home.
pub(crate) fn title(recall: &Recall, found: &Discovery, session: &str) -> String {
    let head = found.session(session).map(read_head);
    let title = head.and_then(Result::ok).flatten().map(|head| head.title);
    recall.line(title.as_deref().unwrap_or_default())
}

/// Counts uses; those that stand in several copies of a session count once.
fn sums(mut touches: Vec<Touch>) -> BTreeMap<Key, Row> {
    let order = |touch: &Touch| (touch.call.clone(), touch.time, touch.session.clone());
    touches.sort_by_cached_key(order);
    touches.dedup_by(|one, other| {
        !one.call.is_empty() && one.call == other.call && one.path == other.path
    });
    let mut rows: BTreeMap<Key, Row> = BTreeMap::new();
    for touch in touches {
        if rows.len() >= MAX_ROWS {
            break;
        }
        let row = rows
            .entry((touch.session, touch.path, touch.tool))
            .or_default();
        row.n_times += 1;
        row.first = row.first.into_iter().chain(touch.time).min();
        row.last = row.last.max(touch.time);
    }
    rows
}

/// Returns what a session and its agents touched.
fn of_session(session_id: &str, transcripts: &[ravel_model::Transcript]) -> Vec<Touch> {
    let session = Session::build(transcripts);
    let mut touches = Vec::new();
    for part in session.parts() {
        let outline = part.graph.outline();
        let calling = outline.entries().iter().filter(|entry| {
            let mut calls = outline.tools(entry, ToolRole::Call);
            calls.next().is_some()
        });
        for entry in calling {
            part.read(entry, |record| {
                touches.extend(of_record(record, session_id));
            });
        }
    }
    touches
}

/// Returns who touched a file, over all sessions.
fn of_path(recall: &Recall, path: &str) -> Result<Vec<Touch>, Refusal> {
    let settings = &recall.settings;
    let library = Library::open(&settings.home, settings.archive.as_deref());
    let phrase = format!("\"{}\"", trimmed(path).replace('"', "\\\""));
    let query = Query::parse(&phrase, Syntax::Words, Case::Fold)
        .map_err(|error| Refusal::new(format!("could not read the path: {error}")))?;
    let prefilter = query.prefilter();
    let found = Mutex::new(Vec::new());
    library.files().par_iter().for_each(|file| {
        let touches = scan(file, &prefilter, path);
        if let Ok(mut found) = found.lock() {
            found.extend(touches);
        }
    });
    Ok(found.into_inner().unwrap_or_default())
}

fn scan(file: &SourceFile, prefilter: &Prefilter, path: &str) -> Vec<Touch> {
    let read_piece = |bytes: &[u8], _: u64| -> Vec<Touch> {
        let fitting = lines(bytes).filter(|line| prefilter.may_match(line.bytes));
        let records = fitting.flat_map(|line| parse_line(&line));
        let touches = records.flat_map(|record| of_record(&record, &file.session));
        touches.filter(|touch| fits(&touch.path, path)).collect()
    };
    let mut touches = Vec::new();
    // A file that cannot be read touched nothing that can be told.
    let _ = SessionBytes::open(&file.path)
        .and_then(|bytes| bytes.scan(read_piece, |mut piece| touches.append(&mut piece)));
    touches
}

/// Tells whether a file is the one that is asked for: its path, the end of it, or a folder above.
/// Case does not matter, as in a search.
fn fits(touched: &str, wanted: &str) -> bool {
    let is_border = |letter: Option<char>| letter.is_none_or(|letter| matches!(letter, '/' | '\\'));
    let folded = |path: &str| path.chars().map(fold).collect::<String>();
    let (touched, wanted) = (folded(touched), folded(trimmed(wanted)));
    let at_end = touched.strip_suffix(&wanted).is_some_and(|before| {
        is_border(before.chars().next_back()) || wanted.starts_with(['/', '\\'])
    });
    let at_start = touched
        .strip_prefix(&wanted)
        .is_some_and(|after| is_border(after.chars().next()));
    at_end || at_start
}

fn trimmed(path: &str) -> &str {
    path.trim().trim_end_matches(['/', '\\'])
}

/// Returns which files the calls of a record touch, as a search by path sees them.
fn of_record(record: &Record<'_>, session: &str) -> Vec<Touch> {
    if record.kind() != Kind::Assistant {
        return Vec::new();
    }
    let time = record.get("timestamp").and_then(Timestamp::from_json);
    let named = record.get("sessionId").and_then(Json::str);
    let session = named.as_deref().unwrap_or(session);
    let short = |text: &str| prefix(text, MAX_PATH).to_owned();
    let touch = |passage: Passage<'_>| {
        Some(Touch {
            path: short(&passage.path?),
            call: short(&passage.call.unwrap_or_default()),
            tool: short(&passage.tool.unwrap_or_default()),
            session: short(session),
            time,
        })
    };
    passages(record).into_iter().filter_map(touch).collect()
}
