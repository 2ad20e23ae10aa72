//! Sessions that are named by a path, wherever it leads.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Target;
use crate::discover::{AgentFile, AgentLayout, Discovery, Project, ProjectKind, SessionFile};
use crate::finding::Finding;
use crate::identity::Identity;
use crate::kept::{KEPT_SUFFIX, StoredFile, is_kept, kept_path};
use crate::slug;

/// The session or agent at a path: its file, or the folder beside a session. `None`
/// when the query is no path at all.
pub(super) fn by_path(found: &Discovery, path: &Path) -> Option<Result<Target, Finding>> {
    let names_file = path.extension() == Some(OsStr::new("jsonl")) || is_kept(path);
    // A bare word is an id or a title, even if something here happens to be called so.
    let names_place = path.is_absolute() || path.components().count() > 1;
    let file = if path.is_file() && (names_file || names_place) {
        path.to_path_buf()
    } else if path.is_dir() && (names_file || names_place) {
        match session_of_folder(path) {
            Some(file) => file,
            None => {
                return Some(Err(Finding::new(
                    path,
                    "a folder, but not that of a session",
                )));
            }
        }
    } else if names_file {
        let gone = gone(found, path).map(Target::Session);
        return Some(gone.ok_or_else(|| Finding::new(path, "no such file")));
    } else {
        return None;
    };
    Some(known(found, &file).map_or_else(|| loose(&file), Ok))
}

/// The archived session that stood at a path of the home.
fn gone(found: &Discovery, path: &Path) -> Option<SessionFile> {
    let path = std::path::absolute(path).ok()?;
    let mut archived = found.sessions.iter().filter(|session| session.is_archived);
    archived
        .find(|session| session.live_path() == path)
        .cloned()
}

/// The session whose folder this is.
fn session_of_folder(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    let name = folder.file_name()?.to_str()?;
    let file = folder.with_file_name(format!("{name}.jsonl"));
    file.is_file().then_some(file)
}

/// The file as discovery knows it, however the path to it was written.
fn known(found: &Discovery, file: &Path) -> Option<Target> {
    let real = file.canonicalize().ok()?;
    let is_it = |path: &Path| {
        path == file
            || path.file_name() == real.file_name()
                && path.canonicalize().is_ok_and(|path| path == real)
    };
    let mut sessions = found.sessions.iter();
    if let Some(session) = sessions.find(|session| is_it(&session.path)) {
        return Some(Target::Session(session.clone()));
    }
    let agent = found.agents.iter().find(|agent| is_it(&agent.path))?;
    Some(Target::Agent(agent.clone()))
}

/// A file that lies outside of what was discovered.
fn loose(file: &Path) -> Result<Target, Finding> {
    let path = file
        .canonicalize()
        .map_err(|error| Finding::new(file, error))?;
    let (size, modified) = StoredFile::facts(&path).map_err(|error| Finding::new(file, error))?;
    let is_archived = is_kept(&path);
    let stem = stem_of(&path);
    let dir = path.parent().unwrap_or(Path::new("")).to_path_buf();
    if let Some(agent_id) = stem.strip_prefix("agent-") {
        let meta = path.with_file_name(format!("{stem}.meta.json"));
        let meta = if is_archived { kept_path(&meta) } else { meta };
        let session_dir = session_dir(&dir);
        return Ok(Target::Agent(AgentFile {
            agent_id: agent_id.to_owned(),
            layout: match session_dir {
                Some(_) => AgentLayout::Nested,
                None => AgentLayout::Beside,
            },
            session_id: session_dir.and_then(|dir| Some(dir.file_name()?.to_str()?.to_owned())),
            group: None,
            project: loose_project(session_dir.and_then(Path::parent).unwrap_or(&dir)),
            size,
            modified,
            identity: Identity::default(),
            meta: meta.is_file().then_some(meta),
            path,
            is_archived,
        }));
    }
    let companion = dir.join(&stem);
    Ok(Target::Session(SessionFile {
        has_uuid_name: slug::is_uuid(&stem),
        session_id: stem,
        project: loose_project(&dir),
        size,
        modified,
        identity: Identity::default(),
        companion: companion.is_dir().then_some(companion),
        path,
        is_archived,
        kept_dir: is_archived.then_some(dir),
    }))
}

/// The name without its endings, such as `.jsonl` or `.jsonl.kept.2`.
fn stem_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let live = match name.rfind(KEPT_SUFFIX) {
        Some(end) if is_kept(path) => name.get(..end).unwrap_or_default(),
        _ => &name,
    };
    let stem = Path::new(live).file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// The `<session>` in `<session>/subagents/…`.
fn session_dir(dir: &Path) -> Option<&Path> {
    dir.ancestors()
        .find(|above| above.file_name() == Some(OsStr::new("subagents")))?
        .parent()
}

fn loose_project(dir: &Path) -> Arc<Project> {
    Arc::new(Project {
        slug: dir
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        dir: dir.to_path_buf(),
        kind: ProjectKind::Loose,
    })
}
