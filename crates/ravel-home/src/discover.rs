//! What sessions there are.
//!
//! [`discover`] lists every project folder once and stats every file once. It opens
//! no file, so ten thousand sessions cost some tens of milliseconds. Sub-agents come
//! in three layouts: inside the main file (nothing to find here), as `agent-*.jsonl`
//! beside it (2.0), and below `<session>/subagents/` (2.1, workflow folders included).
//!
//! [`discover_with_archive`] adds what is gone from the home and still in the archive.
//!
//! A folder that cannot be read is a finding, not a failure. Symbolic links are
//! followed only while they stay inside the home.

mod agent;
mod archived;
mod folder;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::finding::Finding;
use crate::home::Home;
use crate::identity::Identity;
use crate::slug;
pub use agent::{agent_session_id, agents_of};
use folder::{Entry, Fence};

/// A folder of sessions that were started in one directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// The name of the folder.
    pub slug: String,
    /// The folder.
    pub dir: PathBuf,
    /// What kind of folder it is.
    pub kind: ProjectKind,
}

/// Where a project folder stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectKind {
    /// Under `projects`.
    Project,
    /// Under the old `conversations`.
    Conversation,
    /// Anywhere else: a file that was named by its path.
    Loose,
}

/// A main session file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFile {
    /// The file.
    pub path: PathBuf,
    /// Its name without the ending, which is the session's id.
    pub session_id: String,
    /// Whether the name is a UUID. Official readers pass over others.
    pub has_uuid_name: bool,
    /// The project it belongs to.
    pub project: Arc<Project>,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last written.
    pub modified: SystemTime,
    /// What else the file system knows of it.
    pub identity: Identity,
    /// The folder of the same name beside it, with sub-agents and tool results.
    pub companion: Option<PathBuf>,
    /// Whether it is gone from the home, and `path` is a kept file of the archive.
    pub is_archived: bool,
    /// The folder of the archive that mirrors the project, when there is one. Agents that are
    /// gone from the home are looked for there.
    pub kept_dir: Option<PathBuf>,
}

/// The transcript of a sub-agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFile {
    /// The file.
    pub path: PathBuf,
    /// Its name without `agent-` and the ending.
    pub agent_id: String,
    /// Where it stands.
    pub layout: AgentLayout,
    /// The session it belongs to, where its place says so. For an agent beside the
    /// session only its lines do: see [`agent_session_id`].
    pub session_id: Option<String>,
    /// The folder below `subagents`, such as that of a workflow.
    pub group: Option<String>,
    /// The project it belongs to.
    pub project: Arc<Project>,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last written.
    pub modified: SystemTime,
    /// What else the file system knows of it.
    pub identity: Identity,
    /// Its `.meta.json`, when there is one.
    pub meta: Option<PathBuf>,
    /// Whether it is gone from the home, and `path` is a kept file of the archive.
    pub is_archived: bool,
}

/// Where the transcript of a sub-agent stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentLayout {
    /// In the project folder, beside the session (2.0).
    Beside,
    /// Below `<session>/subagents` (2.1).
    Nested,
}

/// How far to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Only the project folders themselves: sessions, and agents beside them.
    Sessions,
    /// Also the folder of each session.
    Agents,
}

/// Everything that was found, in a stable order: by project, then by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Discovery {
    /// The project folders.
    pub projects: Vec<Arc<Project>>,
    /// The main session files, empty ones included.
    pub sessions: Vec<SessionFile>,
    /// The sub-agents.
    pub agents: Vec<AgentFile>,
    /// What could not be read.
    pub findings: Vec<Finding>,
}

impl SessionFile {
    /// Where the file stands in the home, or stood before it was gone.
    pub fn live_path(&self) -> PathBuf {
        if self.is_archived {
            self.project.dir.join(format!("{}.jsonl", self.session_id))
        } else {
            self.path.clone()
        }
    }
}

