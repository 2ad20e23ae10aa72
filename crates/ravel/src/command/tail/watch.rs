//! When to look again.
//!
//! Changes in the home are told by its watcher. A file that lies elsewhere, or a home that cannot
//! be watched, is looked at twice a second.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use ravel_home::{Change, Home, WatchOptions, Watcher};

use crate::failure::Failure;

/// How long to wait for a change in a home that is watched.
const WATCHED: Duration = Duration::from_secs(2);

/// How long to wait where nobody tells.
const UNWATCHED: Duration = Duration::from_millis(500);

/// Waits for changes.
pub(crate) struct Watch {
    changes: Receiver<Change>,
    root: Option<PathBuf>,
    /// Whether changes of what is followed are told.
    is_told: bool,
    _source: Source,
}

/// What changes come from; they end when it is dropped.
enum Source {
    Home(#[expect(dead_code, reason = "held for its thread")] Watcher),
    Nobody(#[expect(dead_code, reason = "held for its channel")] Sender<Change>),
}

impl Watch {
    /// Starts watching a home, if there is one.
    pub(crate) fn start(home: Option<&Home>) -> Result<Self, Failure> {
        let Some(home) = home else {
            let (sender, changes) = mpsc::channel();
            return Ok(Self {
                changes,
                root: None,
                is_told: false,
                _source: Source::Nobody(sender),
            });
        };
        let (watcher, changes) =
            Watcher::start(home, WatchOptions::default()).map_err(|error| {
                Failure::request(format!("could not {error}"))
                    .hint("`ravel show` reads what is there so far")
            })?;
        Ok(Self {
            changes,
            root: Some(home.root().to_path_buf()),
            is_told: true,
            _source: Source::Home(watcher),
        })
    }

    /// Says which file is followed: only one in the home has its changes told.
    pub(crate) fn look_at(&mut self, path: &Path) {
        let is_below = |root: &PathBuf| path.starts_with(root);
        self.is_told = self.root.as_ref().is_some_and(is_below);
    }

    /// Waits until it is time to look again; tells whether there may be new agents.
    pub(crate) fn wait(&mut self) -> bool {
        let patience = if self.is_told { WATCHED } else { UNWATCHED };
        match self.changes.recv_timeout(patience) {
            Ok(first) => {
                let mut has_agent = is_agent(&first);
                // What came meanwhile is one look.
                for change in self.changes.try_iter() {
                    has_agent |= is_agent(&change);
                }
                has_agent
            }
            Err(RecvTimeoutError::Timeout) => !self.is_told,
            Err(RecvTimeoutError::Disconnected) => {
                // The watcher is gone: go on without it, at the slow pace.
                let (sender, changes) = mpsc::channel();
                self.changes = changes;
                self._source = Source::Nobody(sender);
                self.is_told = false;
                true
            }
        }
    }
}

fn is_agent(change: &Change) -> bool {
    let name = change.path.file_name().unwrap_or_default();
    name.to_string_lossy().starts_with("agent-")
}
