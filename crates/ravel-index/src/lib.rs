//! Finds and counts across all sessions of a home.
//!
//! A [`Library`] is every transcript there is. Questions to it are answered by scanning the files
//! at the speed of the page cache, or with an index that says where to look. What matches and what
//! counts is decided in `ravel-model` either way, so both give the same answer, and deleting the
//! index loses nothing.

mod activity;
mod digest;
mod fingerprint;
mod library;
mod lock;
mod progress;
mod recent;
mod search;
mod skipped;
mod store;
mod term;
mod update;
mod usage;

pub use activity::{indexed_activity, scan_activity};
pub use library::{Library, SourceFile};
pub use lock::Patience;
pub use progress::Progress;
pub use search::{Hit, SearchRequest, SearchResults, scan_search, search};
pub use skipped::Skipped;
pub use store::{Index, IndexError, Status};
pub use update::Updated;
pub use usage::{Detail, Tally, indexed_usage, recent_usage, scan_usage, session_usage};
