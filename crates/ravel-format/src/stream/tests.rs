//! Messages of standard output and input, in both spellings.

use super::{Delta, Event, Request, Stdout};
use crate::body::{Body, System};
use crate::json::{Json, JsonText};

fn said(text: Option<JsonText<'_>>) -> String {
    text.map_or_else(|| "-".to_owned(), |text| text.decode().into_owned())
}

fn describe(line: &str) -> String {
    match Body::from_json(Json::parse(line.as_bytes()).unwrap()) {
        Body::Stdout(message) => describe_message(message),
        Body::System(system) => describe_system(system),
        other => format!("{other:?}"),
    }
}

fn describe_message(message: Stdout<'_>) -> String {
    match message {
        Stdout::Result(result) => format!(
            "result {} {:?} {} {}",
            said(result.subtype),
            result.is_error,
            said(result.result),
            result.errors.into_iter().flatten().count(),
        ),
        Stdout::StreamEvent(message) => describe_event(message.event.unwrap()),
        Stdout::ControlRequest(message) => {
            format!(
                "{} {}",
                said(message.request_id),
                describe_request(message.request.unwrap())
            )
        }
        Stdout::ControlResponse(message) => {
            let answer = message.permission();
            format!(
                "answer {} {} {:?}",
                said(message.request_id()),
                said(answer.and_then(|answer| answer.behavior)),
                answer.and_then(|answer| answer.updated_input),
            )
        }
        Stdout::ControlCancelRequest(message) => format!("cancel {}", said(message.request_id)),
        Stdout::ToolProgress(progress) => {
            format!(
                "tool {} {:?}",
                said(progress.tool_name),
                progress.elapsed_time_seconds
            )
        }
        Stdout::RateLimitEvent(event) => {
            format!("rate {}", said(event.rate_limit_info.unwrap().status))
        }
        Stdout::CommandLifecycle(command) => format!("command {}", said(command.state)),
        Stdout::TranscriptMirror(mirror) => {
            let entries = mirror.entries.unwrap().iter().map(Body::from_json);
            let n_known = entries
                .filter(|body| !matches!(body, Body::Unknown { .. }))
                .count();
            format!("mirror {} {n_known}", said(mirror.file_path))
        }
        Stdout::ConversationReset(reset) => format!("reset {}", said(reset.new_conversation_id)),
        Stdout::KeepAlive(_) => "alive".to_owned(),
        other => format!("{other:?}"),
    }
}

fn describe_event(event: Event<'_>) -> String {
    match event {
        Event::MessageStart(start) => format!("start {}", said(start.message.unwrap().id)),
        Event::ContentBlockStart(start) => format!("block {:?}", start.index),
        Event::ContentBlockDelta(delta) => match delta.delta.unwrap() {
            Delta::Text(delta) => format!("text {}", said(delta.text)),
            Delta::Thinking(delta) => format!("thinking {}", said(delta.thinking)),
            Delta::InputJson(delta) => format!("input {}", said(delta.partial_json)),
            other => format!("{other:?}"),
        },
        Event::MessageDelta(delta) => format!(
            "stop {} {:?}",
            said(delta.delta.unwrap().stop_reason),
            delta.usage.unwrap().output_tokens,
        ),
        Event::MessageStop(_) => "end".to_owned(),
        Event::Unknown { name, .. } => format!("unknown {}", said(name)),
        other => format!("{other:?}"),
    }
}

fn describe_request(request: Request<'_>) -> String {
    match request {
        Request::CanUseTool(request) => format!("can use {}", said(request.tool_name)),
        Request::HookCallback(request) => format!("hook {}", said(request.callback_id)),
        Request::Initialize(request) => {
            let hooks = request.hooks.unwrap().iter();
            let hooks: Vec<_> = hooks
                .map(|(event, matchers)| format!("{} x{}", event.decode(), matchers.iter().count()))
                .collect();
            format!("initialize {hooks:?}")
        }
        Request::Interrupt(_) => "interrupt".to_owned(),
        Request::McpToggle(request) => {
            format!("toggle {} {:?}", said(request.server_name), request.enabled)
        }
        Request::Unknown { name, .. } => format!("unknown {}", said(name)),
        other => format!("{other:?}"),
    }
}

fn describe_system(system: System<'_>) -> String {
    match system {
        System::Init(init) => format!(
            "init {} {}",
            said(init.model),
            init.tools.unwrap().iter().count()
        ),
        System::Status(status) => format!("status {}", said(status.status)),
        System::HookResponse(hook) => format!("hook {} {:?}", said(hook.hook_id), hook.exit_code),
        System::TaskNotification(task) => {
            format!("task {} {}", said(task.task_id), said(task.status))
        }
        System::ApiRetry(retry) => format!("retry {:?} {:?}", retry.attempt, retry.error_status),
        other => format!("{other:?}"),
    }
}

