//! Everything a person typed: `history.jsonl`, over all projects.
//!
//! The file is read line by line and never held as a whole. A line that is no entry
//! is handed out as a finding in its place, so that nothing is dropped in silence.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::finding::Finding;
use crate::home::Home;
use crate::json_file::text_of;
use crate::lossy_json;

/// One thing that was typed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HistoryEntry {
    /// The text as the prompt showed it, with placeholders for pasted text.
    pub display: String,
    /// What was pasted into it.
    pub pasted: Vec<PastedContent>,
    /// When, in milliseconds since 1970.
    pub timestamp_ms: Option<i64>,
    /// The directory it was typed in.
    pub project: Option<String>,
    /// The session it was typed in. Older clients do not say.
    pub session_id: Option<String>,
}

/// Something that was pasted into a prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PastedContent {
    /// Its number in the placeholder.
    pub id: String,
    /// `text` or `image`.
    pub kind: Option<String>,
    /// The text, when it stands in the history itself.
    pub content: Option<String>,
    /// The text's hash, when it stands in the paste cache: see
    /// [`load_paste`](crate::load_paste).
    pub content_hash: Option<String>,
}

/// One line of the history.
#[derive(Debug, Clone, PartialEq)]
pub enum HistoryLine {
    /// An entry.
    Entry(HistoryEntry),
    /// A line that is none.
    Unreadable(Finding),
}

/// Reads the history line by line, the oldest first.
#[derive(Debug)]
pub struct HistoryReader<R> {
    path: PathBuf,
    reader: R,
    n_lines: u64,
}

/// Opens the history of a home. `None` when nothing was ever typed.
pub fn open_history(home: &Home) -> io::Result<Option<HistoryReader<BufReader<File>>>> {
    let path = home.history();
    match File::open(&path) {
        Ok(file) => Ok(Some(HistoryReader::new(&path, BufReader::new(file)))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

impl<R: BufRead> HistoryReader<R> {
    /// Reads a history from anywhere; the path is only for findings.
    pub fn new(path: &Path, reader: R) -> Self {
        Self {
            path: path.to_path_buf(),
            reader,
            n_lines: 0,
        }
    }

    fn parse(&self, line: &[u8]) -> HistoryLine {
        match lossy_json::parse_value(line) {
            Ok(Value::Object(object)) => HistoryLine::Entry(entry(&object)),
            Ok(_) => self.unreadable("not a JSON object"),
            Err(error) => self.unreadable(&format!("not JSON: {error}")),
        }
    }

    fn unreadable(&self, message: &str) -> HistoryLine {
        HistoryLine::Unreadable(Finding::at_line(&self.path, self.n_lines, message))
    }
}

impl<R: BufRead> Iterator for HistoryReader<R> {
    type Item = io::Result<HistoryLine>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut line = Vec::new();
            match self.reader.read_until(b'\n', &mut line) {
                Ok(0) => return None,
                Err(error) => return Some(Err(error)),
                Ok(_) => self.n_lines += 1,
            }
            let line = line.trim_ascii();
            if !line.is_empty() {
                return Some(Ok(self.parse(line)));
            }
        }
    }
}

fn entry(object: &Map<String, Value>) -> HistoryEntry {
    let pasted = object.get("pastedContents").and_then(Value::as_object);
    HistoryEntry {
        display: text_of(object, "display").unwrap_or_default(),
        pasted: pasted
            .into_iter()
            .flatten()
            .map(|(id, value)| pasted_content(id, value))
            .collect(),
        timestamp_ms: object.get("timestamp").and_then(Value::as_i64),
        project: text_of(object, "project"),
        session_id: text_of(object, "sessionId"),
    }
}

fn pasted_content(id: &str, value: &Value) -> PastedContent {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    PastedContent {
        id: id.to_owned(),
        kind: text("type"),
        // The earliest clients wrote the text in the place of the object.
        content: text("content").or_else(|| value.as_str().map(str::to_owned)),
        content_hash: text("contentHash"),
    }
}

#[cfg(test)]
mod tests;
