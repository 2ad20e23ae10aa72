//! What came of a tool call: `toolUseResult`, by tool.
//!
//! The client keeps an object for most successes and a string for failures and for MCP tools;
//! older clients keep the blocks of an MCP answer as a list. Sub-agents' own results have none.

use crate::content::Content;
use crate::json::{Json, JsonKind, JsonText};
use crate::usage::Usage;
use crate::view::{FromJson as _, List, Map, choice, view};

use super::{Question, Todo};

/// The value of `toolUseResult`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
#[allow(
    clippy::large_enum_variant,
    reason = "views are made on demand and never stored"
)]
pub enum ToolOutcome<'a> {
    /// An object, by the name of the tool or by its shape.
    Structured(Outcome<'a>),
    /// A string: what went wrong, or the answer of an MCP tool.
    Text(JsonText<'a>),
    /// The blocks of an MCP answer.
    Blocks(Content<'a>),
    /// A value that is none of these.
    Other(Json<'a>),
}

impl<'a> ToolOutcome<'a> {
    /// Reads an outcome; `tool` is the name in the call, where the call is at hand.
    pub fn from_json(json: Json<'a>, tool: Option<JsonText<'a>>) -> Self {
        match json.kind() {
            JsonKind::Object => Self::Structured(Outcome::of_tool(json, tool)),
            JsonKind::Text => json.text().map_or(Self::Other(json), Self::Text),
            JsonKind::Array => Self::Blocks(Content::Blocks(json)),
            _ => Self::Other(json),
        }
    }
}

choice! {
    /// An outcome with structure.
    Outcome<'a> {
        /// A file was read.
        Read(ReadOutcome) = "Read",
        /// A file was written.
        Write(WriteOutcome) = "Write",
        /// A file was changed.
        Edit(EditOutcome) = "Edit" | "MultiEdit",
        /// A notebook was changed.
        NotebookEdit(NotebookEditOutcome) = "NotebookEdit",
        /// A command ran.
        Bash(BashOutcome) = "Bash" | "PowerShell",
        /// A background command or task was looked at.
        TaskOutput(TaskOutputOutcome) = "TaskOutput" | "BashOutput" | "AgentOutputTool" | "AgentOutput",
        /// A background command or task was stopped.
        TaskStop(TaskStopOutcome) = "TaskStop" | "KillShell" | "KillBash",
        /// Files were found by name.
        Glob(GlobOutcome) = "Glob",
        /// Files were found by content.
        Grep(GrepOutcome) = "Grep",
        /// The todo list was replaced.
        TodoWrite(TodoWriteOutcome) = "TodoWrite",
        /// A task was created or looked at.
        Task(TaskOutcome) = "TaskCreate" | "TaskGet",
        /// A task was changed.
        TaskUpdate(TaskUpdateOutcome) = "TaskUpdate",
        /// The tasks were listed.
        TaskList(TaskListOutcome) = "TaskList",
        /// A page of the web was read.
        WebFetch(WebFetchOutcome) = "WebFetch",
        /// The web was searched.
        WebSearch(WebSearchOutcome) = "WebSearch",
        /// A sub-agent ended, or began in the background.
        Agent(AgentOutcome) = "Agent" | "Task",
        /// The person answered.
        AskUserQuestion(AskUserQuestionOutcome) = "AskUserQuestion",
        /// The plan was approved.
        ExitPlanMode(ExitPlanModeOutcome) = "ExitPlanMode" | "exit_plan_mode",
        /// A skill was found.
        Skill(SkillOutcome) = "Skill" | "SlashCommand",
        /// Tools were found.
        ToolSearch(ToolSearchOutcome) = "ToolSearch",
        /// A message was sent to another agent.
        SendMessage(SendMessageOutcome) = "SendMessage",
        /// An MCP tool answered with structure.
        Mcp(McpOutcome) = "mcp__",
    }
}

/// Keys that only one tool's outcome has, the most telling first.
const SHAPES: &[(&str, &str)] = &[
    ("newTodos", "TodoWrite"),
    ("questions", "AskUserQuestion"),
    ("interrupted", "Bash"),
    ("shellId", "BashOutput"),
    ("retrieval_status", "TaskOutput"),
    ("shell_id", "KillShell"),
    ("agentId", "Agent"),
    ("totalToolUseCount", "Agent"),
    ("oldString", "Edit"),
    ("edits", "MultiEdit"),
    ("notebook_path", "NotebookEdit"),
    ("originalFile", "Write"),
    ("structuredPatch", "Write"),
    ("file", "Read"),
    ("mode", "Grep"),
    ("filenames", "Glob"),
    ("codeText", "WebFetch"),
    ("total_deferred_tools", "ToolSearch"),
    ("durationSeconds", "WebSearch"),
    ("commandName", "Skill"),
    ("plan", "ExitPlanMode"),
    ("updatedFields", "TaskUpdate"),
    ("task", "TaskCreate"),
    ("tasks", "TaskList"),
    ("routing", "SendMessage"),
    ("structuredContent", "mcp__"),
];

impl<'a> Outcome<'a> {
    fn of_tool(json: Json<'a>, tool: Option<JsonText<'a>>) -> Self {
        let name = tool.map(JsonText::decode);
        let name = name.as_deref().unwrap_or_default();
        let by_name = match name {
            "" => None,
            name if name.starts_with("mcp__") => Self::from_known_name("mcp__", json),
            name => Self::from_known_name(name, json),
        };
        let by_shape = || Self::from_known_name(shape_of(json)?, json);
        by_name
            .or_else(by_shape)
            .unwrap_or(Self::Unknown { name: tool, json })
    }
}

/// Returns the tool whose outcomes look like this.
fn shape_of(json: Json<'_>) -> Option<&'static str> {
    let rank = |key: &str| SHAPES.iter().position(|(telling, _)| *telling == key);
    let best = json
        .entries()
        .filter_map(|(key, _)| rank(&key.decode()))
        .min()?;
    SHAPES.get(best).map(|(_, tool)| *tool)
}

/// The hunks of a change.
pub type StructuredPatch<'a> = List<'a, Hunk<'a>>;

view! {
    /// One hunk of a change, as in a unified diff.
    Hunk<'a> {
        old_start: u64 = "oldStart",
        old_lines: u64 = "oldLines",
        new_start: u64 = "newStart",
        new_lines: u64 = "newLines",
        /// Each begins with a blank, `-` or `+`.
        lines: List<'a, JsonText<'a>> = "lines",
    }

    /// A file was read.
    ReadOutcome<'a> {
        /// `text`, `image`, `notebook`, `pdf` and others.
        type_text: JsonText<'a> = "type",
        file: ReadFile<'a> = "file",
    }

    /// What was read.
    ReadFile<'a> {
        file_path: JsonText<'a> = "filePath",
        content: JsonText<'a> = "content",
        num_lines: u64 = "numLines",
        start_line: u64 = "startLine",
        total_lines: u64 = "totalLines",
        /// An image or document.
        base64: JsonText<'a> = "base64",
        /// The media type of an image.
        media_type: JsonText<'a> = "type",
        original_size: u64 = "originalSize",
        dimensions: Dimensions<'a> = "dimensions",
        cells: List<'a, Json<'a>> = "cells",
    }

    /// The size of an image.
    Dimensions<'a> {
        original_width: u64 = "originalWidth",
        original_height: u64 = "originalHeight",
        display_width: u64 = "displayWidth",
        display_height: u64 = "displayHeight",
    }

    /// A file was written.
    WriteOutcome<'a> {
        /// `create` or `update`.
        type_text: JsonText<'a> = "type",
        file_path: JsonText<'a> = "filePath",
        content: JsonText<'a> = "content",
        structured_patch: StructuredPatch<'a> = "structuredPatch",
        /// `None` for a new file.
        original_file: JsonText<'a> = "originalFile",
        user_modified: bool = "userModified",
    }

    /// A file was changed.
    EditOutcome<'a> {
        file_path: JsonText<'a> = "filePath",
        old_string: JsonText<'a> = "oldString",
        new_string: JsonText<'a> = "newString",
        /// MultiEdit only.
        edits: List<'a, super::EditCall<'a>> = "edits",
        original_file: JsonText<'a> = "originalFile" | "originalFileContents",
        structured_patch: StructuredPatch<'a> = "structuredPatch",
        /// The person changed the edit before accepting it.
        user_modified: bool = "userModified",
        replace_all: bool = "replaceAll",
    }

    /// A notebook was changed.
    NotebookEditOutcome<'a> {
        notebook_path: JsonText<'a> = "notebook_path",
        cell_id: JsonText<'a> = "cell_id",
        cell_type: JsonText<'a> = "cell_type",
        language: JsonText<'a> = "language",
        edit_mode: JsonText<'a> = "edit_mode",
        new_source: JsonText<'a> = "new_source",
        original_file: JsonText<'a> = "original_file",
        updated_file: JsonText<'a> = "updated_file",
        error: JsonText<'a> = "error",
    }

    /// A command ran.
    BashOutcome<'a> {
        stdout: JsonText<'a> = "stdout",
        stderr: JsonText<'a> = "stderr",
        interrupted: bool = "interrupted",
        is_image: bool = "isImage",
        /// Since 2.1.325.
        no_output_expected: bool = "noOutputExpected",
        /// The command goes on in the background.
        background_task_id: JsonText<'a> = "backgroundTaskId",
        return_code_interpretation: JsonText<'a> = "returnCodeInterpretation",
        persisted_output_path: JsonText<'a> = "persistedOutputPath",
        persisted_output_size: u64 = "persistedOutputSize",
        structured_content: Json<'a> = "structuredContent",
    }

    /// A background command or task was looked at.
    TaskOutputOutcome<'a> {
        retrieval_status: JsonText<'a> = "retrieval_status",
        task: Json<'a> = "task",
        shell_id: JsonText<'a> = "shellId",
        command: JsonText<'a> = "command",
        status: JsonText<'a> = "status",
        exit_code: i64 = "exitCode",
        stdout: JsonText<'a> = "stdout",
        stderr: JsonText<'a> = "stderr",
    }

    /// A background command or task was stopped.
    TaskStopOutcome<'a> {
        message: JsonText<'a> = "message",
        task_id: JsonText<'a> = "task_id" | "shell_id",
        task_type: JsonText<'a> = "task_type",
        command: JsonText<'a> = "command",
    }

    /// Files were found by name.
    GlobOutcome<'a> {
        filenames: List<'a, JsonText<'a>> = "filenames",
        num_files: u64 = "numFiles",
        duration_ms: u64 = "durationMs",
        truncated: bool = "truncated",
        /// Since 2.1.325.
        total_matches: u64 = "totalMatches",
    }

    /// Files were found by content.
    GrepOutcome<'a> {
        /// `files_with_matches`, `content` or `count`.
        mode: JsonText<'a> = "mode",
        filenames: List<'a, JsonText<'a>> = "filenames",
        num_files: u64 = "numFiles",
        content: JsonText<'a> = "content",
        num_lines: u64 = "numLines",
        num_matches: u64 = "numMatches",
        total_files: u64 = "totalFiles",
        total_lines: u64 = "totalLines",
        applied_limit: u64 = "appliedLimit",
    }

    /// The todo list was replaced.
    TodoWriteOutcome<'a> {
        old_todos: List<'a, Todo<'a>> = "oldTodos",
        new_todos: List<'a, Todo<'a>> = "newTodos",
    }

    /// A task was created or looked at.
    TaskOutcome<'a> {
        task: TaskItem<'a> = "task",
    }

    /// The tasks were listed.
    TaskListOutcome<'a> {
        tasks: List<'a, TaskItem<'a>> = "tasks",
    }

    /// One task.
    TaskItem<'a> {
        id: JsonText<'a> = "id",
        subject: JsonText<'a> = "subject",
        description: JsonText<'a> = "description",
        status: JsonText<'a> = "status",
        owner: JsonText<'a> = "owner",
        blocks: List<'a, JsonText<'a>> = "blocks",
        blocked_by: List<'a, JsonText<'a>> = "blockedBy",
    }

    /// A task was changed.
    TaskUpdateOutcome<'a> {
        success: bool = "success",
        task_id: JsonText<'a> = "taskId",
        updated_fields: List<'a, JsonText<'a>> = "updatedFields",
        status_change: StatusChange<'a> = "statusChange",
        error: JsonText<'a> = "error",
    }

    /// How the status of a task changed.
    StatusChange<'a> {
        from: JsonText<'a> = "from",
        to: JsonText<'a> = "to",
    }

    /// A page of the web was read.
    WebFetchOutcome<'a> {
        url: JsonText<'a> = "url",
        code: u64 = "code",
        code_text: JsonText<'a> = "codeText",
        bytes: u64 = "bytes",
        result: JsonText<'a> = "result",
        duration_ms: u64 = "durationMs",
    }

    /// The web was searched.
    WebSearchOutcome<'a> {
        query: JsonText<'a> = "query",
        /// Objects with links, and strings with the answer.
        results: List<'a, Json<'a>> = "results",
        duration_seconds: f64 = "durationSeconds",
    }

    /// What one search found.
    SearchHits<'a> {
        tool_use_id: JsonText<'a> = "tool_use_id",
        content: List<'a, SearchHit<'a>> = "content",
    }

    /// One page that was found.
    SearchHit<'a> {
        title: JsonText<'a> = "title",
        url: JsonText<'a> = "url",
    }

    /// A sub-agent ended, or began in the background.
    AgentOutcome<'a> {
        /// `completed`, `error`, `async_launched` and others.
        status: JsonText<'a> = "status",
        agent_id: JsonText<'a> = "agentId",
        agent_type: JsonText<'a> = "agentType",
        prompt: JsonText<'a> = "prompt",
        description: JsonText<'a> = "description",
        /// The last words of the agent.
        content: Content<'a> = "content",
        total_duration_ms: u64 = "totalDurationMs",
        total_tokens: u64 = "totalTokens",
        total_tool_use_count: u64 = "totalToolUseCount",
        usage: Usage<'a> = "usage",
        is_async: bool = "isAsync",
        output_file: JsonText<'a> = "outputFile",
        resolved_model: JsonText<'a> = "resolvedModel",
        tools_used: List<'a, JsonText<'a>> = "toolsUsed",
        tool_stats: Json<'a> = "toolStats",
        worktree_path: JsonText<'a> = "worktreePath",
        worktree_branch: JsonText<'a> = "worktreeBranch",
    }

    /// The person answered.
    AskUserQuestionOutcome<'a> {
        questions: List<'a, Question<'a>> = "questions",
        /// Answers by question.
        answers: Map<'a, Json<'a>> = "answers",
    }

    /// The plan was approved.
    ExitPlanModeOutcome<'a> {
        plan: JsonText<'a> = "plan",
        is_agent: bool = "isAgent",
        file_path: JsonText<'a> = "filePath",
    }

    /// A skill was found.
    SkillOutcome<'a> {
        success: bool = "success",
        command_name: JsonText<'a> = "commandName",
        allowed_tools: List<'a, JsonText<'a>> = "allowedTools",
    }

    /// Tools were found.
    ToolSearchOutcome<'a> {
        matches: List<'a, JsonText<'a>> = "matches",
        query: JsonText<'a> = "query",
        total_deferred_tools: u64 = "total_deferred_tools",
    }

    /// A message was sent to another agent.
    SendMessageOutcome<'a> {
        success: bool = "success",
        message: JsonText<'a> = "message",
        routing: Json<'a> = "routing",
    }

    /// An MCP tool answered with structure.
    McpOutcome<'a> {
        content: Content<'a> = "content",
        structured_content: Json<'a> = "structuredContent",
    }
}

impl<'a> WebSearchOutcome<'a> {
    /// Returns the pages that were found, over all searches of the call.
    pub fn hits(self) -> impl Iterator<Item = SearchHit<'a>> {
        let searches = self.results.into_iter().flatten();
        let hits = searches.filter_map(|result| SearchHits::read(result)?.content);
        hits.flatten()
    }
}
