//! One file of the home into the archive.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ravel_home::{ChunkId, ChunkRef, Manifest, Stamp, read_at};
use rayon::prelude::*;

use crate::archive::ArchiveError;
use crate::cut::{self, first_chunk};
use crate::store::Store;

/// Files up to this size are kept one on each core; larger ones use all cores for themselves.
pub(crate) const LARGE: u64 = 4 << 20;

/// Up to this size everything that was kept is compared before a file counts as grown. Of more,
/// only the beginning and the end are: clients append, and take back at most the last lines.
const COMPARED_WHOLE: u64 = 32 << 20;

/// How many chunks at the end of a large file are compared.
const N_LAST: usize = 4;

/// How much of a large file is in memory at a time.
const WINDOW: usize = 16 << 20;

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is as it was kept.
    Unchanged,
    /// It was not in the archive.
    New,
    /// Bytes were added to its end.
    Grown,
    /// It was cut or rewritten; what was kept of it stays as an earlier version.
    Replaced,
    /// It went away before it could be read.
    Gone,
}

/// What was done for a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileReport {
    pub(crate) outcome: Outcome,
    /// Bytes that the archive did not have of it.
    pub(crate) n_new: u64,
}

/// Why a file was not kept.
pub(crate) enum FileError {
    /// It cannot be read.
    Source(io::Error),
    /// The archive cannot be written.
    Archive(ArchiveError),
}

impl From<ArchiveError> for FileError {
    fn from(error: ArchiveError) -> Self {
        Self::Archive(error)
    }
}

/// A file and its place in the archive.
pub(crate) struct Pair<'a> {
    /// The file of the home.
    pub(crate) source: &'a Path,
    /// Its kept file.
    pub(crate) kept: &'a Path,
}

/// What the archive has of a file.
pub(crate) enum Before {
    Nothing,
    Kept(Manifest),
    /// There is a kept file that cannot be understood.
    Damaged,
}

impl Before {
    pub(crate) fn load(kept: &Path) -> Result<Self, ArchiveError> {
        match Manifest::load(kept) {
            Ok(manifest) => Ok(Self::Kept(manifest)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::Nothing),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Ok(Self::Damaged),
            Err(error) => Err(ArchiveError::read(kept, error)),
        }
    }

    /// Whether the file has not been touched since.
    pub(crate) fn is_current(&self, metadata: &Metadata) -> bool {
        matches!(self, Self::Kept(old) if is_untouched(old, metadata))
    }
}

/// Whether a file has not been touched since it was kept.
pub(crate) fn is_untouched(old: &Manifest, metadata: &Metadata) -> bool {
    old.size == metadata.len() && old.modified == modified(metadata) && old.stamp == stamp(metadata)
}

/// Brings the kept copy of a file up to date.
pub(crate) fn keep(store: &Store<'_>, pair: &Pair<'_>) -> Result<FileReport, FileError> {
    let metadata = match pair.source.metadata() {
        Ok(metadata) => metadata,
        Err(error) => return gone_or(error),
    };
    let before = Before::load(pair.kept)?;
    let has_all = |old: &Manifest| old.chunks.iter().all(|chunk| store.has(&chunk.id));
    if before.is_current(&metadata)
        && let Before::Kept(old) = &before
        && has_all(old)
    {
        store.writer.progress.add(metadata.len());
        return Ok(FileReport {
            outcome: Outcome::Unchanged,
            n_new: 0,
        });
    }
    let file = match File::open(pair.source) {
        Ok(file) => file,
        Err(error) => return gone_or(error),
    };
    // What is appended from here on is for the next time.
    let metadata = file.metadata().map_err(FileError::Source)?;
    let copy = Copy {
        store,
        file,
        metadata,
    };
    match before {
        Before::Nothing => copy.anew(pair.kept, Outcome::New),
        Before::Kept(old) if copy.extends(&old)? => match has_all(&old) {
            true => copy.grow(&old, pair.kept),
            // The archive has lost a chunk, and gets it back: nothing of before is missing then.
            false => copy.anew(pair.kept, Outcome::Grown),
        },
        Before::Kept(_) | Before::Damaged => copy.replace(pair.kept),
    }
}

fn gone_or(error: io::Error) -> Result<FileReport, FileError> {
    match error.kind() {
        io::ErrorKind::NotFound => Ok(FileReport {
            outcome: Outcome::Gone,
            n_new: 0,
        }),
        _ => Err(FileError::Source(error)),
    }
}

/// A file while it is copied.
struct Copy<'a, 'p> {
    store: &'a Store<'p>,
    file: File,
    metadata: Metadata,
}

