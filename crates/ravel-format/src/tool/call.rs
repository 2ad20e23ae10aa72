//! What the model asked a tool to do.

use crate::content::ToolUseBlock;
use crate::json::{Json, JsonText};
use crate::view::{List, Map, absent, choice, view};

choice! {
    /// The input of a tool call.
    ToolCall<'a> {
        /// Read a file.
        Read(ReadCall) = "Read",
        /// Write a file.
        Write(WriteCall) = "Write",
        /// Replace text in a file.
        Edit(EditCall) = "Edit",
        /// Replace several texts in a file.
        MultiEdit(MultiEditCall) = "MultiEdit",
        /// Change a cell of a notebook.
        NotebookEdit(NotebookEditCall) = "NotebookEdit",
        /// Run a command.
        Bash(BashCall) = "Bash" | "PowerShell",
        /// Look at a background command or task.
        TaskOutput(TaskOutputCall) = "TaskOutput" | "BashOutput" | "AgentOutputTool" | "AgentOutput",
        /// Stop a background command or task.
        TaskStop(TaskStopCall) = "TaskStop" | "KillShell" | "KillBash",
        /// Find files by name.
        Glob(GlobCall) = "Glob",
        /// Find files by content.
        Grep(GrepCall) = "Grep",
        /// List a folder.
        Ls(LsCall) = "LS",
        /// Replace the todo list.
        TodoWrite(TodoWriteCall) = "TodoWrite",
        /// Create a task.
        TaskCreate(TaskCreateCall) = "TaskCreate",
        /// Change a task.
        TaskUpdate(TaskUpdateCall) = "TaskUpdate",
        /// List the tasks.
        TaskList(BareCall) = "TaskList",
        /// Look at a task.
        TaskGet(TaskGetCall) = "TaskGet",
        /// Read a page of the web.
        WebFetch(WebFetchCall) = "WebFetch",
        /// Search the web.
        WebSearch(WebSearchCall) = "WebSearch",
        /// Start a sub-agent; `Task` before 2.1.325.
        Agent(AgentCall) = "Agent" | "Task",
        /// Ask the person.
        AskUserQuestion(AskUserQuestionCall) = "AskUserQuestion",
        /// Begin to plan.
        EnterPlanMode(BareCall) = "EnterPlanMode",
        /// Show the plan.
        ExitPlanMode(ExitPlanModeCall) = "ExitPlanMode" | "exit_plan_mode",
        /// Use a skill.
        Skill(SkillCall) = "Skill",
        /// Run a slash command.
        SlashCommand(SlashCommandCall) = "SlashCommand",
        /// Find tools.
        ToolSearch(ToolSearchCall) = "ToolSearch",
        /// Write to another agent.
        SendMessage(SendMessageCall) = "SendMessage",
        /// A tool of an MCP server: `mcp__<server>__<tool>`.
        Mcp(McpCall) = "mcp__",
    }
}

impl<'a> ToolCall<'a> {
    /// Reads the input of a call by the name of its tool.
    pub fn from_block(block: ToolUseBlock<'a>) -> Self {
        let input = block.input.unwrap_or_else(absent);
        match block.name.and_then(|name| McpCall::from_name(name, input)) {
            Some(call) => Self::Mcp(call),
            None => Self::from_name(block.name, input),
        }
    }
}

/// A call of an MCP tool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct McpCall<'a> {
    /// The input.
    pub json: Json<'a>,
    /// The server.
    pub server: Option<&'a str>,
    /// The tool of the server.
    pub tool: Option<&'a str>,
}

impl<'a> McpCall<'a> {
    fn from_json(json: Json<'a>) -> Self {
        Self {
            json,
            server: None,
            tool: None,
        }
    }

    /// Splits the name of an MCP tool; `None` for any other name.
    pub fn from_name(name: JsonText<'a>, input: Json<'a>) -> Option<Self> {
        let name = std::str::from_utf8(name.plain()?).ok()?;
        let (server, tool) = name.strip_prefix("mcp__")?.split_once("__")?;
        Some(Self {
            json: input,
            server: Some(server),
            tool: Some(tool),
        })
    }
}

