//! The answer for programs.
//!
//! Tokens are whole numbers; money is whole nano-dollars and, beside it, dollars as a decimal
//! string. An explanation can have a line for each of a hundred thousand requests, so it is written
//! piece by piece.

use std::io::{self, Write};
use std::sync::Arc;

use ravel_format::Timestamp;
use ravel_model::usage::{Group, Sum};
use serde_json::{Map, Value, json};

use super::explain::{self, Unpricing};
use super::figure::put_sum;
use super::row::{Name, Row, Window};
use super::session::SessionNames;
use super::{Answer, By, session};
use crate::context::Context;
use crate::failure::Failure;
use crate::price_book::usd;

/// Prints the answer.
pub(super) fn print(context: &Context, answer: &Answer<'_>) -> Result<(), Failure> {
    let mut screen = context.plain_screen();
    let mut document = document(answer);
    if !answer.args.explain {
        serde_json::to_writer_pretty(&mut screen, &document).map_err(io::Error::from)?;
        writeln!(screen)?;
        return Ok(screen.finish()?);
    }
    // The other keys first, then the long part.
    writeln!(screen, "{{")?;
    for (key, value) in std::mem::take(&mut document) {
        write!(screen, "{}: ", json!(key))?;
        serde_json::to_writer(&mut screen, &value).map_err(io::Error::from)?;
        writeln!(screen, ",")?;
    }
    write!(screen, "\"explain\": ")?;
    explain::write_json(answer, &mut screen)?;
    writeln!(screen, "\n}}")?;
    Ok(screen.finish()?)
}

fn document(answer: &Answer<'_>) -> Map<String, Value> {
    let sessions = session::names(&answer.table, answer.library);
    let names = Names {
        by: answer.args.by,
        sessions: &sessions,
    };
    let rows = answer.table.rows.iter().map(|row| names.row(row));
    let account = &answer.tally.account;
    let unpriced = Unpricing::of(answer).into_iter().map(|one| one.json());
    let mut document = Map::new();
    let mut put = |key: &str, value: Value| document.insert(key.to_owned(), value);
    put("by", json!(by_name(answer.args.by)));
    put("zone", json!(answer.zone.name));
    put("since", time(answer.selection.since));
    put("until", time(answer.selection.until));
    put("rows", rows.collect());
    put("rows_left_out", json!(answer.table.n_left_out));
    put("total", sums(&answer.table.total));
    put("unpriced", unpriced.collect());
    put("own_prices", json!(answer.prices.own_file));
    put(
        "read",
        json!({
            "files": answer.library.files().len(),
            "lines_with_usage": account.n_lines,
            "requests": account.requests.len(),
            "damaged_lines": answer.tally.skipped.n_lines,
        }),
    );
    document
}

fn by_name(by: By) -> &'static str {
    match by {
        By::Daily => "daily",
        By::Weekly => "weekly",
        By::Monthly => "monthly",
        By::Session => "session",
        By::Project => "project",
        By::Model => "model",
        By::Blocks => "blocks",
    }
}

/// A time for programs.
pub(super) fn time(time: Option<Timestamp>) -> Value {
    json!(time.map(Timestamp::to_iso))
}

fn sums(group: &Group) -> Value {
    let mut object = Map::new();
    put_group(&mut object, group);
    Value::Object(object)
}

fn put_group(object: &mut Map<String, Value>, group: &Group) {
    put_sum(object, &group.sum);
    object.insert("first".into(), time(group.first));
    object.insert("last".into(), time(group.last));
    let model = |(model, sum): (&Arc<str>, &Sum)| {
        let mut object = Map::new();
        object.insert("model".into(), json!(**model));
        put_sum(&mut object, sum);
        Value::Object(object)
    };
    object.insert("models".into(), group.by_model.iter().map(model).collect());
}

/// What rows are called.
struct Names<'a> {
    by: By,
    sessions: &'a SessionNames,
}

impl Names<'_> {
    fn row(&self, row: &Row) -> Value {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
        match &row.name {
            Name::Period(day) => {
                put(
                    "period",
                    json!(day.map(|day| super::print::period(self.by, day))),
                );
                put("start", json!(day.map(|day| day.to_string())));
            }
            Name::Session { id, project } => {
                let name = self.sessions.get(id);
                put("session", json!(**id));
                put("title", json!(name.and_then(|name| name.title.as_ref())));
                put("project", json!(**project));
                put("archived", json!(name.is_some_and(|name| name.is_archived)));
            }
            Name::Text(text) if self.by == By::Project => {
                put("project", json!(**text));
            }
            Name::Text(text) => {
                put("model", json!(**text));
            }
            Name::Window(window) => put_block(&mut object, window),
        }
        put_group(&mut object, &row.group);
        Value::Object(object)
    }
}

fn put_block(object: &mut Map<String, Value>, window: &Window) {
    let gap = |(from, until): (Timestamp, Timestamp)| json!({"from": from.to_iso(), "until": until.to_iso()});
    let burn_rate = window.burn_rate.map(|rate| {
        json!({
            "tokens_per_minute": rate.tokens_a_minute,
            "input_output_tokens_per_minute": rate.fresh_tokens_a_minute,
            "cost_nanos_per_hour": rate.cost_an_hour.0,
            "cost_usd_per_hour": usd(rate.cost_an_hour),
        })
    });
    let projection = window.projection.map(|projection| {
        json!({
            "tokens": projection.tokens,
            "cost_nanos": projection.cost.0,
            "cost_usd": usd(projection.cost),
            "minutes_left": projection.minutes_left,
        })
    });
    let used_ms = window.last.0.saturating_sub(window.first.0);
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("start", json!(window.start.to_iso()));
    put("end", json!(window.end.to_iso()));
    put("active", json!(window.is_active));
    put("used_minutes", json!(used_ms / 60_000));
    put("gap_before", json!(window.gap.map(gap)));
    put("burn_rate", json!(burn_rate));
    put("projection", json!(projection));
}
