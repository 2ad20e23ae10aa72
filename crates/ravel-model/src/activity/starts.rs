//! Sessions by the day they began, as the client counts them.
//!
//! What is publicly known of `/stats`: a session with all its messages and tool calls belongs to the
//! day of its first message, by the calendar of Greenwich, and to the hour of that message where the
//! person lives. So a day on which an old session went on counts for nothing, which is why
//! [`Stats`](super::Stats) also counts each message when it was written.

use std::collections::BTreeMap;
use std::sync::Arc;

use ravel_format::Timestamp;

use super::stats::SessionActivity;
use crate::usage::Day;

/// Sessions and what was done in them, by their beginning.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Starts {
    /// How many sessions have a message.
    pub n_sessions: u64,
    /// Their messages.
    pub n_messages: u64,
    /// By the day of the first message, in Greenwich.
    pub days: BTreeMap<Day, DayStarts>,
    /// Sessions by the hour of the first message.
    pub hours: [u64; 24],
    /// The one with the longest time between its first and its last message.
    pub longest: Option<Longest>,
    /// When the first one began.
    pub first: Option<Timestamp>,
}

/// The sessions that began on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DayStarts {
    /// How many.
    pub n_sessions: u64,
    /// Their messages, of whatever day.
    pub n_messages: u64,
    /// Their tool calls, of whatever day.
    pub n_tool_calls: u64,
}

/// The longest session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Longest {
    /// Its id.
    pub session: Arc<str>,
    /// From its first to its last message, in milliseconds.
    pub duration_ms: u64,
    /// Its messages.
    pub n_messages: u64,
    /// When it began.
    pub first: Timestamp,
}

impl Starts {
    /// Counts sessions; `hour` says what hour a time is in.
    pub fn of<'a>(
        sessions: impl IntoIterator<Item = &'a SessionActivity>,
        hour: impl Fn(Timestamp) -> u8,
    ) -> Self {
        let mut starts = Self::default();
        for session in sessions {
            starts.add(session, &hour);
        }
        starts
    }

    fn add(&mut self, session: &SessionActivity, hour: impl Fn(Timestamp) -> u8) {
        self.n_sessions += 1;
        self.n_messages = self.n_messages.saturating_add(session.amount.messages);
        let Some(first) = session.first else {
            return;
        };
        let day = self.days.entry(Day::utc(first)).or_default();
        day.n_sessions += 1;
        day.n_messages = day.n_messages.saturating_add(session.amount.messages);
        day.n_tool_calls = day.n_tool_calls.saturating_add(session.amount.tool_calls);
        if let Some(count) = self.hours.get_mut(usize::from(hour(first))) {
            *count += 1;
        }
        self.first = super::earliest(self.first, Some(first));
        let candidate = Longest {
            session: Arc::clone(&session.session),
            duration_ms: session.last.map_or(0, |last| first.0.abs_diff(last.0)),
            n_messages: session.amount.messages,
            first,
        };
        // Of two that are as long the earlier one, whatever was read first.
        let rank = |one: &Longest| {
            let earlier = std::cmp::Reverse((one.first, Arc::clone(&one.session)));
            (one.duration_ms, one.n_messages, earlier)
        };
        if self
            .longest
            .as_ref()
            .is_none_or(|known| rank(known) < rank(&candidate))
        {
            self.longest = Some(candidate);
        }
    }
}
