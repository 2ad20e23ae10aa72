//! Which requests were made, counted once each.
//!
//! The client writes the usage of one API request on several lines, repeats it in sub-agents' logs
//! and copies it when a session is resumed or forked. [`read_request`] takes what one line says, a
//! [`Ledger`] takes all of them in any order and finds the requests behind them, [`group`] sums
//! them by whatever the caller asks, and [`blocks`] puts them into five-hour windows. What they
//! cost is in [`price`](crate::price).
//!
//! There is no clock and no time zone here: the caller says what day a time is.

use std::sync::Arc;

use ravel_format::Timestamp;

mod block;
mod day;
mod group;
mod ledger;
mod read;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub use block::{Block, BurnRate, Projection, blocks};
pub use day::{Day, Weekday};
pub use group::{Group, Period, Sum, by_model, by_period, by_project, by_session, group};
pub use ledger::{Account, Dropped, Entry, Ledger, Reason};
pub use read::{MARK, Origin, Unusual, may_hold_usage, read_entry, read_request};

/// One API request as a line tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The session; sub-agents name that of their parent.
    pub session: Arc<str>,
    /// The project, as the caller names it.
    pub project: Arc<str>,
    /// The id of the API's message: `message.id`.
    pub message: Option<Box<str>>,
    /// The id of the API's request: `requestId`.
    pub request: Option<Box<str>>,
    /// The id of the record, or of the one it says it was copied from.
    pub record: Option<Box<str>>,
    /// The model as written; empty where the line names none.
    pub model: Arc<str>,
    /// When the line was written.
    pub time: Option<Timestamp>,
    /// The tokens.
    pub tokens: Tokens,
    /// Searches that the server made.
    pub web_searches: u64,
    /// `usage.speed`, if the line has it.
    pub speed: Option<Speed>,
    /// `usage.service_tier`, if the line has it.
    pub tier: Option<Tier>,
    /// `usage.inference_geo`, if the line has it.
    pub geo: Option<Geo>,
    /// A sub-agent's log has it.
    pub is_sidechain: bool,
    /// The line says that its session goes on from another one.
    pub is_fork: bool,
    /// The file, as the caller names it.
    pub file: Arc<str>,
    /// The line in the file, counted from 1.
    pub line: u64,
    /// Where in the file the record starts.
    pub offset: u64,
}

/// Tokens by price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Tokens {
    /// Input that no cache had.
    pub input: u64,
    /// Output, thinking included.
    pub output: u64,
    /// Input written to the cache for five minutes.
    pub cache_write_5m: u64,
    /// Input written to the cache for an hour.
    pub cache_write_1h: u64,
    /// Input read from the cache.
    pub cache_read: u64,
}

/// How fast a request was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speed {
    /// `standard`.
    Standard,
    /// `fast`.
    Fast,
    /// A word that has no price.
    Other,
}

/// The service tier of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// `standard`.
    Standard,
    /// `priority`, which is paid for in advance and has no list price of its own.
    Priority,
    /// `batch`.
    Batch,
    /// Any other word.
    Other,
}

/// Where a request was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Geo {
    /// `us`: in the United States only.
    Us,
    /// Anywhere, or not said.
    Other,
}

impl Tokens {
    /// Returns all tokens together.
    pub fn total(&self) -> u64 {
        self.prompt().saturating_add(self.output)
    }

    /// Returns the size of the prompt: input, cache writes and cache reads.
    pub fn prompt(&self) -> u64 {
        self.input
            .saturating_add(self.cache_write())
            .saturating_add(self.cache_read)
    }

    /// Returns all tokens written to the cache.
    pub fn cache_write(&self) -> u64 {
        self.cache_write_5m.saturating_add(self.cache_write_1h)
    }

    /// Adds without overflow.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cache_write_5m: self.cache_write_5m.saturating_add(other.cache_write_5m),
            cache_write_1h: self.cache_write_1h.saturating_add(other.cache_write_1h),
            cache_read: self.cache_read.saturating_add(other.cache_read),
        }
    }
}

impl Speed {
    /// Reads the word in a transcript.
    pub fn from_word(word: &str) -> Self {
        match word {
            "standard" => Self::Standard,
            "fast" => Self::Fast,
            _ => Self::Other,
        }
    }

    /// Returns the word, `other` for all that have no name here.
    pub fn word(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Fast => "fast",
            Self::Other => "other",
        }
    }
}

impl Tier {
    /// Reads the word in a transcript.
    pub fn from_word(word: &str) -> Self {
        match word {
            "standard" => Self::Standard,
            "priority" => Self::Priority,
            "batch" => Self::Batch,
            _ => Self::Other,
        }
    }

    /// Returns the word, `other` for all that have no name here.
    pub fn word(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Priority => "priority",
            Self::Batch => "batch",
            Self::Other => "other",
        }
    }
}

impl Geo {
    /// Reads the word in a transcript.
    pub fn from_word(word: &str) -> Self {
        match word.eq_ignore_ascii_case("us") {
            true => Self::Us,
            false => Self::Other,
        }
    }

    /// Returns the word, `other` for all that have no name here.
    pub fn word(self) -> &'static str {
        match self {
            Self::Us => "us",
            Self::Other => "other",
        }
    }
}
