//! Five-hour windows.
//!
//! Subscriptions are limited by windows of five hours that begin with a request. A [`Block`] starts
//! at the full hour of its first request and ends five hours later; the next request after that, or
//! after five hours of silence, starts another one.

use ravel_format::Timestamp;

use super::{Group, Request};
use crate::price::{Book, Nanos};

#[cfg(test)]
mod tests;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const LENGTH_MS: i64 = 5 * HOUR_MS;

/// One window with its requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The full hour it starts at.
    pub start: Timestamp,
    /// When it ends: the first moment that is not in it.
    pub end: Timestamp,
    /// Its first request.
    pub first: Timestamp,
    /// Its latest request.
    pub last: Timestamp,
    /// The time without requests before it, less the five hours that end a block; `None` when
    /// that is nothing.
    pub gap: Option<(Timestamp, Timestamp)>,
    /// What the requests sum up to.
    pub group: Group,
}

/// How fast a block is used up, between its first and its latest request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BurnRate {
    /// Tokens of all kinds a minute.
    pub tokens_a_minute: u64,
    /// Input and output a minute, without the cache.
    pub fresh_tokens_a_minute: u64,
    /// Money an hour.
    pub cost_an_hour: Nanos,
}

/// What a block comes to if it goes on at its rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Projection {
    /// Tokens of all kinds.
    pub tokens: u64,
    /// Money.
    pub cost: Nanos,
    /// Whole minutes until the block ends.
    pub minutes_left: u64,
}

/// Puts requests into blocks. Those without a time are in none.
pub fn blocks<'a>(requests: impl IntoIterator<Item = &'a Request>, book: &Book) -> Vec<Block> {
    let mut timed: Vec<(Timestamp, &Request)> = requests
        .into_iter()
        .filter_map(|request| Some((request.time?, request)))
        .collect();
    timed.sort_by_key(|(time, _)| *time);
    let mut blocks: Vec<Block> = Vec::new();
    for (time, request) in timed {
        let open = blocks.last_mut().filter(|block| block.takes(time));
        match open {
            Some(block) => block.add(time, request, book),
            None => {
                let mut block = Block::at(time, blocks.last().map(|block| block.last));
                block.add(time, request, book);
                blocks.push(block);
            }
        }
    }
    blocks
}

impl Block {
    fn at(time: Timestamp, previous: Option<Timestamp>) -> Self {
        let idle = previous.map(|last| Timestamp(last.0.saturating_add(LENGTH_MS)));
        let start = time.0.saturating_sub(time.0.rem_euclid(HOUR_MS));
        Self {
            start: Timestamp(start),
            end: Timestamp(start.saturating_add(LENGTH_MS)),
            first: time,
            last: time,
            gap: idle.filter(|idle| *idle < time).map(|idle| (idle, time)),
            group: Group::default(),
        }
    }

    fn add(&mut self, time: Timestamp, request: &Request, book: &Book) {
        self.last = self.last.max(time);
        self.group.add(request, book);
    }

    /// Tells whether a later request belongs to the block. Five hours after the last one is always
    /// after the end as well.
    fn takes(&self, time: Timestamp) -> bool {
        time < self.end
    }

    /// Tells whether the block is not over.
    pub fn is_active(&self, now: Timestamp) -> bool {
        self.start <= now && now < self.end
    }

    /// Returns how fast the block is used up; `None` unless its requests are a minute apart.
    pub fn burn_rate(&self) -> Option<BurnRate> {
        let used_ms = self.used_ms()?;
        let tokens = &self.group.sum.tokens;
        let fresh = tokens.input.saturating_add(tokens.output);
        let a_minute = |tokens| scaled(tokens, MINUTE_MS as u64, used_ms);
        Some(BurnRate {
            tokens_a_minute: a_minute(tokens.total()),
            fresh_tokens_a_minute: a_minute(fresh),
            cost_an_hour: self.group.sum.cost.scaled(HOUR_MS as u64, used_ms),
        })
    }

    /// Returns what an active block comes to at its end; `None` for others.
    pub fn projection(&self, now: Timestamp) -> Option<Projection> {
        let used_ms = self.used_ms().filter(|_| self.is_active(now))?;
        let left_ms = u64::try_from(self.end.0.saturating_sub(now.0)).ok()?;
        let sum = &self.group.sum;
        let tokens = sum.tokens.total();
        Some(Projection {
            tokens: tokens.saturating_add(scaled(tokens, left_ms, used_ms)),
            cost: sum.cost.plus(sum.cost.scaled(left_ms, used_ms)),
            minutes_left: left_ms / MINUTE_MS as u64,
        })
    }

    /// A rate over less than a minute would say nothing.
    fn used_ms(&self) -> Option<u64> {
        let used_ms = self.last.0.saturating_sub(self.first.0);
        let used_ms = Some(used_ms).filter(|used_ms| *used_ms >= MINUTE_MS)?;
        u64::try_from(used_ms).ok()
    }
}

fn scaled(number: u64, numerator: u64, denominator: u64) -> u64 {
    Nanos(number).scaled(numerator, denominator).0
}