view! {
    /// A call without arguments that need a name.
    BareCall<'a> {
        description: JsonText<'a> = "description",
    }

    /// Read a file.
    ReadCall<'a> {
        file_path: JsonText<'a> = "file_path" | "path",
        offset: i64 = "offset",
        limit: u64 = "limit",
        pages: JsonText<'a> = "pages",
    }

    /// Write a file.
    WriteCall<'a> {
        file_path: JsonText<'a> = "file_path" | "path",
        content: JsonText<'a> = "content",
    }

    /// Replace text in a file.
    EditCall<'a> {
        file_path: JsonText<'a> = "file_path" | "path",
        old_string: JsonText<'a> = "old_string",
        new_string: JsonText<'a> = "new_string",
        replace_all: bool = "replace_all",
    }

    /// Replace several texts in a file.
    MultiEditCall<'a> {
        file_path: JsonText<'a> = "file_path" | "path",
        edits: List<'a, EditCall<'a>> = "edits",
    }

    /// Change a cell of a notebook.
    NotebookEditCall<'a> {
        notebook_path: JsonText<'a> = "notebook_path",
        cell_id: JsonText<'a> = "cell_id",
        cell_type: JsonText<'a> = "cell_type",
        edit_mode: JsonText<'a> = "edit_mode",
        new_source: JsonText<'a> = "new_source",
    }

    /// Run a command.
    BashCall<'a> {
        command: JsonText<'a> = "command",
        description: JsonText<'a> = "description",
        timeout: u64 = "timeout",
        run_in_background: bool = "run_in_background",
    }

    /// Look at a background command or task.
    TaskOutputCall<'a> {
        task_id: JsonText<'a> = "task_id" | "bash_id" | "agentId" | "shell_id",
        block: bool = "block",
        timeout: u64 = "timeout",
        filter: JsonText<'a> = "filter",
    }

    /// Stop a background command or task.
    TaskStopCall<'a> {
        task_id: JsonText<'a> = "task_id" | "shell_id",
    }

    /// Find files by name.
    GlobCall<'a> {
        pattern: JsonText<'a> = "pattern",
        path: JsonText<'a> = "path",
    }

    /// Find files by content.
    GrepCall<'a> {
        pattern: JsonText<'a> = "pattern",
        path: JsonText<'a> = "path",
        glob: JsonText<'a> = "glob" | "include",
        file_type: JsonText<'a> = "type",
        output_mode: JsonText<'a> = "output_mode",
        before: u64 = "-B",
        after: u64 = "-A",
        context: u64 = "-C" | "context",
        line_numbers: bool = "-n",
        ignore_case: bool = "-i",
        multiline: bool = "multiline",
        head_limit: u64 = "head_limit",
    }

    /// List a folder.
    LsCall<'a> {
        path: JsonText<'a> = "path",
        ignore: List<'a, JsonText<'a>> = "ignore",
    }

    /// Replace the todo list.
    TodoWriteCall<'a> {
        todos: List<'a, Todo<'a>> = "todos",
    }

    /// One item of a todo list.
    Todo<'a> {
        content: JsonText<'a> = "content",
        /// `pending`, `in_progress`, `completed`.
        status: JsonText<'a> = "status",
        active_form: JsonText<'a> = "activeForm",
        /// Before 2.0.
        priority: JsonText<'a> = "priority",
        /// Before 2.0.
        id: JsonText<'a> = "id",
    }

    /// Create a task.
    TaskCreateCall<'a> {
        subject: JsonText<'a> = "subject",
        description: JsonText<'a> = "description",
        active_form: JsonText<'a> = "activeForm",
    }

    /// Change a task.
    TaskUpdateCall<'a> {
        task_id: JsonText<'a> = "taskId",
        status: JsonText<'a> = "status",
        subject: JsonText<'a> = "subject",
        description: JsonText<'a> = "description",
        active_form: JsonText<'a> = "activeForm",
        owner: JsonText<'a> = "owner",
        add_blocks: List<'a, JsonText<'a>> = "addBlocks",
        add_blocked_by: List<'a, JsonText<'a>> = "addBlockedBy",
    }

    /// Look at a task.
    TaskGetCall<'a> {
        task_id: JsonText<'a> = "taskId",
    }

    /// Read a page of the web.
    WebFetchCall<'a> {
        url: JsonText<'a> = "url",
        prompt: JsonText<'a> = "prompt",
    }

    /// Search the web.
    WebSearchCall<'a> {
        query: JsonText<'a> = "query",
        allowed_domains: List<'a, JsonText<'a>> = "allowed_domains",
        blocked_domains: List<'a, JsonText<'a>> = "blocked_domains",
    }

    /// Start a sub-agent.
    AgentCall<'a> {
        description: JsonText<'a> = "description",
        /// The first user message of the sub-agent, word for word.
        prompt: JsonText<'a> = "prompt",
        subagent_type: JsonText<'a> = "subagent_type",
        name: JsonText<'a> = "name",
        model: JsonText<'a> = "model",
        run_in_background: bool = "run_in_background",
        isolation: JsonText<'a> = "isolation",
        resume: JsonText<'a> = "resume",
    }

    /// Ask the person.
    AskUserQuestionCall<'a> {
        questions: List<'a, Question<'a>> = "questions",
        /// Put in by the host, by question.
        answers: Map<'a, Json<'a>> = "answers",
    }

    /// One question.
    Question<'a> {
        question: JsonText<'a> = "question",
        header: JsonText<'a> = "header",
        options: List<'a, QuestionOption<'a>> = "options",
        multi_select: bool = "multiSelect",
    }

    /// One answer to choose.
    QuestionOption<'a> {
        label: JsonText<'a> = "label",
        description: JsonText<'a> = "description",
        preview: JsonText<'a> = "preview",
    }

    /// Show the plan.
    ExitPlanModeCall<'a> {
        plan: JsonText<'a> = "plan",
        plan_file_path: JsonText<'a> = "planFilePath",
    }

    /// Use a skill.
    SkillCall<'a> {
        skill: JsonText<'a> = "skill" | "command",
        args: JsonText<'a> = "args",
    }

    /// Run a slash command.
    SlashCommandCall<'a> {
        command: JsonText<'a> = "command",
    }

    /// Find tools.
    ToolSearchCall<'a> {
        query: JsonText<'a> = "query",
        max_results: u64 = "max_results",
    }

    /// Write to another agent.
    SendMessageCall<'a> {
        to: JsonText<'a> = "to" | "recipient",
        summary: JsonText<'a> = "summary",
        message: Json<'a> = "message" | "content",
        kind: JsonText<'a> = "type",
    }
}
