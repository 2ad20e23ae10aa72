//! What a person sees of a conversation, in order.
//!
//! A [`Step`] is one thing on the screen: a prompt, a paragraph, a tool call with its result and
//! its agents, a compaction, a hook. Steps own their texts, so that a renderer needs no file, and
//! are made for a few entries at a time, so that a long session needs no memory. Every renderer,
//! for terminals, pages and Markdown, starts from the same steps.
//!
//! Nothing is left out: what people usually do not want to see is a [`What::Hidden`] step.

use ravel_format::{Json, Timestamp};

mod build;
mod call;
mod message;
mod report;
#[cfg(test)]
mod tests;

pub use build::steps;

/// One thing to see.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The entry it comes from.
    pub entry: usize,
    /// The id of the record.
    pub uuid: String,
    /// The line of the record.
    pub line: u32,
    /// When it was written.
    pub time: Option<Timestamp>,
    /// What there is to see.
    pub what: What,
}

/// What there is to see.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum What {
    /// Something was asked.
    Prompt(Prompt),
    /// The model said something, in Markdown.
    Reply(String),
    /// The model thought something; empty where the client kept only the signature.
    Thinking(String),
    /// A tool was called.
    Call(Box<Call>),
    /// A tool answered a call that is not in the file.
    StrayResult(CallResult),
    /// A picture by itself.
    Picture(Picture),
    /// The conversation was replaced by a summary.
    Compaction(Compaction),
    /// Old tool results were cleared.
    Microcompaction {
        /// Tokens before.
        pre_tokens: Option<u64>,
        /// Tokens saved.
        tokens_saved: Option<u64>,
        /// How many results were cleared.
        n_tools: usize,
    },
    /// A hook ran.
    Hook(Hook),
    /// The client said something.
    Notice {
        /// How bad it is.
        level: Level,
        /// What it said.
        text: String,
    },
    /// A request failed and was tried again.
    Retry {
        /// Which try.
        attempt: Option<u64>,
        /// Of how many.
        max: Option<u64>,
        /// After how long.
        delay_ms: Option<u64>,
        /// Why.
        text: String,
    },
    /// A request failed for good.
    ApiError(String),
    /// The person interrupted; the marker as written.
    Interruption(String),
    /// What a slash command or a shell command printed.
    Output(String),
    /// A turn ended.
    TurnEnd {
        /// How long it took.
        duration_ms: Option<u64>,
    },
    /// Something for the model or the client, not for people.
    Hidden {
        /// What it is.
        label: String,
        /// Its text, or its JSON.
        text: String,
    },
    /// A record or block that has no view of its own.
    Unknown {
        /// What it calls itself.
        name: String,
        /// All of it.
        json: RawJson,
    },
}

/// A value of the file, kept as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawJson(Box<[u8]>);

impl RawJson {
    pub(crate) fn new(json: Json<'_>) -> Self {
        Self(json.raw().into())
    }

    /// Returns the value.
    pub fn json(&self) -> Option<Json<'_>> {
        Json::parse(&self.0).ok()
    }

    /// Returns the bytes as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }
}

/// Something that was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// The words; for a command, `/name args`.
    pub text: String,
    /// Who asks.
    pub asker: Asker,
    /// Pictures and documents that came along.
    pub pictures: Vec<Picture>,
}

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// A person in words, or the calling agent.
    Words,
    /// A person with a slash command.
    Command,
    /// A person in the shell mode.
    Shell,
    /// A background task that ended.
    Task,
    /// The summary after a compaction without boundary.
    Summary,
}

/// A picture or document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Its media type.
    pub media_type: String,
    /// Its bytes in base64; empty where the file has only a reference.
    pub base64: String,
    /// Its name or address, where it has one.
    pub name: Option<String>,
}

/// A tool call and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The id of the call.
    pub id: String,
    /// The tool.
    pub name: String,
    /// What it was asked.
    pub input: Option<RawJson>,
    /// What it answered; `None` while it runs, or when it was cut off.
    pub result: Option<CallResult>,
    /// The agents that ran for it, by number in the session.
    pub agents: Vec<usize>,
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq)]
pub struct CallResult {
    /// The entry it comes from.
    pub entry: usize,
    /// The id of the record.
    pub uuid: String,
    /// When it was written.
    pub time: Option<Timestamp>,
    /// Whether the tool failed.
    pub is_error: bool,
    /// The answer as the model got it.
    pub text: String,
    /// Pictures in the answer.
    pub pictures: Vec<Picture>,
    /// The answer as the client keeps it: `toolUseResult`.
    pub outcome: Option<RawJson>,
}

/// A compaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Compaction {
    /// `auto` or `manual`.
    pub trigger: Option<String>,
    /// Tokens before.
    pub pre_tokens: Option<u64>,
    /// Tokens after.
    pub post_tokens: Option<u64>,
    /// The summary that took the place of the conversation.
    pub summary: Option<String>,
}

/// A hook.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hook {
    /// When it runs: `PreToolUse` and others.
    pub event: String,
    /// Its name.
    pub name: Option<String>,
    /// Its command.
    pub command: Option<String>,
    /// How it went.
    pub state: HookState,
    /// What it printed.
    pub output: String,
    /// How long it took.
    pub duration_ms: Option<u64>,
    /// The call it belongs to.
    pub tool_use_id: Option<String>,
}

/// How a hook went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HookState {
    /// It started; the file does not say how it ended.
    #[default]
    Started,
    /// It succeeded.
    Done,
    /// It failed.
    Failed,
    /// It blocked what was about to happen.
    Blocked,
}

/// How bad a notice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Level {
    Info,
    Warning,
    Error,
}
