//! What is gone from the home and still in the archive.
//!
//! The archive mirrors the folders of the home, each file as a kept file. It is listed the same
//! way; what the home still has is passed over before its kept file is even opened.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::agent::{self, Owner};
use super::folder::{self, Entry, Fence, Storage};
use super::{AgentFile, Depth, Discovery, Project, ProjectKind, SessionFile, session_id_of};
use crate::finding::{Finding, Listing};
use crate::home::Home;
use crate::identity::Identity;
use crate::kept::{StoredFile, live_name, mirror_of};
use crate::slug;

/// Adds what only the archive has.
pub(super) fn add(home: &Home, archive: &Path, depth: Depth, found: &mut Discovery) {
    let mirror = mirror_of(archive);
    let fence = Fence::around([mirror.as_path()]);
    let live = Live::of(found);
    let mut added = Discovery::default();
    for (root, kind) in [
        (home.projects(), ProjectKind::Project),
        (home.conversations(), ProjectKind::Conversation),
    ] {
        let mirrored = mirror.join(root.file_name().unwrap_or_default());
        let folders = folder::entries(&mirrored, &fence, &mut added.findings);
        let scans: Vec<Discovery> = folders
            .into_par_iter()
            .filter(|entry| entry.is_dir)
            .map(|entry| Scan::new(&live, entry, (&root, kind)).run(&fence, depth))
            .collect();
        for scan in scans {
            added.absorb(scan);
        }
    }
    if added.projects.is_empty() {
        found.findings.extend(added.findings);
        return;
    }
    mark_mirrored(found, &added.projects, &mirror);
    merge(found, added);
}

/// Joins what the home has with what only the archive has, in the order of a discovery.
fn merge(found: &mut Discovery, mut added: Discovery) {
    let known: FxHashSet<&Path> = found.projects.iter().map(|one| one.dir.as_path()).collect();
    added
        .projects
        .retain(|one| !known.contains(one.dir.as_path()));
    found.absorb(added);
    found
        .projects
        .sort_by(|one, other| place(one).cmp(&place(other)));
    found.sessions.sort_by(|one, other| {
        let by_project = place(&one.project).cmp(&place(&other.project));
        by_project.then_with(|| one.session_id.cmp(&other.session_id))
    });
    found
        .agents
        .sort_by(|one, other| place(&one.project).cmp(&place(&other.project)));
}

/// Tells the sessions of the home where their agents are kept.
fn mark_mirrored(found: &mut Discovery, mirrored: &[Arc<Project>], mirror: &Path) {
    let mirrored: FxHashSet<(u8, &str)> = mirrored.iter().map(|project| place(project)).collect();
    for session in &mut found.sessions {
        if mirrored.contains(&place(&session.project))
            && let Some(root) = session.project.dir.parent().and_then(Path::file_name)
        {
            session.kept_dir = Some(mirror.join(root).join(&session.project.slug));
        }
    }
}

/// The order of projects in a discovery.
fn place(project: &Project) -> (u8, &str) {
    let kind = match project.kind {
        ProjectKind::Project => 0,
        ProjectKind::Conversation => 1,
        ProjectKind::Loose => 2,
    };
    (kind, &project.slug)
}

/// What the home has.
struct Live {
    /// Projects by their folder.
    projects: FxHashMap<PathBuf, Arc<Project>>,
    /// Sessions and agents.
    paths: FxHashSet<PathBuf>,
}

impl Live {
    fn of(found: &Discovery) -> Self {
        let sessions = found.sessions.iter().map(|session| session.path.clone());
        let agents = found.agents.iter().map(|agent| agent.path.clone());
        Self {
            projects: found
                .projects
                .iter()
                .map(|project| (project.dir.clone(), Arc::clone(project)))
                .collect(),
            paths: sessions.chain(agents).collect(),
        }
    }
}

/// One mirrored project folder.
struct Scan<'a> {
    live: &'a Live,
    kept_dir: PathBuf,
    project: Arc<Project>,
}

impl<'a> Scan<'a> {
    fn new(live: &'a Live, folder: Entry, (root, kind): (&Path, ProjectKind)) -> Self {
        let dir = root.join(&folder.name);
        let project = live.projects.get(&dir).cloned().unwrap_or_else(|| {
            Arc::new(Project {
                slug: folder.name,
                dir,
                kind,
            })
        });
        Self {
            live,
            kept_dir: folder.path,
            project,
        }
    }

