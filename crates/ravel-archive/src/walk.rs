//! The files of a home, or of its mirror in the archive.
//!
//! Both have the same names, so that one description of what belongs to a session does for
//! both. Symbolic links are followed only while they stay inside.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ravel_home::{Finding, Home};

use crate::archive::Archive;

/// Folders of tools and agents are two or three deep; this stops a link that leads in a circle.
const DEEPEST: usize = 24;

/// A home, or its mirror.
pub(crate) struct Tree {
    root: PathBuf,
    /// Where links may lead.
    fence: Vec<PathBuf>,
    is_mirror: bool,
}

/// A file of a tree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Item {
    /// Its name in the home, relative to it.
    pub(crate) name: PathBuf,
    /// Where it is.
    pub(crate) path: PathBuf,
}

/// What is in one folder.
#[derive(Default)]
pub(crate) struct Folder {
    pub(crate) files: Vec<Item>,
    pub(crate) folders: Vec<PathBuf>,
}

impl Tree {
    pub(crate) fn of_home(home: &Home) -> Self {
        // These may be links to another disk: a person made them so.
        let roots = [
            home.root().to_path_buf(),
            home.projects(),
            home.conversations(),
        ];
        Self::new(home.root(), &roots)
    }

    pub(crate) fn of_archive(archive: &Archive) -> Self {
        let mirror = archive.mirror();
        Self {
            is_mirror: true,
            ..Self::new(&mirror, std::slice::from_ref(&mirror))
        }
    }

    fn new(root: &Path, fence: &[PathBuf]) -> Self {
        Self {
            root: root.to_path_buf(),
            fence: fence
                .iter()
                .filter_map(|root| root.canonicalize().ok())
                .collect(),
            is_mirror: false,
        }
    }

    /// The file of this name, if there is one.
    pub(crate) fn file(&self, name: &Path) -> Option<Item> {
        let path = self.root.join(name);
        let path = match self.is_mirror {
            true => ravel_home::kept_path(&path),
            false => path,
        };
        let is_there = path.is_file() && self.admits(&path);
        is_there.then(|| Item {
            name: name.to_path_buf(),
            path,
        })
    }

    /// What is in a folder, by name. A folder that is not there has nothing in it.
    pub(crate) fn list(&self, name: &Path, findings: &mut Vec<Finding>) -> Folder {
        let dir = self.root.join(name);
        let mut folder = Folder::default();
        let entries = match fs::read_dir(&dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return folder,
            Err(error) => {
                findings.push(Finding::new(&dir, error));
                return folder;
            }
        };
        for entry in entries {
            let added = entry.and_then(|entry| self.classify(&entry, name, &mut folder));
            match added {
                Ok(None) => {}
                Ok(Some(finding)) => findings.push(finding),
                Err(error) => findings.push(Finding::new(&dir, error)),
            }
        }
        folder.files.sort();
        folder.folders.sort();
        folder
    }

    /// All files in a folder and below it.
    pub(crate) fn below(&self, name: &Path, findings: &mut Vec<Finding>) -> Vec<Item> {
        let mut files = Vec::new();
        let mut folders = vec![(name.to_path_buf(), 0)];
        while let Some((name, depth)) = folders.pop() {
            if depth > DEEPEST {
                let dir = self.root.join(name);
                findings.push(Finding::new(&dir, "nested too deeply"));
                continue;
            }
            let folder = self.list(&name, findings);
            files.extend(folder.files);
            folders.extend(folder.folders.into_iter().map(|name| (name, depth + 1)));
        }
        files.sort();
        files
    }

    fn classify(
        &self,
        entry: &fs::DirEntry,
        folder_name: &Path,
        folder: &mut Folder,
    ) -> io::Result<Option<Finding>> {
        let path = entry.path();
        let mut kind = entry.file_type()?;
        if kind.is_symlink() {
            match path.metadata() {
                Ok(_) if !self.admits(&path) => {
                    return Ok(Some(Finding::new(
                        &path,
                        "a link that leads out of the home",
                    )));
                }
                Ok(metadata) => kind = metadata.file_type(),
                Err(_) => return Ok(Some(Finding::new(&path, "a link that leads nowhere"))),
            }
        }
        let name = entry.file_name();
        if kind.is_dir() {
            folder.folders.push(folder_name.join(name));
        } else if kind.is_file() {
            folder.files.extend(self.live_name(name).map(|name| Item {
                name: folder_name.join(name),
                path,
            }));
        }
        Ok(None)
    }

    /// The name of a file in the home. `None` in a mirror for what is no current copy.
    fn live_name(&self, name: OsString) -> Option<OsString> {
        if !self.is_mirror {
            return Some(name);
        }
        let path = Path::new(&name);
        let is_kept = path.extension() == Some(OsStr::new("kept"));
        is_kept
            .then(|| path.file_stem().map(OsStr::to_owned))
            .flatten()
    }

    fn admits(&self, path: &Path) -> bool {
        path.canonicalize()
            .is_ok_and(|real| self.fence.iter().any(|root| real.starts_with(root)))
    }
}
