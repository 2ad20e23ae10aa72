//! The format of Claude Code sessions, read losslessly.
pub mod body;
mod content;
mod envelope;
mod id;
mod json;
mod kind;
mod line;
mod message;
mod outline;
mod record;
mod source;
pub mod stream;
mod timestamp;
mod title_source;
pub mod tool;
mod usage;
mod view;

pub use body::{Attachment, Body, Progress, System};
pub use content::{
    Blocks, ContainerUploadBlock, Content, ContentBlock, DocumentBlock, ImageBlock, ImageSource,
    RedactedThinkingBlock, SearchResultBlock, TextBlock, ThinkingBlock, ToolReferenceBlock,
    ToolResultBlock, ToolUseBlock,
};
pub use envelope::{Envelope, ForkedFrom};
pub use id::{Id, IdTable, Key};
pub use json::{Entries, Items, Json, JsonKind, JsonText, Malformed, Reason, TextFlaws};
pub use kind::Kind;
pub use line::{Ending, Line, Lines, Place, Span, lines, lines_from};
pub use message::Message;
pub use outline::{Distinct, Entry, Facet, Fault, Flags, Outline, Said, ToolEdge, ToolRole, Voice};
pub use record::{Damage, Record, parse_line, parse_record};
pub use source::{Source, with_record};
pub use stream::Stdout;
pub use timestamp::{Timestamp, civil_date};
pub use title_source::TitleSource;
pub use tool::{Outcome, StructuredPatch, ToolCall, ToolOutcome};
pub use usage::{CacheCreation, OutputTokensDetails, ServerToolUsage, Usage};
pub use view::{FromJson, List, ListItems, Map, MapEntries};
