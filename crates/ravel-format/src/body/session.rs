//! Records about the session as a whole: titles, modes, links, totals.
//!
//! The client appends them again and again; the last one of a kind counts.

use crate::content::Content;
use crate::json::{Json, JsonText};
use crate::timestamp::Timestamp;
use crate::view::{List, Map, view};

view! {
    /// A title made by the model; 1.0.x often wrote it into another file.
    Summary<'a> {
        summary: JsonText<'a> = "summary",
        /// The record that the title is for.
        leaf_uuid: JsonText<'a> = "leafUuid",
    }

    /// A title given by a person.
    CustomTitle<'a> {
        custom_title: JsonText<'a> = "customTitle",
        session_id: JsonText<'a> = "sessionId",
    }

    /// A title given by the model.
    AiTitle<'a> {
        ai_title: JsonText<'a> = "aiTitle",
        session_id: JsonText<'a> = "sessionId",
    }

    /// A tag; an empty one clears it.
    Tag<'a> {
        tag: JsonText<'a> = "tag",
        session_id: JsonText<'a> = "sessionId",
    }

    /// The name of the agent that owns the session; `/rename` writes it too.
    AgentName<'a> {
        agent_name: JsonText<'a> = "agentName",
        session_id: JsonText<'a> = "sessionId",
    }

    /// The color of the agent that owns the session.
    AgentColor<'a> {
        agent_color: JsonText<'a> = "agentColor",
        session_id: JsonText<'a> = "sessionId",
    }

    /// The definition the agent runs under.
    AgentSetting<'a> {
        agent_setting: JsonText<'a> = "agentSetting",
        session_id: JsonText<'a> = "sessionId",
    }

    /// The latest prompt and the leaf to resume from.
    LastPrompt<'a> {
        last_prompt: JsonText<'a> = "lastPrompt",
        /// All zeros after a rewind to before the first prompt.
        leaf_uuid: JsonText<'a> = "leafUuid",
        /// A person chose the leaf.
        explicit: bool = "explicit",
        session_id: JsonText<'a> = "sessionId",
    }

    /// The input mode.
    Mode<'a> {
        mode: JsonText<'a> = "mode",
        session_id: JsonText<'a> = "sessionId",
    }

    /// The permission mode.
    PermissionMode<'a> {
        permission_mode: JsonText<'a> = "permissionMode",
        session_id: JsonText<'a> = "sessionId",
    }

    /// A prompt that enters or leaves the queue.
    QueueOperation<'a> {
        /// `enqueue`, `dequeue`, `remove`, `popAll`.
        operation: JsonText<'a> = "operation",
        content: Content<'a> = "content",
        timestamp: Timestamp = "timestamp",
        session_id: JsonText<'a> = "sessionId",
        /// Why it left, such as `absorbed_mid_turn`.
        reason: JsonText<'a> = "reason",
        command_uuid: JsonText<'a> = "commandUuid",
        delivery_id: JsonText<'a> = "deliveryId",
    }

    /// A pull request made in the session.
    PrLink<'a> {
        pr_number: u64 = "prNumber",
        pr_url: JsonText<'a> = "prUrl",
        pr_repository: JsonText<'a> = "prRepository",
        timestamp: Timestamp = "timestamp",
        session_id: JsonText<'a> = "sessionId",
    }

    /// Money and time so far.
    CostState<'a> {
        total_cost_usd: f64 = "totalCostUSD",
        total_api_duration: u64 = "totalAPIDuration",
        total_api_duration_without_retries: u64 = "totalAPIDurationWithoutRetries",
        total_tool_duration: u64 = "totalToolDuration",
        total_duration: u64 = "totalDuration",
        total_lines_added: u64 = "totalLinesAdded",
        total_lines_removed: u64 = "totalLinesRemoved",
        /// Epoch milliseconds in the file.
        start_time: Timestamp = "startTime",
        model_usage: Map<'a, ModelUsage<'a>> = "modelUsage",
        has_unknown_model_cost: bool = "hasUnknownModelCost",
        session_id: JsonText<'a> = "sessionId",
    }

    /// Totals of one model.
    ModelUsage<'a> {
        input_tokens: u64 = "inputTokens",
        output_tokens: u64 = "outputTokens",
        thinking_tokens: u64 = "thinkingTokens",
        cache_read_input_tokens: u64 = "cacheReadInputTokens",
        cache_creation_input_tokens: u64 = "cacheCreationInputTokens",
        cache_creation_5m_input_tokens: u64 = "cacheCreationEphemeral5mInputTokens",
        cache_creation_1h_input_tokens: u64 = "cacheCreationEphemeral1hInputTokens",
        web_search_requests: u64 = "webSearchRequests",
        cost_usd: f64 = "costUSD",
        context_window: u64 = "contextWindow",
        max_output_tokens: u64 = "maxOutputTokens",
    }

    /// Tools used so far.
    ToolsUsed<'a> {
        tools: List<'a, JsonText<'a>> = "tools",
        session_id: JsonText<'a> = "sessionId",
    }

    /// A switch of the client's own.
    AtisLatch<'a> {
        atis: JsonText<'a> = "atis",
        session_id: JsonText<'a> = "sessionId",
    }

    /// Large contents that were replaced by shorter ones.
    ContentReplacement<'a> {
        replacements: List<'a, Json<'a>> = "replacements",
        agent_id: JsonText<'a> = "agentId",
        session_id: JsonText<'a> = "sessionId",
    }

    /// The git worktree of the session; `None` once it was left.
    WorktreeState<'a> {
        worktree_session: WorktreeSession<'a> = "worktreeSession",
        session_id: JsonText<'a> = "sessionId",
    }

    /// A git worktree.
    WorktreeSession<'a> {
        original_cwd: JsonText<'a> = "originalCwd",
        worktree_path: JsonText<'a> = "worktreePath",
        worktree_name: JsonText<'a> = "worktreeName",
        worktree_branch: JsonText<'a> = "worktreeBranch",
        original_branch: JsonText<'a> = "originalBranch",
    }

    /// Where a forked agent took its context from; the first line of its file.
    ForkContextRef<'a> {
        agent_id: JsonText<'a> = "agentId",
        parent_session_id: JsonText<'a> = "parentSessionId",
        parent_last_uuid: JsonText<'a> = "parentLastUuid",
        context_length: u64 = "contextLength",
    }

    /// The session that continues this one.
    ContinuedIn<'a> {
        continued_in_session_id: JsonText<'a> = "continuedInSessionId",
        session_id: JsonText<'a> = "sessionId",
    }

    /// A record whose keys nobody recorded yet; all of it is in `json`.
    Marker<'a> {
        type_text: JsonText<'a> = "type",
        session_id: JsonText<'a> = "sessionId",
        timestamp: Timestamp = "timestamp",
    }
}
