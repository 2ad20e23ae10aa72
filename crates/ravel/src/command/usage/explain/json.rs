//! An explanation for programs, written piece by piece.

use std::io::{self, Write};

use ravel_model::price::{Cost, CostPart, Row, cost};
use ravel_model::usage::{Dropped, Geo, Request, Speed, Tier};
use serde_json::{Map, Value, json};

use super::super::Answer;
use super::super::figure::tokens_json;
use super::super::json::time;
use super::{KNOWN_MISSING, Pricing, dropped, reasons};
use crate::command::prices;
use crate::price_book::{factor_number, usd};

/// Writes the explanation of an answer.
pub(in super::super) fn write(answer: &Answer<'_>, out: &mut impl Write) -> io::Result<()> {
    let reasons = reasons(answer);
    let n_dropped: u64 = reasons.values().sum();
    let reasons: Map<String, Value> = reasons
        .into_iter()
        .map(|(reason, count)| (reason.code().to_owned(), json!(count)))
        .collect();
    let lines = json!({
        "counted": answer.counted.len(),
        "dropped": n_dropped,
        "reasons": reasons,
    });
    let rows = Rows::of(answer);
    write!(out, "{{\n\"lines\": {lines},\n\"known_missing\": ")?;
    serde_json::to_writer(&mut *out, &KNOWN_MISSING)?;
    write_list(out, "prices", rows.0.iter().map(|row| price_json(row)))?;
    let requests = answer
        .requests()
        .map(|request| rows.request(request, answer));
    write_list(out, "requests", requests)?;
    let dropped = dropped(answer).map(|(place, line)| dropped_json(place, line));
    write_list(out, "dropped", dropped)?;
    write!(out, "\n}}")
}

fn write_list(
    out: &mut impl Write,
    key: &str,
    items: impl Iterator<Item = Value>,
) -> io::Result<()> {
    write!(out, ",\n\"{key}\": [")?;
    for (number, item) in items.enumerate() {
        write!(out, "{}", if number == 0 { "\n" } else { ",\n" })?;
        serde_json::to_writer(&mut *out, &item)?;
    }
    write!(out, "]")
}

/// The price lists that were used; requests name them by their place.
struct Rows<'a>(Vec<&'a Row>);

impl<'a> Rows<'a> {
    fn of(answer: &'a Answer<'_>) -> Self {
        let mut rows: Vec<&Row> = Vec::new();
        for pricing in Pricing::of(answer) {
            if !rows.iter().any(|row| std::ptr::eq(*row, pricing.row)) {
                rows.push(pricing.row);
            }
        }
        Self(rows)
    }

    fn request(&self, request: &Request, answer: &Answer<'_>) -> Value {
        let mut object = line_json(request);
        let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
        match cost(request, &answer.prices.book) {
            Ok(cost) => {
                put("cost_nanos", json!(cost.total().0));
                put("cost_usd", json!(usd(cost.total())));
                put("price", self.price(&cost));
                put("unpriced", Value::Null);
            }
            Err(reason) => {
                put("cost_nanos", json!(0));
                put("cost_usd", json!("0.00"));
                put("price", Value::Null);
                put("unpriced", json!(reason.code()));
            }
        }
        Value::Object(object)
    }

    fn price(&self, cost: &Cost<'_>) -> Value {
        let row = self.0.iter().position(|row| std::ptr::eq(*row, cost.row));
        let factors = cost
            .surcharges
            .iter()
            .map(|(why, factor)| json!({"why": why.name(), "factor": factor_number(*factor)}));
        json!({
            "row": row,
            "above": cost.above,
            "factors": factors.collect::<Vec<_>>(),
            "parts": cost.parts.iter().map(part_json).collect::<Vec<_>>(),
        })
    }
}

fn part_json(part: &CostPart) -> Value {
    json!({
        "what": part.what.name(),
        "count": part.count,
        "nanos_per_million": part.rate.0,
        "nanos": part.nanos.0,
    })
}

fn price_json(row: &Row) -> Value {
    let mut entry = prices::entry_json(row.models.first().map_or("", |model| model), row);
    if let Value::Object(entry) = &mut entry {
        entry.remove("model");
        entry.insert("models".into(), json!(row.models));
    }
    entry
}

fn dropped_json(place: usize, line: &Dropped) -> Value {
    let mut object = line_json(&line.request);
    object.insert("reason".into(), json!(line.reason.code()));
    object.insert("counted".into(), json!(place));
    Value::Object(object)
}

/// What a line says, counted or not.
fn line_json(request: &Request) -> Map<String, Value> {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("time", time(request.time));
    put("model", json!(*request.model));
    put("session", json!(*request.session));
    put("project", json!(*request.project));
    put("message", json!(request.message));
    put("request", json!(request.request));
    put("file", json!(*request.file));
    put("line", json!(request.line));
    put("sidechain", json!(request.is_sidechain));
    put("speed", json!(request.speed.map(Speed::word)));
    put("tier", json!(request.tier.map(Tier::word)));
    put("geo", json!(request.geo.map(Geo::word)));
    put("tokens", tokens_json(&request.tokens));
    put("web_searches", json!(request.web_searches));
    object
}
