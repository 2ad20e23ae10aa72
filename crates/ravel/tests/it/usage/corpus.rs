//! Recorded sessions, counted a second time in the plainest way: every record as a decoded value, the
//! rules as they are written down, no index, no prefilter, no parallel pieces.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Tokens, tokens};
use crate::{home, parsed};

#[test]
fn the_token_totals_of_the_corpus_are_those_of_the_plain_rules() {
    let Some(files) = ravel_testkit::corpus_files() else {
        return;
    };
    let home = home();
    let mut lines = Vec::new();
    for (number, path) in files.iter().enumerate() {
        let bytes = std::fs::read(path).unwrap();
        // One session a file, under a name of its own: equal names in different folders of the corpus
        // are different sessions.
        let name = format!("corpus-{number:05}");
        lines.extend(usage_lines(&bytes, &name));
        home.write(&format!("projects/-corpus/{name}.jsonl"), &bytes);
    }
    let counted = count(lines);
    let answer = parsed(&home.ravel(["usage", "--json"]));
    assert_eq!(answer["total"]["requests"], counted.len());
    let expected = counted.iter().fold([0; 5], |mut sum: Tokens, line| {
        for (sum, one) in sum.iter_mut().zip(line.tokens) {
            *sum += one;
        }
        sum
    });
    assert_eq!(tokens(&answer["total"]), expected);
}

/// What one line says.
struct Line {
    session: String,
    message: Option<String>,
    request: Option<String>,
    record: Option<String>,
    is_sidechain: bool,
    has_speed: bool,
    tokens: Tokens,
}

impl Line {
    /// What makes a line better than another of its request.
    fn rank(&self) -> (bool, u64, bool) {
        (!self.is_sidechain, self.tokens.iter().sum(), self.has_speed)
    }
}

fn usage_lines(bytes: &[u8], session: &str) -> Vec<Line> {
    let mut found = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        // Two records can stand on one line where a write was torn.
        let values = serde_json::Deserializer::from_slice(line).into_iter::<Value>();
        found.extend(
            values
                .map_while(Result::ok)
                .filter_map(|value| read(&value, session)),
        );
    }
    found
}

fn read(value: &Value, session: &str) -> Option<Line> {
    let (message, usage) = (&value["message"], &value["message"]["usage"]);
    if value["type"] != "assistant" || message["model"] == "<synthetic>" || !usage.is_object() {
        return None;
    }
    let text = |value: &Value| {
        value
            .as_str()
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let hour = number(&usage["cache_creation"]["ephemeral_1h_input_tokens"]);
    let written = number(&usage["cache_creation_input_tokens"]);
    Some(Line {
        // What the client prints has the other spelling.
        session: text(&value["sessionId"])
            .or_else(|| text(&value["session_id"]))
            .unwrap_or_else(|| session.to_owned()),
        message: text(&message["id"]),
        request: text(&value["requestId"]).or_else(|| text(&value["request_id"])),
        record: text(&value["forkedFrom"]["messageUuid"]).or_else(|| text(&value["uuid"])),
        is_sidechain: value["isSidechain"] == true,
        has_speed: text(&usage["speed"]).is_some(),
        tokens: [
            number(&usage["input_tokens"]),
            number(&usage["output_tokens"]),
            written.saturating_sub(hour),
            hour,
            number(&usage["cache_read_input_tokens"]),
        ],
    })
}

/// Returns one line for each request.
fn count(lines: Vec<Line>) -> Vec<Line> {
    // Lines of one message, or one by one where there is no message.
    let mut by_message: BTreeMap<String, Vec<Line>> = BTreeMap::new();
    for (number, line) in lines.into_iter().enumerate() {
        let name = match (&line.message, &line.request, &line.record) {
            (Some(message), ..) => format!("message {message}"),
            (None, Some(request), _) => format!("request {request} of {}", line.session),
            (None, None, Some(record)) => format!("record {record}"),
            (None, None, None) => format!("line {number}"),
        };
        by_message.entry(name).or_default().push(line);
    }
    by_message.into_values().flat_map(requests_of).collect()
}

/// Splits lines of one message into requests, and takes the best line of each.
fn requests_of(lines: Vec<Line>) -> Vec<Line> {
    // The names that a line is known by; lines that share one are the same request.
    let names = |line: &Line| {
        let scope = match (&line.message, &line.request) {
            (Some(_), Some(request)) => format!("request {request}"),
            (None, None) => "alone".to_owned(),
            _ => format!("session {}", line.session),
        };
        let record = line.record.as_ref().filter(|_| line.message.is_some());
        let record = record.map(|record| format!("record {record}"));
        std::iter::once(scope).chain(record)
    };
    let mut groups: Vec<(BTreeSet<String>, Vec<Line>)> = Vec::new();
    for line in lines {
        let mut known: BTreeSet<String> = names(&line).collect();
        let mut together = vec![line];
        groups.retain_mut(|(others, lines)| {
            let is_other = known.is_disjoint(others);
            if !is_other {
                known.append(others);
                together.append(lines);
            }
            is_other
        });
        groups.push((known, together));
    }
    let best = |(names, lines): (BTreeSet<String>, Vec<Line>)| {
        let is_global = names.iter().any(|name| name.starts_with("request "));
        let line = lines.into_iter().max_by_key(Line::rank).unwrap();
        (is_global, line)
    };
    let requests: Vec<(bool, Line)> = groups.into_iter().map(best).collect();
    without_replays(requests)
}

/// Of one message, a sidechain counts only if nothing else does; without any request id this
/// cannot be told across sessions.
fn without_replays(requests: Vec<(bool, Line)>) -> Vec<Line> {
    let has_main = requests.iter().any(|(_, line)| !line.is_sidechain);
    let main_is_global = requests
        .iter()
        .any(|(is_global, line)| *is_global && !line.is_sidechain);
    let (side, mut kept): (Vec<_>, Vec<_>) = requests
        .into_iter()
        .partition(|(_, line)| line.is_sidechain);
    let (replays, own): (Vec<_>, Vec<_>) = side
        .into_iter()
        .partition(|(is_global, _)| *is_global || main_is_global);
    kept.extend(own);
    if !has_main {
        kept.extend(replays.into_iter().max_by_key(|(_, line)| line.rank()));
    }
    kept.into_iter().map(|(_, line)| line).collect()
}
