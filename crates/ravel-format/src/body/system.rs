//! System records: what the client reports, by `subtype`.
//!
//! Session files and standard output share the type `system`, so one choice holds the subtypes
//! of both; the views that only standard output needs are in [`crate::stream`].

use crate::json::{Json, JsonText};
use crate::stream::{
    ApiRetry, BackgroundTasksChanged, HookReport, Init, PermissionDenied, SessionStateChanged,
    SessionTitleChanged, Status, TaskNotification, TaskProgress, TaskStarted, TaskUpdated,
    ThinkingTokens,
};
use crate::timestamp::Timestamp;
use crate::view::{List, choice, view};

choice! {
    /// What a system record reports.
    System<'a> by "subtype" {
        /// Text without a subtype, as 1.0.x wrote it.
        Plain(Notice) = "",
        /// The conversation before this was replaced by a summary.
        CompactBoundary(CompactBoundary) = "compact_boundary",
        /// The results of some tools were cleared (2.1.000 to 2.1.05x).
        MicrocompactBoundary(MicrocompactBoundary) = "microcompact_boundary",
        /// How long a turn took.
        TurnDuration(TurnDuration) = "turn_duration",
        /// A slash command that ran in the client, or its output.
        LocalCommand(LocalCommand) = "local_command" | "local_command_output",
        /// A request failed and is tried again.
        ApiError(ApiError) = "api_error",
        /// What the hooks at the end of a turn did.
        StopHookSummary(StopHookSummary) = "stop_hook_summary",
        /// A note.
        Informational(Notice) = "informational",
        /// What happened while the person was away.
        AwaySummary(Notice) = "away_summary",
        /// A scheduled prompt started.
        ScheduledTaskFire(ScheduledTaskFire) = "scheduled_task_fire" | "scheduled_fire",
        /// Something was written to memory.
        MemorySaved(MemorySaved) = "memory_saved",
        /// Running agents were stopped.
        AgentsKilled(Notice) = "agents_killed",
        /// The state of a remote connection.
        BridgeStatus(BridgeStatus) = "bridge_status",
        /// A denied command may now run.
        PermissionRetry(PermissionRetry) = "permission_retry",
        /// Standard output: the session as a turn begins.
        Init(Init) = "init",
        /// Standard output: what the client is busy with.
        Status(Status) = "status",
        /// Standard output: a hook began.
        HookStarted(HookReport) = "hook_started",
        /// Standard output: a hook goes on.
        HookProgress(HookReport) = "hook_progress",
        /// Standard output: a hook ended.
        HookResponse(HookReport) = "hook_response",
        /// Standard output: a background task began.
        TaskStarted(TaskStarted) = "task_started",
        /// Standard output: a background task goes on.
        TaskProgress(TaskProgress) = "task_progress",
        /// Standard output: a background task changed.
        TaskUpdated(TaskUpdated) = "task_updated",
        /// Standard output: a background task ended.
        TaskNotification(TaskNotification) = "task_notification",
        /// Standard output: the tasks that run now.
        BackgroundTasksChanged(BackgroundTasksChanged) = "background_tasks_changed",
        /// Standard output: a request is tried again.
        ApiRetry(ApiRetry) = "api_retry",
        /// Standard output: a tool may not run.
        PermissionDenied(PermissionDenied) = "permission_denied",
        /// Standard output: an estimate of thinking so far.
        ThinkingTokens(ThinkingTokens) = "thinking_tokens",
        /// Standard output: the session is busy, idle or waiting.
        SessionStateChanged(SessionStateChanged) = "session_state_changed",
        /// Standard output: the session has a new title.
        SessionTitleChanged(SessionTitleChanged) = "session_title_changed",
        /// Standard output: a note for the person.
        Notification(Notice) = "notification",
        /// Standard output: news of a control request.
        ControlRequestProgress(Notice) = "control_request_progress",
        /// Standard output: a plugin is being installed.
        PluginInstall(Notice) = "plugin_install",
        /// Standard output: the client is about to end.
        WorkerShuttingDown(Notice) = "worker_shutting_down",
        /// Standard output: other slash commands are available.
        CommandsChanged(Notice) = "commands_changed",
        /// Standard output: files were stored.
        FilesPersisted(Notice) = "files_persisted",
        /// Standard output: memories were used.
        MemoryRecall(Notice) = "memory_recall",
        /// Standard output: a question of an MCP server was answered.
        ElicitationComplete(Notice) = "elicitation_complete",
        /// Standard output: mirroring failed.
        MirrorError(Notice) = "mirror_error",
        /// Standard output: another model took over after a refusal.
        ModelRefusalFallback(Notice) = "model_refusal_fallback",
        /// Standard output: no model took over after a refusal.
        ModelRefusalNoFallback(Notice) = "model_refusal_no_fallback",
        /// Standard output: lines could not be written to the session.
        SessionWritesLost(Notice) = "session_writes_lost",
    }
}

