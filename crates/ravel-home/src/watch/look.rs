//! How the files of the home look, and how that differs from the last time.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustc_hash::FxHashMap;

use super::{Change, ChangeKind};
use crate::home::Home;

/// No folder of interest is nested deeper than this.
const DEEPEST: usize = 8;

/// The folders whose files are watched, all the way down. Logs, snapshots and
/// plugins are left out: nobody waits for them, and they are many.
pub(super) fn watched_folders(home: &Home) -> Vec<PathBuf> {
    vec![
        home.projects(),
        home.conversations(),
        home.todos(),
        home.tasks(),
        home.plans(),
    ]
}

/// The files of the home as they were seen last.
pub(super) struct Look {
    root: PathBuf,
    folders: Vec<PathBuf>,
    seen: FxHashMap<PathBuf, State>,
}

/// What tells whether a file has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State {
    size: u64,
    modified: Option<SystemTime>,
}

impl Look {
    pub(super) fn at(home: &Home) -> Self {
        let mut look = Self {
            root: home.root().to_path_buf(),
            folders: watched_folders(home),
            seen: FxHashMap::default(),
        };
        look.seen = look.present();
        look
    }

    /// Looks over everything.
    pub(super) fn again(&mut self) -> Vec<Change> {
        let present = self.present();
        let mut changes: Vec<_> = self
            .seen
            .keys()
            .filter(|path| !present.contains_key(*path))
            .map(|path| change(path, ChangeKind::Removed))
            .collect();
        for (path, state) in &present {
            match self.seen.get(path) {
                None => changes.push(change(path, ChangeKind::Created)),
                Some(before) if before != state => changes.push(change(path, ChangeKind::Modified)),
                Some(_) => {}
            }
        }
        changes.sort_by(|one, other| one.path.cmp(&other.path));
        self.seen = present;
        changes
    }

    /// Looks at some paths only.
    pub(super) fn again_at(&mut self, paths: &[PathBuf]) -> Vec<Change> {
        let mut changes = Vec::new();
        for path in paths {
            if self.is_watched(path) {
                self.look_at(path, &mut changes);
            }
        }
        changes
    }

    fn look_at(&mut self, path: &Path, changes: &mut Vec<Change>) {
        let Ok(metadata) = path.symlink_metadata() else {
            self.forget(path, changes);
            return;
        };
        let mut present = FxHashMap::default();
        if metadata.is_dir() {
            // A new folder may have got files before the system watched it.
            collect(path, DEEPEST, &mut present);
        } else if metadata.is_file() {
            present.insert(path.to_path_buf(), State::of(&metadata));
        }
        for (path, state) in present {
            match self.seen.insert(path.clone(), state) {
                None => changes.push(change(&path, ChangeKind::Created)),
                Some(before) if before != state => {
                    changes.push(change(&path, ChangeKind::Modified));
                }
                Some(_) => {}
            }
        }
    }

    /// A path that is gone takes everything below it along.
    fn forget(&mut self, path: &Path, changes: &mut Vec<Change>) {
        let mut gone: Vec<_> = self
            .seen
            .keys()
            .filter(|seen| seen.starts_with(path))
            .cloned()
            .collect();
        gone.sort();
        for path in gone {
            self.seen.remove(&path);
            changes.push(change(&path, ChangeKind::Removed));
        }
    }

    /// Whether this is one of the folders whose files are watched, and is there.
    pub(super) fn watches_folder(&self, path: &Path) -> bool {
        self.folders.iter().any(|folder| folder == path) && path.is_dir()
    }

    fn is_watched(&self, path: &Path) -> bool {
        path.parent() == Some(&self.root) && !path.is_dir()
            || self.folders.iter().any(|folder| path.starts_with(folder))
    }

    fn present(&self) -> FxHashMap<PathBuf, State> {
        let mut present = FxHashMap::default();
        collect(&self.root, 0, &mut present);
        for folder in &self.folders {
            collect(folder, DEEPEST, &mut present);
        }
        present
    }
}

impl State {
    fn of(metadata: &Metadata) -> Self {
        Self {
            size: metadata.len(),
            modified: metadata.modified().ok(),
        }
    }
}

fn change(path: &Path, kind: ChangeKind) -> Change {
    Change {
        path: path.to_path_buf(),
        kind,
    }
}

/// Collects the files of a folder and of those below it. What cannot be read is not
/// there; links are not followed.
fn collect(dir: &Path, levels: usize, present: &mut FxHashMap<PathBuf, State>) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    for entry in entries.filter_map(Result::ok) {
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_file() {
            if let Ok(metadata) = entry.metadata() {
                present.insert(entry.path(), State::of(&metadata));
            }
        } else if kind.is_dir() && levels > 0 {
            collect(&entry.path(), levels - 1, present);
        }
    }
}
