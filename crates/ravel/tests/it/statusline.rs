//! `ravel statusline`: what it says, with and without an index.

use ravel_testkit::{Output, TestHome};
use serde_json::{Value, json};

use crate::home;

/// A session of a day, one request of an hour ago and, if asked for, another one.
struct Day {
    home: TestHome,
}

const SESSION: &str = "5f0c7a52-3c4e-4a57-9d38-0a4b8a1f2c11";

impl Day {
    fn new() -> Self {
        let home = home();
        let day = Self { home };
        day.write(SESSION, "msg_1", 1_000_000);
        day
    }

    fn path(session: &str) -> String {
        format!("projects/-srv-shop/{session}.jsonl")
    }

    /// Appends a reply of now: `output` tokens of Sonnet 4.5 at 15 dollars a million.
    fn write(&self, session: &str, message: &str, output: u64) {
        let now = jiff::Timestamp::now();
        let line = json!({
            "type": "assistant", "uuid": format!("{message}-u"), "sessionId": session,
            "cwd": "/srv/shop", "timestamp": format!("{now:.3}"), "requestId": format!("req_{message}"),
            "message": {"id": message, "role": "assistant", "model": "claude-sonnet-4-5",
                "content": [{"type": "text", "text": "Done."}],
                "usage": {"input_tokens": 0, "output_tokens": output}},
        });
        let path = Self::path(session);
        let file = self.home.claude().join(&path);
        let before = std::fs::read_to_string(&file).unwrap_or_default();
        self.home.write(&path, format!("{before}{line}\n"));
    }

    fn run(&self, more: &Value) -> Output {
        let mut document = json!({
            "session_id": SESSION,
            "transcript_path": self.home.claude().join(Self::path(SESSION)),
            "model": {"id": "claude-sonnet-4-5", "display_name": "Sonnet 4.5"},
        });
        for (key, value) in more.as_object().into_iter().flatten() {
            document[key] = value.clone();
        }
        let command = self.home.command().arg("statusline");
        command.stdin(document.to_string()).run().unwrap()
    }

    fn line(&self) -> String {
        let output = self.run(&json!({}));
        assert_eq!(output.code, 0, "{}", output.stderr);
        output.stdout
    }
}

/// Leaves out how long the block lasts, which depends on the clock.
fn without_time(line: &str) -> String {
    let parts = line.trim_end().split(" · ");
    let parts = parts.filter(|part| !part.ends_with(" left"));
    parts.collect::<Vec<_>>().join(" · ")
}

#[test]
fn it_says_the_same_with_and_without_an_index() {
    let day = Day::new();
    let expected = "Sonnet 4.5 · $15.00 session · $15.00 today · 100% context";
    assert!(day.line().contains(" left"), "{}", day.line());
    assert_eq!(without_time(&day.line()), expected);
    assert_eq!(day.home.ravel(["index"]).code, 0);
    assert_eq!(without_time(&day.line()), expected);
}

#[test]
fn what_is_written_after_the_index_was_made_counts() {
    let day = Day::new();
    assert_eq!(day.home.ravel(["index"]).code, 0);
    day.write(SESSION, "msg_2", 100_000);
    let other = "7a1b2c3d-3c4e-4a57-9d38-0a4b8a1f2c22";
    day.write(other, "msg_3", 200_000);
    assert_eq!(
        without_time(&day.line()),
        "Sonnet 4.5 · $16.50 session · $19.50 today · 50% context"
    );
}

#[test]
fn folder_branch_and_context_are_shown() {
    let day = Day::new();
    day.home
        .write_work("repo/.git/HEAD", "ref: refs/heads/cart\n");
    let folder = day.home.work().join("repo");
    let output = day.run(&json!({
        "workspace": {"current_dir": folder},
        "context_window": {"used_percentage": 12.4},
    }));
    let line = without_time(&output.stdout);
    assert_eq!(
        line,
        "Sonnet 4.5 · ~/work/repo · cart · $15.00 session · $15.00 today · 12% context"
    );
}

#[test]
fn a_session_that_is_not_there_costs_what_the_client_says() {
    let day = Day::new();
    let output = day.run(&json!({
        "session_id": "unknown", "transcript_path": "/nowhere/x.jsonl",
        "cost": {"total_cost_usd": 0.5},
    }));
    assert_eq!(
        without_time(&output.stdout),
        "Sonnet 4.5 · $0.50 session · $15.00 today"
    );
}

#[test]
fn wrong_input_is_said_and_hostile_input_does_not_act() {
    let day = Day::new();
    let output = day
        .home
        .command()
        .arg("statusline")
        .stdin("no json")
        .run()
        .unwrap();
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("no JSON"), "{}", output.stderr);
    let output = day.run(&json!({"model": {"display_name": "a\u{1b}[2Jb\nc"}}));
    assert_eq!(output.code, 0);
    assert!(!output.stdout.contains('\u{1b}'), "{:?}", output.stdout);
    assert_eq!(output.stdout.lines().count(), 1, "{:?}", output.stdout);
}
