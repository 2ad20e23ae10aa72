//! Files made to be slow are not.
//!
//! Each has a hundred thousand of something that a careless walk would visit once for each of the
//! others. There is no clock here: a quadratic walk makes ten billion steps, and the test run ends
//! at its own limit long before that.

use ravel_model::api::{Options, rebuild};
use ravel_model::branch::branches;
use ravel_model::check::check;
use ravel_model::facts::facts;
use ravel_model::repair::{plan, write};
use ravel_model::turn::turns;
use ravel_model::{Session, Transcript};

const MANY: usize = 100_000;

/// Does all that commands do with a session, and returns how many entries its history has.
fn walk(bytes: Vec<u8>) -> usize {
    let copy = bytes.clone();
    let transcripts = [Transcript::from_bytes(bytes)];
    let session = Session::build(&transcripts);
    let main = session.main().unwrap();
    let segments = session.history();
    let n_entries = segments
        .iter()
        .map(|segment| segment.thread.entries.len())
        .sum();
    let _ = (
        branches(&main.graph, &segments),
        facts(&session, &segments),
        turns(&main.graph, &segments),
    );
    let _ = rebuild(&main.graph, &copy, &Options::default());
    let _ = check(&main.graph, &copy);
    let mut repaired = Vec::new();
    write(&plan(&main.graph, &copy), &copy, &mut repaired).unwrap();
    n_entries
}

fn file(line: impl Fn(usize) -> String) -> Vec<u8> {
    (0..MANY)
        .map(|number| line(number) + "\n")
        .collect::<String>()
        .into_bytes()
}

/// A line with the keys that every record has.
fn line(number: usize, parent: &str, rest: &str) -> String {
    let time = format!(
        "2026-01-01T{:02}:{:02}:{:02}.000Z",
        number / 3600 % 24,
        number / 60 % 60,
        number % 60
    );
    format!(
        r#"{{"uuid":"u{number}","parentUuid":{parent},"sessionId":"s","timestamp":"{time}",{rest}}}"#
    )
}

const PROMPT: &str = r#""type":"user","message":{"role":"user","content":"hi"}"#;

#[test]
fn orphans() {
    assert_eq!(
        walk(file(|number| line(
            number,
            &format!("\"lost{number}\""),
            PROMPT
        ))),
        MANY
    );
}

#[test]
fn compactions() {
    let boundary = r#""type":"system","subtype":"compact_boundary","logicalParentUuid":"lost""#;
    let bytes = file(|number| match number % 2 {
        0 => line(number, "null", boundary),
        _ => line(number, &format!("\"u{}\"", number - 1), PROMPT),
    });
    assert_eq!(walk(bytes), MANY);
}

#[test]
fn sidechain_roots() {
    assert_eq!(
        walk(file(|number| line(
            number,
            "null",
            &format!("\"isSidechain\":{},{PROMPT}", number > 0)
        ))),
        1
    );
}

#[test]
fn circles_of_two() {
    let bytes = file(|number| line(number, &format!("\"u{}\"", number ^ 1), PROMPT));
    assert!(walk(bytes) >= 2);
}

#[test]
fn leaves_below_a_long_chain_of_notes() {
    let note = r#""type":"progress","data":{"type":"hook_progress"}"#;
    let half = MANY / 2;
    let bytes = file(|number| match number {
        0 => line(0, "null", PROMPT),
        _ => line(number, &format!("\"u{}\"", (number - 1).min(half)), note),
    });
    assert!(walk(bytes) > half);
}

#[test]
fn branches_from_one_prompt() {
    let bytes = file(|number| match number {
        0 => line(0, "null", PROMPT),
        _ => line(number, "\"u0\"", PROMPT),
    });
    assert_eq!(walk(bytes), 2);
}

#[test]
fn results_of_one_reply_that_hang_elsewhere() {
    let bytes = file(|number| match number {
        0 => line(0, "null", PROMPT),
        number if number < MANY / 2 => {
            let call = format!(
                r#""type":"assistant","message":{{"id":"m{number}","content":[{{"type":"tool_use","id":"t{number}","name":"Bash","input":{{}}}}]}}"#
            );
            line(number, &format!("\"u{}\"", number - 1), &call)
        }
        _ => {
            let result = format!(
                r#""type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"t{}","content":"ok"}}]}}"#,
                number - MANY / 2 + 1
            );
            line(number, "\"u0\"", &result)
        }
    });
    assert!(walk(bytes) > 1);
}
