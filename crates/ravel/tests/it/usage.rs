//! `ravel usage`: every figure here was computed by hand from `docs/design/cost.md` and the prices.

use ravel_testkit::{Output, TestHome};
use serde_json::{Value, json};

use crate::{home, parsed};

mod corpus;
mod explain;
pub(crate) mod price;
mod rule;
mod view;

const SESSION: &str = "11111111-1111-4111-8111-111111111111";
const OTHER: &str = "22222222-2222-4222-8222-222222222222";
const FILE: &str = "projects/-srv-shop/11111111-1111-4111-8111-111111111111.jsonl";
const OTHER_FILE: &str = "projects/-srv-shop/22222222-2222-4222-8222-222222222222.jsonl";
const OPUS: &str = "claude-opus-5-5";

/// Tokens in the order of the table: input, output, write 5m, write 1h, read.
type Tokens = [u64; 5];

/// A line of the assistant. `ids` are those of record, message and request, `-` for none.
fn line(ids: &str, model: &str, usage: Value) -> Value {
    let mut ids = ids.split(' ').map(|id| (id != "-").then_some(id));
    let mut next = || ids.next().flatten();
    let (record, message, request) = (next(), next(), next());
    let mut line = json!({
        "parentUuid": null,
        "isSidechain": false,
        "type": "assistant",
        "sessionId": SESSION,
        "cwd": "/srv/shop",
        "timestamp": "2026-01-20T09:00:00.000Z",
        "message": {
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [{"type": "text", "text": "Done."}],
            "usage": null,
        },
    });
    line["message"]["usage"] = usage;
    for (place, key, id) in [
        ("", "uuid", record),
        ("/message", "id", message),
        ("", "requestId", request),
    ] {
        if let Some(id) = id {
            line.pointer_mut(place).unwrap()[key] = json!(id);
        }
    }
    line
}

/// Input and output only.
fn used(input: u64, output: u64) -> Value {
    json!({"input_tokens": input, "output_tokens": output})
}

/// A value with some keys set, nested ones too.
fn with(mut value: Value, changes: Value) -> Value {
    merge(&mut value, changes);
    value
}

fn merge(into: &mut Value, change: Value) {
    match (into, change) {
        (Value::Object(into), Value::Object(change)) => {
            for (key, change) in change {
                merge(into.entry(key).or_insert(Value::Null), change);
            }
        }
        (into, change) => *into = change,
    }
}

fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A home with these files.
fn home_of(files: &[(&str, &[Value])]) -> TestHome {
    let home = home();
    for (path, lines) in files {
        home.write(path, text(lines));
    }
    home
}

fn json_of(home: &TestHome, options: &[&str]) -> Value {
    parsed(&run(home, options, "--json"))
}

fn run(home: &TestHome, options: &[&str], last: &str) -> Output {
    let arguments = ["usage"].iter().chain(options).chain([&last]);
    home.ravel(arguments)
}

fn tokens(sum: &Value) -> Tokens {
    let names = [
        "input",
        "output",
        "cache_write_5m",
        "cache_write_1h",
        "cache_read",
    ];
    names.map(|name| sum["tokens"][name].as_u64().unwrap())
}

/// Checks the tokens and the nano-dollars of all requests, and their number.
#[track_caller]
fn check(home: &TestHome, n_requests: u64, expected: Tokens, nanos: u64) {
    let total = &json_of(home, &[])["total"];
    assert_eq!(total["requests"], n_requests, "{total:#}");
    assert_eq!(tokens(total), expected);
    assert_eq!(total["cost_nanos"], nanos);
}

/// Checks why lines were left out.
#[track_caller]
fn check_reasons(home: &TestHome, expected: &Value) {
    let explained = json_of(home, &["--explain"]);
    assert_eq!(&explained["explain"]["lines"]["reasons"], expected);
}
