//! Task lists of newer clients: `tasks/<session>/<number>.json`.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::finding::{Finding, Listing};
use crate::home::{Home, is_plain_name};
use crate::json_file::{files_of, load_object, text_of};

/// One task of a session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Task {
    /// Its number, as text.
    pub id: String,
    /// The file.
    pub path: PathBuf,
    /// What is to be done.
    pub subject: String,
    /// The same at length.
    pub description: Option<String>,
    /// `pending`, `in_progress`, `completed`, or what else was written.
    pub status: String,
    /// The subject in the form "doing it".
    pub active_form: Option<String>,
    /// The tasks that wait for this one.
    pub blocks: Vec<String>,
    /// The tasks this one waits for.
    pub blocked_by: Vec<String>,
    /// Everything the file says.
    pub raw: Map<String, Value>,
}

/// Lists the tasks of a session by number.
pub fn list_tasks(home: &Home, session_id: &str) -> Listing<Task> {
    let mut listing = Listing::default();
    if !is_plain_name(session_id) {
        return listing;
    }
    let files = files_of(&home.tasks().join(session_id)).unwrap_or_else(|finding| {
        listing.findings.push(finding);
        Vec::new()
    });
    for (name, path) in files {
        if let Some(number) = name.strip_suffix(".json") {
            listing.take(load(&path, number));
        }
    }
    listing
        .items
        .sort_by(|one, other| order(&one.id).cmp(&order(&other.id)));
    listing
}

/// Numbers by value, anything else after them.
fn order(id: &str) -> (u64, &str) {
    (id.parse().unwrap_or(u64::MAX), id)
}

fn load(path: &Path, number: &str) -> Result<Option<Task>, Finding> {
    Ok(load_object(path)?.map(|raw| Task {
        id: text_of(&raw, "id").unwrap_or_else(|| number.to_owned()),
        path: path.to_path_buf(),
        subject: text_of(&raw, "subject").unwrap_or_default(),
        description: text_of(&raw, "description"),
        status: text_of(&raw, "status").unwrap_or_default(),
        active_form: text_of(&raw, "activeForm"),
        blocks: ids(&raw, "blocks"),
        blocked_by: ids(&raw, "blockedBy"),
        raw,
    }))
}

fn ids(raw: &Map<String, Value>, key: &str) -> Vec<String> {
    let entries = raw.get(key).and_then(Value::as_array);
    entries
        .into_iter()
        .flatten()
        .filter_map(|id| id.as_str().map(str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests;
