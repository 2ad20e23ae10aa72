//! The folder, who may write into it, and what can go wrong.
//!
//! ```text
//! <archive>/ravel-archive       marks the folder, says its form
//! <archive>/home/…/x.jsonl.kept the files of the home, by the same names
//! <archive>/chunks/9f/9f86….zst what is in them
//! <archive>/damaged/9f86….zst   chunks that are not what their name says
//! <archive>/tmp/                what is being written
//! <archive>/lock                held by who writes
//! ```

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use ravel_home::{ARCHIVE_MARK, mirror_of};

use crate::{atomic, store};

/// An archive of one home.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    root: PathBuf,
}

/// The right to change an archive. Only one process has it at a time; it ends with the value.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Who wants to know how far things are.
pub trait Progress: Sync {
    /// So many bytes are to be looked at.
    fn begin(&self, _n_bytes: u64) {}
    /// So many more bytes have been looked at.
    fn add(&self, _n_bytes: u64) {}
    /// The next thing that happens changes a file. Tests stop the process here.
    fn step(&self) {}
}

impl Progress for () {}

/// Why an archive cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The folder or a file in it cannot be written.
    #[error("write {}: {source}", path.display())]
    Write {
        /// What was written.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The folder or a file in it cannot be read.
    #[error("read {}: {source}", path.display())]
    Read {
        /// What was read.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The folder has other things in it.
    #[error("use {} as an archive: it has other things in it", .0.display())]
    NotAnArchive(PathBuf),
    /// A later version of Ravel made it.
    #[error("use {}: it has a form that this version of Ravel does not know", .0.display())]
    Newer(PathBuf),
}

impl ArchiveError {
    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        Self::Write {
            path: path.to_path_buf(),
            source,
        }
    }

    pub(crate) fn read(path: &Path, source: io::Error) -> Self {
        Self::Read {
            path: path.to_path_buf(),
            source,
        }
    }
}

const MARK: &str = "ravel-archive 1\n";

/// Everything that is ever in the folder.
const OURS: [&str; 6] = ["lock", ARCHIVE_MARK, "tmp", "chunks", "home", "damaged"];

impl Archive {
    /// Takes a folder as it is, without looking whether it exists.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether there is an archive yet.
    pub fn exists(&self) -> bool {
        self.root.join(ARCHIVE_MARK).is_file()
    }

    /// The copy of the home.
    pub fn mirror(&self) -> PathBuf {
        mirror_of(&self.root)
    }

    pub(crate) fn chunks(&self) -> PathBuf {
        self.root.join("chunks")
    }

    /// Where chunks go that turned out to be damaged.
    pub(crate) fn damaged(&self) -> PathBuf {
        self.root.join("damaged")
    }

    pub(crate) fn tmp(&self) -> PathBuf {
        self.root.join("tmp")
    }

    /// Takes the right to change the archive, and makes it when it is not there. Waits while
    /// another process has it.
    pub fn lock(&self) -> Result<Lock, ArchiveError> {
        let (path, file) = self.open_lock()?;
        file.lock()
            .map_err(|error| ArchiveError::write(&path, error))?;
        self.prepare(file)
    }

    /// As [`lock`](Self::lock), but `None` instead of waiting.
    pub fn try_lock(&self) -> Result<Option<Lock>, ArchiveError> {
        let (path, file) = self.open_lock()?;
        match file.try_lock() {
            Ok(()) => self.prepare(file).map(Some),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(ArchiveError::write(&path, error)),
        }
    }

    /// Keeps others from pruning while this one reads. An archive on a disk that cannot be
    /// written has nobody to prune it.
    pub(crate) fn share(&self) -> Option<File> {
        let file = File::open(self.root.join("lock")).ok()?;
        file.lock_shared().ok()?;
        Some(file)
    }

    fn open_lock(&self) -> Result<(PathBuf, File), ArchiveError> {
        let path = self.root.join("lock");
        self.check_mark()?;
        atomic::make_folder(&self.root).map_err(|error| ArchiveError::write(&self.root, error))?;
        let file = File::options()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(|error| ArchiveError::write(&path, error))?;
        Ok((path, file))
    }

    /// Refuses a folder that is something else. Without the mark it may have nothing in it but
    /// the lock, which comes before the mark.
    fn check_mark(&self) -> Result<(), ArchiveError> {
        let path = self.root.join(ARCHIVE_MARK);
        match fs::read(&path) {
            Ok(mark) if mark == MARK.as_bytes() => Ok(()),
            // One that was being made when the process ended.
            Ok(mark) if MARK.as_bytes().starts_with(&mark) => self.check_names(&OURS),
            Ok(_) => Err(ArchiveError::Newer(self.root.clone())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                match self.check_names(&["lock"]) {
                    // Another process made it a moment ago.
                    Err(ArchiveError::NotAnArchive(_)) if self.exists() => self.check_mark(),
                    outcome => outcome,
                }
            }
            Err(error) => Err(ArchiveError::read(&path, error)),
        }
    }

    /// Whether there is nothing in the folder but things of these names.
    fn check_names(&self, names: &[&str]) -> Result<(), ArchiveError> {
        let is_other = |entry: &fs::DirEntry| !names.iter().any(|name| entry.file_name() == *name);
        match store::entries(&self.root)?.iter().any(is_other) {
            true => Err(ArchiveError::NotAnArchive(self.root.clone())),
            false => Ok(()),
        }
    }

    /// Marks the folder, makes the folders in it, and removes what a killed process left half
    /// written.
    fn prepare(&self, file: File) -> Result<Lock, ArchiveError> {
        // Now that nobody else writes: things may have come into an unmarked folder meanwhile.
        self.check_mark()?;
        let result = || -> io::Result<()> {
            let mark = self.root.join(ARCHIVE_MARK);
            if fs::read(&mark).ok().as_deref() != Some(MARK.as_bytes()) {
                let mut file = File::create(&mark)?;
                file.write_all(MARK.as_bytes())?;
                file.sync_all()?;
            }
            for folder in [&self.tmp(), &self.chunks(), &self.mirror()] {
                atomic::make_folder(folder)?;
            }
            atomic::remove_leftovers(&self.tmp())
        };
        result().map_err(|error| ArchiveError::write(&self.root, error))?;
        Ok(Lock { _file: file })
    }
}
