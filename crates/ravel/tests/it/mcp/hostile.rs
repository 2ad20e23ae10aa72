//! What does not get through: secrets, and characters that act on a reader unseen.

use ravel_testkit::{Outcome, SessionBuilder, Version};
use serde_json::{Value, json};

use super::{Client, glaze, key, text};
use crate::home;

#[test]
fn secrets_are_masked_unless_asked_for() {
    let home = home();
    home.add_session(&glaze());
    for (options, is_shown) in [(&[][..], false), (&["--show-secrets"][..], true)] {
        let mut client = Client::start(&home, options);
        let read = client.call(
            "read_messages",
            json!({"session": "latest", "include_tools": "full"}),
        );
        assert_eq!(read.to_string().contains(&key()), is_shown);
        assert_eq!(text(&read).contains("KEY=sk-ant-…[masked]"), !is_shown);
        let found = client.call("search_sessions", json!({"query": "a1B2c3D4"}));
        assert_eq!(found.to_string().contains(&key()), is_shown, "{found}");
        client.end();
    }
}

/// Lines that look like those of a key of 4096 bits, no two alike.
fn key_lines() -> Vec<String> {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut state = 7_u64;
    let mut letter = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        char::from(letters[(state >> 58) as usize])
    };
    (0..50)
        .map(|_| (0..64).map(|_| letter()).collect())
        .collect()
}

/// The longest part of the key that an answer holds, in characters. Fewer than six are chance.
fn longest_part(lines: &[String], answer: &str) -> usize {
    let starts = |line: &String| (0..line.len()).map(|at| line[at..].to_owned()).collect();
    let parts = lines
        .iter()
        .flat_map(|line| -> Vec<String> { starts(line) });
    let shown = |part: String| {
        let lengths = (1..=part.len()).rev();
        lengths
            .take_while(|length| *length >= 6)
            .find(|length| answer.contains(&part[..*length]))
    };
    parts.filter_map(shown).max().unwrap_or(0)
}

#[test]
fn a_private_key_is_masked_wherever_it_is_hit() {
    let home = home();
    let lines = key_lines();
    let dashes = "-----";
    let shown = format!(
        "{}before it\n{dashes}BEGIN RSA PRIVATE KEY{dashes}\n{}\n{dashes}END RSA PRIVATE KEY{dashes}\nafterwards a word",
        // So long that a snippet from the wrong place shows nothing of the block.
        "fill\u{200b}er ".repeat(500),
        lines.join("\n")
    );
    let mut session = SessionBuilder::new(Version::V2_1_29, "mcp pem");
    session.prompt("Show it.");
    session.call(
        "Bash",
        json!({"command": "cat key"}),
        &Outcome::bash(&shown),
    );
    session.reply("There.");
    home.add_session(&session);
    let mut client = Client::start(&home, &[]);
    let part = &lines[48][10..22];
    for (query, visible) in [
        ("END RSA PRIVATE KEY", "PRIVATE KEY"),
        ("\"END RSA PRIVATE KEY\"", "…[masked]"),
        ("afterwards", "…[masked] afterwards a word"),
        (part, "PRIVATE KEY-----…[masked]"),
        (&format!("afterwards {part}"), "afterwards a word"),
    ] {
        let found = client.call("search_sessions", json!({"query": query}));
        let found = found.to_string();
        assert!(found.contains(visible), "{query}: {found}");
        assert_eq!(longest_part(&lines, &found), 0, "{query}: {found}");
    }
    client.end();
    // Whoever started the server may want them.
    let mut client = Client::start(&home, &["--show-secrets"]);
    let found = client.call("search_sessions", json!({"query": part}));
    assert!(found.to_string().contains(&lines[48]), "{found}");
}

#[test]
fn names_of_files_are_cleaned_like_texts() {
    let home = home();
    let mut session = glaze();
    session.prompt("And now?");
    let path = home.add_session(&session);
    let name = format!("KEY={}\u{202e}\u{e0041}", key());
    std::fs::rename(&path, path.with_file_name(format!("{name}.jsonl"))).unwrap();
    home.add_session(&glaze());
    let mut client = Client::start(&home, &[]);
    let is_bad = |answer: &Value| {
        let answer = answer.to_string();
        answer.contains(&key()) || answer.contains(['\u{202e}', '\u{e0041}'])
    };
    let mut n_seen = 0;
    let mut cursor = Value::Null;
    loop {
        let page = client.call("list_sessions", json!({"limit": 1, "cursor": cursor}));
        assert!(!is_bad(&page), "{page}");
        n_seen += 1;
        cursor = page["structuredContent"]["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(n_seen, 2);
    for (tool, arguments) in [
        ("read_messages", json!({"session": name, "to": 1})),
        ("read_messages", json!({"session": "KEY=sk", "to": 1})),
        ("read_messages", json!({"session": "KEY=sl"})),
        ("read_messages", json!({"session": "Food safe glazes"})),
        ("list_files", json!({"session": name})),
        ("list_files", json!({"path": "glaze.md"})),
        ("search_sessions", json!({"query": "food safe"})),
        ("usage", json!({"group": "session"})),
    ] {
        let answer = client.call(tool, arguments);
        assert!(!is_bad(&answer), "{tool}: {answer}");
    }
    client.end();
}

#[test]
fn hostile_text_has_no_control_characters() {
    let home = home();
    home.add_session(&glaze());
    let mut client = Client::start(&home, &[]);
    let read = client.call("read_messages", json!({"session": "latest"}));
    let is_bad = |letter: char| {
        letter.is_control() && !matches!(letter, '\n' | '\t') || letter == '\u{202e}'
    };
    assert!(!text(&read).contains(is_bad));
    assert!(!read["structuredContent"].to_string().contains(is_bad));
    assert!(text(&read).contains("␛]0;owned␇one."), "{}", text(&read));
}
