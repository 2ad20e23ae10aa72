//! Decodes everything in real session files.
//!
//! The files are other people's and stay outside the project: `RAVEL_CORPUS` says where. What
//! has no view is reported, because new versions bring new names; what the format documents name
//! must have one.

use std::collections::BTreeMap;

use ravel_format::body::AttachmentBody;
use ravel_format::stream::{Event, Request};
use ravel_format::{
    Attachment, Body, ContentBlock, JsonText, Outcome, Progress, Record, Stdout, System, ToolCall,
    ToolOutcome, lines, parse_line,
};

/// Names that `docs/format` describes, by where they stand; each must have a view.
const DOCUMENTED: &[(&str, &[&str])] = &[
    (
        "type",
        &[
            "user",
            "assistant",
            "system",
            "summary",
            "progress",
            "attachment",
            "file-history-snapshot",
            "file-history-delta",
            "queue-operation",
            "pr-link",
            "custom-title",
            "ai-title",
            "tag",
            "agent-name",
            "agent-color",
            "agent-setting",
            "last-prompt",
            "mode",
            "permission-mode",
            "cost-state",
            "api-request",
            "api-request-shape",
            "api-request-blob",
            "content-replacement",
            "worktree-state",
            "fork-context-ref",
            "continued-in",
            "tools-used",
            "atis-latch",
            "result",
            "stream_event",
            "control_request",
            "control_response",
            "control_cancel_request",
            "tool_progress",
            "rate_limit_event",
            "keep_alive",
            "command_lifecycle",
            "transcript_mirror",
            "conversation_reset",
            "human",
            "tool_result",
            "compact_system",
            "compact_prelude",
            "compact_recap",
        ],
    ),
    (
        "subtype",
        &[
            "compact_boundary",
            "microcompact_boundary",
            "turn_duration",
            "local_command",
            "api_error",
            "stop_hook_summary",
            "informational",
            "away_summary",
            "init",
            "status",
            "hook_started",
            "hook_response",
            "task_started",
            "task_progress",
            "task_updated",
            "task_notification",
            "background_tasks_changed",
            "api_retry",
            "permission_denied",
            "thinking_tokens",
            "session_state_changed",
            "session_title_changed",
            "notification",
        ],
    ),
    (
        "progress",
        &[
            "bash_progress",
            "agent_progress",
            "hook_progress",
            "mcp_progress",
            "query_update",
            "search_results_received",
            "waiting_for_task",
        ],
    ),
    (
        "block",
        &[
            "text",
            "thinking",
            "redacted_thinking",
            "tool_use",
            "server_tool_use",
            "tool_result",
            "image",
            "document",
            "tool_reference",
        ],
    ),
    (
        "attachment",
        &[
            "file",
            "directory",
            "environment",
            "model",
            "session_context",
            "date",
            "deferred_tools_delta",
            "agent_listing_delta",
            "skill_listing",
            "prompt_snapshot",
            "remote_session_change",
            "auto_mode",
            "plan_mode",
            "plan_mode_exit",
            "queued_command",
            "command_permissions",
            "unknown_command_fallback",
            "hook_success",
            "hook_additional_context",
            "hook_blocking_error",
            "hook_permission_decision",
            "hook_stopped_continuation",
            "task_reminder",
            "task_status",
            "instructions",
            "critical_system_reminder",
            "silent_turn_reminder",
            "total_tokens_reminder",
            "read_truncation_notice",
            "budget_usd",
            "max_turns_reached",
            "structured_output",
        ],
    ),
];

/// How often each name without a view was met.
type Unknowns = BTreeMap<(&'static str, String), u64>;

#[test]
#[expect(clippy::print_stderr, reason = "says what has no view yet")]
fn everything_in_the_corpus_decodes() {
    let Some(files) = ravel_testkit::corpus_files() else {
        return;
    };
    let mut unknowns = Unknowns::new();
    let mut n_records = 0_u64;
    for file in &files {
        let bytes = std::fs::read(file).unwrap();
        for record in lines(&bytes).flat_map(|line| parse_line(&line)) {
            n_records += 1;
            decode(&record, &mut unknowns);
        }
    }
    eprintln!("{} files, {n_records} records", files.len());
    for ((place, name), count) in &unknowns {
        eprintln!("no view for {place} {name:?}: {count}");
    }
    for (place, names) in DOCUMENTED {
        for name in *names {
            let missing = unknowns.contains_key(&(place, (*name).to_owned()));
            assert!(!missing, "{place} {name} is documented but has no view");
        }
    }
}

fn decode(record: &Record<'_>, unknowns: &mut Unknowns) {
    let envelope = record.envelope();
    if let Some(message) = record.message() {
        message
            .content
            .blocks()
            .for_each(|block| decode_block(block, unknowns));
    }
    let outcome = envelope
        .tool_use_result
        .map(|json| ToolOutcome::from_json(json, None));
    if let Some(ToolOutcome::Structured(Outcome::Unknown { json, .. })) = outcome {
        let keys = json.entries().map(|(key, _)| key.decode().into_owned());
        note(unknowns, "outcome", keys.collect::<Vec<_>>().join(","));
    }
    decode_body(record.body(), unknowns);
}

fn decode_body(body: Body<'_>, unknowns: &mut Unknowns) {
    match body {
        Body::Unknown { name, .. } => note_name(unknowns, "type", name),
        Body::System(System::Unknown { name, .. }) => note_name(unknowns, "subtype", name),
        Body::Progress(progress) => {
            if let Some(Progress::Unknown { name, .. }) = progress.data {
                note_name(unknowns, "progress", name);
            }
        }
        Body::Attachment(attachment) => decode_attachment(attachment, unknowns),
        Body::Stdout(Stdout::StreamEvent(message)) => {
            if let Some(Event::Unknown { name, .. }) = message.event {
                note_name(unknowns, "event", name);
            }
        }
        Body::Stdout(Stdout::ControlRequest(message)) => {
            if let Some(Request::Unknown { name, .. }) = message.request {
                note_name(unknowns, "request", name);
            }
        }
        Body::Stdout(Stdout::TranscriptMirror(mirror)) => {
            for entry in mirror.entries.into_iter().flatten() {
                decode_body(Body::from_json(entry), unknowns);
            }
        }
        _ => {}
    }
}

fn decode_attachment(attachment: AttachmentBody<'_>, unknowns: &mut Unknowns) {
    if let Some(Attachment::Unknown { name, .. }) = attachment.attachment {
        note_name(unknowns, "attachment", name);
    }
    for content in attachment
        .rendered
        .into_iter()
        .flatten()
        .filter_map(|part| part.content)
    {
        content
            .blocks()
            .for_each(|block| decode_block(block, unknowns));
    }
}

fn decode_block(block: ContentBlock<'_>, unknowns: &mut Unknowns) {
    match block {
        ContentBlock::Unknown { name, .. } => note_name(unknowns, "block", name),
        ContentBlock::ToolUse(call) => {
            if let ToolCall::Unknown { name, .. } = ToolCall::from_block(call) {
                note_name(unknowns, "tool", name);
            }
        }
        ContentBlock::ToolResult(result) => {
            result
                .content
                .blocks()
                .for_each(|block| decode_block(block, unknowns));
        }
        _ => {}
    }
}

fn note_name(unknowns: &mut Unknowns, place: &'static str, name: Option<JsonText<'_>>) {
    let name = name.map(|name| name.decode().into_owned());
    note(unknowns, place, name.unwrap_or_default());
}

fn note(unknowns: &mut Unknowns, place: &'static str, name: String) {
    *unknowns.entry((place, name)).or_default() += 1;
}