view! {
    /// A note in words.
    Notice<'a> {
        content: JsonText<'a> = "content" | "text",
        level: JsonText<'a> = "level",
        tool_use_id: JsonText<'a> = "toolUseID" | "tool_use_id",
        message: Json<'a> = "message",
        prevent_continuation: bool = "preventContinuation" | "prevent_continuation",
        key: JsonText<'a> = "key",
        priority: JsonText<'a> = "priority",
    }

    /// The place where the conversation was compacted.
    CompactBoundary<'a> {
        content: JsonText<'a> = "content",
        logical_parent_uuid: JsonText<'a> = "logicalParentUuid" | "logical_parent_uuid",
        metadata: CompactMetadata<'a> = "compactMetadata" | "compact_metadata",
    }

    /// What a compaction did.
    CompactMetadata<'a> {
        /// `auto` or `manual`.
        trigger: JsonText<'a> = "trigger",
        pre_tokens: u64 = "preTokens" | "pre_tokens",
        /// Since 2.1.1xx.
        post_tokens: u64 = "postTokens" | "post_tokens",
        duration_ms: u64 = "durationMs" | "duration_ms",
        cumulative_dropped_tokens: u64 = "cumulativeDroppedTokens" | "cumulative_dropped_tokens",
        /// Since 2.1.05x.
        pre_compact_discovered_tools: List<'a, JsonText<'a>> = "preCompactDiscoveredTools" | "pre_compact_discovered_tools",
        /// Since 2.1.15x.
        preserved_segment: PreservedSegment<'a> = "preservedSegment" | "preserved_segment",
        /// Since 2.1.15x.
        preserved_messages: PreservedMessages<'a> = "preservedMessages" | "preserved_messages",
        user_context: JsonText<'a> = "userContext",
        messages_summarized: u64 = "messagesSummarized",
    }

    /// Records before the boundary that still count, to be read after the anchor.
    PreservedSegment<'a> {
        head_uuid: JsonText<'a> = "headUuid" | "head_uuid",
        anchor_uuid: JsonText<'a> = "anchorUuid" | "anchor_uuid",
        tail_uuid: JsonText<'a> = "tailUuid" | "tail_uuid",
    }

    /// The same records, one by one.
    PreservedMessages<'a> {
        anchor_uuid: JsonText<'a> = "anchorUuid" | "anchor_uuid",
        uuids: List<'a, JsonText<'a>> = "uuids",
        all_uuids: List<'a, JsonText<'a>> = "allUuids" | "all_uuids",
    }

    /// The place where tool results were cleared.
    MicrocompactBoundary<'a> {
        content: JsonText<'a> = "content",
        metadata: MicrocompactMetadata<'a> = "microcompactMetadata" | "microcompact_metadata",
    }

    /// What was cleared.
    MicrocompactMetadata<'a> {
        trigger: JsonText<'a> = "trigger",
        pre_tokens: u64 = "preTokens",
        tokens_saved: u64 = "tokensSaved",
        compacted_tool_ids: List<'a, JsonText<'a>> = "compactedToolIds",
        cleared_attachment_uuids: List<'a, JsonText<'a>> = "clearedAttachmentUUIDs",
    }

    /// How long a turn took.
    TurnDuration<'a> {
        duration_ms: u64 = "durationMs",
        message_count: u64 = "messageCount",
        budget_tokens: u64 = "budgetTokens",
    }

    /// A slash command that ran in the client.
    LocalCommand<'a> {
        /// The command in tags, or its output in tags.
        content: JsonText<'a> = "content",
        level: JsonText<'a> = "level",
        command_run: CommandRun<'a> = "commandRun",
        context_usage: Json<'a> = "contextUsage",
    }

    /// A slash command, since 2.1.325.
    CommandRun<'a> {
        command: JsonText<'a> = "command",
        args: JsonText<'a> = "args",
    }

    /// A request that failed and is tried again.
    ApiError<'a> {
        error: ApiErrorDetail<'a> = "error",
        cause: Json<'a> = "cause",
        retry_in_ms: f64 = "retryInMs",
        retry_attempt: u64 = "retryAttempt",
        max_retries: u64 = "maxRetries",
        source: JsonText<'a> = "source",
    }

    /// What the API or the network said.
    ApiErrorDetail<'a> {
        status: u64 = "status",
        message: JsonText<'a> = "message",
        /// The error in one line, since 2.1.325.
        formatted: JsonText<'a> = "formatted",
        request_id: JsonText<'a> = "requestId" | "requestID" | "request_id",
        /// The body of the answer, up to 2.1.29.
        error: Json<'a> = "error",
        connection: Json<'a> = "connection",
        is_network_down: bool = "isNetworkDown",
    }

    /// What the hooks at the end of a turn did.
    StopHookSummary<'a> {
        hook_count: u64 = "hookCount",
        hook_infos: List<'a, HookInfo<'a>> = "hookInfos",
        hook_errors: List<'a, Json<'a>> = "hookErrors",
        hook_additional_context: List<'a, Json<'a>> = "hookAdditionalContext",
        prevented_continuation: bool = "preventedContinuation",
        stop_reason: JsonText<'a> = "stopReason",
        has_output: bool = "hasOutput",
        level: JsonText<'a> = "level",
        tool_use_id: JsonText<'a> = "toolUseID",
    }

    /// One hook of a summary.
    HookInfo<'a> {
        command: JsonText<'a> = "command",
        duration_ms: u64 = "durationMs",
    }

    /// A scheduled prompt that started.
    ScheduledTaskFire<'a> {
        content: JsonText<'a> = "content",
        task_id: JsonText<'a> = "taskId",
        fired_at: Timestamp = "firedAt",
    }

    /// What was written to memory.
    MemorySaved<'a> {
        content: JsonText<'a> = "content",
        written_paths: List<'a, JsonText<'a>> = "writtenPaths",
    }

    /// The state of a remote connection.
    BridgeStatus<'a> {
        content: JsonText<'a> = "content",
        url: JsonText<'a> = "url",
        status: JsonText<'a> = "status",
    }

    /// Commands that may now run.
    PermissionRetry<'a> {
        content: JsonText<'a> = "content",
        commands: List<'a, JsonText<'a>> = "commands",
    }
}
