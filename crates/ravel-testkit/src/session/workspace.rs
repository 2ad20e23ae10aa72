//! The imagined files of the project, so that reads, edits and their backups agree.
//!
//! The interactive client keeps a copy of a file before its first edit (`@v1`) and, at every later
//! prompt, of each tracked file that has changed since.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::SessionBuilder;
use super::message::{ToolCall, add};
use crate::clock::hex_digest;
use crate::outcome::Outcome;
use crate::version::Version;

/// The files and what was saved of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Workspace {
    files: BTreeMap<String, String>,
    tracked: BTreeMap<String, Tracked>,
    backups: BTreeMap<String, String>,
}

#[derive(Debug, Clone)]
struct Tracked {
    version: u32,
    saved: Option<String>,
    time: String,
}

impl Workspace {
    pub(super) fn backups(&self) -> impl Iterator<Item = (&str, &str)> {
        self.backups
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
    }
}

/// Files of the project. Paths may be relative to the working directory.
impl SessionBuilder {
    /// Puts a file into the project before or between the calls.
    pub fn put_file(&mut self, path: &str, text: &str) {
        let path = self.absolute(path);
        self.workspace.files.insert(path, text.to_owned());
    }

    /// Returns the current text of a file.
    pub fn file(&self, path: &str) -> &str {
        self.workspace
            .files
            .get(&self.absolute(path))
            .map_or("", String::as_str)
    }

    /// Returns the call and result of reading a file, for [`SessionBuilder::parallel_tools`].
    pub fn read_call(&self, path: &str) -> (&'static str, Value, Outcome) {
        let full = self.absolute(path);
        (
            "Read",
            json!({"file_path": full}),
            Outcome::read(&full, self.file(path)),
        )
    }

    /// Reads a file.
    pub fn read_file(&mut self, path: &str) -> ToolCall {
        let (name, input, outcome) = self.read_call(path);
        self.call(name, input, &outcome)
    }

    /// Replaces one place of a file.
    pub fn edit_file(&mut self, path: &str, old: &str, new: &str) -> ToolCall {
        let full = self.absolute(path);
        let before = self.file(path).to_owned();
        let mut input = json!({});
        if self.version >= Version::V2_1_29 {
            add(&mut input, json!({"replace_all": false}));
        }
        add(
            &mut input,
            json!({"file_path": full, "old_string": old, "new_string": new}),
        );
        let call = self.tool_use("Edit", input);
        self.track(path, &call.line);
        self.put_file(path, &before.replacen(old, new, 1));
        self.tool_result(&call, &Outcome::edit(&full, &before, old, new));
        call
    }

    /// Writes a whole file, new or not.
    pub fn write_file(&mut self, path: &str, text: &str) -> ToolCall {
        let full = self.absolute(path);
        let outcome = match self.workspace.files.get(&full) {
            Some(before) => Outcome::overwrite(&full, before, text),
            None => Outcome::create(&full, text),
        };
        let call = self.tool_use("Write", json!({"file_path": full, "content": text}));
        self.track(path, &call.line);
        self.put_file(path, text);
        self.tool_result(&call, &outcome);
        call
    }

    /// Replaces the todo list.
    pub fn write_todos(&mut self, todos: &[(&str, &str)]) -> ToolCall {
        let after: Value = todos
            .iter()
            .map(|(content, status)| todo(content, status))
            .collect();
        let before = std::mem::replace(&mut self.todos, after.clone());
        let outcome = Outcome::Todos {
            before,
            after: after.clone(),
        };
        self.call("TodoWrite", json!({"todos": after}), &outcome)
    }

    /// Returns the todo list as it is now.
    pub fn todos(&self) -> &Value {
        &self.todos
    }

    fn absolute(&self, path: &str) -> String {
        if path.starts_with('/') {
            path.to_owned()
        } else {
            format!("{}/{path}", self.cwd)
        }
    }
}

/// File history.
impl SessionBuilder {
    /// Appends the snapshot that goes with a prompt, saving each tracked file that changed.
    pub(super) fn snapshot(&mut self, prompt_uuid: &str) {
        let now = self.clock.iso();
        let paths: Vec<String> = self.workspace.tracked.keys().cloned().collect();
        for path in paths {
            self.save_if_changed(&path, &now);
        }
        self.snapshot_line(prompt_uuid, prompt_uuid, &now, false);
    }

    fn save_if_changed(&mut self, path: &str, now: &str) {
        let full = self.absolute(path);
        let text = self.workspace.files.get(&full).cloned();
        let Some(tracked) = self.workspace.tracked.get_mut(path) else {
            return;
        };
        if tracked.saved == text {
            return;
        }
        tracked.version += 1;
        tracked.saved.clone_from(&text);
        now.clone_into(&mut tracked.time);
        let name = backup_name(&full, tracked.version);
        self.workspace.backups.extend(text.map(|text| (name, text)));
    }

    /// Saves a file before its first edit and appends the line that says so.
    fn track(&mut self, path: &str, line: &str) {
        if !self.interactive
            || self.version == Version::V1_0_128
            || self.workspace.tracked.contains_key(path)
        {
            return;
        }
        let full = self.absolute(path);
        let saved = self.workspace.files.get(&full).cloned();
        if let Some(text) = &saved {
            self.workspace
                .backups
                .insert(backup_name(&full, 1), text.clone());
        }
        let time = self.clock.iso();
        let tracked = Tracked {
            version: 1,
            saved,
            time: time.clone(),
        };
        self.workspace
            .tracked
            .insert(path.to_owned(), tracked.clone());
        let prompt_uuid = self.prompt.uuid.clone();
        if self.version == Version::V2_1_325 {
            let backup = self.backup_value(path, &tracked);
            self.loose(json!({
                "type": "file-history-delta", "messageId": line, "snapshotMessageId": prompt_uuid,
                "trackingPath": path, "backup": backup, "timestamp": time,
            }));
        } else {
            self.snapshot_line(line, &prompt_uuid, &time, true);
        }
    }

    fn snapshot_line(&mut self, line: &str, prompt_uuid: &str, now: &str, is_update: bool) {
        let backups: serde_json::Map<String, Value> = self
            .workspace
            .tracked
            .iter()
            .map(|(path, tracked)| (path.clone(), self.backup_value(path, tracked)))
            .collect();
        self.loose(json!({
            "type": "file-history-snapshot", "messageId": line,
            "snapshot": {"messageId": prompt_uuid, "trackedFileBackups": backups, "timestamp": now},
            "isSnapshotUpdate": is_update,
        }));
    }

    fn backup_value(&self, path: &str, tracked: &Tracked) -> Value {
        let full = self.absolute(path);
        let name = tracked
            .saved
            .as_ref()
            .map(|_| backup_name(&full, tracked.version));
        let mut value =
            json!({"backupFileName": name, "version": tracked.version, "backupTime": tracked.time});
        if self.version == Version::V2_1_325 {
            let folder = full.rsplit_once('/').map_or("/", |(folder, _)| folder);
            add(&mut value, json!({"realParentDir": folder}));
        }
        value
    }
}

fn backup_name(full_path: &str, version: u32) -> String {
    let digest = hex_digest(full_path.as_bytes());
    format!("{}@v{version}", digest.get(..16).unwrap_or_default())
}

fn todo(content: &str, status: &str) -> Value {
    json!({"content": content, "status": status, "activeForm": format!("Working on: {content}")})
}
