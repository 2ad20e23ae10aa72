//! Tool calls with their results and agents.

use ravel_format::{
    ContentBlock, Entry, Id, Json, Record, ToolResultBlock, ToolRole, ToolUseBlock,
};

use crate::api::paper;

use super::build::Builder;
use super::message::{content_pictures, content_text, decoded, text_of};
use super::{Call, CallResult, RawJson, What};

/// Makes a call with everything that belongs to it.
pub(super) fn call(builder: &Builder<'_, '_>, index: usize, block: ToolUseBlock<'_>) -> Call {
    let id = decoded(block.id);
    let known = builder.part.graph.outline().ids().find(&id);
    Call {
        name: decoded(block.name),
        input: block.input.map(RawJson::new),
        result: match block.id {
            Some(_) => known.and_then(|known| result_of(builder, index, known, &id)),
            None => paper_result(builder, index),
        },
        agents: agents_of(builder, index, known),
        id,
    }
}

fn agents_of(builder: &Builder<'_, '_>, index: usize, id: Option<Id>) -> Vec<usize> {
    let agents = builder.session.agents_of(builder.number, index);
    let ran_for = |call: Option<Id>| call.is_none() || id.is_none() || call == id;
    agents
        .filter(|(_, agent)| agent.call.is_some_and(|call| ran_for(call.tool_use)))
        .map(|(number, _)| number)
        .collect()
}

fn result_of(builder: &Builder<'_, '_>, call: usize, id: Id, text: &str) -> Option<CallResult> {
    let graph = &builder.part.graph;
    let index = builder.part.exchanges.result_for(graph, call, id)?;
    let entry = graph.entry(index)?;
    builder.part.read(entry, |record| {
        let mut blocks = result_blocks(record);
        let block = blocks.find(|block| block.tool_use_id.is_some_and(|own| own.is(text)))?;
        let uuid = graph.outline().text(entry.uuid);
        Some(CallResult {
            uuid,
            time: entry.time,
            ..result(index, block, record)
        })
    })
}

/// Makes the result of a call without id, which the record after it tells.
fn paper_result(builder: &Builder<'_, '_>, call: usize) -> Option<CallResult> {
    let graph = &builder.part.graph;
    let source = &*builder.part.transcript.source;
    let entry = graph.entry(call)?;
    let index = paper::answer_of(graph, source, call).filter(|_| paper::is_call(source, entry))?;
    let entry = graph.entry(index)?;
    Some(CallResult {
        entry: index,
        uuid: graph.outline().text(entry.uuid),
        time: entry.time,
        is_error: false,
        text: builder.part.read(entry, text_of),
        pictures: Vec::new(),
        outcome: None,
    })
}

fn result_blocks<'a>(record: &Record<'a>) -> impl Iterator<Item = ToolResultBlock<'a>> {
    let blocks = record.blocks();
    blocks.filter_map(|block| match block {
        ContentBlock::ToolResult(result) => Some(result),
        _ => None,
    })
}

fn result(index: usize, block: ToolResultBlock<'_>, record: &Record<'_>) -> CallResult {
    let outcome = record
        .get("toolUseResult")
        .or_else(|| record.get("tool_use_result"));
    CallResult {
        outcome: outcome.map(RawJson::new),
        ..server_result(index, block)
    }
}

/// Makes the result of a tool that the server ran, which stands beside its call.
pub(super) fn server_result(index: usize, block: ToolResultBlock<'_>) -> CallResult {
    let text = match block.content.json() {
        Some(json)
            if content_text(block.content).is_empty()
                && content_pictures(block.content).is_empty() =>
        {
            other_text(json)
        }
        _ => content_text(block.content),
    };
    CallResult {
        entry: index,
        uuid: String::new(),
        time: None,
        is_error: block.is_error.unwrap_or(false),
        text,
        pictures: content_pictures(block.content),
        outcome: None,
    }
}

/// Returns the JSON of an answer that is neither text nor blocks; nothing for `""`, `[]`, `null`.
fn other_text(json: Json<'_>) -> String {
    if json.is_truthy() {
        String::from_utf8_lossy(json.raw()).into_owned()
    } else {
        String::new()
    }
}

/// Makes the steps of a record with results: nothing for those that are shown with their calls.
pub(super) fn results(
    builder: &Builder<'_, '_>,
    index: usize,
    entry: &Entry,
    record: &Record<'_>,
) -> Vec<What> {
    let (graph, exchanges) = (&builder.part.graph, &builder.part.exchanges);
    let has_call = |id: &str| {
        let known = graph.outline().ids().find(id);
        known.is_some_and(|known| exchanges.calls(known).len() > 0)
    };
    let strays = result_blocks(record).filter(|block| !has_call(&decoded(block.tool_use_id)));
    let mut whats: Vec<What> = strays
        .map(|block| What::StrayResult(result(index, block, record)))
        .collect();
    debug_assert!(
        graph
            .outline()
            .tools(entry, ToolRole::Result)
            .next()
            .is_some()
    );
    // Words beside the results, as some clients send them along.
    let words = record
        .message()
        .map(|message| content_text(message.content))
        .unwrap_or_default();
    if !words.trim().is_empty() {
        whats.push(What::Hidden {
            label: "beside the result".into(),
            text: words,
        });
    }
    whats
}