    fn run(&self, fence: &Fence, depth: Depth) -> Discovery {
        let mut found = Discovery::default();
        let entries =
            folder::entries_in(Storage::Archive, &self.kept_dir, fence, &mut found.findings);
        let (folders, files): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|entry| entry.is_dir);
        let is_gone = |file: &Entry| !self.live.paths.contains(&self.project.dir.join(&file.name));
        let files: Vec<Entry> = files.into_iter().filter(is_gone).collect();
        let companions: FxHashMap<&str, &Path> = folders
            .iter()
            .map(|entry| (entry.name.as_str(), entry.path.as_path()))
            .collect();
        found.agents = agent::beside(&self.project, &files, &mut found.findings);
        for file in &files {
            match self.session(file, &companions) {
                Some(Ok(session)) => found.sessions.push(session),
                Some(Err(finding)) => found.findings.push(finding),
                None => {}
            }
        }
        if depth == Depth::Agents {
            for folder in &folders {
                let nested = self.nested(folder, fence);
                found.agents.extend(nested.items);
                found.findings.extend(nested.findings);
            }
        }
        found.projects.push(Arc::clone(&self.project));
        found
    }

    fn session(
        &self,
        entry: &Entry,
        companions: &FxHashMap<&str, &Path>,
    ) -> Option<Result<SessionFile, Finding>> {
        let session_id = session_id_of(&entry.name)?;
        let (size, modified) = match StoredFile::facts(&entry.path) {
            Ok(facts) => facts,
            Err(error) => return Some(Err(Finding::new(&entry.path, error))),
        };
        Some(Ok(SessionFile {
            path: entry.path.clone(),
            session_id: session_id.to_owned(),
            has_uuid_name: slug::is_uuid(session_id),
            project: Arc::clone(&self.project),
            size,
            modified,
            identity: Identity::default(),
            companion: companions.get(session_id).map(|path| path.to_path_buf()),
            is_archived: true,
            kept_dir: Some(self.kept_dir.clone()),
        }))
    }

    /// The agents of one session that the home does not list: those of a session that is gone
    /// may still be there.
    fn nested(&self, folder: &Entry, fence: &Fence) -> Listing<AgentFile> {
        let mut owner = Owner {
            project: &self.project,
            session_id: &folder.name,
            storage: Storage::Archive,
        };
        let mut nested = agent::below(&owner, &folder.path, fence);
        nested.items.retain(|agent| {
            let live = live_path(&agent.path, &self.kept_dir, &self.project.dir);
            live.is_some_and(|live| !self.live.paths.contains(&live) && !live.exists())
        });
        let main = self.project.dir.join(format!("{}.jsonl", folder.name));
        if !self.live.paths.contains(&main) {
            owner.storage = Storage::Home;
            let fence = Fence::around([self.project.dir.as_path()]);
            let outlived = agent::below(&owner, &self.project.dir.join(&folder.name), &fence);
            nested.items.extend(outlived.items);
            nested.findings.extend(outlived.findings);
        }
        nested
    }
}

/// The agents of one session that only the archive has.
#[derive(Default)]
pub(super) struct KeptAgents {
    /// Those that may belong to it: only their lines say.
    pub(super) beside: Vec<AgentFile>,
    /// Those that do.
    pub(super) nested: Vec<AgentFile>,
    /// What could not be read.
    pub(super) findings: Vec<Finding>,
}

/// Looks for the agents of one session that are gone from the home.
pub(super) fn agents_of(session: &SessionFile, kept_dir: &Path) -> KeptAgents {
    let mut kept = KeptAgents::default();
    let fence = Fence::around([kept_dir]);
    let mut passed_over = Vec::new();
    let files = folder::entries_in(Storage::Archive, kept_dir, &fence, &mut passed_over);
    let is_gone = |agent: &AgentFile| {
        live_path(&agent.path, kept_dir, &session.project.dir).is_some_and(|live| !live.exists())
    };
    let files: Vec<Entry> = files.into_iter().filter(|file| !file.is_dir).collect();
    kept.beside = agent::beside(&session.project, &files, &mut kept.findings);
    kept.beside.retain(is_gone);
    let owner = Owner {
        project: &session.project,
        session_id: &session.session_id,
        storage: Storage::Archive,
    };
    let nested = agent::below(&owner, &kept_dir.join(&session.session_id), &fence);
    kept.nested = nested.items;
    kept.nested.retain(is_gone);
    kept.findings.extend(nested.findings);
    kept
}

/// Where a kept file stood in the home. `None` for what is no current copy.
fn live_path(kept: &Path, kept_dir: &Path, live_dir: &Path) -> Option<PathBuf> {
    let live = kept.with_file_name(live_name(kept.file_name()?.to_str()?)?);
    Some(live_dir.join(live.strip_prefix(kept_dir).ok()?))
}
