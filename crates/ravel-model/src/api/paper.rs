//! Tool calls of seed 001, which have no ids.
//!
//! There a call is an assistant record with `toolName` and `toolArguments`, and the record right
//! after it tells how it went. The API wants an id on both, so one is made up from the place of
//! the call. A call that nothing answers is told in words.

use ravel_format::{Entry, Facet, Flags, Json, JsonKind, Kind, Record, Source, with_record};

use super::block::ApiBlock;
use super::line::{Line, Read};
use super::{DropReason, Role, text};

/// Returns the text of a record that can answer the call before it, as a JSON string.
pub(super) fn read_answer(source: &dyn Source, entry: &Entry) -> Option<String> {
    let can_answer = matches!(entry.kind, Kind::System | Kind::ToolResult);
    let is_plain = entry.facet == Facet::Plain && entry.has(Flags::HAS_MESSAGE);
    if !can_answer || !is_plain {
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
