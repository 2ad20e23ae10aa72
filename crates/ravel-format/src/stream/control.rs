//! The control protocol: requests and answers of both sides.
//!
//! The client puts the id of an answer inside `response`; seed 003 puts it at the top.
//! [`ControlResponse::request_id`] takes either.

use crate::json::{Json, JsonText};
use crate::view::{List, Map, choice, view};

use super::McpServer;

view! {
    /// A request, from either side.
    ControlRequest<'a> {
        request_id: JsonText<'a> = "request_id",
        request: Request<'a> = "request",
    }

    /// A request that was taken back.
    ControlCancelRequest<'a> {
        request_id: JsonText<'a> = "request_id",
    }

    /// An answer, from either side.
    ControlResponse<'a> {
        /// Seed 003 only; the client ignores it.
        outer_request_id: JsonText<'a> = "request_id",
        response: Answer<'a> = "response",
    }

    /// What an answer says.
    Answer<'a> {
        /// `success` or `error`.
        subtype: JsonText<'a> = "subtype",
        request_id: JsonText<'a> = "request_id",
        /// The payload; its shape depends on the request.
        response: Json<'a> = "response",
        error: JsonText<'a> = "error",
        /// Since 2.1.325.
        error_code: JsonText<'a> = "error_code",
    }

    /// The payload of an answer to `can_use_tool`.
    PermissionAnswer<'a> {
        /// `allow` or `deny`.
        behavior: JsonText<'a> = "behavior",
        /// Seed 003 spells it `updated_input`, which the client ignores.
        updated_input: Json<'a> = "updatedInput" | "updated_input",
        updated_permissions: List<'a, PermissionUpdate<'a>> = "updatedPermissions" | "updated_permissions",
        message: JsonText<'a> = "message",
        interrupt: bool = "interrupt",
    }

    /// The payload of an answer to `initialize`.
    InitializeAnswer<'a> {
        commands: List<'a, SlashCommandInfo<'a>> = "commands",
        agents: List<'a, Json<'a>> = "agents",
        output_style: JsonText<'a> = "output_style",
        available_output_styles: List<'a, JsonText<'a>> = "available_output_styles",
        models: List<'a, ModelInfo<'a>> = "models",
        account: Json<'a> = "account",
        claude_code_version: JsonText<'a> = "claude_code_version",
    }

    /// A slash command that is available.
    SlashCommandInfo<'a> {
        name: JsonText<'a> = "name",
        description: JsonText<'a> = "description",
        argument_hint: JsonText<'a> = "argumentHint",
    }

    /// A model that is available.
    ModelInfo<'a> {
        value: JsonText<'a> = "value",
        display_name: JsonText<'a> = "displayName",
        description: JsonText<'a> = "description",
    }

    /// The payload of an answer to `mcp_status`.
    McpStatusAnswer<'a> {
        mcp_servers: List<'a, McpServer<'a>> = "mcpServers",
    }

    /// The payload of an answer to `rewind_files`.
    RewindAnswer<'a> {
        can_rewind: bool = "canRewind",
        files_changed: List<'a, JsonText<'a>> = "filesChanged",
        insertions: u64 = "insertions",
        deletions: u64 = "deletions",
        error: JsonText<'a> = "error",
    }

    /// A change of permission rules.
    PermissionUpdate<'a> {
        /// `addRules`, `replaceRules`, `removeRules`, `setMode`, `addDirectories`, `removeDirectories`.
        type_text: JsonText<'a> = "type",
        rules: List<'a, PermissionRule<'a>> = "rules",
        behavior: JsonText<'a> = "behavior",
        mode: JsonText<'a> = "mode",
        directories: List<'a, JsonText<'a>> = "directories",
        destination: JsonText<'a> = "destination",
    }

    /// A permission rule.
    PermissionRule<'a> {
        tool_name: JsonText<'a> = "toolName",
        rule_content: JsonText<'a> = "ruleContent",
    }
}

impl<'a> ControlResponse<'a> {
    /// Returns the id of the request that this answers, wherever it stands.
    pub fn request_id(self) -> Option<JsonText<'a>> {
        let inner = self.response.and_then(|answer| answer.request_id);
        inner.or(self.outer_request_id)
    }

    /// Returns the answer to `can_use_tool`, if the payload looks like one.
    pub fn permission(self) -> Option<PermissionAnswer<'a>> {
        let payload = self.response?.response?;
        Some(PermissionAnswer::from_json(payload)).filter(|answer| answer.behavior.is_some())
    }
}

