//! Todo lists of clients up to 2.1.29: `todos/<session>-agent-<agent>.json`.
//!
//! For the main thread the agent part is the session's own id. Newer clients keep
//! tasks instead: see [`list_tasks`](crate::list_tasks).

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::finding::{Finding, Listing};
use crate::home::Home;
use crate::json_file::{files_of, load_json, text_of};

/// The todo list of one agent of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct TodoList {
    /// The session.
    pub session_id: String,
    /// The agent; the session's own id for the main thread.
    pub agent_id: String,
    /// The file.
    pub path: PathBuf,
    /// The todos, in the order of the file.
    pub todos: Vec<Todo>,
}

/// One thing to do.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Todo {
    /// What is to be done.
    pub content: String,
    /// `pending`, `in_progress`, `completed`, or what else was written.
    pub status: String,
    /// The same in the form "doing it".
    pub active_form: Option<String>,
    /// Everything the entry says.
    pub raw: Map<String, Value>,
}

impl TodoList {
    /// Whether this is the list of the main thread.
    pub fn is_main(&self) -> bool {
        self.agent_id == self.session_id
    }
}

/// Lists the todo lists of a home, of one session or of all.
pub fn list_todos(home: &Home, session_id: Option<&str>) -> Listing<TodoList> {
    let mut listing = Listing::default();
    let files = files_of(&home.todos()).unwrap_or_else(|finding| {
        listing.findings.push(finding);
        Vec::new()
    });
    for (name, path) in files {
        let Some((session, agent)) = ids_of(&name) else {
            continue;
        };
        if session_id.is_none_or(|wanted| wanted == session) {
            listing.take(load(&path, session, agent));
        }
    }
    listing
}

fn ids_of(name: &str) -> Option<(&str, &str)> {
    name.strip_suffix(".json")?.split_once("-agent-")
}

fn load(path: &Path, session_id: &str, agent_id: &str) -> Result<Option<TodoList>, Finding> {
    let Some(value) = load_json(path)? else {
        return Ok(None);
    };
    let Value::Array(entries) = value else {
        return Err(Finding::new(path, "not a list of todos"));
    };
    Ok(Some(TodoList {
        session_id: session_id.to_owned(),
        agent_id: agent_id.to_owned(),
        path: path.to_path_buf(),
        todos: entries.into_iter().filter_map(todo).collect(),
    }))
}

fn todo(entry: Value) -> Option<Todo> {
    let Value::Object(raw) = entry else {
        return None;
    };
    Some(Todo {
        content: text_of(&raw, "content").unwrap_or_default(),
        status: text_of(&raw, "status").unwrap_or_default(),
        active_form: text_of(&raw, "activeForm"),
        raw,
    })
}

#[cfg(test)]
mod tests;
