//! Listing one folder, without being led out of the home by a symbolic link.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::finding::Finding;
use crate::kept::live_name;

/// One name in a folder.
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) is_dir: bool,
    /// What the system says of a transcript. Asked while its folder is open, which is quicker than
    /// by its path.
    metadata: Option<fs::Metadata>,
}

impl Entry {
    /// Returns what the system says of the file.
    pub(crate) fn metadata(&self) -> io::Result<fs::Metadata> {
        match &self.metadata {
            Some(metadata) => Ok(metadata.clone()),
            None => self.path.metadata(),
        }
    }
}

/// The folders that symbolic links may lead to.
pub(crate) struct Fence {
    roots: Vec<PathBuf>,
}

impl Fence {
    pub(crate) fn around<'a>(roots: impl IntoIterator<Item = &'a Path>) -> Self {
        Self {
            roots: roots
                .into_iter()
                .filter_map(|root| root.canonicalize().ok())
                .collect(),
        }
    }

    fn admits(&self, path: &Path) -> bool {
        path.canonicalize()
            .is_ok_and(|real| self.roots.iter().any(|root| real.starts_with(root)))
    }
}

/// Whose folder is listed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Storage {
    /// One of the home.
    Home,
    /// One of the archive: kept files are named as they were in the home, anything else that is
    /// no folder is passed over.
    Archive,
}

/// The entries of a folder of the home or the archive, by name.
pub(crate) fn entries_in(
    storage: Storage,
    dir: &Path,
    fence: &Fence,
    findings: &mut Vec<Finding>,
) -> Vec<Entry> {
    let entries = entries(dir, fence, findings);
    match storage {
        Storage::Home => entries,
        Storage::Archive => entries.into_iter().filter_map(as_in_home).collect(),
    }
}

fn as_in_home(entry: Entry) -> Option<Entry> {
    if entry.is_dir {
        return Some(entry);
    }
    let name = live_name(&entry.name)?.to_owned();
    Some(Entry { name, ..entry })
}

/// The entries of a folder by name. A folder that is not there has none.
pub(crate) fn entries(dir: &Path, fence: &Fence, findings: &mut Vec<Finding>) -> Vec<Entry> {
    let listed = match fs::read_dir(dir) {
        Ok(listed) => listed,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            findings.push(Finding::new(dir, error));
            return Vec::new();
        }
    };
    let mut entries = Vec::new();
    for entry in listed {
        match entry.and_then(|entry| classify(&entry, fence)) {
            Ok(Ok(entry)) => entries.push(entry),
            Ok(Err(finding)) => findings.push(finding),
            Err(error) => findings.push(Finding::new(dir, error)),
        }
    }
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    entries
}

fn classify(entry: &fs::DirEntry, fence: &Fence) -> io::Result<Result<Entry, Finding>> {
    let mut kind = entry.file_type()?;
    let is_plain_file = kind.is_file();
    let path = entry.path();
    if kind.is_symlink() {
        match path.metadata() {
            Ok(_) if !fence.admits(&path) => {
                return Ok(Err(Finding::new(
                    &path,
                    "a link that leads out of the home",
                )));
            }
            Ok(metadata) => kind = metadata.file_type(),
            Err(_) => return Ok(Err(Finding::new(&path, "a link that leads nowhere"))),
        }
    }
    if !kind.is_dir() && !kind.is_file() {
        // Opening a named pipe would wait for ever.
        return Ok(Err(Finding::new(&path, "neither a file nor a folder")));
    }
    let name = entry.file_name().to_string_lossy().into_owned();
    let is_transcript = is_plain_file && name.ends_with(".jsonl");
    Ok(Ok(Entry {
        metadata: is_transcript.then(|| entry.metadata().ok()).flatten(),
        name,
        path,
        is_dir: kind.is_dir(),
    }))
}
