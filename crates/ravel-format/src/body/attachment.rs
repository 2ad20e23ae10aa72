//! Attachment records: context that the client injected, by `attachment.type`.
//!
//! Since 2.1.325 `rendered` holds the exact text that the model got, so a reader needs the views
//! below only to show an attachment in other words.

use crate::content::Content;
use crate::json::{Json, JsonText};
use crate::timestamp::Timestamp;
use crate::view::{List, choice, view};

view! {
    /// What an attachment record says.
    AttachmentBody<'a> {
        attachment: Attachment<'a> = "attachment",
        /// The messages that the model got for it.
        rendered: List<'a, Rendered<'a>> = "rendered",
        /// `user` or `system`.
        rendered_role: JsonText<'a> = "renderedRole",
        rendered_beside_tool_result: bool = "renderedBesideToolResult",
        rendered_in_human_turn: bool = "renderedInHumanTurn",
    }

    /// One message that the model got.
    Rendered<'a> {
        content: Content<'a> = "content",
    }
}

choice! {
    /// The context.
    Attachment<'a> by "type" {
        /// A file.
        File(FileAttachment) = "file" | "already_read_file" | "edited_text_file" | "edited_image_file" | "compact_file_reference" | "pdf_reference",
        /// The listing of a folder.
        Directory(DirectoryAttachment) = "directory",
        /// Instruction files, such as `CLAUDE.md`.
        Instructions(Instructions) = "instructions",
        /// A memory file below the working folder.
        NestedMemory(FileAttachment) = "nested_memory",
        /// Where the client runs.
        Environment(Environment) = "environment",
        /// Which model answers.
        Model(ModelIdentity) = "model",
        /// Facts about the session; may hold the account's address.
        SessionContext(SessionContext) = "session_context",
        /// The date.
        Date(DateAttachment) = "date" | "date_change",
        /// Tools that can be searched for.
        DeferredToolsDelta(NamesDelta) = "deferred_tools_delta",
        /// Agents that can be called.
        AgentListingDelta(NamesDelta) = "agent_listing_delta",
        /// Skills that can be used.
        SkillListing(SkillListing) = "skill_listing",
        /// The system prompt as it was sent.
        PromptSnapshot(PromptSnapshot) = "prompt_snapshot",
        /// How work in a remote session is published.
        RemoteSessionChange(RemoteSessionChange) = "remote_session_change",
        /// Automatic permission decisions are on.
        AutoMode(Reminder) = "auto_mode",
        /// Plan mode is on.
        PlanMode(PlanMode) = "plan_mode" | "plan_mode_reentry",
        /// Plan mode is over.
        PlanModeExit(PlanMode) = "plan_mode_exit",
        /// A prompt that was queued while the model worked.
        QueuedCommand(QueuedCommand) = "queued_command",
        /// Tools that a slash command may use.
        CommandPermissions(CommandPermissions) = "command_permissions",
        /// A slash command nobody knows.
        UnknownCommandFallback(UnknownCommand) = "unknown_command_fallback",
        /// A hook succeeded.
        HookSuccess(HookAttachment) = "hook_success",
        /// A hook has context to add.
        HookAdditionalContext(HookAttachment) = "hook_additional_context" | "saved_hook_context",
        /// A hook blocked the action.
        HookBlockingError(HookAttachment) = "hook_blocking_error",
        /// A hook failed.
        HookNonBlockingError(HookAttachment) = "hook_non_blocking_error" | "hook_error_during_execution",
        /// A hook was cancelled.
        HookCancelled(HookAttachment) = "hook_cancelled",
        /// A hook has a message for the person.
        HookSystemMessage(HookAttachment) = "hook_system_message",
        /// A hook decided whether a tool may run.
        HookPermissionDecision(HookAttachment) = "hook_permission_decision",
        /// A hook ended the turn.
        HookStoppedContinuation(HookAttachment) = "hook_stopped_continuation",
        /// A hook in the background answered.
        AsyncHookResponse(HookAttachment) = "async_hook_response",
        /// The tasks, as a reminder.
        TaskReminder(TaskReminder) = "task_reminder" | "todo_reminder" | "todo",
        /// How a background task is doing.
        TaskStatus(TaskStatus) = "task_status",
        /// A note that the model must not miss.
        CriticalSystemReminder(Reminder) = "critical_system_reminder",
        /// A note to keep the person informed.
        SilentTurnReminder(Reminder) = "silent_turn_reminder",
        /// How many tokens are left.
        TotalTokensReminder(Reminder) = "total_tokens_reminder" | "token_usage",
        /// A file was not read to its end.
        ReadTruncationNotice(Reminder) = "read_truncation_notice",
        /// How much money is left.
        BudgetUsd(Budget) = "budget_usd",
        /// The turn ended at its limit.
        MaxTurnsReached(MaxTurns) = "max_turns_reached",
        /// The answer in the shape that was asked for.
        StructuredOutput(StructuredOutput) = "structured_output",
    }
}

