//! The figures of all transcripts together.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ravel_format::Timestamp;

use super::{Activity, Amount, Quarter, Streaks};
use crate::usage::{Day, Request, Tokens};

/// Where an activity is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The session.
    pub session: Arc<str>,
    /// The project, as the caller names it.
    pub project: Arc<str>,
}

/// Through whose eyes the figures are looked at, and which days of them.
pub struct Lens<'a> {
    /// Says what day a time is in.
    pub day: &'a (dyn Fn(Timestamp) -> Day + Sync),
    /// Says what hour of the day a time is in, from 0 to 23.
    pub hour: &'a (dyn Fn(Timestamp) -> u8 + Sync),
    /// What day it is.
    pub today: Day,
    /// The first day that counts.
    pub since: Option<Day>,
    /// The last day that counts.
    pub until: Option<Day>,
}

impl Lens<'_> {
    /// Tells whether what happened at a time counts. With a first or a last day, what has no time
    /// does not.
    pub fn admits(&self, time: Option<Timestamp>) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        time.is_some_and(|time| {
            let day = (self.day)(time);
            self.since.is_none_or(|since| day >= since)
                && self.until.is_none_or(|until| day <= until)
        })
    }
}

/// All figures.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    /// What was done in the days that count.
    pub amount: Amount,
    /// The sessions with a message in these days, by project and id.
    pub sessions: Vec<SessionActivity>,
    /// What was done on each day, by the time of each message.
    pub days: BTreeMap<Day, DayActivity>,
    /// Messages by the hour of the day they were written.
    pub hours: [u64; 24],
    /// Calls of each tool, those of sub-agents too.
    pub tools: BTreeMap<Arc<str>, u64>,
    /// What was done in each project.
    pub projects: BTreeMap<Arc<str>, ProjectActivity>,
    /// Tokens of each model.
    pub models: BTreeMap<Arc<str>, ModelTokens>,
    /// Input and output tokens of each model by day, in Greenwich as the client has it.
    pub model_days: BTreeMap<Day, BTreeMap<Arc<str>, u64>>,
    /// Days in a row.
    pub streaks: Streaks,
}

/// A session as a whole, whatever days count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionActivity {
    /// Its id.
    pub session: Arc<str>,
    /// Its project.
    pub project: Arc<str>,
    /// The time of its first message.
    pub first: Option<Timestamp>,
    /// The time of its last message.
    pub last: Option<Timestamp>,
    /// What was done in its own transcript.
    pub amount: Amount,
}

/// What was done on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DayActivity {
    /// Messages and tool calls.
    pub amount: Amount,
    /// Sessions with a message on that day.
    pub n_sessions: u64,
}

/// What was done in a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProjectActivity {
    /// Messages and tool calls.
    pub amount: Amount,
    /// Sessions with a message.
    pub n_sessions: u64,
}

/// What a model used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ModelTokens {
    /// How many requests.
    pub n_requests: u64,
    /// Their tokens.
    pub tokens: Tokens,
    /// Searches that the server made for them.
    pub web_searches: u64,
}

impl Stats {
    /// Puts the activities of transcripts and the requests of an account together.
    ///
    /// The order of either does not matter.
    pub fn build<'a>(
        activities: impl IntoIterator<Item = (&'a Source, &'a Activity)>,
        requests: impl IntoIterator<Item = &'a Request>,
        lens: &Lens<'_>,
    ) -> Self {
        let mut stats = Self::default();
        for (source, activity) in activities {
            stats.add(source, activity, lens);
        }
        for request in requests {
            if lens.admits(request.time) {
                stats.add_request(request);
            }
        }
        let key = |one: &SessionActivity| {
            (
                Arc::clone(&one.project),
                Arc::clone(&one.session),
                one.first,
                one.last,
            )
        };
        stats.sessions.sort_by_cached_key(key);
        stats.streaks = Streaks::of(&stats.active_days(), lens.today);
        stats
    }

    /// Returns the days on which a session had a message.
    pub fn active_days(&self) -> BTreeSet<Day> {
        let active = self.days.iter().filter(|(_, day)| day.amount.messages > 0);
        active.map(|(day, _)| *day).collect()
    }

    fn add(&mut self, source: &Source, activity: &Activity, lens: &Lens<'_>) {
        let start = |quarter: Option<Quarter>| quarter.map(Quarter::start);
        let mut sum = Amount::default();
        let mut days = BTreeSet::new();
        for (quarter, amount) in &activity.quarters {
            let time = start(*quarter);
            if !lens.admits(time) {
                continue;
            }
            sum.plus(amount);
            if let Some(time) = time {
                days.extend(self.add_at(time, amount, lens));
            }
        }
        for day in days {
            self.days.entry(day).or_default().n_sessions += 1;
        }
        for ((quarter, tool), n_calls) in &activity.tools {
            if lens.admits(start(*quarter)) {
                *self.tools.entry(Arc::clone(tool)).or_default() += n_calls;
            }
        }
        self.add_sum(source, activity, &sum);
    }

    /// Adds what was done at a time, and returns the day if the session itself had a part in it.
    fn add_at(&mut self, time: Timestamp, amount: &Amount, lens: &Lens<'_>) -> Option<Day> {
        let day = (lens.day)(time);
        self.days.entry(day).or_default().amount.plus(amount);
        if let Some(count) = self.hours.get_mut(usize::from((lens.hour)(time))) {
            *count = count.saturating_add(amount.messages);
        }
        (amount.messages > 0).then_some(day)
    }

    fn add_sum(&mut self, source: &Source, activity: &Activity, sum: &Amount) {
        if *sum == Amount::default() {
            return;
        }
        self.amount.plus(sum);
        let project = self
            .projects
            .entry(Arc::clone(&source.project))
            .or_default();
        project.amount.plus(sum);
        if sum.messages == 0 {
            return;
        }
        project.n_sessions += 1;
        self.sessions.push(SessionActivity {
            session: Arc::clone(&source.session),
            project: Arc::clone(&source.project),
            first: activity.first,
            last: activity.last,
            amount: activity.amount(),
        });
    }

    fn add_request(&mut self, request: &Request) {
        let model = self.models.entry(Arc::clone(&request.model)).or_default();
        model.n_requests += 1;
        model.tokens = model.tokens.plus(&request.tokens);
        model.web_searches = model.web_searches.saturating_add(request.web_searches);
        if let Some(time) = request.time {
            let day = self.model_days.entry(Day::utc(time)).or_default();
            let tokens = day.entry(Arc::clone(&request.model)).or_default();
            let more = request.tokens.input.saturating_add(request.tokens.output);
            *tokens = tokens.saturating_add(more);
        }
    }
}
