//! Progress records: news of something that runs, by `data.type`.
//!
//! They hang in the parent chain although nobody speaks in them, and are gone after 2.1.09x.

use crate::json::{Json, JsonText};
use crate::view::{List, choice, view};

view! {
    /// What a progress record says.
    ProgressBody<'a> {
        /// The id of this piece of news.
        tool_use_id: JsonText<'a> = "toolUseID" | "tool_use_id",
        /// The call that is running.
        parent_tool_use_id: JsonText<'a> = "parentToolUseID" | "parent_tool_use_id",
        data: Progress<'a> = "data",
    }
}

choice! {
    /// The news.
    Progress<'a> by "type" {
        /// Output of a running command.
        Bash(BashProgress) = "bash_progress" | "powershell_progress",
        /// A message of a running sub-agent.
        Agent(AgentProgress) = "agent_progress",
        /// A message of a running skill.
        Skill(AgentProgress) = "skill_progress",
        /// A hook that runs.
        Hook(HookProgress) = "hook_progress",
        /// An MCP call that runs.
        Mcp(McpProgress) = "mcp_progress",
        /// A web search that began.
        QueryUpdate(SearchProgress) = "query_update",
        /// A web search that found something.
        SearchResultsReceived(SearchProgress) = "search_results_received",
        /// Waiting for a background task.
        WaitingForTask(WaitingForTask) = "waiting_for_task",
    }
}

view! {
    /// Output of a running command.
    BashProgress<'a> {
        output: JsonText<'a> = "output",
        full_output: JsonText<'a> = "fullOutput",
        elapsed_time_seconds: f64 = "elapsedTimeSeconds",
        total_lines: u64 = "totalLines",
        timeout_ms: u64 = "timeoutMs",
        task_id: JsonText<'a> = "taskId",
    }

    /// A message of a running sub-agent or skill.
    AgentProgress<'a> {
        agent_id: JsonText<'a> = "agentId",
        prompt: JsonText<'a> = "prompt",
        /// The record as the agent's own file has it, without its envelope.
        message: Json<'a> = "message",
        normalized_messages: List<'a, Json<'a>> = "normalizedMessages",
    }

    /// A hook that runs.
    HookProgress<'a> {
        hook_event: JsonText<'a> = "hookEvent",
        hook_name: JsonText<'a> = "hookName",
        command: JsonText<'a> = "command",
        status_message: JsonText<'a> = "statusMessage",
    }

    /// An MCP call that runs.
    McpProgress<'a> {
        status: JsonText<'a> = "status",
        server_name: JsonText<'a> = "serverName",
        tool_name: JsonText<'a> = "toolName",
        elapsed_time_ms: u64 = "elapsedTimeMs",
        progress: f64 = "progress",
        total: f64 = "total",
        progress_message: JsonText<'a> = "progressMessage",
    }

    /// A web search.
    SearchProgress<'a> {
        query: JsonText<'a> = "query",
        result_count: u64 = "resultCount",
    }

    /// A background task that is waited for.
    WaitingForTask<'a> {
        task_description: JsonText<'a> = "taskDescription",
        task_type: JsonText<'a> = "taskType",
    }
}
