//! Who did what when: the figures behind `/stats`.
//!
//! An [`Activity`] takes the records of a transcript, in any order and in any number of pieces, and
//! keeps messages and tool calls by the quarter of an hour. [`Stats`] puts the activities of all
//! transcripts together, for the calendar of one person: there is no clock and no time zone here,
//! and every zone in use differs from Greenwich by whole quarters. [`Starts`] counts the way the
//! client does in its `stats-cache.json`, so that the two can be compared.
//!
//! Copies are not looked for: a session that was copied or forked counts as often as it was written,
//! as it does for the client. Tokens are another matter, see [`usage`](crate::usage).

use std::collections::BTreeMap;
use std::sync::Arc;

use ravel_format::{Record, Timestamp};

mod read;
mod starts;
mod stats;
mod streak;
#[cfg(test)]
mod tests;

pub use starts::{DayStarts, Longest, Starts};
pub use stats::{DayActivity, Lens, ModelTokens, ProjectActivity, SessionActivity, Source, Stats};
pub use streak::{Streak, Streaks};

use read::Told;

const QUARTER_MS: i64 = 900_000;

/// A quarter of an hour, counted from the start of 1970 in Greenwich.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quarter(pub i64);

impl Quarter {
    /// Returns the quarter that a time is in.
    pub fn of(time: Timestamp) -> Self {
        Self(time.0.div_euclid(QUARTER_MS))
    }

    /// Returns the moment it begins.
    pub fn start(self) -> Timestamp {
        Timestamp(self.0.saturating_mul(QUARTER_MS))
    }
}

/// Whose transcript a record stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// That of a session; its lines may still be a sub-agent's and say so.
    Main,
    /// That of a sub-agent.
    Agent,
}

/// How much was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Amount {
    /// Lines of type `user` and `assistant` in the conversation itself.
    pub messages: u64,
    /// Tool calls in them.
    pub tool_calls: u64,
    /// Lines of these types that sub-agents wrote.
    pub agent_messages: u64,
    /// Tool calls in those.
    pub agent_tool_calls: u64,
}

impl Amount {
    /// Adds another amount.
    pub fn plus(&mut self, other: &Self) {
        let add = |own: &mut u64, more: u64| *own = own.saturating_add(more);
        add(&mut self.messages, other.messages);
        add(&mut self.tool_calls, other.tool_calls);
        add(&mut self.agent_messages, other.agent_messages);
        add(&mut self.agent_tool_calls, other.agent_tool_calls);
    }
}

/// What was done in one transcript.
///
/// The fields are plain so that an index can keep them. Memory grows with the quarters in which
/// something happened, not with the lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Activity {
    /// Messages and tool calls by time; what has no time is under `None`.
    pub quarters: BTreeMap<Option<Quarter>, Amount>,
    /// Calls of each tool by time, those of sub-agents too.
    pub tools: BTreeMap<(Option<Quarter>, Arc<str>), u64>,
    /// The time of the first message of the conversation itself.
    pub first: Option<Timestamp>,
    /// The time of the last one.
    pub last: Option<Timestamp>,
    /// The first folder that a line names, and where in the file it stands.
    pub folder: Option<(u64, Arc<str>)>,
}

impl Activity {
    /// Takes in one record. Those that are no messages say nothing but their folder.
    pub fn add(&mut self, record: &Record<'_>, side: Side) {
        let Some(told) = Told::read(record) else {
            return;
        };
        if self.folder.is_none() || self.folder_at() > record.span.start {
            let folder = told.folder.filter(|folder| !folder.is_empty());
            let folder = folder.map(|folder| (record.span.start, folder.decode().into()));
            self.folder = folder.or(self.folder.take());
        }
        if !told.is_message {
            return;
        }
        let quarter = told.time.map(Quarter::of);
        let n_calls = self.add_tools(&told, quarter);
        let is_agent = side == Side::Agent || told.is_sidechain;
        let amount = self.quarters.entry(quarter).or_default();
        if is_agent {
            amount.agent_messages += 1;
            amount.agent_tool_calls += n_calls;
            return;
        }
        amount.messages += 1;
        amount.tool_calls += n_calls;
        self.first = earliest(self.first, told.time);
        self.last = self.last.max(told.time);
    }

    fn add_tools(&mut self, told: &Told<'_>, quarter: Option<Quarter>) -> u64 {
        let mut n_calls = 0;
        for name in told.tools() {
            n_calls += 1;
            *self.tools.entry((quarter, name)).or_default() += 1;
        }
        n_calls
    }

    fn folder_at(&self) -> u64 {
        self.folder.as_ref().map_or(u64::MAX, |(at, _)| *at)
    }

    /// Adds what another piece of the same transcript told.
    pub fn merge(&mut self, other: Self) {
        for (quarter, amount) in &other.quarters {
            self.quarters.entry(*quarter).or_default().plus(amount);
        }
        for (tool, n_calls) in other.tools {
            *self.tools.entry(tool).or_default() += n_calls;
        }
        self.first = earliest(self.first, other.first);
        self.last = self.last.max(other.last);
        let folders = self.folder.take().into_iter().chain(other.folder);
        self.folder = folders.min();
    }

    /// Returns everything that was done.
    pub fn amount(&self) -> Amount {
        let mut sum = Amount::default();
        for amount in self.quarters.values() {
            sum.plus(amount);
        }
        sum
    }
}

/// Returns the earlier of two times, if there is one at all.
fn earliest(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    one.into_iter().chain(other).min()
}