impl Discovery {
    /// The session with exactly this id. With copies in several projects it is the
    /// newest that is not empty.
    pub fn session(&self, session_id: &str) -> Option<&SessionFile> {
        self.sessions
            .iter()
            .filter(|session| session.session_id == session_id)
            .max_by_key(|session| (session.size > 0, session.modified))
    }

    fn absorb(&mut self, other: Discovery) {
        self.projects.extend(other.projects);
        self.sessions.extend(other.sessions);
        self.agents.extend(other.agents);
        self.findings.extend(other.findings);
    }
}

/// Lists the sessions of a home.
pub fn discover(home: &Home, depth: Depth) -> Discovery {
    let mut found = Discovery::default();
    for (root, kind) in [
        (home.projects(), ProjectKind::Project),
        (home.conversations(), ProjectKind::Conversation),
    ] {
        // The root itself may be a link to another disk: a person made it so.
        let fence = Fence::around([home.root(), &root]);
        let entries = folder::entries(&root, &fence, &mut found.findings);
        let scans: Vec<_> = entries
            .into_par_iter()
            .filter(|entry| entry.is_dir)
            .map(|entry| {
                let project = Arc::new(Project {
                    slug: entry.name,
                    dir: entry.path,
                    kind,
                });
                scan_project(&project, &fence, depth)
            })
            .collect();
        for scan in scans {
            found.absorb(scan);
        }
    }
    found
}

/// Lists the sessions of a home, and those that only its archive still has.
///
/// A file of the home always wins over its copy in the archive.
pub fn discover_with_archive(home: &Home, archive: Option<&Path>, depth: Depth) -> Discovery {
    let mut found = discover(home, depth);
    if let Some(archive) = archive {
        archived::add(home, archive, depth, &mut found);
    }
    found
}

/// Lists one project folder.
pub(crate) fn scan_project(project: &Arc<Project>, fence: &Fence, depth: Depth) -> Discovery {
    let mut found = Discovery::default();
    let entries = folder::entries(&project.dir, fence, &mut found.findings);
    let (folders, files): (Vec<_>, Vec<_>) = entries.into_iter().partition(|entry| entry.is_dir);
    let folders: FxHashSet<&str> = folders.iter().map(|entry| entry.name.as_str()).collect();

    found.agents = agent::beside(project, &files, &mut found.findings);
    let sessions: Vec<_> = files
        .par_iter()
        .filter_map(|entry| session_file(project, entry, &folders))
        .collect();
    for session in sessions {
        match session {
            Ok(session) => found.sessions.push(session),
            Err(finding) => found.findings.push(finding),
        }
    }
    if depth == Depth::Agents {
        let nested: Vec<_> = found
            .sessions
            .par_iter()
            .map(|session| agent::nested(session, fence))
            .collect();
        for listing in nested {
            found.agents.extend(listing.items);
            found.findings.extend(listing.findings);
        }
    }
    found.projects.push(Arc::clone(project));
    found
}

/// The id in the name of a main session file, if it is one.
pub(crate) fn session_id_of(name: &str) -> Option<&str> {
    name.strip_suffix(".jsonl")
        .filter(|stem| !stem.is_empty() && !stem.starts_with("agent-"))
}

fn session_file(
    project: &Arc<Project>,
    entry: &Entry,
    folders: &FxHashSet<&str>,
) -> Option<Result<SessionFile, Finding>> {
    let session_id = session_id_of(&entry.name)?;
    let metadata = match entry.metadata() {
        Ok(metadata) => metadata,
        Err(error) => return Some(Err(Finding::new(&entry.path, error))),
    };
    let companion = folders
        .contains(session_id)
        .then(|| project.dir.join(session_id));
    Some(Ok(SessionFile {
        path: entry.path.clone(),
        session_id: session_id.to_owned(),
        has_uuid_name: slug::is_uuid(session_id),
        project: Arc::clone(project),
        size: metadata.len(),
        modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
        identity: Identity::of(&metadata),
        companion,
        is_archived: false,
        kept_dir: None,
    }))
}

#[cfg(test)]
mod tests;