fn check(line: &str, expect: &str) {
    assert_eq!(describe(line), expect, "{line}");
}

#[test]
fn results_of_all_subtypes() {
    check(
        r#"{"subtype":"success","is_error":true,"type":"result","result":"API Error","num_turns":1}"#,
        "result success Some(true) API Error 0",
    );
    check(
        r#"{"type":"result","subtype":"error_max_turns","is_error":true,"errors":["too many"]}"#,
        "result error_max_turns Some(true) - 1",
    );
    check(
        r#"{"type":"result","subtype":"error"}"#,
        "result error None - 0",
    );
}

#[test]
fn stream_events_hold_api_events() {
    for (event, expect) in [
        (
            r#"{"type":"message_start","message":{"id":"m1"}}"#,
            "start m1",
        ),
        (
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
            "block Some(0)",
        ),
        (
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}"#,
            "text Hi",
        ),
        (
            r#"{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hm"}}"#,
            "thinking hm",
        ),
        (
            r#"{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"{\"a"}}"#,
            "input {\"a",
        ),
        (
            r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}"#,
            "stop end_turn Some(2)",
        ),
        (r#"{"type":"message_stop"}"#, "end"),
        (r#"{"type":"message_pause"}"#, "unknown message_pause"),
    ] {
        check(
            &format!(r#"{{"type":"stream_event","event":{event}}}"#),
            expect,
        );
    }
}

#[test]
fn control_requests_of_both_sides() {
    check(
        r#"{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Write","input":{}}}"#,
        "r1 can use Write",
    );
    check(
        r#"{"type":"control_request","request_id":"r2","request":{"subtype":"initialize","hooks":{"Stop":[{"matcher":null,"hookCallbackIds":["h0"]}]}}}"#,
        r#"r2 initialize ["Stop x1"]"#,
    );
    check(
        r#"{"type":"control_request","request_id":"r3","request":{"subtype":"interrupt"}}"#,
        "r3 interrupt",
    );
    check(
        r#"{"type":"control_request","request_id":"r4","request":{"subtype":"mcp_toggle","serverName":"calc","enabled":false}}"#,
        "r4 toggle calc Some(false)",
    );
    check(
        r#"{"type":"control_request","request_id":"r5","request":{"subtype":"dance"}}"#,
        "r5 unknown dance",
    );
    check(
        r#"{"type":"control_cancel_request","request_id":"r1"}"#,
        "cancel r1",
    );
}

#[test]
fn control_answers_in_both_spellings() {
    check(
        r#"{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{"behavior":"allow","updatedInput":{"a":1}}}}"#,
        r#"answer r1 allow Some({"a":1})"#,
    );
    check(
        r#"{"type":"control_response","request_id":"r2","response":{"subtype":"success","response":{"behavior":"allow","updated_input":{"b":2}}}}"#,
        r#"answer r2 allow Some({"b":2})"#,
    );
    check(
        r#"{"type":"control_response","response":{"subtype":"error","request_id":"r3","error":"no"}}"#,
        "answer r3 - None",
    );
}

#[test]
fn reports_on_standard_output() {
    check(
        r#"{"type":"system","subtype":"init","model":"m","tools":["Bash","Read"]}"#,
        "init m 2",
    );
    check(
        r#"{"type":"system","subtype":"status","status":null}"#,
        "status -",
    );
    check(
        r#"{"type":"system","subtype":"hook_response","hook_id":"h","exit_code":2}"#,
        "hook h Some(2)",
    );
    check(
        r#"{"type":"system","subtype":"task_notification","task_id":"b1","status":"completed"}"#,
        "task b1 completed",
    );
    check(
        r#"{"type":"system","subtype":"api_retry","attempt":1,"error_status":529}"#,
        "retry Some(1) Some(529)",
    );
    check(
        r#"{"type":"tool_progress","tool_name":"Bash","elapsed_time_seconds":30}"#,
        "tool Bash Some(30.0)",
    );
    check(
        r#"{"type":"rate_limit_event","rate_limit_info":{"status":"allowed"}}"#,
        "rate allowed",
    );
    check(
        r#"{"type":"command_lifecycle","state":"queued"}"#,
        "command queued",
    );
    check(r#"{"type":"keep_alive"}"#, "alive");
    check(
        r#"{"type":"transcript_mirror","filePath":"p/s.jsonl","entries":[{"type":"user"},{"type":"mode"}]}"#,
        "mirror p/s.jsonl 2",
    );
    check(
        r#"{"type":"conversation_reset","new_conversation_id":"c"}"#,
        "reset c",
    );
}
