//! Tests of what is asked for and of the generated data; speed itself is not tested.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::moment::Moment;
use super::{Request, home, parse};

fn parsed(args: &[&str]) -> Result<Request, String> {
    let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
    parse(&args).map_err(|error| error.to_string())
}

#[test]
fn names_and_size_are_understood() {
    let request = |names: &[&str], sessions| Request {
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        sessions,
    };
    assert_eq!(parsed(&[]), Ok(request(&[], 10_000)));
    assert_eq!(
        parsed(&["ls", "check", "--size", "50"]),
        Ok(request(&["ls", "check"], 50))
    );
    assert!(parsed(&["--size"]).is_err());
    assert!(parsed(&["sl"]).is_err_and(|error| error.contains("no bench `sl`")));
}

const NOW: u64 = 1_794_700_800_000;

/// Generates a home of some sessions and returns it with the text of its session files.
fn generated(folder: &Path, name: &str) -> Vec<(PathBuf, String)> {
    let home = folder.join(name);
    let extent = home::Extent {
        sessions: 60,
        scale: 1,
    };
    home::generate(&home, extent, Moment::new(NOW)).unwrap();
    let files = home::session_files(&home).unwrap();
    files
        .iter()
        .map(|file| {
            let name = file.strip_prefix(&home).unwrap().to_path_buf();
            (name, fs::read_to_string(file).unwrap())
        })
        .collect()
}

fn records(files: &[(PathBuf, String)]) -> Vec<Value> {
    let lines = files.iter().flat_map(|(_, text)| text.lines());
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn the_generated_home_is_the_same_every_time_and_well_formed() {
    let folder = tempfile::tempdir().unwrap();
    let files = generated(folder.path(), "first");
    assert!(files == generated(folder.path(), "second"));
    let records = records(&files);
    assert!(records.len() > 100, "{} lines", records.len());
    assert!(records.iter().all(|record| record["type"].is_string()));
    assert!(
        files
            .iter()
            .any(|(path, _)| path.to_string_lossy().contains("subagents"))
    );
}

#[test]
fn lines_of_a_message_repeat_its_usage_and_only_the_output_grows() {
    let folder = tempfile::tempdir().unwrap();
    let files = generated(folder.path(), "home");
    let (mut models, mut n_repeated) = (BTreeSet::new(), 0);
    for (_, text) in &files {
        let mut last: Option<Value> = None;
        for line in text.lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            if record["type"] != "assistant" {
                continue;
            }
            let message = &record["message"];
            models.insert(message["model"].as_str().unwrap().to_owned());
            let before = last.filter(|last| last["message"]["id"] == message["id"]);
            if let Some(before) = before {
                let output = |record: &Value| record["message"]["usage"]["output_tokens"].as_u64();
                let cached =
                    |record: &Value| record["message"]["usage"]["cache_read_input_tokens"].as_u64();
                assert_eq!(before["requestId"], record["requestId"]);
                assert_eq!(cached(&before), cached(&record));
                assert!(output(&before) < output(&record));
                n_repeated += 1;
            }
            last = Some(record);
        }
    }
    assert!(n_repeated > 100);
    assert!(models.iter().any(|model| model.contains("haiku")));
    assert!(models.len() > 3, "{models:?}");
}

#[test]
fn some_sessions_are_copied_and_times_end_now() {
    let folder = tempfile::tempdir().unwrap();
    let files = generated(folder.path(), "home");
    let mut sessions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for record in records(&files) {
        if let (Some(uuid), Some(session)) = (record["uuid"].as_str(), record["sessionId"].as_str())
        {
            let holders = sessions.entry(uuid.to_owned()).or_default();
            holders.insert(session.to_owned());
        }
    }
    assert!(sessions.values().any(|holders| holders.len() > 1));

    let newest = home::newest_session(&folder.path().join("home")).unwrap();
    let age = Moment::new(NOW)
        .system_time()
        .duration_since(newest.metadata().unwrap().modified().unwrap())
        .unwrap();
    assert!(age.as_secs() < 24 * 3_600, "{age:?}");
}

#[test]
fn a_quarter_of_a_session_is_text_that_someone_reads() {
    let folder = tempfile::tempdir().unwrap();
    let files = generated(folder.path(), "home");
    let n_bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
    let n_read: usize = records(&files)
        .iter()
        .map(|record| text_length(&record["message"]["content"]))
        .sum();
    let percent = 100 * n_read / n_bytes;
    assert!((22..=33).contains(&percent), "{percent} %");
}

/// Adds up texts, thoughts, inputs and results, without ids and signatures.
fn text_length(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(text_length).sum(),
        Value::Object(fields) => fields
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "id" | "tool_use_id" | "type" | "signature"))
            .map(|(_, value)| text_length(value))
            .sum(),
        _ => 0,
    }
}
