//! What people know of the session that a hit is in.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use ravel_home::{Project, ProjectKind, SessionFile, is_uuid, read_head};
use ravel_index::{Hit, Library, SourceFile};
use ravel_render::words::short_id;

use crate::context::display_path;

/// A session by the file it is in, for people.
#[derive(Debug, Clone)]
pub(super) struct SessionFacts {
    pub(super) title: Option<String>,
    pub(super) project: Option<String>,
}

/// Looks sessions up, each once.
pub(super) struct Sessions<'a> {
    library: &'a Library,
    known: HashMap<PathBuf, SessionFacts>,
}

impl<'a> Sessions<'a> {
    pub(super) fn new(library: &'a Library) -> Self {
        Self {
            library,
            known: HashMap::new(),
        }
    }

    /// Returns the command that shows a hit.
    pub(super) fn open_command(&self, hit: &Hit) -> String {
        let session = self.name(&hit.file);
        match &hit.uuid {
            Some(uuid) => format!("ravel show {session} --at {uuid}"),
            None => format!("ravel show {session}"),
        }
    }

    /// Names a session so that nothing else is meant: by the start of its id, or all of it, or
    /// where its file is.
    fn name(&self, file: &SourceFile) -> String {
        let path = || quoted(&display_path(&file.path));
        // A sub-agent has its own thread, and is named by its file.
        if file.agent.is_some() {
            return path();
        }
        let short = short_id(&file.session);
        let sessions = self.library.files().iter();
        let others = sessions.filter(|other| other.agent.is_none() && other.name != file.name);
        let (mut is_copied, mut is_shared) = (false, false);
        for other in others {
            is_copied |= other.session == file.session;
            is_shared |= other.session.starts_with(short);
        }
        match (is_copied, is_shared) {
            (true, _) => path(),
            (false, true) => quoted(&file.session),
            (false, false) => quoted(short),
        }
    }

    /// Returns what is known of the session of a hit.
    pub(super) fn of(&mut self, hit: &Hit) -> SessionFacts {
        let path = main_file(&hit.file);
        if let Some(known) = self.known.get(&path) {
            return known.clone();
        }
        let head = read_head(&session_file(&hit.file, path.clone()))
            .ok()
            .flatten();
        let facts = SessionFacts {
            title: head.as_ref().map(|head| head.title.clone()),
            project: head
                .and_then(|head| head.cwd)
                .or_else(|| hit.folder.clone()),
        };
        self.known.insert(path, facts.clone());
        facts
    }
}

/// Returns the file of the session that a file belongs to.
fn main_file(file: &SourceFile) -> PathBuf {
    let name = match file.is_archived {
        true => format!("{}.jsonl.kept", file.session),
        false => format!("{}.jsonl", file.session),
    };
    let folders = file.path.ancestors().skip(1);
    let of_project = folders.into_iter().find(|folder| {
        let is_project = folder.file_name().is_some_and(|name| *name == *file.slug);
        is_project && file.agent.is_some()
    });
    match of_project {
        Some(folder) if folder.join(&name).exists() => folder.join(name),
        _ => file.path.clone(),
    }
}

fn session_file(file: &SourceFile, path: PathBuf) -> SessionFile {
    SessionFile {
        session_id: file.session.to_string(),
        has_uuid_name: is_uuid(&file.session),
        project: Arc::new(Project {
            slug: file.slug.to_string(),
            dir: path.parent().map(PathBuf::from).unwrap_or_default(),
            kind: ProjectKind::Project,
        }),
        size: file.size,
        modified: file.modified,
        identity: file.identity,
        companion: None,
        is_archived: file.is_archived,
        kept_dir: None,
        path,
    }
}

/// Makes a path safe to paste into a shell.
fn quoted(path: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-~+=@%,".contains(letter);
    match path.chars().all(is_plain) {
        true => path.to_owned(),
        false => match path.strip_prefix("~/") {
            Some(rest) => format!("~/'{}'", rest.replace('\'', "'\\''")),
            None => format!("'{}'", path.replace('\'', "'\\''")),
        },
    }
}
