//! The files that belong to one session.

use std::fs;
use std::path::{Path, PathBuf};

use ravel_home::{
    AgentFile, Home, Listing, SessionFile, Target, agents_of, debug_log, file_versions, list_tasks,
    list_todos, tool_results,
};

use crate::finding::report_findings;

/// A file of a session.
pub(crate) struct Belonging {
    /// What it is to the session.
    pub(crate) role: &'static str,
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Its size in bytes.
    pub(crate) n_bytes: u64,
}

impl Belonging {
    /// Returns a file that is there.
    fn at(role: &'static str, path: &Path) -> Option<Self> {
        let metadata = path.metadata().ok().filter(fs::Metadata::is_file)?;
        Some(Self {
            role,
            path: path.to_path_buf(),
            n_bytes: metadata.len(),
        })
    }
}

/// Lists the files of a session, its own first.
pub(crate) fn belongings(home: Option<&Home>, target: &Target) -> Vec<Belonging> {
    let session = match target {
        Target::Session(session) => session,
        Target::Agent(agent) => return of_agent(agent),
    };
    let mut files: Vec<Belonging> = Belonging::at("session", &session.path)
        .into_iter()
        .collect();
    files.extend(listed(agents_of(session)).iter().flat_map(of_agent));
    files.extend(of_companion(session));
    if let Some(home) = home {
        files.extend(of_home(home, &session.session_id));
    }
    files
}

/// Says what could not be read and returns the rest.
fn listed<T>(found: Listing<T>) -> Vec<T> {
    report_findings(&found.findings);
    found.items
}

fn of_agent(agent: &AgentFile) -> Vec<Belonging> {
    let transcript = Belonging::at("agent", &agent.path);
    let meta = agent.meta.as_deref();
    let meta = meta.and_then(|path| Belonging::at("agent meta", path));
    transcript.into_iter().chain(meta).collect()
}

fn of_companion(session: &SessionFile) -> Vec<Belonging> {
    let Some(companion) = &session.companion else {
        return Vec::new();
    };
    let title = Belonging::at("title", &companion.join("custom-title.json"));
    let results = listed(tool_results(session)).into_iter();
    let results = results.map(|file| Belonging {
        role: "tool result",
        path: file.path,
        n_bytes: file.size,
    });
    title.into_iter().chain(results).collect()
}

fn of_home(home: &Home, session_id: &str) -> Vec<Belonging> {
    let mut files = Vec::new();
    let todos = listed(list_todos(home, Some(session_id)));
    files.extend(
        todos
            .iter()
            .filter_map(|list| Belonging::at("todos", &list.path)),
    );
    let tasks = listed(list_tasks(home, session_id));
    files.extend(
        tasks
            .iter()
            .filter_map(|task| Belonging::at("task", &task.path)),
    );
    for file in listed(file_versions(home, session_id)) {
        files.extend(file.versions.into_iter().map(|version| Belonging {
            role: "file version",
            path: version.path,
            n_bytes: version.size,
        }));
    }
    files.extend(debug_log(home, session_id).map(|log| Belonging {
        role: "debug log",
        path: log.path,
        n_bytes: log.size,
    }));
    files
}
