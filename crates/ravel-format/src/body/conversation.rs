//! What stands beside the message of user and assistant records.

use crate::json::{Json, JsonText};
use crate::view::{List, view};

view! {
    /// What a user record says beside its message.
    UserBody<'a> {
        /// The structured outcome of a tool: object, string or list.
        tool_use_result: Json<'a> = "toolUseResult" | "tool_use_result",
        source_tool_assistant_uuid: JsonText<'a> = "sourceToolAssistantUUID",
        /// The call that brought this text in, such as the Skill tool.
        source_tool_use_id: JsonText<'a> = "sourceToolUseID",
        is_meta: bool = "isMeta",
        is_compact_summary: bool = "isCompactSummary",
        is_visible_in_transcript_only: bool = "isVisibleInTranscriptOnly",
        /// The todo list at the time of the prompt, up to 2.1.29.
        todos: List<'a, Json<'a>> = "todos",
        thinking_metadata: Json<'a> = "thinkingMetadata",
        permission_mode: JsonText<'a> = "permissionMode",
        prompt_id: JsonText<'a> = "promptId",
        /// `typed`, `sdk` and others.
        prompt_source: JsonText<'a> = "promptSource",
        turn_origin: JsonText<'a> = "turnOrigin",
        turn_position: TurnPosition<'a> = "turnPosition",
        /// Who speaks, when it is not the person: a task notification, a channel.
        origin: Origin<'a> = "origin",
        /// The plan, on the first prompt of a session that carries one out.
        plan_content: JsonText<'a> = "planContent",
        mcp_meta: Json<'a> = "mcpMeta",
        permission_decision: PermissionDecision<'a> = "permissionDecision",
        tool_denial_kind: JsonText<'a> = "toolDenialKind",
        sandboxed: bool = "sandboxed",
        image_paste_ids: List<'a, Json<'a>> = "imagePasteIds",
        turn_companion: bool = "turnCompanion",
        /// Standard output: the prompt is echoed.
        is_replay: bool = "isReplay",
        /// Standard output: nobody typed it.
        is_synthetic: bool = "isSynthetic",
        /// Standard output: how each result came about.
        tool_result_meta: List<'a, Json<'a>> = "tool_result_meta",
        /// Standard input: how soon the prompt should be taken.
        priority: JsonText<'a> = "priority",
    }

    /// Which prompt and which turn of the session a record belongs to.
    TurnPosition<'a> {
        prompt_index: u64 = "promptIndex",
        turn_index: u64 = "turnIndex",
    }

    /// Who speaks in a user record.
    Origin<'a> {
        kind: JsonText<'a> = "kind",
        producer: JsonText<'a> = "producer",
        run_id: JsonText<'a> = "runId",
    }

    /// How it was decided whether a tool may run.
    PermissionDecision<'a> {
        decision: JsonText<'a> = "decision",
        source: JsonText<'a> = "source",
        reason_type: JsonText<'a> = "reasonType",
        reason_code: JsonText<'a> = "reasonCode",
        rule_source: JsonText<'a> = "ruleSource",
        grant_scope: JsonText<'a> = "grantScope",
    }

    /// What an assistant record says beside its message.
    AssistantBody<'a> {
        request_id: JsonText<'a> = "requestId" | "request_id",
        /// The `id` of the request-log record of this reply.
        request_ref: JsonText<'a> = "requestRef",
        /// Which block of the reply this is.
        api_block_index: u64 = "apiBlockIndex",
        requested_model: JsonText<'a> = "requestedModel",
        effort: JsonText<'a> = "effort",
        per_turn_effort: Json<'a> = "perTurnEffort",
        made_by: JsonText<'a> = "madeBy",
        is_api_error_message: bool = "isApiErrorMessage" | "is_api_error_message",
        /// What went wrong: `rate_limit`, `authentication_failed` and others.
        error: Json<'a> = "error",
        api_error: JsonText<'a> = "apiError",
        api_error_status: u64 = "apiErrorStatus" | "api_error_status",
        api_error_type: JsonText<'a> = "apiErrorType" | "api_error_type",
        error_details: Json<'a> = "errorDetails",
        /// The reply was cut off by an interruption.
        is_aborted_mid_stream: bool = "isAbortedMidStream" | "aborted",
        thinking_duration_ms: u64 = "thinkingDurationMs" | "thinking_duration_ms",
        thinking_display: JsonText<'a> = "thinkingDisplay" | "thinking_display",
        tool_input_stream_ms: u64 = "toolInputStreamMs",
        attribution_skill: JsonText<'a> = "attributionSkill",
        attribution_agent: JsonText<'a> = "attributionAgent",
        attribution_mcp_server: JsonText<'a> = "attributionMcpServer",
        attribution_mcp_tool: JsonText<'a> = "attributionMcpTool",
        attribution_plugin: JsonText<'a> = "attributionPlugin",
        /// 0.2.x only.
        cost_usd: f64 = "costUSD",
        /// 0.2.x only.
        duration_ms: u64 = "durationMs",
    }

    /// Seed 001: one step of a compaction, named by its message.
    CompactSystem<'a> {
        message: JsonText<'a> = "message",
        metadata: CompactSystemMetadata<'a> = "metadata",
    }

    /// Seed 001: how much a compaction kept.
    CompactSystemMetadata<'a> {
        preserved_messages: u64 = "preservedMessages",
        total_messages: u64 = "totalMessages",
    }
}
