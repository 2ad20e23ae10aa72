//! What the client reports: compactions, hooks, errors, notes, context.

use ravel_format::body::{ApiErrorDetail, HookAttachment, HookInfo, HookProgress, StopHookSummary};
use ravel_format::{Attachment, Body, Entry, Json, JsonText, Progress, Record, System};

use super::build::{is_boundary, unknown};
use super::message::{content_text, decoded};
use super::{Asker, Compaction, Hook, HookState, Level, Prompt, RawJson, What};
use crate::title::{command_line, tag};

/// Makes the step of a system record.
pub(super) fn system(entry: &Entry, record: &Record<'_>) -> What {
    let Body::System(system) = record.body() else {
        return paper_system(entry, record);
    };
    match system {
        System::CompactBoundary(boundary) => {
            let data = boundary.metadata;
            What::Compaction(Compaction {
                trigger: data
                    .and_then(|data| data.trigger)
                    .map(|trigger| decoded(Some(trigger))),
                pre_tokens: data.and_then(|data| data.pre_tokens),
                post_tokens: data.and_then(|data| data.post_tokens),
                summary: None,
            })
        }
        System::MicrocompactBoundary(boundary) => {
            let data = boundary.metadata;
            What::Microcompaction {
                pre_tokens: data.and_then(|data| data.pre_tokens),
                tokens_saved: data.and_then(|data| data.tokens_saved),
                n_tools: data
                    .and_then(|data| data.compacted_tool_ids)
                    .map_or(0, |ids| ids.iter().count()),
            }
        }
        System::TurnDuration(turn) => What::TurnEnd {
            duration_ms: turn.duration_ms,
        },
        System::LocalCommand(command) => local_command(&decoded(command.content)),
        System::ApiError(error) => What::Retry {
            attempt: error.retry_attempt,
            max: error.max_retries,
            delay_ms: error.retry_in_ms.map(|millis| millis as u64),
            text: error.error.map(error_text).unwrap_or_default(),
        },
        System::StopHookSummary(summary) => What::Hook(stop_hooks(summary)),
        _ => note(record).unwrap_or_else(|| unknown(record)),
    }
}

/// Returns why a request failed: in one line since 2.1.325, deep in the answer before.
fn error_text(detail: ApiErrorDetail<'_>) -> String {
    let deep = || detail.error?.at(&["error", "message"])?.text();
    decoded(detail.formatted.or(detail.message).or_else(deep))
}

/// A system record of the paper dialects: its text is its message.
fn paper_system(entry: &Entry, record: &Record<'_>) -> What {
    if is_boundary(entry) {
        return What::Compaction(Compaction::default());
    }
    let text = super::message::text_of(record);
    if text.is_empty() {
        unknown(record)
    } else {
        What::Notice {
            level: Level::Info,
            text,
        }
    }
}

/// Makes the notices of what seed 001 marks on a message: that it was deleted or aborted.
pub(super) fn marks(entry: &Entry, record: &Record<'_>) -> Vec<What> {
    if !entry.kind.is_message() || entry.message.is_some() {
        return Vec::new();
    }
    let marks = [("isDeleted", "deleted"), ("isAborted", "aborted")];
    let is_marked = |key: &str| record.get(key).and_then(Json::bool) == Some(true);
    let marks = marks.into_iter().filter(|(key, _)| is_marked(key));
    let notice = |(_, text): (&str, &str)| What::Notice {
        level: Level::Warning,
        text: text.to_owned(),
    };
    marks.map(notice).collect()
}

/// Makes a notice of a record with `content` in words.
fn note(record: &Record<'_>) -> Option<What> {
    let text = |key: &str| record.get(key).and_then(Json::str);
    let content = text("content")
        .or_else(|| text("message"))
        .filter(|content| !content.trim().is_empty())?;
    let level = match text("level").as_deref() {
        Some("error") => Level::Error,
        Some("warning") => Level::Warning,
        _ => Level::Info,
    };
    Some(What::Notice {
        level,
        text: content.into_owned(),
    })
}

fn local_command(content: &str) -> What {
    if let Some(text) = command_line(content) {
        return What::Prompt(Prompt {
            text,
            asker: Asker::Command,
            pictures: Vec::new(),
        });
    }
    let output =
        tag(content, "local-command-stdout").or_else(|| tag(content, "local-command-stderr"));
    What::Output(output.unwrap_or(content).to_owned())
}

fn stop_hooks(summary: StopHookSummary<'_>) -> Hook {
    let infos: Vec<HookInfo<'_>> = summary
        .hook_infos
        .map(|infos| infos.iter().collect())
        .unwrap_or_default();
    let errors: Vec<String> = summary
        .hook_errors
        .map(|errors| errors.iter().map(words).collect())
        .unwrap_or_default();
    let state = match (summary.prevented_continuation, errors.is_empty()) {
        (Some(true), _) => HookState::Blocked,
        (_, false) => HookState::Failed,
        _ => HookState::Done,
    };
    let commands: Vec<String> = infos.iter().map(|info| decoded(info.command)).collect();
    let times: Vec<u64> = infos.iter().filter_map(|info| info.duration_ms).collect();
    Hook {
        event: "Stop".into(),
        command: Some(commands.join(", ")).filter(|commands| !commands.is_empty()),
        state,
        output: errors.join("\n"),
        duration_ms: times.iter().copied().max(),
        tool_use_id: summary.tool_use_id.map(|id| decoded(Some(id))),
        name: None,
    }
}

