//! What a record is: the value of its `type`.

use crate::json::JsonText;

/// Declares [`Kind`] and its names in one table, so that they cannot drift apart.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal),+ $(,)?) => {
        /// The type of a record, in every dialect Ravel reads.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[doc = $doc])* $variant,)+
            /// A type that this version of Ravel has no name for; the record still has it.
            Unknown,
            /// The line is no object, or has no `type`.
            None,
        }

        impl Kind {
            /// Every kind that has a name.
            pub const NAMED: &[Self] = &[$(Self::$variant),+];

            /// Returns the kind for a value of `type`.
            pub fn from_name(name: &[u8]) -> Self {
                $(if name == $name.as_bytes() { return Self::$variant; })+
                Self::Unknown
            }

            /// Returns the value of `type` that stands for this kind.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                    Self::Unknown => "unknown",
                    Self::None => "none",
                }
            }
        }
    };
}

kinds! {
    /// A prompt, a tool result, or text that the client put in for the model.
    User = "user",
    /// One content block of a reply (several blocks in old dialects).
    Assistant = "assistant",
    /// Something the client reports; `subtype` says what.
    System = "system",
    /// Context that the client injected; `attachment.type` says what.
    Attachment = "attachment",
    /// News of a running tool, agent or hook; `data.type` says which.
    Progress = "progress",
    /// A title made by the model, often for another file.
    Summary = "summary",
    /// Which versions of which files belong to a prompt.
    FileHistorySnapshot = "file-history-snapshot",
    /// One more file version under an earlier snapshot.
    FileHistoryDelta = "file-history-delta",
    /// A prompt waiting in the queue, or leaving it.
    QueueOperation = "queue-operation",
    /// The request log: one request, as hashes of its parts.
    ApiRequest = "api-request",
    /// The request log: system prompt and tools, by hash.
    ApiRequestShape = "api-request-shape",
    /// The request log: one message, by hash.
    ApiRequestBlob = "api-request-blob",
    /// The latest prompt and the leaf to resume from.
    LastPrompt = "last-prompt",
    /// A title given by a person.
    CustomTitle = "custom-title",
    /// A title given by the model.
    AiTitle = "ai-title",
    /// A tag given by a person.
    Tag = "tag",
    /// The name of the agent that owns the session.
    AgentName = "agent-name",
    /// The color of the agent that owns the session.
    AgentColor = "agent-color",
    /// Settings of the agent that owns the session.
    AgentSetting = "agent-setting",
    /// A pull request made in the session.
    PrLink = "pr-link",
    /// The input mode.
    Mode = "mode",
    /// The permission mode.
    PermissionMode = "permission-mode",
    /// Money and time so far.
    CostState = "cost-state",
    /// Names of all tools used so far.
    ToolsUsed = "tools-used",
    /// A switch of the client's own.
    AtisLatch = "atis-latch",
    /// Large contents that were replaced by shorter ones.
    ContentReplacement = "content-replacement",
    /// The git worktree the session runs in.
    WorktreeState = "worktree-state",
    /// Where a forked agent took its context from.
    ForkContextRef = "fork-context-ref",
    /// The session that continues this one.
    ContinuedIn = "continued-in",
    /// A link to a frame of the desktop app.
    FrameLink = "frame-link",
    /// A link to an observer.
    ObserverRef = "observer-ref",
    /// A voucher for the head of a resumed session.
    ResumeHeadVouch = "resume-head-vouch",
    /// The session this one was made from.
    DerivedFrom = "derived-from",
    /// Records of where data came from.
    DataFlowRecords = "data-flow-records",
    /// How memory is used.
    MemoryMode = "memory-mode",
    /// Who owns the session.
    SessionOwner = "session-owner",
    /// Which history is hidden.
    HistorySuppression = "history-suppression",
    /// A session driven over a bridge.
    BridgeSession = "bridge-session",
    /// A session that moved to another folder.
    Relocated = "relocated",
    /// The result of a turn on standard output.
    Result = "result",
    /// A piece of a streamed reply on standard output.
    StreamEvent = "stream_event",
    /// A request of the control protocol.
    ControlRequest = "control_request",
    /// An answer of the control protocol.
    ControlResponse = "control_response",
    /// A request of the control protocol taken back.
    ControlCancelRequest = "control_cancel_request",
    /// A sign of life.
    KeepAlive = "keep_alive",
    /// News of a running tool on standard output.
    ToolProgress = "tool_progress",
    /// A summary of tool uses on standard output.
    ToolUseSummary = "tool_use_summary",
    /// How much of a rate limit is left.
    RateLimitEvent = "rate_limit_event",
    /// State of signing in.
    AuthStatus = "auth_status",
    /// State of a queued input on standard output.
    CommandLifecycle = "command_lifecycle",
    /// A line of the session, mirrored to a host.
    TranscriptMirror = "transcript_mirror",
    /// Environment for the client, sent by a host.
    UpdateEnvironmentVariables = "update_environment_variables",
    /// Seed 004: a prompt.
    Human = "human",
    /// Seed 004: a tool result as a record of its own.
    ToolResult = "tool_result",
    /// Seed 001: a step of a compaction.
    CompactSystem = "compact_system",
    /// Seed 004: a message kept through a compaction.
    CompactPrelude = "compact_prelude",
    /// Seed 004: the summary of a compaction.
    CompactRecap = "compact_recap",
}

impl Kind {
    pub(crate) fn from_text(name: JsonText<'_>) -> Self {
        match name.plain() {
            Some(plain) => Self::from_name(plain),
            None => Self::from_name(name.decode().as_bytes()),
        }
    }

    /// Tells whether records of this kind hang in the parent chain.
    ///
    /// The first five are the client's own; the rest are their names in the paper dialects.
    pub fn is_linked(self) -> bool {
        matches!(
            self,
            Self::User
                | Self::Assistant
                | Self::System
                | Self::Attachment
                | Self::Progress
                | Self::Human
                | Self::ToolResult
                | Self::CompactSystem
                | Self::CompactPrelude
                | Self::CompactRecap
        )
    }

    /// Tells whether a person or the model speaks in records of this kind.
    pub fn is_message(self) -> bool {
        self.is_user() || self == Self::Assistant
    }

    /// Tells whether records of this kind speak with the user's role.
    pub fn is_user(self) -> bool {
        matches!(
            self,
            Self::User | Self::Human | Self::ToolResult | Self::CompactPrelude | Self::CompactRecap
        )
    }
}
