//! What sessions are called.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use ravel_home::{Project, ProjectKind, SessionFile, read_head};
use ravel_index::{Library, SourceFile};
use rayon::prelude::*;

use super::row::{Name, Table};

/// What a table says about a session besides its figures.
pub(super) struct SessionName {
    /// The best title there is; none where the head cannot be read.
    pub(super) title: Option<String>,
    /// Whether only the archive has it.
    pub(super) is_archived: bool,
}

/// The names of the sessions of a table, by id.
pub(super) type SessionNames = HashMap<Arc<str>, SessionName>;

/// Reads the names of the sessions that a table shows, and of no others.
pub(super) fn names(table: &Table, library: &Library) -> SessionNames {
    let mut wanted: HashMap<&str, Option<&SourceFile>> = HashMap::new();
    for row in &table.rows {
        if let Name::Session { id, .. } = &row.name {
            wanted.insert(id, None);
        }
    }
    if wanted.is_empty() {
        return HashMap::new();
    }
    for file in library.files().iter().filter(|file| file.agent.is_none()) {
        if let Some(found) = wanted.get_mut(&*file.session)
            // Of copies in several projects, the one that was used last.
            && found.is_none_or(|other| other.modified < file.modified)
        {
            *found = Some(file);
        }
    }
    let files: Vec<&SourceFile> = wanted.into_values().flatten().collect();
    files.par_iter().map(|file| named(file)).collect()
}

fn named(file: &SourceFile) -> (Arc<str>, SessionName) {
    let head = read_head(&session_file(file)).ok().flatten();
    let name = SessionName {
        title: head.map(|head| head.title),
        is_archived: file.is_archived,
    };
    (Arc::clone(&file.session), name)
}

fn session_file(file: &SourceFile) -> SessionFile {
    let folder = file.path.parent().unwrap_or(Path::new(""));
    let companion = file.path.with_extension("");
    SessionFile {
        path: file.path.clone(),
        session_id: file.session.to_string(),
        has_uuid_name: true,
        project: Arc::new(Project {
            slug: file.slug.to_string(),
            dir: folder.to_owned(),
            kind: ProjectKind::Loose,
        }),
        size: file.size,
        modified: file.modified,
        identity: file.identity,
        companion: companion.is_dir().then_some(companion),
        is_archived: file.is_archived,
        kept_dir: None,
    }
}
