//! The format of Claude Code sessions, read losslessly.
mod id;
mod json;
mod kind;
mod line;
mod outline;
mod record;
mod timestamp;

pub use id::{Id, IdTable, Key};
pub use json::{Entries, Items, Json, JsonKind, JsonText, Malformed, Reason};
pub use kind::Kind;
pub use line::{Ending, Line, Lines, Place, Span, lines, lines_from};
pub use outline::{Entry, Facet, Fault, Flags, Outline, ToolEdge, ToolRole};
pub use record::{Damage, Record, parse_line, parse_record};
pub use timestamp::Timestamp;