impl Copy<'_, '_> {
    /// Whether the file still begins with what was kept of it.
    fn extends(&self, old: &Manifest) -> Result<bool, FileError> {
        let size = self.metadata.len();
        if size < old.size {
            return Ok(false);
        }
        let has_grown = size > old.size && stamp(&self.metadata).inode == old.stamp.inode;
        let n_chunks = old.chunks.len();
        let is_compared = |number: usize| {
            old.size <= COMPARED_WHOLE || !has_grown || number == 0 || number + N_LAST >= n_chunks
        };
        let mut buffer = Vec::new();
        for (number, (chunk, start)) in old.chunks.iter().zip(old.starts()).enumerate() {
            if is_compared(number) && !self.is_same(chunk, start, &mut buffer)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_same(
        &self,
        chunk: &ChunkRef,
        start: u64,
        buffer: &mut Vec<u8>,
    ) -> Result<bool, FileError> {
        buffer.resize(usize::try_from(chunk.length).unwrap_or(usize::MAX), 0);
        let n_read = read_at(&self.file, buffer, start).map_err(FileError::Source)?;
        Ok(n_read == buffer.len() && ChunkId::of(buffer) == chunk.id)
    }

    /// Adds what the file has grown by.
    fn grow(&self, old: &Manifest, kept: &Path) -> Result<FileReport, FileError> {
        let mut chunks = old.chunks.clone();
        let is_same_size = old.size == self.metadata.len();
        // The last chunk ended with the file, not where a cut would be.
        if !is_same_size {
            chunks.pop();
        }
        let n_kept = chunks.iter().map(|chunk| chunk.length).sum();
        self.store.writer.progress.add(n_kept);
        let manifest = self.manifest(chunks)?;
        if manifest.size < old.size {
            // It was cut while it was read.
            return self.replace(kept);
        }
        write_manifest(self.store, kept, &manifest)?;
        let outcome = match is_same_size {
            true => Outcome::Unchanged,
            false => Outcome::Grown,
        };
        Ok(FileReport {
            outcome,
            n_new: manifest.size - old.size,
        })
    }

    /// Keeps the file as it is now, and what was kept of it as an earlier version.
    fn replace(&self, kept: &Path) -> Result<FileReport, FileError> {
        let manifest = self.manifest(Vec::new())?;
        put_aside(self.store, kept)?;
        write_manifest(self.store, kept, &manifest)?;
        Ok(FileReport {
            outcome: Outcome::Replaced,
            n_new: manifest.size,
        })
    }

    /// Keeps the whole file, and nothing of before.
    fn anew(&self, kept: &Path, outcome: Outcome) -> Result<FileReport, FileError> {
        let manifest = self.manifest(Vec::new())?;
        write_manifest(self.store, kept, &manifest)?;
        Ok(FileReport {
            outcome,
            n_new: manifest.size,
        })
    }

    /// Stores what comes after some chunks, up to the size that was seen at the start.
    fn manifest(&self, mut chunks: Vec<ChunkRef>) -> Result<Manifest, FileError> {
        let end = self.metadata.len();
        let mut offset: u64 = chunks.iter().map(|chunk| chunk.length).sum();
        let room = if end > LARGE { WINDOW } else { cut::LARGEST };
        let mut window = Window::default();
        let mut last_byte = None;
        loop {
            let is_end = window.fill(&self.file, offset..end, room)?;
            let pieces = window.pieces(is_end);
            if pieces.is_empty() {
                break;
            }
            chunks.extend(self.put_all(&pieces)?);
            let n_taken = pieces.iter().map(|piece| piece.len()).sum();
            last_byte = pieces.last().and_then(|piece| piece.last()).copied();
            offset += n_taken as u64;
            window.drop_first(n_taken);
        }
        // Nothing was read: the last chunk of before is still the last.
        let is_open_ended = match last_byte {
            Some(byte) => byte != b'\n',
            None if offset > 0 => self.byte_at(offset - 1)? != Some(b'\n'),
            None => false,
        };
        Ok(Manifest {
            size: offset,
            modified: modified(&self.metadata),
            stamp: stamp(&self.metadata),
            is_open_ended,
            chunks,
        })
    }

    fn byte_at(&self, offset: u64) -> Result<Option<u8>, FileError> {
        let mut byte = [0];
        let n_read = read_at(&self.file, &mut byte, offset).map_err(FileError::Source)?;
        Ok(byte.first().copied().filter(|_| n_read == 1))
    }

    fn put_all(&self, pieces: &[&[u8]]) -> Result<Vec<ChunkRef>, ArchiveError> {
        let put = |piece: &&[u8]| {
            let chunk = self.store.put(piece)?;
            self.store.writer.progress.add(chunk.length);
            Ok(chunk)
        };
        // Small files are already kept side by side; to nest would hold many of them in memory.
        if self.metadata.len() > LARGE {
            pieces.par_iter().map(put).collect()
        } else {
            pieces.iter().map(put).collect()
        }
    }
}

/// The part of a file that is in memory.
#[derive(Default)]
struct Window {
    bytes: Vec<u8>,
}

impl Window {
    /// Reads on, and tells whether the end was reached.
    fn fill(
        &mut self,
        file: &File,
        range: std::ops::Range<u64>,
        room: usize,
    ) -> Result<bool, FileError> {
        let n_before = self.bytes.len();
        let next = range.start + n_before as u64;
        let n_left = usize::try_from(range.end.saturating_sub(next)).unwrap_or(usize::MAX);
        let n_wanted = n_left.min(room.saturating_sub(n_before));
        self.bytes.resize(n_before + n_wanted, 0);
        let rest = self.bytes.get_mut(n_before..).unwrap_or_default();
        let n_read = read_at(file, rest, next).map_err(FileError::Source)?;
        self.bytes.truncate(n_before + n_read);
        Ok(n_read == n_left || n_read < n_wanted)
    }

    /// The chunks whose end is known.
    fn pieces(&self, is_end: bool) -> Vec<&[u8]> {
        let mut pieces = Vec::new();
        let mut rest = self.bytes.as_slice();
        while rest.len() >= cut::LARGEST || is_end && !rest.is_empty() {
            let (piece, after) = rest.split_at(first_chunk(rest));
            pieces.push(piece);
            rest = after;
        }
        pieces
    }

    fn drop_first(&mut self, n_bytes: usize) {
        self.bytes.drain(..n_bytes.min(self.bytes.len()));
    }
}

fn write_manifest(store: &Store<'_>, kept: &Path, manifest: &Manifest) -> Result<(), ArchiveError> {
    store
        .writer
        .write(kept, manifest.to_text().as_bytes())
        .map_err(|error| ArchiveError::write(kept, error))
}

/// Keeps a file as an earlier version of what its kept file stands for, unless some version is
/// the same. Returns what it looked like, so that one can tell whether it has changed since.
pub(crate) fn keep_aside(store: &Store<'_>, pair: &Pair<'_>) -> Result<Manifest, FileError> {
    let file = File::open(pair.source).map_err(FileError::Source)?;
    let metadata = file.metadata().map_err(FileError::Source)?;
    let copy = Copy {
        store,
        file,
        metadata,
    };
    let manifest = copy.manifest(Vec::new())?;
    let number = free_number(pair.kept);
    let earlier = (1..number).map(|number| version_path(pair.kept, number));
    let mut versions = earlier.chain([pair.kept.to_path_buf()]);
    let is_same = |path: PathBuf| {
        Manifest::load(&path).is_ok_and(|version| version.chunks == manifest.chunks)
    };
    if !versions.any(is_same) {
        write_manifest(store, &version_path(pair.kept, number), &manifest)?;
    }
    Ok(manifest)
}

/// Copies a kept file to the next free number, unless that was done before the process ended.
fn put_aside(store: &Store<'_>, kept: &Path) -> Result<(), ArchiveError> {
    let current = fs::read(kept).map_err(|error| ArchiveError::read(kept, error))?;
    let number = free_number(kept);
    let is_there = number > 1
        && fs::read(version_path(kept, number - 1)).is_ok_and(|newest| newest == current);
    if is_there {
        return Ok(());
    }
    let path = version_path(kept, number);
    store
        .writer
        .write(&path, &current)
        .map_err(|error| ArchiveError::write(&path, error))
}

/// The number that the next earlier version of a kept file gets.
fn free_number(kept: &Path) -> u32 {
    let mut number = 1;
    while version_path(kept, number).exists() {
        number += 1;
    }
    number
}

/// The path of an earlier version of a kept file.
pub(crate) fn version_path(kept: &Path, number: u32) -> PathBuf {
    let mut name = kept.as_os_str().to_owned();
    name.push(format!(".{number}"));
    PathBuf::from(name)
}

fn modified(metadata: &Metadata) -> SystemTime {
    metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH)
}

#[cfg(unix)]
fn stamp(metadata: &Metadata) -> Stamp {
    use std::os::unix::fs::MetadataExt as _;
    Stamp {
        inode: metadata.ino(),
        changed_ns: i128::from(metadata.ctime()) * 1_000_000_000
            + i128::from(metadata.ctime_nsec()),
    }
}

#[cfg(not(unix))]
fn stamp(_: &Metadata) -> Stamp {
    Stamp::default()
}
