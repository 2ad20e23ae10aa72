//! Every kind of record has its view, and every view keeps its bytes.

use super::{Attachment, Body, Progress, System};
use crate::json::{Json, JsonText};
use crate::kind::Kind;
use crate::view::List;

fn body(line: &str) -> Body<'_> {
    Body::from_json(Json::parse(line.as_bytes()).unwrap())
}

fn said(text: Option<JsonText<'_>>) -> String {
    text.map_or_else(|| "-".to_owned(), |text| text.decode().into_owned())
}

fn joined<'a>(list: Option<List<'a, JsonText<'a>>>) -> String {
    let texts = list.into_iter().flatten().map(JsonText::decode);
    texts.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_named_kind_has_a_view() {
    for kind in Kind::NAMED {
        let line = format!(r#"{{"type":"{}"}}"#, kind.name());
        let view = body(&line);
        assert!(
            !matches!(view, Body::Unknown { .. } | Body::None),
            "{line} is {view:?}"
        );
    }
}

#[test]
fn unknown_kinds_are_kept_and_named() {
    let line = r#"{"type":"quantum-state","q":[1]}"#;
    let Body::Unknown { name, json } = body(line) else {
        panic!("known");
    };
    assert_eq!(said(name), "quantum-state");
    assert_eq!(json.raw(), line.as_bytes());
    assert_eq!(body(r#"{"q":1}"#), Body::None);
    assert_eq!(body("[]"), Body::None);
}

fn describe_system(line: &str) -> String {
    let Body::System(system) = body(line) else {
        panic!("no system record: {line}");
    };
    match system {
        System::Plain(note) => format!("plain {} {}", said(note.level), said(note.content)),
        System::CompactBoundary(boundary) => {
            let metadata = boundary.metadata.unwrap();
            let segment = metadata.preserved_segment;
            format!(
                "compact {} {:?} {:?} [{}] [{}] {}",
                said(metadata.trigger),
                metadata.pre_tokens,
                metadata.post_tokens,
                joined(metadata.pre_compact_discovered_tools),
                joined(metadata.preserved_messages.and_then(|kept| kept.uuids)),
                said(segment.and_then(|segment| segment.anchor_uuid)),
            )
        }
        System::MicrocompactBoundary(boundary) => {
            let metadata = boundary.metadata.unwrap();
            let tools = joined(metadata.compacted_tool_ids);
            format!("microcompact {:?} {tools}", metadata.tokens_saved)
        }
        System::TurnDuration(turn) => {
            format!("turn {:?} {:?}", turn.duration_ms, turn.message_count)
        }
        System::LocalCommand(command) => {
            let run = command.command_run.and_then(|run| run.command);
            format!("command {} {}", said(run), said(command.content))
        }
        System::ApiError(error) => {
            let detail = error.error.unwrap();
            format!(
                "error {:?} {:?} {:?}",
                detail.status, error.retry_in_ms, error.retry_attempt
            )
        }
        System::StopHookSummary(summary) => {
            let infos = summary.hook_infos.unwrap().iter();
            let commands: Vec<_> = infos.map(|info| said(info.command)).collect();
            format!("hooks {:?} {commands:?}", summary.hook_count)
        }
        System::Informational(note) => format!("note {}", said(note.content)),
        System::Unknown { name, .. } => format!("unknown {}", said(name)),
        other => format!("{other:?}"),
    }
}

#[test]
fn system_records_by_subtype() {
    for (line, expect) in [
        (
            r#"{"type":"system","content":"Running tests","level":"info"}"#,
            "plain info Running tests",
        ),
        (
            r#"{"type":"system","subtype":"compact_boundary","compactMetadata":{"trigger":"manual","preTokens":900,"postTokens":90,
            "preCompactDiscoveredTools":["Grep"],"preservedSegment":{"headUuid":"h","anchorUuid":"a","tailUuid":"t"},
            "preservedMessages":{"anchorUuid":"a","uuids":["h","t"],"allUuids":["h","x","t"]}}}"#,
            "compact manual Some(900) Some(90) [Grep] [h t] a",
        ),
        (
            r#"{"type":"system","subtype":"compact_boundary","compact_metadata":{"trigger":"auto","pre_tokens":5}}"#,
            "compact auto Some(5) None [] [] -",
        ),
        (
            r#"{"type":"system","subtype":"microcompact_boundary","microcompactMetadata":{"tokensSaved":7,"compactedToolIds":["t1","t2"]}}"#,
            "microcompact Some(7) t1 t2",
        ),
        (
            r#"{"type":"system","subtype":"turn_duration","durationMs":1200,"messageCount":4}"#,
            "turn Some(1200) Some(4)",
        ),
        (
            r#"{"type":"system","subtype":"local_command","content":"<local-command-stdout>ok</local-command-stdout>","commandRun":{"command":"cost","args":""}}"#,
            "command cost <local-command-stdout>ok</local-command-stdout>",
        ),
        (
            r#"{"type":"system","subtype":"api_error","error":{"status":529,"message":"busy"},"retryInMs":542.5,"retryAttempt":1,"maxRetries":10}"#,
            "error Some(529) Some(542.5) Some(1)",
        ),
        (
            r#"{"type":"system","subtype":"stop_hook_summary","hookCount":1,"hookInfos":[{"command":"make check"}],"hookErrors":[]}"#,
            r#"hooks Some(1) ["make check"]"#,
        ),
        (
            r#"{"type":"system","subtype":"informational","content":"A note"}"#,
            "note A note",
        ),
        (
            r#"{"type":"system","subtype":"telepathy"}"#,
            "unknown telepathy",
        ),
    ] {
        assert_eq!(describe_system(line), expect, "{line}");
    }
}

fn describe_progress(line: &str) -> String {
    let Body::Progress(progress) = body(line) else {
        panic!("no progress record: {line}");
    };
    let news = match progress.data {
        Some(Progress::Bash(bash)) => {
            format!("bash {} {:?}", said(bash.output), bash.elapsed_time_seconds)
        }
        Some(Progress::Agent(agent)) => {
            format!("agent {} {}", said(agent.agent_id), agent.message.is_some())
        }
        Some(Progress::Hook(hook)) => {
            format!("hook {} {}", said(hook.hook_event), said(hook.command))
        }
        Some(Progress::Mcp(mcp)) => format!("mcp {} {}", said(mcp.server_name), said(mcp.status)),
        Some(Progress::QueryUpdate(search)) => format!("query {}", said(search.query)),
        Some(Progress::SearchResultsReceived(search)) => format!("found {:?}", search.result_count),
        Some(Progress::WaitingForTask(task)) => format!("waiting {}", said(task.task_description)),
        Some(Progress::Skill(skill)) => format!("skill {}", said(skill.agent_id)),
        Some(Progress::Unknown { name, .. }) => format!("unknown {}", said(name)),
        None => "nothing".to_owned(),
    };
    format!("{news} for {}", said(progress.parent_tool_use_id))
}

#[test]
fn progress_by_type() {
    for (line, expect) in [
        (
            r#"{"type":"progress","parentToolUseID":"t1","data":{"type":"bash_progress","output":"line","elapsedTimeSeconds":4}}"#,
            "bash line Some(4.0) for t1",
        ),
        (
            r#"{"type":"progress","parentToolUseID":"t2","data":{"type":"agent_progress","agentId":"a1","message":{"type":"user"}}}"#,
            "agent a1 true for t2",
        ),
        (
            r#"{"type":"progress","data":{"type":"hook_progress","hookEvent":"SessionStart","command":"callback"}}"#,
            "hook SessionStart callback for -",
        ),
        (
            r#"{"type":"progress","data":{"type":"mcp_progress","serverName":"calc","status":"started"}}"#,
            "mcp calc started for -",
        ),
        (
            r#"{"type":"progress","data":{"type":"query_update","query":"rust"}}"#,
            "query rust for -",
        ),
        (
            r#"{"type":"progress","data":{"type":"search_results_received","resultCount":3}}"#,
            "found Some(3) for -",
        ),
        (
            r#"{"type":"progress","data":{"type":"waiting_for_task","taskDescription":"build"}}"#,
            "waiting build for -",
        ),
        (
            r#"{"type":"progress","data":{"type":"juggling"}}"#,
            "unknown juggling for -",
        ),
        (r#"{"type":"progress","data":7}"#, "nothing for -"),
    ] {
        assert_eq!(describe_progress(line), expect, "{line}");
    }
}

fn describe_attachment(line: &str) -> String {
    let Body::Attachment(body) = body(line) else {
        panic!("no attachment: {line}");
    };
    let what = match body.attachment {
        Some(Attachment::File(file)) => format!("file {}", said(file.filename)),
        Some(Attachment::HookSuccess(hook)) => {
            format!("hook {} {:?}", said(hook.hook_name), hook.exit_code)
        }
        Some(Attachment::HookAdditionalContext(hook)) => {
            format!("context {}", hook.content.unwrap().blocks().count())
        }
        Some(Attachment::QueuedCommand(queued)) => format!("queued {}", said(queued.command_mode)),
        Some(Attachment::DeferredToolsDelta(names) | Attachment::AgentListingDelta(names)) => {
            format!("names {}", joined(names.added))
        }
        Some(Attachment::Instructions(instructions)) => {
            let files = instructions.files.unwrap().iter();
            files.map(|file| said(file.path)).collect()
        }
        Some(Attachment::Unknown { name, .. }) => format!("unknown {}", said(name)),
        Some(other) => format!("{other:?}"),
        None => "nothing".to_owned(),
    };
    let n_rendered = body.rendered.into_iter().flatten().count();
    format!("{what} x{n_rendered} as {}", said(body.rendered_role))
}

#[test]
fn attachments_by_type() {
    for (line, expect) in [
        (
            r#"{"type":"attachment","attachment":{"type":"file","filename":"/w/a.md"},"rendered":[{"content":"x"},{"content":"y"}],"renderedRole":"user"}"#,
            "file /w/a.md x2 as user",
        ),
        (
            r#"{"type":"attachment","attachment":{"type":"hook_success","hookName":"Stop","exitCode":0}}"#,
            "hook Stop Some(0) x0 as -",
        ),
        (
            r#"{"type":"attachment","attachment":{"type":"hook_additional_context","content":["a","b"]}}"#,
            "context 2 x0 as -",
        ),
        (
            r#"{"type":"attachment","attachment":{"type":"queued_command","prompt":"go","commandMode":"prompt"}}"#,
            "queued prompt x0 as -",
        ),
        (
            r#"{"type":"attachment","attachment":{"type":"deferred_tools_delta","addedNames":["A","B"]}}"#,
            "names A B x0 as -",
        ),
        (
            r#"{"type":"attachment","attachment":{"type":"agent_listing_delta","addedTypes":["Plan"]}}"#,
            "names Plan x0 as -",
        ),
        (
            r#"{"type":"attachment","attachment":{"type":"instructions","files":[{"path":"/w/N.md","type":"Project"}]}}"#,
            "/w/N.md x0 as -",
        ),
        (
            r#"{"type":"attachment","attachment":{"type":"scent"},"rendered":"odd"}"#,
            "unknown scent x0 as -",
        ),
        (r#"{"type":"attachment"}"#, "nothing x0 as -"),
    ] {
        assert_eq!(describe_attachment(line), expect, "{line}");
    }
}

#[test]
fn file_history_names_versions() {
    let line = r#"{"type":"file-history-snapshot","messageId":"m","isSnapshotUpdate":true,"snapshot":{"messageId":"p",
        "trackedFileBackups":{"a.rs":{"backupFileName":"00ff@v1","version":1,"backupTime":"2026-01-01T00:00:00.000Z"},"b.rs":{"backupFileName":null,"version":1},"c":"text"}}}"#;
    let Body::FileHistorySnapshot(record) = body(line) else {
        panic!("no snapshot");
    };
    let backups = record.snapshot.unwrap().tracked_file_backups.unwrap();
    let names: Vec<_> = backups
        .iter()
        .map(|(path, backup)| format!("{} {}", path.decode(), said(backup.backup_file_name)))
        .collect();
    assert_eq!(names, ["a.rs 00ff@v1", "b.rs -"]);
    assert_eq!(
        backups.json().entries().count(),
        3,
        "the odd one is still there"
    );
}

fn check_session(line: &str, expect: &str) {
    let found = match body(line) {
        Body::Summary(summary) => said(summary.summary),
        Body::CustomTitle(title) => said(title.custom_title),
        Body::AiTitle(title) => said(title.ai_title),
        Body::Tag(tag) => said(tag.tag),
        Body::AgentName(agent) => said(agent.agent_name),
        Body::LastPrompt(prompt) => said(prompt.leaf_uuid),
        Body::Mode(mode) => said(mode.mode),
        Body::PermissionMode(mode) => said(mode.permission_mode),
        Body::PrLink(link) => format!("{} {:?}", said(link.pr_url), link.pr_number),
        Body::QueueOperation(queue) => {
            format!("{} {:?}", said(queue.operation), queue.content)
        }
        Body::CostState(cost) => {
            let models = cost.model_usage.unwrap().iter();
            let models: Vec<_> = models
                .map(|(model, usage)| format!("{} {:?}", model.decode(), usage.output_tokens))
                .collect();
            format!("{:?} {models:?}", cost.total_cost_usd)
        }
        Body::ToolsUsed(used) => joined(used.tools),
        Body::ForkContextRef(fork) => said(fork.parent_last_uuid),
        Body::ContinuedIn(next) => said(next.continued_in_session_id),
        Body::ApiRequest(request) => format!("{:?} {}", request.keep, joined(request.tail)),
        Body::ApiRequestBlob(blob) => said(blob.message.unwrap().role),
        Body::CompactSystem(step) => said(step.message),
        other => format!("{other:?}"),
    };
    assert_eq!(found, expect, "{line}");
}

#[test]
fn session_records_have_their_keys() {
    check_session(
        r#"{"type":"summary","summary":"A title","leafUuid":"l"}"#,
        "A title",
    );
    check_session(r#"{"type":"custom-title","customTitle":"Mine"}"#, "Mine");
    check_session(r#"{"type":"ai-title","aiTitle":"Its"}"#, "Its");
    check_session(r#"{"type":"tag","tag":""}"#, "");
    check_session(r#"{"type":"agent-name","agentName":"scout"}"#, "scout");
    check_session(
        r#"{"type":"last-prompt","lastPrompt":"go","leafUuid":"l"}"#,
        "l",
    );
    check_session(r#"{"type":"mode","mode":"normal"}"#, "normal");
    check_session(
        r#"{"type":"permission-mode","permissionMode":"plan"}"#,
        "plan",
    );
    check_session(
        r#"{"type":"pr-link","prNumber":3,"prUrl":"https://example.test/3"}"#,
        "https://example.test/3 Some(3)",
    );
    check_session(
        r#"{"type":"queue-operation","operation":"enqueue","content":"go"}"#,
        r#"enqueue Some(Text("go"))"#,
    );
    check_session(
        r#"{"type":"cost-state","totalCostUSD":0.5,"startTime":1,"modelUsage":{"m":{"outputTokens":4}}}"#,
        r#"Some(0.5) ["m Some(4)"]"#,
    );
    check_session(
        r#"{"type":"tools-used","tools":["Bash","Read"]}"#,
        "Bash Read",
    );
    check_session(r#"{"type":"fork-context-ref","parentLastUuid":"p"}"#, "p");
    check_session(r#"{"type":"continued-in","continuedInSessionId":"s"}"#, "s");
    check_session(
        r#"{"type":"api-request","keep":2,"tail":["h1","h2"]}"#,
        "Some(2) h1 h2",
    );
    check_session(
        r#"{"type":"api-request-blob","message":{"role":"user"}}"#,
        "user",
    );
    check_session(
        r#"{"type":"compact_system","message":"conversation_compacting"}"#,
        "conversation_compacting",
    );
}
