//! What a session is called.

use ravel_format::{ContentBlock, Json, Kind, Record, TitleSource, Voice};

use crate::session::Part;
use crate::thread::is_prompt;

/// A title and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Title {
    /// The text, on one line.
    pub text: String,
    /// Its source.
    pub source: TitleSource,
}

/// Titles by the record that holds them: the last record of a type wins.
const RECORDS: [(Kind, &str, TitleSource); 5] = [
    (Kind::AgentName, "agentName", TitleSource::AgentName),
    (Kind::CustomTitle, "customTitle", TitleSource::CustomTitle),
    (Kind::AiTitle, "aiTitle", TitleSource::AiTitle),
    (Kind::Summary, "summary", TitleSource::Summary),
    (Kind::LastPrompt, "lastPrompt", TitleSource::LastPrompt),
];

/// Returns the title of a session file.
pub fn title(part: &Part<'_>) -> Title {
    let recorded = RECORDS.iter().find_map(|&(kind, key, source)| {
        let text = last_value(part, kind, key)?;
        Some(Title {
            text: one_line(&text),
            source,
        })
    });
    let prompted = || {
        first_prompt(part).map(|text| Title {
            text: one_line(&text),
            source: TitleSource::FirstPrompt,
        })
    };
    let unnamed = || {
        let text = if part.graph.is_agent_file() {
            "Autonomous session"
        } else {
            "Untitled"
        };
        Title {
            text: text.into(),
            source: TitleSource::Nothing,
        }
    };
    recorded.or_else(prompted).unwrap_or_else(unnamed)
}

/// Returns the last value of a key in the records of a kind; an empty one takes it back.
pub fn last_value(part: &Part<'_>, kind: Kind, key: &str) -> Option<String> {
    let entries = part.graph.outline().entries();
    // A summary may title another file; only one that names a line of this file counts here.
    let is_own = |entry: &ravel_format::Entry| {
        kind != Kind::Summary
            || entry
                .refers_to
                .is_none_or(|leaf| part.graph.holder(leaf).is_some())
    };
    let mut of_kind = entries
        .iter()
        .rev()
        .filter(|entry| entry.kind == kind && is_own(entry));
    let value = of_kind.find_map(|entry| part.read(entry, |record| text_of(record, key)))?;
    (!value.trim().is_empty()).then_some(value)
}

fn text_of(record: &Record<'_>, key: &str) -> Option<String> {
    Some(record.get(key).and_then(Json::str)?.into_owned())
}

/// Returns the words of the first prompt, or the first command.
pub fn first_prompt(part: &Part<'_>) -> Option<String> {
    let entries = part.graph.outline().entries();
    let prompts = || {
        entries
            .iter()
            .filter(|entry| is_prompt(entry) && part.graph.shows(entry))
    };
    let words = prompts().find(|entry| entry.voice == Voice::Words);
    let command = || prompts().find(|entry| entry.voice == Voice::Command);
    let entry = words.or_else(command)?;
    let text = part.read(entry, prompt_text)?;
    Some(command_line(&text).unwrap_or(text))
}

/// Returns the first text of a record.
pub(crate) fn prompt_text(record: &Record<'_>) -> Option<String> {
    record.blocks().find_map(|block| match block {
        ContentBlock::Text(text) => text.text.map(|text| text.decode().into_owned()),
        _ => None,
    })
}

/// Returns `/name args` for the tags that a slash command is recorded as.
pub fn command_line(text: &str) -> Option<String> {
    let name = tag(text, "command-name").or_else(|| tag(text, "command-message"))?;
    let args = tag(text, "command-args").unwrap_or_default();
    let slash = if name.starts_with('/') { "" } else { "/" };
    Some(format!("{slash}{name} {args}").trim_end().to_owned())
}

/// Returns what stands between `<name>` and `</name>`.
pub fn tag<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    rest.split_once(&format!("</{name}>"))
        .map(|(inner, _)| inner.trim())
}

fn one_line(text: &str) -> String {
    const MAX_CHARS: usize = 200;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_CHARS) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or(&line).trim_end()),
        None => line,
    }
}
