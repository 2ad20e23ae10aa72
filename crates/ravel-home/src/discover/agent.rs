//! Finding the transcripts of sub-agents.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use rustc_hash::FxHashSet;

use super::folder::{self, Entry, Fence, Storage};
use super::{AgentFile, AgentLayout, Project, SessionFile, archived};
use crate::finding::{Finding, Listing};
use crate::head::field::Key;
use crate::identity::Identity;
use crate::kept::{StoredFile, is_kept, kept_path};
use crate::lossy_json;

/// Workflow folders are one or two deep; this only stops a link that leads in a circle.
const DEEPEST_GROUP: usize = 16;

/// The first line of an agent can hold a long prompt before the id.
const ID_SEARCH_BYTES: usize = 65_536;

/// The sub-agents of one session: those in its folder, and those beside it whose
/// lines name it; also those that only the archive still has, when the session was found
/// together with it.
///
/// Agents beside the session are opened to look, so prefer one [`discover`] with
/// [`Depth::Agents`] when many sessions are wanted.
///
/// [`discover`]: super::discover
/// [`Depth::Agents`]: super::Depth::Agents
pub fn agents_of(session: &SessionFile) -> Listing<AgentFile> {
    let project = &session.project;
    let fence = Fence::around([project.dir.as_path()]);
    let mut found = nested(session, &fence);
    let mut passed_over = Vec::new();
    let files = folder::entries(&project.dir, &fence, &mut passed_over);
    let mut beside = beside(project, &files, &mut found.findings);
    if let Some(kept_dir) = &session.kept_dir {
        let kept = archived::agents_of(session, kept_dir);
        beside.extend(kept.beside);
        found.items.extend(kept.nested);
        found.findings.extend(kept.findings);
    }
    for mut agent in beside {
        match agent_session_id(&agent.path) {
            Ok(Some(id)) if id == session.session_id => {
                agent.session_id = Some(id);
                found.items.push(agent);
            }
            Ok(_) => {}
            Err(error) => found.findings.push(Finding::new(&agent.path, error)),
        }
    }
    found
}

/// Reads which session an agent file belongs to, from the start of the file.
pub fn agent_session_id(path: &Path) -> io::Result<Option<String>> {
    let mut start = vec![0; ID_SEARCH_BYTES];
    let n_read = StoredFile::open(path)?.read_at(&mut start, 0)?;
    start.truncate(n_read);
    let id = ["sessionId", "session_id"]
        .into_iter()
        .find_map(|name| Key::new(name).first(&start));
    Ok(id.map(lossy_json::decode_text))
}

/// The agents among the files of a project folder.
pub(super) fn beside(
    project: &Arc<Project>,
    files: &[Entry],
    findings: &mut Vec<Finding>,
) -> Vec<AgentFile> {
    let place = Place {
        project,
        layout: AgentLayout::Beside,
        session_id: None,
        group: None,
    };
    place.agents(files, findings)
}

/// The agents below `<session>/subagents` in the home.
pub(super) fn nested(session: &SessionFile, fence: &Fence) -> Listing<AgentFile> {
    let owner = Owner {
        project: &session.project,
        session_id: &session.session_id,
        storage: Storage::Home,
    };
    if session.is_archived {
        // The folder may have outlived the file.
        let companion = session.project.dir.join(&session.session_id);
        return below(&owner, &companion, fence);
    }
    match &session.companion {
        Some(companion) => below(&owner, companion, fence),
        None => Listing::default(),
    }
}

/// The agents below the folder of a session, in the home or in the archive.
pub(super) fn below(owner: &Owner<'_>, companion: &Path, fence: &Fence) -> Listing<AgentFile> {
    let mut found = Listing::default();
    walk(owner, &Group::top(companion), fence, &mut found);
    found
}

/// The session that agents belong to.
pub(super) struct Owner<'a> {
    pub(super) project: &'a Arc<Project>,
    pub(super) session_id: &'a str,
    pub(super) storage: Storage,
}

/// A folder of agents below a session.
struct Group {
    dir: PathBuf,
    name: Option<String>,
    depth: usize,
}

impl Group {
    fn top(companion: &Path) -> Self {
        Self {
            dir: companion.join("subagents"),
            name: None,
            depth: 0,
        }
    }

    fn below(&self, entry: &Entry) -> Self {
        Self {
            dir: entry.path.clone(),
            name: Some(match &self.name {
                Some(name) => format!("{name}/{}", entry.name),
                None => entry.name.clone(),
            }),
            depth: self.depth + 1,
        }
    }
}

fn walk(owner: &Owner<'_>, group: &Group, fence: &Fence, found: &mut Listing<AgentFile>) {
    if group.depth > DEEPEST_GROUP {
        found
            .findings
            .push(Finding::new(&group.dir, "nested too deeply"));
        return;
    }
    let entries = folder::entries_in(owner.storage, &group.dir, fence, &mut found.findings);
    let (folders, files): (Vec<_>, Vec<_>) = entries.into_iter().partition(|entry| entry.is_dir);
    let place = Place {
        project: owner.project,
        layout: AgentLayout::Nested,
        session_id: Some(owner.session_id),
        group: group.name.as_deref(),
    };
    found
        .items
        .extend(place.agents(&files, &mut found.findings));
    for folder in &folders {
        walk(owner, &group.below(folder), fence, found);
    }
}

/// What the agents of one folder have in common.
struct Place<'a> {
    project: &'a Arc<Project>,
    layout: AgentLayout,
    session_id: Option<&'a str>,
    group: Option<&'a str>,
}

impl Place<'_> {
    fn agents(&self, files: &[Entry], findings: &mut Vec<Finding>) -> Vec<AgentFile> {
        let metas: FxHashSet<&str> = files
            .iter()
            .filter_map(|entry| entry.name.strip_suffix(".meta.json"))
            .collect();
        let mut agents = Vec::new();
        for entry in files {
            let stem = entry.name.strip_suffix(".jsonl");
            let Some(stem) = stem.filter(|stem| stem.starts_with("agent-")) else {
                continue;
            };
            match self.agent(entry, stem, metas.contains(stem)) {
                Ok(agent) => agents.push(agent),
                Err(error) => findings.push(Finding::new(&entry.path, error)),
            }
        }
        agents
    }

    fn agent(&self, entry: &Entry, stem: &str, has_meta: bool) -> io::Result<AgentFile> {
        let is_archived = is_kept(&entry.path);
        let (size, modified, identity) = match is_archived {
            true => {
                let (size, modified) = StoredFile::facts(&entry.path)?;
                (size, modified, Identity::default())
            }
            false => {
                let metadata = entry.metadata()?;
                let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                (metadata.len(), modified, Identity::of(&metadata))
            }
        };
        let meta = entry.path.with_file_name(format!("{stem}.meta.json"));
        let meta = if is_archived { kept_path(&meta) } else { meta };
        Ok(AgentFile {
            path: entry.path.clone(),
            agent_id: stem.strip_prefix("agent-").unwrap_or(stem).to_owned(),
            layout: self.layout,
            session_id: self.session_id.map(str::to_owned),
            group: self.group.map(str::to_owned),
            project: Arc::clone(self.project),
            size,
            modified,
            identity,
            meta: has_meta.then_some(meta),
            is_archived,
        })
    }
}
