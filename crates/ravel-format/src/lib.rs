//! The format of Claude Code sessions, read losslessly.
mod json;
mod kind;
mod line;
mod record;
mod timestamp;

pub use json::{Entries, Items, Json, JsonKind, JsonText, Malformed, Reason};
pub use kind::Kind;
pub use line::{Ending, Line, Lines, Place, Span, lines, lines_from};
pub use record::{Damage, Record, parse_line, parse_record};
pub use timestamp::Timestamp;
