//! Prices for programs.

use ravel_model::price::{Nanos, Rate, Rates, Row, Shelf};
use serde_json::{Map, Value, json};

use crate::price_book::{PriceBook, factor_number, usd};

/// The whole book.
pub(super) fn book(prices: &PriceBook) -> Value {
    let fees = prices.book.fees();
    let entries = prices.book.entries().map(|(model, row)| entry(model, row));
    let aliases: Map<String, Value> = prices
        .book
        .aliases()
        .map(|(name, model)| (name.to_owned(), json!(model)))
        .collect();
    json!({
        "own_file": prices.own_file,
        "prices": entries.collect::<Vec<_>>(),
        "aliases": aliases,
        "fees": {
            "us_only_factor": fees.us_only.map(factor_number),
            "batch_factor": fees.batch.map(factor_number),
            "web_search_usd_per_1000": fees.web_search.map(|rate| usd(Nanos(rate.0 / 1_000))),
        },
    })
}

/// One price list of one model.
pub(crate) fn entry(model: &str, row: &Row) -> Value {
    let bands = row.bands.iter().map(|band| {
        json!({
            "above": band.above,
            "usd_per_million": rates(&band.rates, |rate| json!(usd(Nanos(rate.0)))),
            "nanos_per_million": rates(&band.rates, |rate| json!(rate.0)),
        })
    });
    json!({
        "model": model,
        "from": row.from.map(|day| day.to_string()),
        "usd_per_million": rates(&row.rates, |rate| json!(usd(Nanos(rate.0)))),
        "nanos_per_million": rates(&row.rates, |rate| json!(rate.0)),
        "bands": bands.collect::<Vec<_>>(),
        "fast_factor": row.fast.map(factor_number),
        "source": row.source,
        "read": row.read.map(|day| day.to_string()),
        "file": match &row.shelf {
            Shelf::Bundled => "bundled",
            Shelf::Override(name) => &**name,
        },
    })
}

fn rates(rates: &Rates, value: impl Fn(Rate) -> Value) -> Value {
    json!({
        "input": value(rates.input),
        "output": value(rates.output),
        "cache_write_5m": value(rates.cache_write_5m),
        "cache_write_1h": value(rates.cache_write_1h),
        "cache_read": value(rates.cache_read),
    })
}
