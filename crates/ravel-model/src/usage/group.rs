//! Sums of requests by day, session, model or anything else.
//!
//! A group is made by a key, so whoever wants to know what is behind a figure asks for the requests
//! with that key.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ravel_format::Timestamp;

use super::{Day, Request, Tokens, Weekday};
use crate::price::{Book, Nanos, total};

#[cfg(test)]
mod tests;

/// What requests sum up to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sum {
    /// How many requests.
    pub n_requests: u64,
    /// Their tokens, priced or not.
    pub tokens: Tokens,
    /// Searches that the server made for them.
    pub web_searches: u64,
    /// What those with a price cost.
    pub cost: Nanos,
    /// How many have no price.
    pub n_unpriced: u64,
    /// The models of those without a price.
    pub unpriced: BTreeSet<Arc<str>>,
}

/// A sum and its parts by model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Group {
    /// All of it.
    pub sum: Sum,
    /// The parts.
    pub by_model: BTreeMap<Arc<str>, Sum>,
    /// The earliest request.
    pub first: Option<Timestamp>,
    /// The latest request.
    pub last: Option<Timestamp>,
}

/// A stretch of the calendar, named by its first day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// A day.
    Day,
    /// Seven days from a day of the week on.
    Week(Weekday),
    /// A month.
    Month,
}

impl Period {
    /// Returns the first day of the period that a day is in.
    pub fn start(self, day: Day) -> Day {
        match self {
            Self::Day => day,
            Self::Week(first) => day.week_start(first),
            Self::Month => day.month_start(),
        }
    }
}

impl Sum {
    /// Sums requests.
    pub fn of<'a>(requests: impl IntoIterator<Item = &'a Request>, book: &Book) -> Self {
        let mut sum = Self::default();
        for request in requests {
            sum.add(request, total(request, book).ok());
        }
        sum
    }

    /// Adds a request and its price, if it has one.
    fn add(&mut self, request: &Request, price: Option<Nanos>) {
        self.n_requests = self.n_requests.saturating_add(1);
        self.tokens = self.tokens.plus(&request.tokens);
        self.web_searches = self.web_searches.saturating_add(request.web_searches);
        match price {
            Some(price) => self.cost = self.cost.plus(price),
            None => {
                self.n_unpriced = self.n_unpriced.saturating_add(1);
                self.unpriced.insert(Arc::clone(&request.model));
            }
        }
    }

    /// Adds another sum.
    pub fn plus(&mut self, other: &Self) {
        self.n_requests = self.n_requests.saturating_add(other.n_requests);
        self.tokens = self.tokens.plus(&other.tokens);
        self.web_searches = self.web_searches.saturating_add(other.web_searches);
        self.cost = self.cost.plus(other.cost);
        self.n_unpriced = self.n_unpriced.saturating_add(other.n_unpriced);
        self.unpriced.extend(other.unpriced.iter().cloned());
    }
}

impl Group {
    /// Adds a request.
    pub fn add(&mut self, request: &Request, book: &Book) {
        let price = total(request, book).ok();
        self.sum.add(request, price);
        match self.by_model.get_mut(&request.model) {
            Some(known) => known.add(request, price),
            None => {
                let model = Arc::clone(&request.model);
                self.by_model.entry(model).or_default().add(request, price);
            }
        }
        if let Some(time) = request.time {
            self.first = Some(self.first.map_or(time, |first| first.min(time)));
            self.last = Some(self.last.map_or(time, |last| last.max(time)));
        }
    }
}

/// Sums requests by a key.
pub fn group<'a, K: Ord>(
    requests: impl IntoIterator<Item = &'a Request>,
    book: &Book,
    key: impl Fn(&Request) -> K,
) -> BTreeMap<K, Group> {
    let mut groups: BTreeMap<K, Group> = BTreeMap::new();
    for request in requests {
        groups.entry(key(request)).or_default().add(request, book);
    }
    groups
}

/// Sums requests by period; `day` says what day a time is where the person lives.
///
/// Requests without a time are under `None`.
pub fn by_period<'a>(
    requests: impl IntoIterator<Item = &'a Request>,
    book: &Book,
    period: Period,
    day: impl Fn(Timestamp) -> Day,
) -> BTreeMap<Option<Day>, Group> {
    group(requests, book, |request| {
        request.time.map(|time| period.start(day(time)))
    })
}

/// Sums requests by session, sub-agents included.
pub fn by_session<'a>(
    requests: impl IntoIterator<Item = &'a Request>,
    book: &Book,
) -> BTreeMap<Arc<str>, Group> {
    group(requests, book, |request| Arc::clone(&request.session))
}

/// Sums requests by project.
pub fn by_project<'a>(
    requests: impl IntoIterator<Item = &'a Request>,
    book: &Book,
) -> BTreeMap<Arc<str>, Group> {
    group(requests, book, |request| Arc::clone(&request.project))
}

/// Sums requests by model, as written.
pub fn by_model<'a>(
    requests: impl IntoIterator<Item = &'a Request>,
    book: &Book,
) -> BTreeMap<Arc<str>, Group> {
    group(requests, book, |request| Arc::clone(&request.model))
}