fn words(json: Json<'_>) -> String {
    json.str().map_or_else(
        || String::from_utf8_lossy(json.raw()).into_owned(),
        std::borrow::Cow::into_owned,
    )
}

/// Makes the step of injected context.
pub(super) fn attachment(record: &Record<'_>) -> What {
    let Body::Attachment(body) = record.body() else {
        return unknown(record);
    };
    let Some(attachment) = body.attachment else {
        return unknown(record);
    };
    let label = record
        .get("attachment")
        .and_then(|json| json.get("type"))
        .and_then(Json::str);
    let label = label.map_or_else(|| "attachment".into(), |label| label.replace('_', " "));
    match attachment {
        Attachment::HookSuccess(hook) => What::Hook(hook_step(hook, HookState::Done)),
        Attachment::HookBlockingError(hook) | Attachment::HookStoppedContinuation(hook) => {
            What::Hook(hook_step(hook, HookState::Blocked))
        }
        Attachment::HookNonBlockingError(hook) | Attachment::HookCancelled(hook) => {
            What::Hook(hook_step(hook, HookState::Failed))
        }
        Attachment::HookSystemMessage(hook) | Attachment::AsyncHookResponse(hook) => {
            What::Hook(hook_step(hook, HookState::Done))
        }
        Attachment::QueuedCommand(queued) => {
            queued_prompt(&queued.prompt.map(content_text).unwrap_or_default())
        }
        Attachment::MaxTurnsReached(limit) => {
            let turns = limit
                .max_turns
                .map(|turns| format!(" ({turns})"))
                .unwrap_or_default();
            What::Notice {
                level: Level::Warning,
                text: format!("stopped at the limit of turns{turns}"),
            }
        }
        Attachment::Unknown { .. } => unknown(record),
        _ => What::Hidden {
            label,
            text: rendered(record),
        },
    }
}

/// A prompt that a person typed while the model worked, or the end of a background task.
fn queued_prompt(text: &str) -> What {
    let is_task = text.starts_with("<task-notification>");
    let summary = tag(text, "summary").filter(|_| is_task).unwrap_or(text);
    let asker = if is_task { Asker::Task } else { Asker::Words };
    What::Prompt(Prompt {
        text: summary.to_owned(),
        asker,
        pictures: Vec::new(),
    })
}

/// Returns the text that the model got for an attachment, or the attachment itself.
fn rendered(record: &Record<'_>) -> String {
    let parts = record.get("rendered").map(|rendered| {
        rendered
            .items()
            .filter_map(|item| item.get("content")?.str())
            .collect::<Vec<_>>()
    });
    match parts.filter(|parts| !parts.is_empty()) {
        Some(parts) => parts.join("\n"),
        None => record
            .get("attachment")
            .map(|json| RawJson::new(json).text())
            .unwrap_or_default(),
    }
}

fn hook_step(hook: HookAttachment<'_>, state: HookState) -> Hook {
    let blocked = hook.blocking_error.and_then(|error| error.blocking_error);
    let content = hook.content.map(content_text).unwrap_or_default();
    let outputs = [
        decoded(blocked),
        decoded(hook.stdout),
        decoded(hook.stderr),
        content,
        decoded(hook.message),
    ];
    let mut lines: Vec<&str> = outputs
        .iter()
        .map(|output| output.trim())
        .filter(|output| !output.is_empty())
        .collect();
    lines.dedup();
    Hook {
        event: decoded(hook.hook_event),
        name: some(hook.hook_name),
        command: some(hook.command),
        state,
        output: lines.join("\n"),
        duration_ms: hook.duration_ms,
        tool_use_id: some(hook.tool_use_id),
    }
}

fn some(text: Option<JsonText<'_>>) -> Option<String> {
    text.map(|text| decoded(Some(text)))
        .filter(|text| !text.is_empty())
}

/// Makes the step of a progress record; what a running tool prints is shown with its result.
pub(super) fn progress(record: &Record<'_>) -> What {
    let Body::Progress(body) = record.body() else {
        return unknown(record);
    };
    match body.data {
        Some(Progress::Hook(hook)) => What::Hook(started_hook(hook, body.parent_tool_use_id)),
        Some(Progress::Unknown { .. }) | None => unknown(record),
        Some(_) => {
            let name = record
                .get("data")
                .and_then(|data| data.get("type"))
                .and_then(Json::str);
            let label = name.map_or_else(|| "progress".into(), |name| name.replace('_', " "));
            What::Hidden {
                label,
                text: record
                    .get("data")
                    .map(|data| RawJson::new(data).text())
                    .unwrap_or_default(),
            }
        }
    }
}

fn started_hook(hook: HookProgress<'_>, call: Option<JsonText<'_>>) -> Hook {
    Hook {
        event: decoded(hook.hook_event),
        name: some(hook.hook_name),
        command: some(hook.command),
        tool_use_id: some(call),
        ..Hook::default()
    }
}