view! {
    /// A file, whole or in part.
    FileAttachment<'a> {
        filename: JsonText<'a> = "filename" | "path",
        display_path: JsonText<'a> = "displayPath",
        /// What the Read tool would have said; see `ReadOutcome`.
        content: Json<'a> = "content",
        snippet: JsonText<'a> = "snippet",
        truncated: bool = "truncated",
    }

    /// The listing of a folder.
    DirectoryAttachment<'a> {
        path: JsonText<'a> = "path",
        display_path: JsonText<'a> = "displayPath",
        content: JsonText<'a> = "content",
    }

    /// Instruction files.
    Instructions<'a> {
        files: List<'a, InstructionFile<'a>> = "files",
    }

    /// One instruction file.
    InstructionFile<'a> {
        path: JsonText<'a> = "path",
        /// `Project`, `User` and others.
        scope: JsonText<'a> = "type",
        content: JsonText<'a> = "content",
    }

    /// Where the client runs.
    Environment<'a> {
        snapshot: EnvironmentSnapshot<'a> = "snapshot",
        changes: List<'a, Json<'a>> = "changes",
    }

    /// The facts of an environment.
    EnvironmentSnapshot<'a> {
        working_directory: JsonText<'a> = "workingDirectory",
        additional_working_directories: List<'a, JsonText<'a>> = "additionalWorkingDirectories",
        is_git_repo: bool = "isGitRepo",
        is_worktree: bool = "isWorktree",
        platform: JsonText<'a> = "platform",
        os_version: JsonText<'a> = "osVersion",
        shell: JsonText<'a> = "shell",
    }

    /// Which model answers.
    ModelIdentity<'a> {
        identity: Json<'a> = "identity",
        text: JsonText<'a> = "text",
    }

    /// Facts about the session.
    SessionContext<'a> {
        context: Json<'a> = "context",
    }

    /// The date.
    DateAttachment<'a> {
        date: JsonText<'a> = "date" | "newDate",
    }

    /// Names that came and went.
    NamesDelta<'a> {
        added: List<'a, JsonText<'a>> = "addedNames" | "addedTypes",
        removed: List<'a, JsonText<'a>> = "removedNames" | "removedTypes",
        added_lines: List<'a, JsonText<'a>> = "addedLines",
        is_initial: bool = "isInitial",
    }

    /// Skills that can be used.
    SkillListing<'a> {
        content: JsonText<'a> = "content",
        skill_count: u64 = "skillCount",
        is_initial: bool = "isInitial",
        names: List<'a, JsonText<'a>> = "names",
    }

    /// The system prompt as it was sent.
    PromptSnapshot<'a> {
        system_prompt: List<'a, JsonText<'a>> = "systemPrompt",
        tools: List<'a, Json<'a>> = "tools",
        cli_prefix: JsonText<'a> = "cliPrefix",
        context_rendering: JsonText<'a> = "contextRendering",
    }

    /// How work in a remote session is published.
    RemoteSessionChange<'a> {
        url: JsonText<'a> = "url",
        commit: JsonText<'a> = "commit",
        pr: JsonText<'a> = "pr",
    }

    /// The state of a plan.
    PlanMode<'a> {
        reminder_type: JsonText<'a> = "reminderType",
        is_sub_agent: bool = "isSubAgent",
        plan_file_path: JsonText<'a> = "planFilePath",
        plan_exists: bool = "planExists",
    }

    /// A prompt that was queued while the model worked.
    QueuedCommand<'a> {
        /// A string, or blocks when an image came with it.
        prompt: Content<'a> = "prompt",
        /// `prompt`, `task-notification` and others.
        command_mode: JsonText<'a> = "commandMode",
        source_uuid: JsonText<'a> = "source_uuid",
        delivery_id: JsonText<'a> = "delivery_id",
        origin: Json<'a> = "origin",
        run_id: JsonText<'a> = "runId",
        timestamp: Timestamp = "timestamp",
        usage: Json<'a> = "usage",
        is_meta: bool = "isMeta",
    }

    /// Tools that a slash command may use.
    CommandPermissions<'a> {
        allowed_tools: List<'a, JsonText<'a>> = "allowedTools",
        model: JsonText<'a> = "model",
    }

    /// A slash command nobody knows.
    UnknownCommand<'a> {
        command_name: JsonText<'a> = "commandName",
        available_command_names: List<'a, JsonText<'a>> = "availableCommandNames",
    }

    /// What a hook did.
    HookAttachment<'a> {
        hook_event: JsonText<'a> = "hookEvent",
        hook_name: JsonText<'a> = "hookName",
        tool_use_id: JsonText<'a> = "toolUseID",
        /// A string, or a list of strings.
        content: Content<'a> = "content",
        command: JsonText<'a> = "command",
        stdout: JsonText<'a> = "stdout",
        stderr: JsonText<'a> = "stderr",
        exit_code: i64 = "exitCode",
        duration_ms: u64 = "durationMs",
        blocking_error: BlockingError<'a> = "blockingError",
        decision: JsonText<'a> = "decision",
        message: JsonText<'a> = "message",
    }

    /// Why a hook blocked the action.
    BlockingError<'a> {
        blocking_error: JsonText<'a> = "blockingError",
        command: JsonText<'a> = "command",
    }

    /// The tasks, as a reminder.
    TaskReminder<'a> {
        content: List<'a, Json<'a>> = "content",
        item_count: u64 = "itemCount",
    }

    /// How a background task is doing.
    TaskStatus<'a> {
        task_id: JsonText<'a> = "taskId",
        task_type: JsonText<'a> = "taskType",
        status: JsonText<'a> = "status",
        description: JsonText<'a> = "description",
    }

    /// A note for the model.
    Reminder<'a> {
        text: JsonText<'a> = "text" | "content" | "banner",
        tool_use_id: JsonText<'a> = "toolUseID",
    }

    /// How much money is left.
    Budget<'a> {
        used: f64 = "used",
        total: f64 = "total",
        remaining: f64 = "remaining",
    }

    /// The limit at which a turn ended.
    MaxTurns<'a> {
        max_turns: u64 = "maxTurns",
        turn_count: u64 = "turnCount",
    }

    /// The answer in the shape that was asked for.
    StructuredOutput<'a> {
        data: Json<'a> = "data",
        tool_use_id: JsonText<'a> = "toolUseID",
    }
}
