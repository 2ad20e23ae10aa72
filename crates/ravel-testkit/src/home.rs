//! A temporary home with a `~/.claude` in it.
//!
//! Everything lies in one temporary folder that goes away with the value. A test that cannot write
//! its files has nothing to test, so these methods panic instead of returning errors.
#![expect(
    clippy::expect_used,
    reason = "a test that cannot set up its files must stop"
)]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::clock::hex_digest;
use crate::command::{Output, RavelCommand};
use crate::session::{SessionBuilder, project_slug};
use crate::tree::FileTree;

/// A home folder for one test.
#[derive(Debug)]
pub struct TestHome {
    folder: TempDir,
    executable: PathBuf,
}

impl TestHome {
    /// Makes an empty home; `executable` is what `env!("CARGO_BIN_EXE_ravel")` says.
    ///
    /// # Panics
    /// When the temporary folder cannot be made.
    pub fn new(executable: impl Into<PathBuf>) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("ravel-")
            .tempdir()
            .expect("make a temporary folder");
        let home = Self {
            folder,
            executable: executable.into(),
        };
        for path in [home.claude().join("projects"), home.work()] {
            fs::create_dir_all(path).expect("make folders");
        }
        home
    }

    /// Returns the person's home folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns `~/.claude`.
    pub fn claude(&self) -> PathBuf {
        self.path().join(".claude")
    }

    /// Returns the folder the program is started in.
    pub fn work(&self) -> PathBuf {
        self.path().join("work")
    }

    /// Writes a file below `~/.claude` and returns its path.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let mut tree = FileTree::new();
        tree.insert(path, bytes.as_ref());
        tree.write_to(&self.claude())
            .expect("write a file of the home");
        self.claude().join(path)
    }

    /// Writes a file below the working folder and returns its path.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn write_work(&self, path: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let mut tree = FileTree::new();
        tree.insert(path, bytes.as_ref());
        tree.write_to(&self.work()).expect("write a working file");
        self.work().join(path)
    }

    /// Writes a session with its agents and file backups; returns the path of the main file.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn add_session(&self, session: &SessionBuilder) -> PathBuf {
        let folder = format!("projects/{}", project_slug(session.folder()));
        let mut tree = FileTree::new();
        tree.extend_under(&folder, session.files());
        tree.extend_under("file-history", session.file_history());
        tree.write_to(&self.claude()).expect("write a session");
        self.claude()
            .join(folder)
            .join(format!("{}.jsonl", session.session_id()))
    }

    /// Writes the todo list of a session, as clients up to 2.1.29 keep it.
    pub fn add_todos(&self, session_id: &str, todos: &Value) -> PathBuf {
        self.write(
            &format!("todos/{session_id}-agent-{session_id}.json"),
            todos.to_string(),
        )
    }

    /// Writes one task of a session, as 2.1.325 keeps it.
    pub fn add_task(&self, session_id: &str, task: &Value) -> PathBuf {
        let id = task.get("id").and_then(Value::as_str).unwrap_or("1");
        self.write(
            &format!("tasks/{session_id}/{id}.json"),
            format!("{task:#}"),
        )
    }

    /// Writes a plan.
    pub fn add_plan(&self, slug: &str, text: &str) -> PathBuf {
        self.write(&format!("plans/{slug}.md"), text)
    }

    /// Writes a pasted text and returns the hash that history entries name it by.
    pub fn add_paste(&self, text: &str) -> String {
        let hash: String = hex_digest(text.as_bytes()).chars().take(16).collect();
        self.write(&format!("paste-cache/{hash}.txt"), text);
        hash
    }

    /// Writes `history.jsonl` from what was typed: text, project, session and moment of each.
    pub fn add_history(&self, entries: &[(&str, &str, &str, i64)]) -> PathBuf {
        let lines = entries.iter().map(|(display, project, session_id, at_ms)| {
            let entry = json!({"display": display, "pastedContents": {}, "timestamp": at_ms, "project": project, "sessionId": session_id});
            format!("{entry}\n")
        });
        self.write("history.jsonl", lines.collect::<String>())
    }

    /// Writes the person's settings.
    pub fn add_settings(&self, settings: &Value) -> PathBuf {
        self.write("settings.json", format!("{settings:#}"))
    }

    /// Prepares a run of the executable in this home.
    pub fn command(&self) -> RavelCommand {
        RavelCommand::new(&self.executable, self.path(), &self.work())
    }

    /// Runs the executable with some arguments.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn ravel<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Output {
        self.command()
            .args(arguments)
            .run()
            .expect("run the executable")
    }
}

#[cfg(test)]
mod tests;
