//! A file of a session, wherever it is stored.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use super::{Kept, Manifest, is_kept};
use crate::positional::read_at;

/// A file, open for reading by place: a plain one, or one of the archive.
#[derive(Debug)]
pub enum StoredFile {
    /// A file as it is.
    Plain(File),
    /// A file of the archive.
    Kept(Box<Kept>),
}

impl StoredFile {
    /// Opens a file. The name says what kind it is.
    pub fn open(path: &Path) -> io::Result<Self> {
        if is_kept(path) {
            return Ok(Self::Kept(Box::new(Kept::open(path)?)));
        }
        Ok(Self::Plain(File::open(path)?))
    }

    /// The size of a file in bytes and when it was last written, without its content.
    pub fn facts(path: &Path) -> io::Result<(u64, SystemTime)> {
        if is_kept(path) {
            let manifest = Manifest::load(path)?;
            return Ok((manifest.size, manifest.modified));
        }
        let metadata = path.metadata()?;
        let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        Ok((metadata.len(), modified))
    }

    /// Its size in bytes, and when it was last written.
    pub fn size_and_time(&self) -> io::Result<(u64, SystemTime)> {
        match self {
            Self::Plain(file) => {
                let metadata = file.metadata()?;
                let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                Ok((metadata.len(), modified))
            }
            Self::Kept(kept) => Ok((kept.size(), kept.modified())),
        }
    }

    /// Reads up to `buffer.len()` bytes from `offset`; fewer only at the end of the file.
    pub fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self {
            Self::Plain(file) => read_at(file, buffer, offset),
            Self::Kept(kept) => kept.read_at(buffer, offset),
        }
    }

    /// Reads the file from its start, at most `limit` bytes of it.
    pub fn read_start(&self, limit: u64) -> io::Result<Vec<u8>> {
        let (size, _) = self.size_and_time()?;
        let length = usize::try_from(size.min(limit)).map_err(io::Error::other)?;
        let mut bytes = vec![0; length];
        let n_read = self.read_at(&mut bytes, 0)?;
        bytes.truncate(n_read);
        Ok(bytes)
    }
}
