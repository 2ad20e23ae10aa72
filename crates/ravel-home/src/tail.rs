//! Following one file while it grows.
//!
//! A client appends lines; [`Tail::poll`] hands out what was added since the last
//! call, in complete lines only. A torn last line is held back until its newline
//! comes and can be looked at with [`Tail::pending`]. A file that was cut short,
//! rewritten or replaced is noticed and reported once as [`TailEvent::Reset`], after
//! which reading starts over. Nothing here waits: the caller decides when to poll.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use crate::positional::read_at;

/// How much one poll reads at most, so that a large file does not fill the memory.
const LARGEST_READ: usize = 4 << 20;

/// How many bytes before the reading point are remembered, to notice a rewrite.
const ANCHOR_BYTES: usize = 64;

/// One growing file.
#[derive(Debug)]
pub struct Tail {
    path: PathBuf,
    open: Option<OpenFile>,
    /// Where the next read starts.
    offset: u64,
    /// What was read and has no newline yet.
    pending: Vec<u8>,
    /// The last bytes before `offset`.
    anchor: Vec<u8>,
}

/// What happened since the last poll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TailEvent {
    /// Nothing that completes a line.
    Idle,
    /// Lines were added. There may be more: poll again.
    Lines(Chunk),
    /// The file was cut short, rewritten or replaced. Everything handed out before is
    /// void, and the next poll starts at its beginning.
    Reset,
    /// There is no such file, or not yet.
    Missing,
}

/// Complete lines, in one piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Where they start in the file.
    pub offset: u64,
    /// The lines; the last byte is a newline.
    pub bytes: Vec<u8>,
}

#[derive(Debug)]
struct OpenFile {
    file: File,
    identity: Identity,
}

/// What tells a file from another one in its place.
#[derive(Debug, PartialEq, Eq)]
struct Identity(u64, u64);

impl Tail {
    /// Follows a file from its beginning.
    pub fn from_start(path: impl Into<PathBuf>) -> Self {
        Self::from_offset(path, 0)
    }

    /// Follows a file from the start of a line.
    pub fn from_offset(path: impl Into<PathBuf>, offset: u64) -> Self {
        Self {
            path: path.into(),
            open: None,
            offset,
            pending: Vec::new(),
            anchor: Vec::new(),
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The torn last line, as far as it was written.
    pub fn pending(&self) -> &[u8] {
        &self.pending
    }

    /// Where the next line to be handed out starts.
    pub fn offset(&self) -> u64 {
        self.offset - self.pending.len() as u64
    }

    /// Looks once for what is new.
    pub fn poll(&mut self) -> io::Result<TailEvent> {
        let metadata = match self.path.metadata() {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(self.lose()),
            Err(error) => return Err(error),
        };
        if self.is_replaced(&metadata)? {
            self.restart();
            return Ok(TailEvent::Reset);
        }
        if metadata.len() == self.offset {
            return Ok(TailEvent::Idle);
        }
        self.read()
    }

    fn lose(&mut self) -> TailEvent {
        if self.open.is_some() {
            self.restart();
            return TailEvent::Reset;
        }
        TailEvent::Missing
    }

    fn restart(&mut self) {
        *self = Self::from_start(std::mem::take(&mut self.path));
    }

    fn is_replaced(&self, metadata: &Metadata) -> io::Result<bool> {
        if metadata.len() < self.offset {
            return Ok(true);
        }
        let Some(open) = &self.open else {
            return Ok(false);
        };
        if open.identity != Identity::of(metadata) {
            return Ok(true);
        }
        // The same file may have been emptied and written anew, longer than before.
        let mut before = [0; ANCHOR_BYTES];
        let before = before.get_mut(..self.anchor.len()).unwrap_or_default();
        let n_read = read_at(&open.file, before, self.offset - self.anchor.len() as u64)?;
        Ok(before.get(..n_read) != Some(self.anchor.as_slice()))
    }

    fn read(&mut self) -> io::Result<TailEvent> {
        let open = match self.open.take() {
            Some(open) => open,
            None => OpenFile::open(&self.path)?,
        };
        let open = self.open.insert(open);
        let mut added = vec![0; LARGEST_READ.min(room(&open.file, self.offset)?)];
        let n_read = read_at(&open.file, &mut added, self.offset)?;
        added.truncate(n_read);
        Ok(self.accept(&added))
    }

    /// Takes in new bytes and hands out what is complete.
    fn accept(&mut self, added: &[u8]) -> TailEvent {
        let start = self.offset();
        self.offset += added.len() as u64;
        self.remember(added);
        let Some(newline) = memchr::memrchr(b'\n', added) else {
            self.pending.extend_from_slice(added);
            return TailEvent::Idle;
        };
        let (complete, torn) = added.split_at(newline + 1);
        let mut bytes = std::mem::replace(&mut self.pending, torn.to_vec());
        bytes.extend_from_slice(complete);
        TailEvent::Lines(Chunk {
            offset: start,
            bytes,
        })
    }

    fn remember(&mut self, added: &[u8]) {
        self.anchor.extend_from_slice(
            added
                .get(added.len().saturating_sub(ANCHOR_BYTES)..)
                .unwrap_or(added),
        );
        let surplus = self.anchor.len().saturating_sub(ANCHOR_BYTES);
        self.anchor.drain(..surplus);
    }
}

impl Chunk {
    /// The lines without their newlines, each with its place in the file.
    pub fn lines(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let mut offset = self.offset;
        self.bytes
            .split_inclusive(|&byte| byte == b'\n')
            .map(move |line| {
                let start = offset;
                offset += line.len() as u64;
                (start, line.strip_suffix(b"\n").unwrap_or(line))
            })
    }
}

impl OpenFile {
    fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let identity = Identity::of(&file.metadata()?);
        Ok(Self { file, identity })
    }
}

impl Identity {
    #[cfg(unix)]
    fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self(metadata.dev(), metadata.ino())
    }

    /// Without a stable file number, the time of creation has to do.
    #[cfg(not(unix))]
    fn of(metadata: &Metadata) -> Self {
        let created = metadata.created().ok();
        let since = created.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let since = since.unwrap_or_default();
        Self(since.as_secs(), u64::from(since.subsec_nanos()))
    }
}

/// How much of the file is still to be read.
fn room(file: &File, offset: u64) -> io::Result<usize> {
    let rest = file.metadata()?.len().saturating_sub(offset);
    Ok(usize::try_from(rest).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests;
