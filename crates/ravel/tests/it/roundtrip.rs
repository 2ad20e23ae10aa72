//! Whatever is in a file, commands end in order and `export` gives its bytes back.
//!
//! The files that are too large or too odd to keep are made here; recorded ones are found through
//! `RAVEL_CORPUS`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

use ravel_testkit::TestHome;
use serde_json::value::RawValue;

use crate::home;

/// What a run printed, byte by byte.
pub(crate) struct Printed {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

/// Runs the binary and keeps its output as it is: transcripts need not be text.
pub(crate) fn run_with(home: &TestHome, arguments: &[&str], stdin: Vec<u8>) -> Printed {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ravel"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .env("HOME", home.path())
        .env("USERPROFILE", home.path())
        .env_remove("CLAUDE_CONFIG_DIR")
        .current_dir(home.work())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // A command that does not read its input closes it, which is its good right.
    let writer = thread::spawn(move || input.write_all(&stdin));
    let output = child.wait_with_output().unwrap();
    drop(writer.join());
    Printed {
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code().unwrap_or(-1),
    }
}

/// Runs the commands that read a whole file and says what is wrong with what they did.
fn complaints(home: &TestHome, path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap();
    let name = path.to_str().unwrap();
    let run = |arguments: &[&str]| run_with(home, arguments, Vec::new());
    let mut complaints = Vec::new();
    let mut expect = |holds: bool, what: &str, printed: &Printed| {
        if !holds {
            let Printed { code, stderr, .. } = printed;
            complaints.push(format!("{name}: {what} (exit code {code}) {stderr}"));
        }
    };
    let is_json = |printed: &Printed| serde_json::from_slice::<&RawValue>(&printed.stdout).is_ok();

    let exported = run(&["export", "--format", "jsonl", name]);
    expect(exported.code == 0, "export failed", &exported);
    expect(exported.stdout == bytes, "export changed bytes", &exported);
    let checked = run(&["check", "--json", name]);
    expect(matches!(checked.code, 0 | 1), "check failed", &checked);
    expect(is_json(&checked), "check printed no JSON", &checked);
    let shown = run(&["show", "--json", name]);
    expect(shown.code == 0, "show failed", &shown);
    expect(is_json(&shown), "show printed no JSON", &shown);
    complaints
}

#[track_caller]
fn check(name: &str, bytes: &[u8]) {
    let home = home();
    let path = home.write_work(name, bytes);
    let complaints = complaints(&home, &path);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn empty_and_odd_files() {
    check("empty.jsonl", b"");
    check("newlines.jsonl", b"\n\r\n\n");
    check("array.jsonl", b"[]\n[1,{\"type\":\"user\"}]\n");
    check("scalars.jsonl", b"null\ntrue\n1e999\n\"text\"\n-\n");
    check("two.jsonl", b"{\"type\":\"user\",\"uuid\":\"a\",\"message\":{\"content\":\"1\"}}{\"type\":\"user\",\"uuid\":\"b\",\"parentUuid\":\"a\",\"message\":{\"content\":\"2\"}}\n");
    check("nul.jsonl", &[0; 100_000]);
    check(
        "binary.jsonl",
        &(0..=255).cycle().take(70_000).collect::<Vec<u8>>(),
    );
    check("open.jsonl", "[".repeat(200_000).as_bytes());
    check("deep.jsonl", "{\"a\":".repeat(100_000).as_bytes());
}

#[test]
fn a_line_of_64_megabytes() {
    let mut line = b"{\"type\":\"user\",\"uuid\":\"a\",\"parentUuid\":null,\"timestamp\":\"2026-01-20T09:00:00.000Z\",\"message\":{\"role\":\"user\",\"content\":\"".to_vec();
    line.resize(64 << 20, b'x');
    line.extend_from_slice(b"\"}}\n");
    check("long.jsonl", &line);
}

#[test]
fn a_chain_100_000_deep() {
    let mut bytes = Vec::new();
    for number in 0..100_000_u32 {
        let parent = match number {
            0 => "null".to_owned(),
            _ => format!("\"{}\"", number - 1),
        };
        let kind = if number % 2 == 0 { "user" } else { "assistant" };
        writeln!(bytes, "{{\"type\":\"{kind}\",\"uuid\":\"{number}\",\"parentUuid\":{parent},\"message\":{{\"role\":\"{kind}\",\"content\":\"{number}\"}}}}").unwrap();
    }
    check("chain.jsonl", &bytes);
}

#[test]
fn every_recorded_session() {
    let Some(files) = ravel_testkit::corpus_files() else {
        return;
    };
    let home = home();
    let (waiting, complaints) = (Mutex::new(files), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let Some(path) = waiting.lock().unwrap().pop() else {
                        break;
                    };
                    let found = self::complaints(&home, &path);
                    complaints.lock().unwrap().extend(found);
                }
            });
        }
    });
    let complaints = complaints.into_inner().unwrap();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
