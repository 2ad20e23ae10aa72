//! Messages that only travel over standard output and input.
//!
//! A host that drives the client, or a log of one, has them between the records that session
//! files have too. [`Stdout`] is the choice by `type`; the `system` messages of standard output
//! are in [`System`](crate::body::System), because the type is the same.
//! Both directions of the control protocol are read, in the client's spelling and in that of
//! seed 003 (`request_id` at the top, `updated_input`).

mod control;
mod event;
mod report;

#[cfg(test)]
mod tests;

pub use control::*;
pub use event::*;
pub use report::*;

use crate::body::{ModelUsage, Origin};
use crate::json::{Json, JsonText};
use crate::usage::Usage;
use crate::view::{List, Map, choice, view};

choice! {
    /// A message that is no record of a session.
    Stdout<'a> by "type" {
        /// The end of a turn.
        Result(TurnResult) = "result",
        /// A piece of a streamed reply.
        StreamEvent(StreamEvent) = "stream_event",
        /// A request of the control protocol, from either side.
        ControlRequest(ControlRequest) = "control_request",
        /// An answer of the control protocol, from either side.
        ControlResponse(ControlResponse) = "control_response",
        /// A request that was taken back.
        ControlCancelRequest(ControlCancelRequest) = "control_cancel_request",
        /// A sign of life.
        KeepAlive(Bare) = "keep_alive",
        /// News of a running tool.
        ToolProgress(ToolProgress) = "tool_progress",
        /// Several tool uses in a few words.
        ToolUseSummary(ToolUseSummary) = "tool_use_summary",
        /// How much of a rate limit is left.
        RateLimitEvent(RateLimitEvent) = "rate_limit_event",
        /// State of signing in.
        AuthStatus(AuthStatus) = "auth_status",
        /// State of a queued input.
        CommandLifecycle(CommandLifecycle) = "command_lifecycle",
        /// Lines of a session, mirrored to a host.
        TranscriptMirror(TranscriptMirror) = "transcript_mirror",
        /// Environment for the client, sent by a host.
        UpdateEnvironmentVariables(UpdateEnvironmentVariables) = "update_environment_variables",
        /// The conversation starts anew under another id.
        ConversationReset(ConversationReset) = "conversation_reset",
        /// A prompt that the person may want to send next.
        PromptSuggestion(PromptSuggestion) = "prompt_suggestion",
        /// The goal that the client works for.
        ActiveGoal(Bare) = "active_goal",
    }
}

view! {
    /// A message without keys of its own.
    Bare<'a> {
        type_text: JsonText<'a> = "type",
    }

    /// The end of a turn.
    TurnResult<'a> {
        /// `success`, `error_during_execution`, `error_max_turns`, `error_max_budget_usd` and
        /// others; seed 003 also says `error`.
        subtype: JsonText<'a> = "subtype",
        /// May be true with `success`: the API failed.
        is_error: bool = "is_error",
        /// The last text; absent with the error subtypes.
        result: JsonText<'a> = "result",
        errors: List<'a, JsonText<'a>> = "errors",
        duration_ms: u64 = "duration_ms",
        duration_api_ms: u64 = "duration_api_ms",
        num_turns: u64 = "num_turns",
        total_cost_usd: f64 = "total_cost_usd",
        usage: Usage<'a> = "usage",
        model_usage: Map<'a, ModelUsage<'a>> = "modelUsage",
        permission_denials: List<'a, PermissionDenial<'a>> = "permission_denials",
        structured_output: Json<'a> = "structured_output",
        stop_reason: JsonText<'a> = "stop_reason",
        /// Since 2.1.325: `api_error`, `max_turns`, `aborted_streaming`, `aborted_tools`.
        terminal_reason: JsonText<'a> = "terminal_reason",
        api_error_status: u64 = "api_error_status",
        api_error_type: JsonText<'a> = "api_error_type",
        origin: Origin<'a> = "origin",
        deferred_tool_use: Json<'a> = "deferred_tool_use",
        subagent_stats: Json<'a> = "subagent_stats",
        queued_turn_count: u64 = "queued_turn_count",
        result_index: u64 = "result_index",
        ttft_ms: u64 = "ttft_ms",
        session_id: JsonText<'a> = "session_id",
        uuid: JsonText<'a> = "uuid",
    }

    /// A tool that was not allowed to run.
    PermissionDenial<'a> {
        tool_name: JsonText<'a> = "tool_name",
        tool_use_id: JsonText<'a> = "tool_use_id",
        tool_input: Json<'a> = "tool_input",
    }

    /// News of a running tool.
    ToolProgress<'a> {
        tool_use_id: JsonText<'a> = "tool_use_id",
        tool_name: JsonText<'a> = "tool_name",
        parent_tool_use_id: JsonText<'a> = "parent_tool_use_id",
        elapsed_time_seconds: f64 = "elapsed_time_seconds",
        heartbeat: bool = "heartbeat",
        task_id: JsonText<'a> = "task_id",
    }

    /// Several tool uses in a few words.
    ToolUseSummary<'a> {
        summary: JsonText<'a> = "summary",
        preceding_tool_use_ids: List<'a, JsonText<'a>> = "preceding_tool_use_ids",
    }

    /// How much of a rate limit is left.
    RateLimitEvent<'a> {
        rate_limit_info: RateLimitInfo<'a> = "rate_limit_info",
        session_id: JsonText<'a> = "session_id",
        uuid: JsonText<'a> = "uuid",
    }

    /// The state of a rate limit.
    RateLimitInfo<'a> {
        status: JsonText<'a> = "status",
        /// Epoch seconds.
        resets_at: u64 = "resetsAt",
        rate_limit_type: JsonText<'a> = "rateLimitType",
        utilization: f64 = "utilization",
        overage_status: JsonText<'a> = "overageStatus",
        overage_resets_at: u64 = "overageResetsAt",
        is_using_overage: bool = "isUsingOverage",
    }

    /// State of signing in.
    AuthStatus<'a> {
        is_authenticating: bool = "isAuthenticating",
        output: List<'a, JsonText<'a>> = "output",
        error: JsonText<'a> = "error",
    }

    /// State of a queued input.
    CommandLifecycle<'a> {
        command_uuid: JsonText<'a> = "command_uuid",
        /// `queued`, `started`, `completed`.
        state: JsonText<'a> = "state",
        session_id: JsonText<'a> = "session_id",
    }

    /// Lines of a session, mirrored to a host.
    TranscriptMirror<'a> {
        file_path: JsonText<'a> = "filePath",
        /// Each entry is a record: see [`Body::from_json`](crate::body::Body::from_json).
        entries: List<'a, Json<'a>> = "entries",
    }

    /// Environment for the client, sent by a host.
    UpdateEnvironmentVariables<'a> {
        variables: Map<'a, JsonText<'a>> = "variables",
    }

    /// The conversation starts anew under another id.
    ConversationReset<'a> {
        new_conversation_id: JsonText<'a> = "new_conversation_id",
        trigger: JsonText<'a> = "trigger",
        session_id: JsonText<'a> = "session_id",
    }

    /// A prompt that the person may want to send next.
    PromptSuggestion<'a> {
        suggestion: JsonText<'a> = "suggestion",
    }
}
