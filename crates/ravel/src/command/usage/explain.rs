//! What a figure is made of: the lines that count, those that do not and why, and the prices.
//!
//! Everything here is about the requests that were asked for, so its sums are the figures of the
//! table.

use std::collections::BTreeMap;
use std::sync::Arc;

use ravel_model::price::{Charge, Cost, Factor, Nanos, Rate, Row, Surcharge, Unpriced, cost};
use ravel_model::usage::{Dropped, Reason, Tokens};
use ravel_render::amount;
use serde_json::{Value, json};

use super::Answer;
use super::figure::tokens_json;

mod json;
mod print;

pub(super) use json::write as write_json;
pub(super) use print::lines;

/// What is known to be missing, in all figures.
const KNOWN_MISSING: [&str; 3] = [
    "Web searches of the client's own tool are made by a side call that no transcript has: their tokens and fees are missing, and the cost is too low by that.",
    "`priority` requests are priced like `standard`: they are paid for in advance and have no list price.",
    "Other providers' own prices, such as those of regions, are not in the book.",
];

/// Requests of one model that have no price, for one reason.
pub(super) struct Unpricing {
    model: Arc<str>,
    reason: Unpriced,
    tokens: Tokens,
    n_requests: u64,
}

impl Unpricing {
    /// Finds the requests without a price behind an answer.
    pub(super) fn of(answer: &Answer<'_>) -> Vec<Self> {
        if answer.table.total.sum.n_unpriced == 0 {
            return Vec::new();
        }
        let mut found: BTreeMap<(Arc<str>, Unpriced), (Tokens, u64)> = BTreeMap::new();
        for request in answer.requests() {
            if let Err(reason) = cost(request, &answer.prices.book) {
                let key = (Arc::clone(&request.model), reason);
                let (tokens, n_requests) = found.entry(key).or_default();
                *tokens = tokens.plus(&request.tokens);
                *n_requests += 1;
            }
        }
        let one = |((model, reason), (tokens, n_requests))| Self {
            model,
            reason,
            tokens,
            n_requests,
        };
        found.into_iter().map(one).collect()
    }

    /// Says it to a person.
    pub(super) fn text(&self) -> String {
        let why = match self.reason {
            Unpriced::Model => "no price list has the model",
            Unpriced::Day => "the first price is from a later day",
            Unpriced::Speed => "the model has no price at this speed",
            Unpriced::Fee => "the price list lacks a fee that applies",
        };
        let model = if self.model.is_empty() {
            "(no model)"
        } else {
            &self.model
        };
        format!(
            "No price for {model}: {} tokens in {} cost more than shown ({}: {why}).",
            amount::count(self.tokens.total()),
            amount::counted(self.n_requests, "request"),
            self.reason.code(),
        )
    }

    /// Says it to a program.
    pub(super) fn json(&self) -> Value {
        json!({
            "model": *self.model,
            "reason": self.reason.code(),
            "requests": self.n_requests,
            "tokens": tokens_json(&self.tokens),
        })
    }
}

/// Returns the lines that repeat the requests of an answer, with the place of the request in it.
fn dropped<'a>(answer: &'a Answer<'_>) -> impl Iterator<Item = (usize, &'a Dropped)> + Clone {
    // Both are in the order of the account.
    answer.tally.account.dropped.iter().filter_map(|line| {
        let place = answer.counted.binary_search(&line.kept).ok()?;
        Some((place, line))
    })
}

/// Counts the lines that are left out, by reason.
fn reasons(answer: &Answer<'_>) -> BTreeMap<Reason, u64> {
    let mut counts = BTreeMap::new();
    for (_, line) in dropped(answer) {
        *counts.entry(line.reason).or_default() += 1;
    }
    counts
}

/// One way in which requests were priced.
struct Pricing<'a> {
    model: Arc<str>,
    row: &'a Row,
    above: Option<u64>,
    surcharges: Vec<(Surcharge, Factor)>,
    n_requests: u64,
    parts: BTreeMap<Charge, Part>,
    total: Nanos,
}

/// What was paid for one kind of token.
struct Part {
    count: u64,
    rate: Rate,
    nanos: Nanos,
}

impl<'a> Pricing<'a> {
    /// Finds all ways in which the requests of an answer were priced, the costliest first.
    fn of(answer: &'a Answer<'_>) -> Vec<Self> {
        let mut found: BTreeMap<_, Self> = BTreeMap::new();
        for request in answer.requests() {
            if let Ok(cost) = cost(request, &answer.prices.book) {
                let factors: Vec<Surcharge> = cost.surcharges.iter().map(|(why, _)| *why).collect();
                let key = (
                    Arc::clone(&request.model),
                    cost.row.from,
                    cost.above,
                    factors,
                );
                let pricing = found.entry(key);
                let new = || Self::new(Arc::clone(&request.model), &cost);
                pricing.or_insert_with(new).add(&cost);
            }
        }
        let mut all: Vec<Self> = found.into_values().collect();
        all.sort_by_key(|pricing| std::cmp::Reverse(pricing.total));
        all
    }

    fn new(model: Arc<str>, cost: &Cost<'a>) -> Self {
        Self {
            model,
            row: cost.row,
            above: cost.above,
            surcharges: cost.surcharges.clone(),
            n_requests: 0,
            parts: BTreeMap::new(),
            total: Nanos::default(),
        }
    }

    fn add(&mut self, cost: &Cost<'_>) {
        self.n_requests += 1;
        self.total = self.total.plus(cost.total());
        for part in &cost.parts {
            let sum = self.parts.entry(part.what).or_insert(Part {
                count: 0,
                rate: part.rate,
                nanos: Nanos::default(),
            });
            sum.count = sum.count.saturating_add(part.count);
            sum.nanos = sum.nanos.plus(part.nanos);
        }
    }
}
