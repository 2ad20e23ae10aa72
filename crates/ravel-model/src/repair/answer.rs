//! Last layer: results of calls that are lost become words.
//!
//! The API refuses a tool result whose call is not in the conversation, and older clients send it
//! all the same. What the tool answered is kept as text; everything else of the record stays.

use ravel_format::{Entry, Json, JsonKind, Source, Span, ToolRole};
use rustc_hash::FxHashSet;

use crate::graph::Graph;

use super::layer::{Piece, push_lines};
use super::splice::Splice;
use super::{ActionKind, Changes, action};

/// Turns results without calls into text.
pub(super) fn keep_as_text(graph: &Graph<'_>, source: &dyn Source) -> Changes {
    let outline = graph.outline();
    let nodes = graph.nodes().iter();
    let calls: FxHashSet<_> = nodes
        .filter_map(|&index| graph.entry(index))
        .flat_map(|entry| outline.tools(entry, ToolRole::Call))
        .collect();
    let mut changes = Changes::default();
    let mut done = 0;
    for entry in outline.entries().iter().filter(|entry| entry.is_linked()) {
        let mut results = outline.tools(entry, ToolRole::Result);
        if results.all(|id| calls.contains(&id)) {
            continue;
        }
        let has_call = |id: &str| {
            let id = outline.ids().find(id);
            id.is_some_and(|id| calls.contains(&id))
        };
        let splices = lost_results(&source.read(entry.span), has_call);
        if splices.is_empty() {
            continue;
        }
        changes.actions.push(action(
            ActionKind::KeepAsText,
            entry.span,
            "the call of a tool result is lost; its answer is text now".to_owned(),
        ));
        push_lines(&mut changes.pieces, before(entry, done));
        changes.pieces.push(Piece::Record {
            span: entry.span,
            splices,
        });
        // Lines are whole and end with one byte by now.
        done = entry.span.end() + 1;
    }
    let rest = Span {
        start: done,
        len: outline.n_bytes().saturating_sub(done),
    };
    push_lines(&mut changes.pieces, rest);
    changes
}

fn before(entry: &Entry, done: u64) -> Span {
    Span {
        start: done,
        len: entry.span.start.saturating_sub(done),
    }
}

/// Returns the splices that replace the results without calls of a record.
fn lost_results(record: &[u8], has_call: impl Fn(&str) -> bool) -> Vec<Splice> {
    let json = Json::parse(record).ok();
    let content = json.and_then(|json| json.at(&["message", "content"]));
    let blocks = content.into_iter().flat_map(Json::items);
    let is_lost = |block: &Json<'_>| {
        let says = |key: &str| block.get(key).and_then(Json::str);
        says("type").as_deref() == Some("tool_result")
            && says("tool_use_id").is_some_and(|id| !has_call(&id))
    };
    let splice = |block: Json<'_>| {
        let at = (block.raw().as_ptr() as usize).checked_sub(record.as_ptr() as usize)?;
        Some(Splice {
            at,
            cut: block.raw().len(),
            bytes: told(block.get("content")),
        })
    };
    blocks.filter(is_lost).filter_map(splice).collect()
}

/// Tells an answer in blocks that a message of the user may have.
fn told(content: Option<Json<'_>>) -> Vec<u8> {
    let mut text = b"{\"type\":\"text\",\"text\":\"[result of a tool call that is lost]".to_vec();
    let mut beside = Vec::new();
    let mut add = |words: &[u8]| {
        text.extend_from_slice(b"\\n");
        text.extend_from_slice(words);
    };
    match content.map(|content| (content, content.kind())) {
        Some((content, JsonKind::Text)) => {
            add(content.text().map_or(&[], ravel_format::JsonText::escaped));
        }
        Some((content, JsonKind::Array)) => {
            for item in content.items() {
                let kind = item.get("type").and_then(Json::str).unwrap_or_default();
                let words = item.get("text").and_then(Json::text);
                match (&*kind, words) {
                    ("image" | "document", _) => {
                        beside.push(b',');
                        beside.extend_from_slice(item.raw());
                    }
                    (_, Some(words)) => add(words.escaped()),
                    _ => add(b"(something that is no text)"),
                }
            }
        }
        Some((content, _)) if content.is_truthy() => add(b"(something that is no text)"),
        _ => {}
    }
    text.extend_from_slice(b"\"}");
    text.extend_from_slice(&beside);
    text
}
