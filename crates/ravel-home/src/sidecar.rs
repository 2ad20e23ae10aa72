//! The small files around a session.
//!
//! Titles set by a person, the description of a sub-agent, tool output too large
//! for the session file, and the index that clients around 2.1.29 kept. All are
//! optional and none is trusted over the session's own lines.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::discover::{Project, SessionFile};
use crate::finding::{Finding, Listing};
use crate::json_file::{files_of, load_object, text_of};
use crate::kept::{StoredFile, kept_path, live_name};

/// What `agent-<id>.meta.json` says about a sub-agent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AgentMeta {
    /// Which kind of agent it is.
    pub agent_type: Option<String>,
    /// What it was asked to do, in a few words.
    pub description: Option<String>,
    /// The tool call that started it.
    pub tool_use_id: Option<String>,
    /// The agent that started it, when that was not the main thread.
    pub parent_agent_id: Option<String>,
    /// How many agents stand above it, counted from 1.
    pub spawn_depth: Option<u64>,
    /// Its name, when it has one.
    pub name: Option<String>,
    /// Everything the file says.
    pub raw: Map<String, Value>,
}

/// What `sessions-index.json` says. Read for what it is worth; often out of date.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SessionsIndex {
    /// The directory of the project.
    pub original_path: Option<String>,
    /// One entry per session.
    pub entries: Vec<IndexEntry>,
}

/// One session in `sessions-index.json`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IndexEntry {
    /// The session.
    pub session_id: String,
    /// The first thing a person wrote.
    pub first_prompt: Option<String>,
    /// A title made by the client.
    pub summary: Option<String>,
    /// A title set by a person.
    pub custom_title: Option<String>,
    /// The number of messages, as the client counted them.
    pub message_count: Option<u64>,
    /// Everything the entry says.
    pub raw: Map<String, Value>,
}

/// A file in `<session>/tool-results/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResultFile {
    /// The name of the file.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
}

/// Reads the description of a sub-agent.
pub fn load_agent_meta(path: &Path) -> Result<Option<AgentMeta>, Finding> {
    Ok(load_object(path)?.map(|raw| AgentMeta {
        agent_type: text_of(&raw, "agentType"),
        description: text_of(&raw, "description"),
        tool_use_id: text_of(&raw, "toolUseId"),
        parent_agent_id: text_of(&raw, "parentAgentId"),
        spawn_depth: raw.get("spawnDepth").and_then(Value::as_u64),
        name: text_of(&raw, "name"),
        raw,
    }))
}

/// Reads the title in `<session>/custom-title.json`, if there is one.
pub fn custom_title(session: &SessionFile) -> Option<String> {
    let path = session.companion.as_ref()?.join("custom-title.json");
    let path = if session.is_archived {
        kept_path(&path)
    } else {
        path
    };
    let object = load_object(&path).ok()??;
    text_of(&object, "customTitle").filter(|title| !title.trim().is_empty())
}

/// Lists the tool output kept beside a session.
pub fn tool_results(session: &SessionFile) -> Listing<ToolResultFile> {
    let mut found = Listing::default();
    let Some(companion) = &session.companion else {
        return found;
    };
    let files = files_of(&companion.join("tool-results")).unwrap_or_else(|finding| {
        found.findings.push(finding);
        Vec::new()
    });
    for (name, path) in files {
        let name = match live_name(&name).filter(|_| session.is_archived) {
            Some(live) => live.to_owned(),
            None if session.is_archived => continue,
            None => name,
        };
        let file = StoredFile::facts(&path).map(|(size, _)| ToolResultFile {
            name,
            size,
            path: path.clone(),
        });
        found.take(file.map(Some).map_err(|error| Finding::new(&path, error)));
    }
    found
}

/// Reads the index of a project, if it has one.
pub fn load_sessions_index(project: &Project) -> Result<Option<SessionsIndex>, Finding> {
    let Some(object) = load_object(&project.dir.join("sessions-index.json"))? else {
        return Ok(None);
    };
    let entries = object.get("entries").and_then(Value::as_array);
    Ok(Some(SessionsIndex {
        original_path: text_of(&object, "originalPath"),
        entries: entries
            .into_iter()
            .flatten()
            .filter_map(index_entry)
            .collect(),
    }))
}

fn index_entry(value: &Value) -> Option<IndexEntry> {
    let raw = value.as_object()?.clone();
    Some(IndexEntry {
        session_id: text_of(&raw, "sessionId")?,
        first_prompt: text_of(&raw, "firstPrompt"),
        summary: text_of(&raw, "summary"),
        custom_title: text_of(&raw, "customTitle"),
        message_count: raw.get("messageCount").and_then(Value::as_u64),
        raw,
    })
}

#[cfg(test)]
mod tests;
