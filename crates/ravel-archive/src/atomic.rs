//! Files that are there as a whole or not at all.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::archive::Progress;

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
        let number = self.n_written.fetch_add(1, Ordering::Relaxed);
        let new = self.tmp.join(number.to_string());
        self.progress.step();
        let mut file = private_file(&new)?;
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
            touched.insert(folder.to_path_buf());
        }
        Ok(())
    }

    /// Puts the new names on the disk. What cannot be done here is not known to be lost either.
    pub(crate) fn settle(&self) {
        let touched = self.touched.lock().map(|mut all| std::mem::take(&mut *all));
        for folder in touched.unwrap_or_default() {
            if let Ok(folder) = File::open(folder) {
                let _ = folder.sync_all();
            }
        }
    }
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
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
