//! Finding the transcripts of sub-agents.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use rustc_hash::FxHashSet;

use super::folder::{self, Entry, Fence};
use super::{AgentFile, AgentLayout, Project, SessionFile};
use crate::finding::{Finding, Listing};
use crate::head::field::Key;
use crate::lossy_json;
use crate::positional::read_at;

/// Workflow folders are one or two deep; this only stops a link that leads in a circle.
const DEEPEST_GROUP: usize = 16;

/// The first line of an agent can hold a long prompt before the id.
const ID_SEARCH_BYTES: usize = 65_536;

/// The sub-agents of one session: those in its folder, and those beside it whose
/// lines name it.
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
    for mut agent in beside(project, &files, &mut found.findings) {
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
    let n_read = read_at(&File::open(path)?, &mut start, 0)?;
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

/// The agents below `<session>/subagents`.
pub(super) fn nested(session: &SessionFile, fence: &Fence) -> Listing<AgentFile> {
    let mut found = Listing::default();
    if let Some(companion) = &session.companion {
        walk(session, &Group::top(companion), fence, &mut found);
    }
    found
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

fn walk(session: &SessionFile, group: &Group, fence: &Fence, found: &mut Listing<AgentFile>) {
    if group.depth > DEEPEST_GROUP {
        found
            .findings
            .push(Finding::new(&group.dir, "nested too deeply"));
        return;
    }
    let entries = folder::entries(&group.dir, fence, &mut found.findings);
    let (folders, files): (Vec<_>, Vec<_>) = entries.into_iter().partition(|entry| entry.is_dir);
    let place = Place {
        project: &session.project,
        layout: AgentLayout::Nested,
        session_id: Some(&session.session_id),
        group: group.name.as_deref(),
    };
    found
        .items
        .extend(place.agents(&files, &mut found.findings));
    for folder in &folders {
        walk(session, &group.below(folder), fence, found);
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
        let metadata = entry.path.metadata()?;
        Ok(AgentFile {
            path: entry.path.clone(),
            agent_id: stem.strip_prefix("agent-").unwrap_or(stem).to_owned(),
            layout: self.layout,
            session_id: self.session_id.map(str::to_owned),
            group: self.group.map(str::to_owned),
            project: Arc::clone(self.project),
            size: metadata.len(),
            modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            meta: has_meta.then(|| entry.path.with_file_name(format!("{stem}.meta.json"))),
        })
    }
}
