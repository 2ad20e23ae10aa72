//! Finds and counts across all sessions of a home.
//!
//! A [`Library`] is every transcript there is. Questions to it are answered by scanning the files
//! at the speed of the page cache, or with an index that says where to look. What matches and what
//! counts is decided in `ravel-model` either way, so both give the same answer, and deleting the
//! index loses nothing.

mod library;
mod progress;
mod skipped;
mod usage;

pub use library::{Library, SourceFile};
pub use progress::Progress;
pub use skipped::Skipped;
pub use usage::{Detail, Tally, scan_usage};
