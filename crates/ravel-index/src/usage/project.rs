//! Which project a request counts for.
//!
//! That of its session: a sub-agent that works in another folder, such as a work tree of its own,
//! still works for the project of whoever started it.

use std::sync::Arc;

use ravel_model::usage::{Account, Request};
use rustc_hash::FxHashMap;

use crate::library::SourceFile;

/// The folders that sessions were started in.
#[derive(Debug, Default)]
pub(crate) struct Projects {
    /// By session: the project, and the name of the file that says so.
    by_session: FxHashMap<Arc<str>, (Arc<str>, Arc<str>)>,
}

impl Projects {
    /// Takes note of what the file of a session says. Of several copies, the first by name counts,
    /// whichever was read first.
    pub(crate) fn add(&mut self, file: &SourceFile, project: Option<&Arc<str>>) {
        if file.agent.is_some() {
            return;
        }
        let project = project.unwrap_or(&file.slug);
        let own = (Arc::clone(project), Arc::clone(&file.name));
        let known = self.by_session.entry(Arc::clone(&file.session));
        let known = known.or_insert_with(|| own.clone());
        if own.1 < known.1 {
            *known = own;
        }
    }

    /// Gives each request the project of its session.
    pub(crate) fn assign(&self, account: &mut Account) {
        let dropped = account.dropped.iter_mut().map(|one| &mut one.request);
        for request in account.requests.iter_mut().chain(dropped) {
            self.assign_one(request);
        }
    }

    fn assign_one(&self, request: &mut Request) {
        if let Some((project, _)) = self.by_session.get(&request.session) {
            request.project = Arc::clone(project);
        }
    }
}
