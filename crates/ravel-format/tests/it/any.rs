//! Decoding is total: whatever stands under whatever key, nothing panics and no byte is lost.

use proptest::prelude::*;
use ravel_format::{Body, ContentBlock, Json, Record, Span, ToolCall, ToolOutcome, parse_record};
use serde_json::{Map, Value, json};

/// Keys that decide how something is read, so that random objects reach deep.
const KEYS: &[&str] = &[
    "type",
    "subtype",
    "message",
    "content",
    "attachment",
    "data",
    "toolUseResult",
    "input",
    "name",
    "toolName",
    "toolArguments",
    "usage",
    "compactMetadata",
    "snapshot",
    "rendered",
    "event",
    "delta",
    "request",
    "response",
    "entries",
    "source",
    "structuredPatch",
    "timestamp",
    "sessionId",
    "session_id",
    "uuid",
    "questions",
    "results",
    "modelUsage",
    "hooks",
    "id",
];

/// Names that pick a view.
const NAMES: &[&str] = &[
    "user",
    "assistant",
    "system",
    "attachment",
    "progress",
    "stream_event",
    "control_request",
    "control_response",
    "transcript_mirror",
    "file-history-snapshot",
    "cost-state",
    "result",
    "compact_boundary",
    "api_error",
    "init",
    "text",
    "tool_use",
    "tool_result",
    "image",
    "base64",
    "agent_progress",
    "hook_success",
    "queued_command",
    "can_use_tool",
    "initialize",
    "content_block_delta",
    "text_delta",
    "Bash",
    "Edit",
    "WebSearch",
    "mcp__a__b",
    "human",
    "nonsense",
    "",
];

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        proptest::sample::select(NAMES).prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        let entries =
            proptest::collection::vec((proptest::sample::select(KEYS), inner.clone()), 0..6);
        prop_oneof![
            proptest::collection::vec(inner, 0..4).prop_map(Value::from),
            entries.prop_map(|entries| {
                let entries = entries
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value));
                Value::Object(entries.collect::<Map<_, _>>())
            }),
        ]
    })
}

fn record(line: &[u8]) -> Record<'_> {
    let len = line.len() as u64;
    parse_record(line, Span { start: 0, len }, 1)
}

/// Reads all there is; formatting a view visits every field of it.
fn read_all(record: &Record<'_>) -> usize {
    let mut n_chars = format!("{:?}", record.envelope()).len();
    n_chars += format!("{:?}", record.body()).len();
    for block in record
        .message()
        .into_iter()
        .flat_map(|message| message.content.blocks())
    {
        n_chars += format!("{block:?}").len();
        if let ContentBlock::ToolUse(call) = block {
            n_chars += format!("{:?}", ToolCall::from_block(call)).len();
        }
    }
    let outcome = record.get("toolUseResult");
    n_chars
        + outcome.map_or(0, |json| {
            format!("{:?}", ToolOutcome::from_json(json, None)).len()
        })
}

proptest! {
    #[test]
    fn any_record_can_be_read(kind in proptest::sample::select(NAMES), value in any_value()) {
        let mut object = json!({ "type": kind });
        if let (Some(entries), Value::Object(more)) = (object.as_object_mut(), value) {
            entries.extend(more);
        }
        let line = serde_json::to_vec(&object).unwrap();
        prop_assert!(read_all(&record(&line)) > 0);
    }

    #[test]
    fn a_torn_record_can_be_read(value in any_value(), cut in any::<prop::sample::Index>()) {
        let line = serde_json::to_vec(&json!({ "type": "user", "message": value })).unwrap();
        let torn = line.get(..cut.index(line.len())).unwrap();
        prop_assert_eq!(record(torn).body(), Body::None);
        prop_assert!(read_all(&record(torn)) > 0);
    }

    #[test]
    fn blocks_keep_their_bytes(value in any_value()) {
        let bytes = serde_json::to_vec(&value).unwrap();
        let block = ContentBlock::from_json(Json::parse(&bytes).unwrap());
        prop_assert_eq!(block.json().raw(), &bytes[..]);
    }
}
