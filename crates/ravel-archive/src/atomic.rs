//! Files that are there as a whole or not at all.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::archive::{ArchiveError, Progress};

/// Writes files into an archive.
pub(crate) struct Writer<'p> {
    tmp: PathBuf,
    n_written: AtomicU64,
    /// The folders with new names in them, to be put on the disk at the end.
    touched: Mutex<BTreeSet<PathBuf>>,
    pub(crate) progress: &'p dyn Progress,
}

impl<'p> Writer<'p> {
    pub(crate) fn new(tmp: PathBuf, progress: &'p dyn Progress) -> Self {
        Self {
            tmp,
            n_written: AtomicU64::new(0),
            touched: Mutex::default(),
            progress,
        }
    }

    /// Writes a file, or replaces it, so that nobody ever sees a part of it.
    pub(crate) fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.progress.step();
        let (new, mut file) = self.new_file()?;
        // Two writes, so that a process can end between them.
        let (one, other) = bytes.split_at(bytes.len() / 2);
        file.write_all(one)?;
        self.progress.step();
        file.write_all(other)?;
        // The name must not reach the disk before the bytes do.
        file.sync_data()?;
        drop(file);
        let folder = path.parent().unwrap_or(Path::new(""));
        make_folder(folder)?;
        self.progress.step();
        fs::rename(&new, path)?;
        self.progress.step();
        if let Ok(mut touched) = self.touched.lock() {
            // The folders above may be as new as the file.
            let root = self.tmp.parent().unwrap_or(Path::new(""));
            let inside = folder
                .ancestors()
                .take_while(|above| above.starts_with(root));
            touched.extend(inside.map(Path::to_path_buf));
        }
        Ok(())
    }

    /// Makes a file with the next free number.
    fn new_file(&self) -> io::Result<(PathBuf, File)> {
        loop {
            let number = self.n_written.fetch_add(1, Ordering::Relaxed);
            let path = self.tmp.join(number.to_string());
            match private_file(&path) {
                // A folder of somebody else's.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                outcome => return outcome.map(|file| (path, file)),
            }
        }
    }

    /// Puts the new names on the disk. Until that is done, what they replace may be needed.
    pub(crate) fn settle(&self) -> Result<(), ArchiveError> {
        let touched = self.touched.lock().map(|mut all| std::mem::take(&mut *all));
        for folder in touched.unwrap_or_default() {
            sync_folder(&folder).map_err(|error| ArchiveError::write(&folder, error))?;
        }
        Ok(())
    }
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Elsewhere folders cannot be opened, and the system sees to their names itself.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Removes the numbered files that a killed process left, and nothing else.
pub(crate) fn remove_leftovers(tmp: &Path) -> io::Result<()> {
    for entry in fs::read_dir(tmp)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_number = name.as_encoded_bytes().iter().all(u8::is_ascii_digit);
        if is_number && !entry.file_type()?.is_dir() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Makes a folder that only its owner can look into: sessions hold secrets.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn private_file(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
