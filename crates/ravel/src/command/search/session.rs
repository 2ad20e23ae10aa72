//! What people know of the session that a hit is in.

use std::collections::HashMap;
use std::sync::Arc;

use ravel_home::is_uuid;
use ravel_index::{Hit, Library, SourceFile};
use ravel_render::words::short_id;

use crate::context::Context;
use crate::session_of::{MainFiles, head_of};
use crate::shell::{quoted, quoted_path};

/// A session by the file it is in, for people.
#[derive(Debug, Clone)]
pub(super) struct SessionFacts {
    pub(super) title: Option<String>,
    pub(super) project: Option<String>,
}

/// Looks sessions up, each once.
pub(super) struct Sessions<'a> {
    /// How Ravel was called, as far as it says which home.
    program: String,
    main_files: MainFiles<'a>,
    /// The ids of all sessions, in order; that of a copied one several times.
    ids: Vec<&'a str>,
    /// By the name of the main file.
    known: HashMap<Arc<str>, SessionFacts>,
}

impl<'a> Sessions<'a> {
    pub(super) fn new(context: &Context, library: &'a Library) -> Self {
        let sessions = library.files().iter().filter(|file| file.agent.is_none());
        let mut ids: Vec<&str> = sessions.map(|file| &*file.session).collect();
        ids.sort_unstable();
        let program = match (&context.global.home, context.global.demo) {
            (Some(home), _) => format!("ravel --home {}", quoted_path(home)),
            (None, true) => "ravel --demo".to_owned(),
            (None, false) => "ravel".to_owned(),
        };
        Self {
            program,
            main_files: MainFiles::new(library),
            ids,
            known: HashMap::new(),
        }
    }

    /// Returns the command that shows a hit.
    pub(super) fn open_command(&self, hit: &Hit) -> String {
        let session = self.name(&hit.file);
        let show = format!("{} show {session}", self.program);
        match &hit.uuid {
            Some(uuid) if uuid.starts_with('-') => format!("{show} --at={}", quoted(uuid)),
            Some(uuid) => format!("{show} --at {}", quoted(uuid)),
            None => show,
        }
    }

    /// Names a session so that nothing else is meant: by the start of its id, or all of it, or
    /// where its file is.
    fn name(&self, file: &SourceFile) -> String {
        // A sub-agent has its own thread, and is named by its file. Any other name could be taken
        // for an option, a title or `latest`.
        if file.agent.is_some() || !is_uuid(&file.session) {
            return quoted_path(&file.path);
        }
        let short = short_id(&file.session);
        // The session itself is one of them; the next one tells whether it is alone.
        let second = |least: &str| {
            let first = self.ids.partition_point(|&id| id < least);
            self.ids.get(first + 1).copied()
        };
        let is_copied = second(&file.session) == Some(&*file.session);
        let is_shared = second(short).is_some_and(|id| id.starts_with(short));
        match (is_copied, is_shared) {
            (true, _) => quoted_path(&file.path),
            (false, true) => quoted(&file.session),
            (false, false) => quoted(short),
        }
    }

    /// Returns what is known of the session of a hit.
    pub(super) fn of(&mut self, hit: &Hit) -> SessionFacts {
        let main = self.main_files.of(&hit.file);
        if let Some(known) = self.known.get(&main.name) {
            return known.clone();
        }
        let head = head_of(main);
        let facts = SessionFacts {
            title: head.as_ref().map(|head| head.title.clone()),
            project: head
                .and_then(|head| head.cwd)
                .or_else(|| hit.folder.clone()),
        };
        self.known.insert(Arc::clone(&main.name), facts.clone());
        facts
    }
}
