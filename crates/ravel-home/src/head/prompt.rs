//! The first thing a person wrote in a session.
//!
//! The rules are those of the official SDKs: tool results, hidden lines, summaries,
//! command output and notes from an editor are passed over, and the name of a slash
//! command is used only when nothing else is found. Beyond that, two cases the SDKs
//! give up on are read too: the old dialects, and a first prompt so long that it does
//! not fit into the head.

use std::sync::LazyLock;

use serde_json::Value;

use super::field::{self, Key, Needle};
use crate::lossy_json;

/// A longer prompt is cut, as the SDKs cut it.
const LONGEST_PROMPT: usize = 200;

static MARKS: LazyLock<Marks> = LazyLock::new(|| Marks {
    user: needles(["\"type\":\"user\"", "\"type\": \"user\""]),
    human: needles(["\"type\":\"human\"", "\"type\": \"human\""]),
    meta: needles(["\"isMeta\":true", "\"isMeta\": true"]),
    summary: needles(["\"isCompactSummary\":true", "\"isCompactSummary\": true"]),
    result: Needle::new("\"tool_result\""),
    content: Needle::new("\"content\":"),
    text: Key::new("text"),
});

/// A first prompt, ready to be shown on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prompt {
    pub(super) text: String,
    /// Whether the official SDKs find it too.
    pub(super) is_official: bool,
}

struct Marks {
    user: [Needle; 2],
    human: [Needle; 2],
    meta: [Needle; 2],
    summary: [Needle; 2],
    result: Needle,
    content: Needle,
    text: Key,
}

/// What one text turned out to be.
enum Reading {
    Prompt(String),
    Command(String),
    Nothing,
}

/// Finds the first prompt in the head of a file.
pub(super) fn first_prompt(head: &[u8]) -> Option<Prompt> {
    let mut command = None;
    let mut unofficial = None;
    for line in head.split(|&byte| byte == b'\n') {
        let is_user = occurs(&MARKS.user, line);
        if !is_user && !occurs(&MARKS.human, line) || is_passed_over(line) {
            continue;
        }
        let (texts, is_official) = prompt_texts(line);
        for text in texts {
            match read_text(&text) {
                Reading::Prompt(text) if is_official => {
                    return Some(Prompt { text, is_official });
                }
                Reading::Prompt(text) => {
                    unofficial.get_or_insert(Prompt { text, is_official });
                }
                Reading::Command(name) if is_official && !name.is_empty() => {
                    command.get_or_insert(Prompt {
                        text: name,
                        is_official,
                    });
                }
                Reading::Command(_) | Reading::Nothing => {}
            }
        }
    }
    // The SDKs take the command; a real prompt in an odd form says more to a person,
    // but then the two would disagree on what the session is.
    command.or(unofficial)
}

fn needles(texts: [&str; 2]) -> [Needle; 2] {
    texts.map(Needle::new)
}

fn occurs(needles: &[Needle; 2], line: &[u8]) -> bool {
    needles.iter().any(|needle| needle.occurs_in(line))
}

fn is_passed_over(line: &[u8]) -> bool {
    MARKS.result.occurs_in(line) || occurs(&MARKS.meta, line) || occurs(&MARKS.summary, line)
}

/// The texts of a prompt line, and whether the line has the official form.
fn prompt_texts(line: &[u8]) -> (Vec<String>, bool) {
    let Ok(record) = lossy_json::parse_value(line) else {
        return (torn_text(line).into_iter().collect(), false);
    };
    let kind = record.get("type").and_then(Value::as_str);
    let message = record.get("message");
    match (kind, message) {
        (Some("user" | "human"), Some(Value::String(text))) => (vec![text.clone()], false),
        (Some(kind @ ("user" | "human")), Some(Value::Object(message))) => {
            (content_texts(message.get("content")), kind == "user")
        }
        _ => (Vec::new(), false),
    }
}

fn content_texts(content: Option<&Value>) -> Vec<String> {
    match content {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(blocks)) => blocks
            .iter()
            .filter(|block| block.get("type").and_then(Value::as_str) == Some("text"))
            .filter_map(|block| block.get("text")?.as_str())
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}

/// What can be read of a prompt that the head cuts off.
fn torn_text(line: &[u8]) -> Option<String> {
    let at = MARKS.content.positions(line).next()? + MARKS.content.len();
    let raw = match field::open_string_at(line, at) {
        Some(open) => open.get(..field::string_end(open).unwrap_or(open.len()))?,
        None => MARKS.text.first(line.get(at..)?)?,
    };
    // Four bytes per character at most, and the cut comes much earlier.
    let kept = raw.get(..8 * LONGEST_PROMPT).unwrap_or(raw);
    Some(lossy_json::decode_text(kept))
}

fn read_text(raw: &str) -> Reading {
    let line = raw.replace('\n', " ");
    let text = line.trim();
    if text.is_empty() {
        return Reading::Nothing;
    }
    if let Some((_, after)) = text.split_once("<command-name>")
        && let Some((name, _)) = after.split_once("</command-name>")
    {
        return Reading::Command(name.to_owned());
    }
    if is_generated(text) {
        return Reading::Nothing;
    }
    Reading::Prompt(shorten(text))
}

/// Whether a text was written by a program in the person's place.
fn is_generated(text: &str) -> bool {
    const STARTS: [&str; 4] = [
        "<local-command-stdout>",
        "<session-start-hook>",
        "<tick>",
        "<goal>",
    ];
    const WRAPPERS: [(&str, &str); 2] = [
        ("<ide_opened_file>", "</ide_opened_file>"),
        ("<ide_selection>", "</ide_selection>"),
    ];
    STARTS.iter().any(|start| text.starts_with(start))
        || WRAPPERS.iter().any(|(open, close)| {
            text.strip_prefix(open)
                .is_some_and(|rest| rest.ends_with(close))
        })
        || text
            .strip_prefix("[Request interrupted by user")
            .is_some_and(|rest| rest.contains(']'))
}

/// Cuts a text to what fits on a line of a listing.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(LONGEST_PROMPT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text).trim_end()),
        None => text.to_owned(),
    }
}
