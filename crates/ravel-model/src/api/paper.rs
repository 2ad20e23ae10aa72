//! Tool calls of seed 001, which have no ids.
//!
//! There a call is an assistant record with `toolName` and `toolArguments`, and the record right
//! after it tells how it went. The API wants an id on both, so one is made up from the place of
//! the call. A call that nothing answers is told in words.

use ravel_format::{Entry, Facet, Flags, Json, JsonKind, Kind, Record, Source, with_record};

use crate::graph::Graph;

use super::block::ApiBlock;
use super::line::{Line, Read};
use super::{DropReason, Role, text};

/// Tells whether a record makes a call that has no id.
pub(crate) fn is_call(source: &dyn Source, entry: &Entry) -> bool {
    // A message with an id is a client's.
    entry.kind == Kind::Assistant
        && entry.message.is_none()
        && with_record(source, entry, |record| {
            let message = record.get("message").map(Json::kind);
            message != Some(JsonKind::Object)
                && record.get("toolName").and_then(Json::text).is_some()
        })
}

/// Finds the record that follows a call and says how it went.
pub(crate) fn answer_of(graph: &Graph<'_>, source: &dyn Source, call: usize) -> Option<usize> {
    let has_answer = |index: &usize| {
        let entry = graph.entry(*index);
        entry.is_some_and(|entry| read_answer(source, entry).is_some())
    };
    // Without ids the order of the file is all there is.
    let has_id = graph.entry(call)?.uuid.is_some();
    let next = Some(call + 1).filter(|_| !has_id);
    graph.children(call).chain(next).find(has_answer)
}

/// Finds the call that a record says the outcome of.
pub(crate) fn call_of(graph: &Graph<'_>, source: &dyn Source, answer: usize) -> Option<usize> {
    let entry = graph.entry(answer).filter(|entry| can_answer(entry))?;
    let before = answer.checked_sub(1).filter(|_| entry.uuid.is_none());
    let call = graph.parent(answer).or(before)?;
    let is_call = is_call(source, graph.entry(call)?);
    (is_call && answer_of(graph, source, call) == Some(answer)).then_some(call)
}

fn can_answer(entry: &Entry) -> bool {
    let has_kind = matches!(entry.kind, Kind::System | Kind::ToolResult);
    has_kind && entry.facet == Facet::Plain && entry.has(Flags::HAS_MESSAGE)
}

/// Returns the text of a record that can answer the call before it, as a JSON string.
pub(super) fn read_answer(source: &dyn Source, entry: &Entry) -> Option<String> {
    if !can_answer(entry) {
        return None;
    }
    with_record(source, entry, |record| {
        let message = record.get("message")?;
        message.text().map(|_| text::clean(message))
    })
}

/// Reads a call, with the answer when there is one.
pub(super) fn read_call(
    index: usize,
    record: &Record<'_>,
    answer: Option<(usize, String)>,
) -> Result<Read, DropReason> {
    let name = record.get("toolName").and_then(Json::str);
    let name = name.ok_or(DropReason::Unreadable)?;
    let arguments = record.get("toolArguments");
    let input = match arguments {
        None => Some("{}".to_owned()),
        Some(json) => (json.kind() == JsonKind::Object).then(|| text::clean(json)),
    };
    let words = record.get("message").filter(|json| json.text().is_some());
    let mut blocks: Vec<ApiBlock> = words.and_then(ApiBlock::from_json).into_iter().collect();
    if let (Some(input), Some((next, content))) = (&input, answer) {
        let id = format!("toolu_entry_{index}");
        blocks.push(ApiBlock::call(&id, &name, input));
        let result = ApiBlock::result(&id, &content);
        return Ok(Read::Exchange(Box::new([
            Line::new(index, Role::Assistant, blocks),
            Line::new(next, Role::User, vec![result]),
        ])));
    }
    let input = arguments.map(text::clean).unwrap_or_default();
    let told = format!("[{name} {input}]");
    blocks.push(ApiBlock::from_string(&text::quote(&told)));
    Ok(Read::Line(Line::new(index, Role::Assistant, blocks)))
}
