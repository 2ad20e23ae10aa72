//! Tests of what is asked for and of the generated data; speed itself is not tested.

use std::fs;

use serde_json::Value;

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

#[test]
fn the_generated_home_is_the_same_every_time_and_well_formed() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    home::generate(&first, 30).unwrap();
    home::generate(&second, 30).unwrap();
    let files = crate::project::files_below(&first).unwrap();
    let sessions = files
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"));
    let mut n_lines = 0;
    for path in sessions {
        let text = fs::read_to_string(path).unwrap();
        let twin = second.join(path.strip_prefix(&first).unwrap());
        assert_eq!(text, fs::read_to_string(twin).unwrap());
        for line in text.lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            assert!(record.get("type").is_some_and(Value::is_string));
            n_lines += 1;
        }
    }
    assert!(n_lines > 100, "{n_lines} lines");
    assert!(
        files
            .iter()
            .any(|path| path.to_string_lossy().contains("subagents"))
    );
}
