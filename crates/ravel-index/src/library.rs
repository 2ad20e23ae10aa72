//! Every transcript of a home.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use ravel_home::{AgentFile, Depth, Discovery, Finding, Home, SessionFile, discover};

/// All files with sessions and sub-agents, looked at once.
#[derive(Debug, Clone, Default)]
pub struct Library {
    files: Vec<SourceFile>,
    findings: Vec<Finding>,
}

/// One transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The file.
    pub path: PathBuf,
    /// Its name in the library: the path below the home, with `/` everywhere. No two files
    /// share one.
    pub name: Arc<str>,
    /// The session it belongs to, as far as its place tells.
    pub session: Arc<str>,
    /// The name of the project folder.
    pub slug: Arc<str>,
    /// The sub-agent, for the file of one.
    pub agent: Option<Arc<str>>,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last written.
    pub modified: SystemTime,
    /// Whether it is gone from the home and only the archive has it.
    pub is_archived: bool,
}

impl Library {
    /// Lists the files of a home.
    pub fn open(home: &Home, _archive: Option<&Path>) -> Self {
        Self::of(home, discover(home, Depth::Agents))
    }

    fn of(home: &Home, found: Discovery) -> Self {
        let root = home.root();
        let sessions = found.sessions.iter().map(|file| of_session(root, file));
        let agents = found.agents.iter().map(|file| of_agent(root, file));
        let mut files: Vec<SourceFile> = sessions.chain(agents).collect();
        files.sort_by(|one, other| one.name.cmp(&other.name));
        Self {
            files,
            findings: found.findings,
        }
    }

    /// Returns the files, by name.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Returns the file with this name.
    pub fn file(&self, name: &str) -> Option<&SourceFile> {
        let index = self.files.binary_search_by(|file| (*file.name).cmp(name));
        self.files.get(index.ok()?)
    }

    /// Returns what could not be listed.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns the size of all files together.
    pub fn n_bytes(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// Keeps only some of the files.
    #[must_use]
    pub fn only(mut self, admits: impl Fn(&SourceFile) -> bool) -> Self {
        self.files.retain(|file| admits(file));
        self
    }
}

fn of_session(root: &Path, file: &SessionFile) -> SourceFile {
    SourceFile {
        path: file.path.clone(),
        name: name_below(root, &file.path),
        session: file.session_id.as_str().into(),
        slug: file.project.slug.as_str().into(),
        agent: None,
        size: file.size,
        modified: file.modified,
        is_archived: false,
    }
}

fn of_agent(root: &Path, file: &AgentFile) -> SourceFile {
    // The lines of an agent beside its session name the session; until one is read, it stands
    // for itself.
    let session = file.session_id.as_deref().unwrap_or(&file.agent_id);
    SourceFile {
        path: file.path.clone(),
        name: name_below(root, &file.path),
        session: session.into(),
        slug: file.project.slug.as_str().into(),
        agent: Some(file.agent_id.as_str().into()),
        size: file.size,
        modified: file.modified,
        is_archived: false,
    }
}

/// Names a file by its path below the home; one that lies elsewhere keeps its whole path.
fn name_below(root: &Path, path: &Path) -> Arc<str> {
    let below = path.strip_prefix(root).unwrap_or(path);
    let name = below.to_string_lossy();
    match std::path::MAIN_SEPARATOR {
        '/' => name.into(),
        separator => name.replace(separator, "/").into(),
    }
}
