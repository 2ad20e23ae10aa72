//! The `system` messages that only standard output has.

use crate::json::{Json, JsonText};
use crate::timestamp::Timestamp;
use crate::view::{List, view};

view! {
    /// The session as a turn begins; one for each input.
    Init<'a> {
        cwd: JsonText<'a> = "cwd",
        session_id: JsonText<'a> = "session_id",
        tools: List<'a, JsonText<'a>> = "tools",
        mcp_servers: List<'a, McpServer<'a>> = "mcp_servers",
        model: JsonText<'a> = "model",
        permission_mode: JsonText<'a> = "permissionMode",
        slash_commands: List<'a, JsonText<'a>> = "slash_commands",
        terminal_slash_commands: List<'a, JsonText<'a>> = "terminal_slash_commands",
        api_key_source: JsonText<'a> = "apiKeySource",
        claude_code_version: JsonText<'a> = "claude_code_version",
        output_style: JsonText<'a> = "output_style",
        agents: List<'a, JsonText<'a>> = "agents",
        skills: List<'a, JsonText<'a>> = "skills",
        plugins: List<'a, Plugin<'a>> = "plugins",
        capabilities: List<'a, JsonText<'a>> = "capabilities",
        memory_paths: Json<'a> = "memory_paths",
        original_cwd: JsonText<'a> = "original_cwd",
        additional_directories: List<'a, JsonText<'a>> = "additional_directories",
        fast_mode_state: JsonText<'a> = "fast_mode_state",
        view_mode: JsonText<'a> = "view_mode",
        uuid: JsonText<'a> = "uuid",
    }

    /// An MCP server.
    McpServer<'a> {
        name: JsonText<'a> = "name",
        status: JsonText<'a> = "status",
        source: JsonText<'a> = "source",
        error: JsonText<'a> = "error",
    }

    /// A plugin.
    Plugin<'a> {
        name: JsonText<'a> = "name",
        path: JsonText<'a> = "path",
        source: JsonText<'a> = "source",
        version: JsonText<'a> = "version",
    }

    /// What the client is busy with.
    Status<'a> {
        /// `compacting`, `requesting`; `None` when it is over.
        status: JsonText<'a> = "status",
        permission_mode: JsonText<'a> = "permissionMode",
        compact_result: JsonText<'a> = "compact_result",
    }

    /// A hook that began, goes on or ended.
    HookReport<'a> {
        /// The same id from start to end.
        hook_id: JsonText<'a> = "hook_id",
        hook_name: JsonText<'a> = "hook_name",
        hook_event: JsonText<'a> = "hook_event",
        output: JsonText<'a> = "output",
        stdout: JsonText<'a> = "stdout",
        stderr: JsonText<'a> = "stderr",
        exit_code: i64 = "exit_code",
        /// `success`, `error`, `cancelled`.
        outcome: JsonText<'a> = "outcome",
    }

    /// A background task that began.
    TaskStarted<'a> {
        task_id: JsonText<'a> = "task_id",
        run_id: JsonText<'a> = "run_id",
        tool_use_id: JsonText<'a> = "tool_use_id",
        description: JsonText<'a> = "description",
        task_type: JsonText<'a> = "task_type",
        subagent_type: JsonText<'a> = "subagent_type",
        spawn_depth: u64 = "spawn_depth",
        is_backgrounded: bool = "is_backgrounded",
        prompt: JsonText<'a> = "prompt",
    }

    /// A background task that goes on.
    TaskProgress<'a> {
        task_id: JsonText<'a> = "task_id",
        run_id: JsonText<'a> = "run_id",
        tool_use_id: JsonText<'a> = "tool_use_id",
        description: JsonText<'a> = "description",
        subagent_type: JsonText<'a> = "subagent_type",
        usage: TaskUsage<'a> = "usage",
        last_tool_name: JsonText<'a> = "last_tool_name",
    }

    /// A background task that changed.
    TaskUpdated<'a> {
        task_id: JsonText<'a> = "task_id",
        run_id: JsonText<'a> = "run_id",
        patch: TaskPatch<'a> = "patch",
    }

    /// What changed.
    TaskPatch<'a> {
        status: JsonText<'a> = "status",
        end_time: Timestamp = "end_time",
    }

    /// A background task that ended.
    TaskNotification<'a> {
        task_id: JsonText<'a> = "task_id",
        run_id: JsonText<'a> = "run_id",
        tool_use_id: JsonText<'a> = "tool_use_id",
        /// `completed`, `failed`, `stopped`.
        status: JsonText<'a> = "status",
        output_file: JsonText<'a> = "output_file",
        summary: JsonText<'a> = "summary",
        usage: TaskUsage<'a> = "usage",
    }

    /// What a task cost.
    TaskUsage<'a> {
        total_tokens: u64 = "total_tokens",
        tool_uses: u64 = "tool_uses",
        duration_ms: u64 = "duration_ms",
    }

    /// The tasks that run now.
    BackgroundTasksChanged<'a> {
        tasks: List<'a, TaskStarted<'a>> = "tasks",
    }

    /// A request that is tried again.
    ApiRetry<'a> {
        attempt: u64 = "attempt",
        max_retries: u64 = "max_retries",
        retry_delay_ms: f64 = "retry_delay_ms",
        error_status: u64 = "error_status",
        error: JsonText<'a> = "error",
    }

    /// A tool that may not run.
    PermissionDenied<'a> {
        tool_name: JsonText<'a> = "tool_name",
        tool_use_id: JsonText<'a> = "tool_use_id",
        message: JsonText<'a> = "message",
        decision_reason: JsonText<'a> = "decision_reason",
        decision_reason_type: JsonText<'a> = "decision_reason_type",
    }

    /// An estimate of thinking so far.
    ThinkingTokens<'a> {
        estimated_tokens: u64 = "estimated_tokens",
        estimated_tokens_delta: u64 = "estimated_tokens_delta",
    }

    /// The session is `running`, `idle` or waiting.
    SessionStateChanged<'a> {
        state: JsonText<'a> = "state",
        sdk_host_only: bool = "sdk_host_only",
    }

    /// The session has a new title.
    SessionTitleChanged<'a> {
        title: JsonText<'a> = "title",
    }
}
