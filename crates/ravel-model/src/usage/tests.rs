//! Counts recorded sessions twice: with the ledger, and with the rules written down as plainly as
//! possible over decoded JSON. The files are other people's; `RAVEL_CORPUS` says where they are.

use std::collections::{BTreeMap, BTreeSet};

use ravel_format::{lines, parse_line};
use serde_json::Value;

use super::{Ledger, Origin, Tokens, may_hold_usage, read_request};

#[test]
#[expect(clippy::print_stderr, reason = "says what was found")]
fn the_corpus_has_the_tokens_that_the_plain_rules_find() {
    let Some(files) = ravel_testkit::corpus_files() else {
        return;
    };
    let mut ledger = Ledger::default();
    let mut rows = Vec::new();
    for file in &files {
        let bytes = std::fs::read(file).unwrap();
        let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
        count(&bytes, &stem, &mut ledger);
        for line in bytes.split(|byte| *byte == b'\n') {
            // Two records can stand on one line where a write was torn.
            let values = serde_json::Deserializer::from_slice(line).into_iter::<Value>();
            rows.extend(
                values
                    .map_while(Result::ok)
                    .filter_map(|value| row(&value, &stem)),
            );
        }
    }
    assert_eq!(ledger.n_lines(), rows.len() as u64);
    let account = ledger.settle();
    let mut by_name: BTreeMap<_, Vec<Row>> = BTreeMap::new();
    for row in rows {
        // Only rows of one message, or without one, can be the same request.
        by_name.entry(row.message.clone()).or_default().push(row);
    }
    let expected: Vec<Row> = by_name.into_values().flat_map(plainly_counted).collect();
    let sum = |all: &mut dyn Iterator<Item = Tokens>| {
        all.fold(Tokens::default(), |sum, one| sum.plus(&one))
    };
    let found = sum(&mut account.requests.iter().map(|request| request.tokens));
    eprintln!(
        "{} of {} lines: {found:?}",
        account.requests.len(),
        account.n_lines
    );
    assert_eq!(account.requests.len(), expected.len());
    assert_eq!(found, sum(&mut expected.iter().map(|row| row.tokens)));
}

fn count(bytes: &[u8], stem: &str, ledger: &mut Ledger) {
    let origin = Origin {
        file: stem.into(),
        session: stem.into(),
        project: "".into(),
    };
    for line in lines(bytes).filter(|line| may_hold_usage(line.bytes)) {
        let records = parse_line(&line);
        let requests = records
            .iter()
            .filter_map(|record| read_request(record, &origin));
        requests.for_each(|request| ledger.add(request));
    }
}

struct Row {
    session: String,
    message: Option<String>,
    request: Option<String>,
    record: Option<String>,
    is_sidechain: bool,
    has_speed: bool,
    tokens: Tokens,
}

fn row(value: &Value, stem: &str) -> Option<Row> {
    let message = &value["message"];
    let usage = &message["usage"];
    if value["type"] != "assistant" || message["model"] == "<synthetic>" || !usage.is_object() {
        return None;
    }
    let text = |value: &Value| {
        value
            .as_str()
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let number = |key: &str| usage[key].as_u64().unwrap_or(0);
    let hour = usage["cache_creation"]["ephemeral_1h_input_tokens"]
        .as_u64()
        .unwrap_or(0);
    Some(Row {
        session: text(&value["sessionId"])
            .or_else(|| text(&value["session_id"]))
            .unwrap_or_else(|| stem.to_owned()),
        message: text(&message["id"]),
        request: text(&value["requestId"]).or_else(|| text(&value["request_id"])),
        record: text(&value["forkedFrom"]["messageUuid"]).or_else(|| text(&value["uuid"])),
        is_sidechain: value["isSidechain"] == true,
        has_speed: text(&usage["speed"]).is_some(),
        tokens: Tokens {
            input: number("input_tokens"),
            output: number("output_tokens"),
            cache_write_5m: number("cache_creation_input_tokens") - hour,
            cache_write_1h: hour,
            cache_read: number("cache_read_input_tokens"),
        },
    })
}

/// Numbers the rows of each request, takes the best of each, and leaves out replaying sidechains.
fn plainly_counted(rows: Vec<Row>) -> Vec<Row> {
    let mut numbers: Vec<usize> = (0..rows.len()).collect();
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for one in 0..rows.len() {
            for other in 0..one {
                if numbers[one] != numbers[other] && is_same_request(&rows[one], &rows[other]) {
                    let least = numbers[one].min(numbers[other]);
                    numbers[one] = least;
                    numbers[other] = least;
                    is_changed = true;
                }
            }
        }
    }
    let has_id: BTreeSet<usize> = numbers
        .iter()
        .zip(&rows)
        .filter_map(|(number, row)| row.request.as_ref().map(|_| *number))
        .collect();
    let mut numbered: Vec<(usize, Row)> = numbers.into_iter().zip(rows).collect();
    numbered.sort_by_key(|(_, row)| {
        let size = (row.tokens.total(), row.has_speed);
        (row.is_sidechain, std::cmp::Reverse(size))
    });
    let mut kept: Vec<(usize, Row)> = Vec::new();
    for (number, row) in numbered {
        let repeats = |(other, best): &(usize, Row)| {
            let is_replay = row.is_sidechain
                && row.message.is_some()
                && row.message == best.message
                && (has_id.contains(&number) || !best.is_sidechain && has_id.contains(other));
            *other == number || is_replay && (!best.is_sidechain || has_id.contains(other))
        };
        if !kept.iter().any(repeats) {
            kept.push((number, row));
        }
    }
    kept.into_iter().map(|(_, row)| row).collect()
}

fn is_same_request(one: &Row, other: &Row) -> bool {
    if one.message != other.message {
        return false;
    }
    let is_same_record = one.record.is_some() && one.record == other.record;
    let is_same_id = match (&one.request, &other.request) {
        (Some(one), Some(other)) => one == other,
        (None, None) => one.session == other.session,
        _ => false,
    };
    is_same_record || one.message.is_some() && is_same_id
}
