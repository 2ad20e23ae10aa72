//! Every transcript of a home.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use ravel_home::{
    AgentFile, Depth, Discovery, Finding, Home, Identity, KEPT_SUFFIX, SessionFile,
    discover_with_archive, mirror_of,
};
use rayon::prelude::*;

use crate::recent::folders_of;

/// All files with sessions and sub-agents, looked at once.
#[derive(Debug, Clone, Default)]
pub struct Library {
    files: Vec<SourceFile>,
    findings: Vec<Finding>,
    folders: Vec<(String, i64)>,
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
    /// What else the file system knows of it.
    pub identity: Identity,
}

impl Library {
    /// Lists the files of a home.
    ///
    /// Those that are gone from it and still in the archive are in the list as well.
    pub fn open(home: &Home, archive: Option<&Path>) -> Self {
        // Before the files: what comes meanwhile makes the folder newer than it was seen.
        let folders = folders_of(home);
        let found = discover_with_archive(home, archive, Depth::Agents);
        let roots = Roots {
            home: home.root(),
            mirror: archive.map(mirror_of),
        };
        Self {
            folders,
            ..Self::of(&roots, found)
        }
    }

    fn of(roots: &Roots<'_>, found: Discovery) -> Self {
        let sessions = found
            .sessions
            .par_iter()
            .map(|file| of_session(roots, file));
        let agents = found.agents.par_iter().map(|file| of_agent(roots, file));
        let mut files: Vec<SourceFile> = sessions.chain(agents).collect();
        files.sort_by(|one, other| one.name.cmp(&other.name));
        let mut findings = found.findings;
        files.dedup_by(|next, first| {
            let is_same = next.name == first.name;
            if is_same {
                let message = "its name is no UTF-8, and reads like that of another file";
                findings.push(Finding::new(&next.path, message));
            }
            is_same
        });
        Self {
            files,
            findings,
            folders: Vec::new(),
        }
    }

    /// Makes a library of some files; it does not know what else there is.
    pub(crate) fn of_files(mut files: Vec<SourceFile>) -> Self {
        files.sort_by(|one, other| one.name.cmp(&other.name));
        Self {
            files,
            ..Self::default()
        }
    }

    /// Returns the project folders, and when files last came or went in each, if all of them were
    /// looked at.
    pub(crate) fn folders(&self) -> &[(String, i64)] {
        &self.folders
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

fn of_session(roots: &Roots<'_>, file: &SessionFile) -> SourceFile {
    SourceFile {
        path: file.path.clone(),
        name: roots.name(&file.path),
        session: file.session_id.as_str().into(),
        slug: file.project.slug.as_str().into(),
        agent: None,
        size: file.size,
        modified: file.modified,
        is_archived: file.is_archived,
        identity: file.identity,
    }
}

fn of_agent(roots: &Roots<'_>, file: &AgentFile) -> SourceFile {
    // The lines of an agent beside its session name the session; until one is read, it stands
    // for itself.
    let session = file.session_id.as_deref().unwrap_or(&file.agent_id);
    SourceFile {
        path: file.path.clone(),
        name: roots.name(&file.path),
        session: session.into(),
        slug: file.project.slug.as_str().into(),
        agent: Some(file.agent_id.as_str().into()),
        size: file.size,
        modified: file.modified,
        is_archived: file.is_archived,
        identity: file.identity,
    }
}

/// What names are relative to.
struct Roots<'a> {
    home: &'a Path,
    mirror: Option<PathBuf>,
}

impl Roots<'_> {
    /// Names a file by its path below the home, also one that is only in the archive; one that
    /// lies elsewhere keeps its whole path.
    fn name(&self, path: &Path) -> Arc<str> {
        let kept = self.mirror.as_ref().and_then(|mirror| {
            let below = path.strip_prefix(mirror).ok()?.to_string_lossy();
            Some(below.strip_suffix(KEPT_SUFFIX)?.to_owned())
        });
        let below = path.strip_prefix(self.home).unwrap_or(path);
        let name = kept.map_or_else(|| below.to_string_lossy(), Into::into);
        match std::path::MAIN_SEPARATOR {
            '/' => name.into(),
            separator => name.replace(separator, "/").into(),
        }
    }
}
