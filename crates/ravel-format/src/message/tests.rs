//! One message for every dialect.

use crate::content::ContentBlock;
use crate::line::Span;
use crate::record::parse_record;

fn check(line: &str, expect: Option<&str>) {
    let span = Span {
        start: 0,
        len: line.len() as u64,
    };
    let message = parse_record(line.as_bytes(), span, 1).message();
    let described = message.map(|message| {
        let blocks: Vec<_> = message.content.blocks().map(describe).collect();
        let role = message.role.map(|role| role.decode().into_owned());
        format!("{}: {}", role.unwrap_or_default(), blocks.join(", "))
    });
    assert_eq!(described.as_deref(), expect, "{line}");
}

fn describe(block: ContentBlock<'_>) -> String {
    match block {
        ContentBlock::Text(block) => block.text.unwrap().decode().into_owned(),
        ContentBlock::ToolUse(block) => {
            format!("{}({:?})", block.name.unwrap().decode(), block.input)
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn the_client_nests_an_api_message() {
    check(
        r#"{"type":"user","message":{"role":"user","content":"hello"}}"#,
        Some("user: hello"),
    );
    check(
        r#"{"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"hi"}]},"content":"other"}"#,
        Some("assistant: hi"),
    );
    check(
        r#"{"type":"user","message":{"role":"user"}}"#,
        Some("user: "),
    );
}

#[test]
fn paper_dialects_get_the_same_shape() {
    check(r#"{"type":"user","message":"plain"}"#, Some(": plain"));
    check(
        r#"{"type":"assistant","uuid":"u","subtype":"tool_use","toolName":"Bash","toolArguments":{"command":"ls"}}"#,
        Some(r#": Bash(Some({"command":"ls"}))"#),
    );
    check(
        r#"{"type":"assistant","id":"no","toolName":"Bash","isAborted":true,"message":"stopped"}"#,
        Some(": stopped, Bash(None)"),
    );
    check(
        r#"{"type":"human","message":{"type":"message","content":"four"}}"#,
        Some(": four"),
    );
    check(
        r#"{"type":"compact_system","message":"conversation_compacted"}"#,
        Some(": conversation_compacted"),
    );
}

#[test]
fn content_at_the_top_counts_for_linked_records_only() {
    check(
        r#"{"type":"system","subtype":"informational","content":"note"}"#,
        Some(": note"),
    );
    check(
        r#"{"type":"queue-operation","operation":"enqueue","content":"later"}"#,
        None,
    );
    check(r#"{"type":"user","message":null}"#, None);
    check(r#"["user"]"#, None);
}

#[test]
fn usage_and_stop_reason_come_along() {
    let line = br#"{"type":"assistant","message":{"model":"<synthetic>","stop_reason":"end_turn","usage":{"output_tokens":5},"content":[]}}"#;
    let span = Span { start: 0, len: 1 };
    let message = parse_record(line, span, 1).message().unwrap();
    assert!(message.is_synthetic());
    assert!(message.stop_reason.unwrap().is("end_turn"));
    assert_eq!(message.usage.unwrap().output_tokens, Some(5));
    assert!(message.content.is_empty());
}
