//! What sessions are called.

use std::collections::HashMap;
use std::sync::Arc;

use ravel_index::{Library, SourceFile};
use rayon::prelude::*;

use super::row::{Name, Table};
use crate::session_of::head_of;

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
    let name = SessionName {
        title: head_of(file).map(|head| head.title),
        is_archived: file.is_archived,
    };
    (Arc::clone(&file.session), name)
}