choice! {
    /// What a request asks for. The client sends the first five, hosts the rest.
    Request<'a> by "subtype" {
        /// May this tool run?
        CanUseTool(CanUseTool) = "can_use_tool",
        /// Run this hook.
        HookCallback(HookCallback) = "hook_callback",
        /// Pass this on to an MCP server (or from one).
        McpMessage(McpMessage) = "mcp_message",
        /// An MCP server asks the person.
        Elicitation(AnyRequest) = "elicitation",
        /// Show a dialog.
        RequestUserDialog(AnyRequest) = "request_user_dialog",
        /// Begin.
        Initialize(Initialize) = "initialize",
        /// Stop the turn.
        Interrupt(AnyRequest) = "interrupt",
        /// Change the permission mode.
        SetPermissionMode(SetPermissionMode) = "set_permission_mode",
        /// Change the model.
        SetModel(SetModel) = "set_model",
        /// Change how much the model may think.
        SetMaxThinkingTokens(SetMaxThinkingTokens) = "set_max_thinking_tokens",
        /// Put files back to where they were at a prompt.
        RewindFiles(RewindFiles) = "rewind_files",
        /// How are the MCP servers?
        McpStatus(AnyRequest) = "mcp_status",
        /// Connect to an MCP server again.
        McpReconnect(McpServerRequest) = "mcp_reconnect",
        /// Switch an MCP server on or off.
        McpToggle(McpServerRequest) = "mcp_toggle",
        /// Use these MCP servers.
        McpSetServers(McpSetServers) = "mcp_set_servers",
        /// What fills the context?
        GetContextUsage(AnyRequest) = "get_context_usage",
        /// Stop a background task.
        StopTask(TaskRequest) = "stop_task",
        /// What did a background task print?
        GetTaskOutput(TaskRequest) = "get_task_output",
        /// Take a queued prompt back.
        CancelAsyncMessage(CancelAsyncMessage) = "cancel_async_message",
        /// Give the session a title.
        RenameSession(RenameSession) = "rename_session",
        /// Change settings for this run.
        ApplyFlagSettings(SettingsRequest) = "apply_flag_settings",
        /// What are the settings?
        GetSettings(AnyRequest) = "get_settings",
        /// Change settings.
        UpdateSettings(SettingsRequest) = "update_settings",
        /// What did the session cost?
        GetSessionCost(AnyRequest) = "get_session_cost",
        /// Read the skills again.
        ReloadSkills(AnyRequest) = "reload_skills",
        /// Read the plugins again.
        ReloadPlugins(AnyRequest) = "reload_plugins",
    }
}

view! {
    /// A request without keys that need a name.
    AnyRequest<'a> {
        subtype: JsonText<'a> = "subtype",
    }

    /// May this tool run?
    CanUseTool<'a> {
        tool_name: JsonText<'a> = "tool_name",
        input: Json<'a> = "input",
        tool_use_id: JsonText<'a> = "tool_use_id",
        permission_suggestions: List<'a, PermissionUpdate<'a>> = "permission_suggestions",
        blocked_path: JsonText<'a> = "blocked_path",
        decision_reason: JsonText<'a> = "decision_reason",
        title: JsonText<'a> = "title",
        display_name: JsonText<'a> = "display_name",
        description: JsonText<'a> = "description",
        agent_id: JsonText<'a> = "agent_id",
        requires_user_interaction: bool = "requires_user_interaction",
    }

    /// Run this hook.
    HookCallback<'a> {
        callback_id: JsonText<'a> = "callback_id",
        input: Json<'a> = "input",
        tool_use_id: JsonText<'a> = "tool_use_id",
    }

    /// A JSON-RPC message to or from an MCP server.
    McpMessage<'a> {
        server_name: JsonText<'a> = "server_name",
        message: Json<'a> = "message",
    }

    /// Begin.
    Initialize<'a> {
        /// Matchers by event.
        hooks: Map<'a, List<'a, HookMatcher<'a>>> = "hooks",
        agents: Map<'a, Json<'a>> = "agents",
        system_prompt: Json<'a> = "systemPrompt",
        append_system_prompt: JsonText<'a> = "appendSystemPrompt",
        sdk_mcp_servers: List<'a, JsonText<'a>> = "sdkMcpServers",
        json_schema: Json<'a> = "jsonSchema",
    }

    /// Which callbacks belong to which tools.
    HookMatcher<'a> {
        matcher: JsonText<'a> = "matcher",
        hook_callback_ids: List<'a, JsonText<'a>> = "hookCallbackIds",
        timeout: f64 = "timeout",
    }

    /// Change the permission mode.
    SetPermissionMode<'a> {
        mode: JsonText<'a> = "mode",
    }

    /// Change the model; `None` for the default.
    SetModel<'a> {
        model: JsonText<'a> = "model",
    }

    /// Change how much the model may think.
    SetMaxThinkingTokens<'a> {
        max_thinking_tokens: u64 = "max_thinking_tokens",
    }

    /// Put files back to where they were at a prompt.
    RewindFiles<'a> {
        user_message_id: JsonText<'a> = "user_message_id",
        dry_run: bool = "dry_run",
    }

    /// A request about one MCP server.
    McpServerRequest<'a> {
        server_name: JsonText<'a> = "serverName" | "server_name",
        enabled: bool = "enabled",
    }

    /// Use these MCP servers.
    McpSetServers<'a> {
        servers: Map<'a, Json<'a>> = "servers",
    }

    /// A request about one background task.
    TaskRequest<'a> {
        task_id: JsonText<'a> = "task_id",
    }

    /// Take a queued prompt back.
    CancelAsyncMessage<'a> {
        message_uuid: JsonText<'a> = "message_uuid",
    }

    /// Give the session a title.
    RenameSession<'a> {
        title: JsonText<'a> = "title",
    }

    /// Change settings.
    SettingsRequest<'a> {
        settings: Json<'a> = "settings",
        source: JsonText<'a> = "source",
    }
}
