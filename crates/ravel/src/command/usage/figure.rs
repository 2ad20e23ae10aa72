//! Figures for people and for programs.

use ravel_model::price::Nanos;
use ravel_model::usage::{Sum, Tokens};
use ravel_render::amount;
use serde_json::{Map, Value, json};

use crate::price_book::usd;

/// How numbers of tokens are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Digits {
    /// All of them, in groups of three.
    All,
    /// As many as are needed to tell large from small.
    Few,
}

impl Digits {
    /// Writes a number.
    pub(super) fn write(self, number: u64) -> String {
        match self {
            Self::All => grouped(number),
            Self::Few => amount::count(number),
        }
    }
}

/// Writes a number with narrow spaces between groups of three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 2);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// How amounts of one table are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Money {
    n_decimals: usize,
    marks_partial: bool,
}

impl Money {
    /// Chooses decimals by the size of the total: cents, or what is left of them below a dollar.
    pub(super) fn fitting(total: &Sum) -> Self {
        const DOLLAR: u64 = 1_000_000_000;
        Self {
            n_decimals: if total.cost.0 < DOLLAR { 4 } else { 2 },
            marks_partial: total.n_unpriced > 0,
        }
    }

    /// Writes what requests cost: `–` when none has a price, a `+` when some have none.
    pub(super) fn sum(self, sum: &Sum) -> String {
        if sum.n_unpriced > 0 && sum.n_unpriced == sum.n_requests {
            return "– ".to_owned();
        }
        let mark = match (self.marks_partial, sum.n_unpriced) {
            (false, _) => "",
            (true, 0) => " ",
            (true, _) => "+",
        };
        format!("{}{mark}", self.write(sum.cost))
    }

    /// Writes an amount.
    pub(super) fn write(self, cost: Nanos) -> String {
        let n_decimals = self.n_decimals;
        let least = Nanos(10_u64.pow(9 - n_decimals as u32));
        if cost.0 > 0 && cost.0 < least.0 / 2 {
            return format!("<{least:.n_decimals$}");
        }
        let text = format!("{cost:.n_decimals$}");
        // Groups in the dollars, as tokens have them.
        let (dollars, rest) = text.split_once('.').unwrap_or((&text, ""));
        let dollars = dollars.trim_start_matches('$').parse().unwrap_or(u64::MAX);
        format!("${}.{rest}", grouped(dollars))
    }
}

/// Shortens the name of a model: what all of them share and the date say nothing in a table.
pub(super) fn short_model(model: &str) -> &str {
    if model.is_empty() {
        return "(no model)";
    }
    let name = model.rsplit('/').next().unwrap_or(model);
    let name = name.split_once("claude-").map_or(name, |(_, name)| name);
    let dated = name.rsplit_once(['-', '@']).filter(|(short, date)| {
        !short.is_empty() && date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit())
    });
    let name = dated.map_or(name, |(short, _)| short);
    if name.is_empty() { model } else { name }
}

/// Tokens for programs.
pub(super) fn tokens_json(tokens: &Tokens) -> Value {
    json!({
        "input": tokens.input,
        "output": tokens.output,
        "cache_write_5m": tokens.cache_write_5m,
        "cache_write_1h": tokens.cache_write_1h,
        "cache_read": tokens.cache_read,
        "total": tokens.total(),
    })
}

/// Puts the figures of a sum into an object.
pub(super) fn put_sum(object: &mut Map<String, Value>, sum: &Sum) {
    object.insert("requests".into(), json!(sum.n_requests));
    object.insert("tokens".into(), tokens_json(&sum.tokens));
    object.insert("web_searches".into(), json!(sum.web_searches));
    object.insert("cost_nanos".into(), json!(sum.cost.0));
    object.insert("cost_usd".into(), json!(usd(sum.cost)));
    object.insert("unpriced_requests".into(), json!(sum.n_unpriced));
    let unpriced: Vec<&str> = sum.unpriced.iter().map(|model| &**model).collect();
    object.insert("unpriced_models".into(), json!(unpriced));
}

#[cfg(test)]
mod tests;
