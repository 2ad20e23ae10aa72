//! What a record says, by its kind.
//!
//! [`Record::body`] picks a view for the kind: [`Body::System`], [`Body::Progress`] and
//! [`Body::Attachment`] choose once more by the name inside. Text that a person or the model
//! wrote is not here but in [`Record::message`], and what every record shares is in
//! [`Record::envelope`]. A kind without a name is [`Body::Unknown`] and keeps its bytes.

mod attachment;
mod conversation;
mod file_history;
mod progress;
mod request_log;
mod session;
mod system;

#[cfg(test)]
mod tests;

pub use attachment::*;
pub use conversation::*;
pub use file_history::*;
pub use progress::*;
pub use request_log::*;
pub use session::*;
pub use system::*;

use crate::json::{Json, JsonText};
use crate::kind::Kind;
use crate::record::Record;
use crate::stream::Stdout;

/// Declares [`Body`], and which kind has which view, in one table.
macro_rules! bodies {
    ($($(#[doc = $doc:literal])* $variant:ident($view:ident) = $($kind:ident)|+),+ $(,)?) => {
        /// The typed view of a record.
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[non_exhaustive]
        #[allow(clippy::large_enum_variant, reason = "views are made on demand and never stored")]
        pub enum Body<'a> {
            $($(#[doc = $doc])* $variant($view<'a>),)+
            /// A kind that has no name here; the record is kept as it is.
            Unknown {
                /// The type it gives itself.
                name: Option<JsonText<'a>>,
                /// The record.
                json: Json<'a>,
            },
            /// The line is no object, or has no `type`.
            None,
        }

        impl<'a> Body<'a> {
            fn from_kind(kind: Kind, json: Json<'a>) -> Self {
                match kind {
                    $($(Kind::$kind)|+ => Self::$variant($view::from_json(json)),)+
                    _ => Self::stdout_or_unknown(kind, json),
                }
            }
        }
    };
}

bodies! {
    /// A prompt, a tool result, or text for the model.
    User(UserBody) = User | Human | ToolResult | CompactPrelude | CompactRecap,
    /// A part of a reply.
    Assistant(AssistantBody) = Assistant,
    /// A report of the client.
    System(System) = System,
    /// Injected context.
    Attachment(AttachmentBody) = Attachment,
    /// News of something that runs.
    Progress(ProgressBody) = Progress,
    /// A title made by the model, often for another file.
    Summary(Summary) = Summary,
    /// File versions that belong to a prompt.
    FileHistorySnapshot(FileHistorySnapshot) = FileHistorySnapshot,
    /// One more file version under a snapshot.
    FileHistoryDelta(FileHistoryDelta) = FileHistoryDelta,
    /// A prompt that enters or leaves the queue.
    QueueOperation(QueueOperation) = QueueOperation,
    /// A request to the API, as hashes.
    ApiRequest(ApiRequest) = ApiRequest,
    /// System prompt and tools of requests, by hash.
    ApiRequestShape(ApiRequestShape) = ApiRequestShape,
    /// A message of requests, by hash.
    ApiRequestBlob(ApiRequestBlob) = ApiRequestBlob,
    /// The latest prompt and the leaf to resume from.
    LastPrompt(LastPrompt) = LastPrompt,
    /// A title given by a person.
    CustomTitle(CustomTitle) = CustomTitle,
    /// A title given by the model.
    AiTitle(AiTitle) = AiTitle,
    /// A tag; an empty one clears it.
    Tag(Tag) = Tag,
    /// The name of the agent that owns the session.
    AgentName(AgentName) = AgentName,
    /// The color of the agent that owns the session.
    AgentColor(AgentColor) = AgentColor,
    /// The definition the agent runs under.
    AgentSetting(AgentSetting) = AgentSetting,
    /// A pull request.
    PrLink(PrLink) = PrLink,
    /// The input mode.
    Mode(Mode) = Mode,
    /// The permission mode.
    PermissionMode(PermissionMode) = PermissionMode,
    /// Money and time so far.
    CostState(CostState) = CostState,
    /// Tools used so far.
    ToolsUsed(ToolsUsed) = ToolsUsed,
    /// A switch of the client's own.
    AtisLatch(AtisLatch) = AtisLatch,
    /// Large contents that were replaced.
    ContentReplacement(ContentReplacement) = ContentReplacement,
    /// The git worktree of the session.
    WorktreeState(WorktreeState) = WorktreeState,
    /// Where a forked agent took its context from.
    ForkContextRef(ForkContextRef) = ForkContextRef,
    /// The session that continues this one.
    ContinuedIn(ContinuedIn) = ContinuedIn,
    /// Seed 001: a step of a compaction.
    CompactSystem(CompactSystem) = CompactSystem,
    /// A record whose keys nobody recorded yet; the names are known from the program only.
    Marker(Marker) = FrameLink | ObserverRef | ResumeHeadVouch | DerivedFrom | DataFlowRecords
        | MemoryMode | SessionOwner | HistorySuppression | BridgeSession | Relocated,
    /// A message of standard output or input.
    Stdout(Stdout) = Result | StreamEvent | ControlRequest | ControlResponse
        | ControlCancelRequest | KeepAlive | ToolProgress | ToolUseSummary | RateLimitEvent
        | AuthStatus | CommandLifecycle | TranscriptMirror | UpdateEnvironmentVariables,
}

impl<'a> Body<'a> {
    /// Reads a record that is already a value, such as an entry of a mirrored transcript.
    pub fn from_json(json: Json<'a>) -> Self {
        let name = json.get("type").and_then(Json::text);
        Self::from_kind(name.map_or(Kind::None, Kind::from_text), json)
    }

    /// Standard output has a few types that are no kind of record.
    fn stdout_or_unknown(kind: Kind, json: Json<'a>) -> Self {
        match (kind, Stdout::from_json(json)) {
            (Kind::None, _) => Self::None,
            (_, Stdout::Unknown { name, json }) => Self::Unknown { name, json },
            (_, message) => Self::Stdout(message),
        }
    }
}

impl<'a> Record<'a> {
    /// Returns what the record says; [`Body::None`] for a damaged one.
    pub fn body(&self) -> Body<'a> {
        self.json.map_or(Body::None, Body::from_json)
    }
}
