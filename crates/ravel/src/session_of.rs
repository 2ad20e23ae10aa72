//! From a file of the library to what people know of its session.
//!
//! The library knows files by their place and nothing of what they say. Titles and folders are in
//! the head of a session's main file, also for the files of its agents.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use ravel_home::{Project, ProjectKind, SessionFile, SessionHead, is_uuid, read_head};
use ravel_index::{Library, SourceFile};

/// The main files of all sessions of a library.
pub(crate) struct MainFiles<'a> {
    by_place: HashMap<(&'a str, &'a str), &'a SourceFile>,
}

impl<'a> MainFiles<'a> {
    /// Looks through a library.
    pub(crate) fn new(library: &'a Library) -> Self {
        let files = library.files().iter().filter(|file| file.agent.is_none());
        Self {
            by_place: files
                .map(|file| ((&*file.slug, &*file.session), file))
                .collect(),
        }
    }

    /// Returns the main file of the session that a file belongs to. Where there is none, as for
    /// an agent whose session is gone, the file stands for itself.
    pub(crate) fn of<'b>(&'b self, file: &'b SourceFile) -> &'b SourceFile {
        if file.agent.is_none() {
            return file;
        }
        let place = (&*file.slug, &*file.session);
        self.by_place.get(&place).copied().unwrap_or(file)
    }
}

/// Reads the head of a session from its main file. `None` when it is empty or cannot be read.
pub(crate) fn head_of(main: &SourceFile) -> Option<SessionHead> {
    read_head(&session_file(main)).ok().flatten()
}

fn session_file(main: &SourceFile) -> SessionFile {
    SessionFile {
        session_id: main.session.to_string(),
        has_uuid_name: is_uuid(&main.session),
        project: Arc::new(Project {
            slug: main.slug.to_string(),
            dir: main.path.parent().unwrap_or(Path::new("")).to_owned(),
            kind: ProjectKind::Project,
        }),
        size: main.size,
        modified: main.modified,
        identity: main.identity,
        // A head says nothing of other files.
        companion: None,
        is_archived: main.is_archived,
        kept_dir: None,
        path: main.path.clone(),
    }
}
