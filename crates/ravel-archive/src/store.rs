//! Chunks on disk, each once.

use std::cell::RefCell;
use std::fs::{self, DirEntry, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

use ravel_home::{ChunkId, ChunkRef, LARGEST_CHUNK, chunk_path, unpack_chunk};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::archive::{Archive, ArchiveError};
use crate::atomic::Writer;

/// How hard chunks are packed. What was measured is in docs/design/archive.md.
const LEVEL: i32 = 3;

/// The chunks of an archive while it is written.
pub(crate) struct Store<'p> {
    chunks: PathBuf,
    known: RwLock<FxHashSet<ChunkId>>,
    n_stored: AtomicU64,
    pub(crate) writer: Writer<'p>,
}

impl<'p> Store<'p> {
    /// Lists the chunks there are.
    pub(crate) fn open(archive: &Archive, writer: Writer<'p>) -> Result<Self, ArchiveError> {
        let chunks = archive.chunks();
        let known = list(&chunks)?.chunks.into_iter().map(|found| found.id);
        Ok(Self {
            known: RwLock::new(known.collect()),
            n_stored: AtomicU64::new(0),
            chunks,
            writer,
        })
    }

    /// Whether a chunk is there.
    pub(crate) fn has(&self, id: &ChunkId) -> bool {
        self.known.read().is_ok_and(|known| known.contains(id))
    }

    /// How many bytes of chunks were written.
    pub(crate) fn n_stored(&self) -> u64 {
        self.n_stored.load(Ordering::Relaxed)
    }

    /// Stores some bytes, unless they are there already.
    pub(crate) fn put(&self, bytes: &[u8]) -> Result<ChunkRef, ArchiveError> {
        let id = ChunkId::of(bytes);
        let chunk = ChunkRef {
            id,
            length: bytes.len() as u64,
        };
        // A chunk that is there by name may be damaged, and this may be the last chance to mend it.
        if self.has(&id) && unpack_chunk(&self.chunks, &chunk).is_ok() {
            return Ok(chunk);
        }
        let path = chunk_path(&self.chunks, &id);
        let n_written = pack(bytes)
            .and_then(|packed| {
                self.writer.write(&path, &packed)?;
                Ok(packed.len())
            })
            .map_err(|error| ArchiveError::write(&path, error))?;
        // Two files may have the same chunk at the same time; it counts once.
        if self.known.write().is_ok_and(|mut known| known.insert(id)) {
            self.n_stored.fetch_add(n_written as u64, Ordering::Relaxed);
        }
        Ok(chunk)
    }
}

fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    thread_local! {
        /// One a thread: making it costs as much as packing a small file.
        static PACKER: RefCell<Option<zstd::bulk::Compressor<'static>>> = const { RefCell::new(None) };
    }
    PACKER.with_borrow_mut(|packer| {
        if packer.is_none() {
            *packer = Some(zstd::bulk::Compressor::new(LEVEL)?);
        }
        match packer {
            Some(packer) => packer.compress(bytes),
            None => zstd::bulk::compress(bytes, LEVEL),
        }
    })
}

/// Whether the file of a chunk holds something else than its name says. One that cannot be read
/// may be whole.
pub(crate) fn is_damaged(path: &Path, id: &ChunkId) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    // A kept file that lies about the length of a chunk does not make it a damaged one.
    let mut packed = Vec::new();
    let read = file.take(2 * LARGEST_CHUNK).read_to_end(&mut packed);
    let largest = usize::try_from(LARGEST_CHUNK).unwrap_or(usize::MAX);
    let is_it = |bytes: Vec<u8>| ChunkId::of(&bytes) == *id;
    read.is_ok() && !zstd::bulk::decompress(&packed, largest).is_ok_and(is_it)
}

/// What is below `chunks`.
#[derive(Default)]
pub(crate) struct Listing {
    pub(crate) chunks: Vec<Found>,
    /// How many other things there are: those of a tool that syncs or backs up, say. They are
    /// somebody else's, and stay.
    pub(crate) n_strays: u64,
}

/// A file with the name of a chunk, in the place of that chunk.
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    pub(crate) id: ChunkId,
}

/// Lists what is below `chunks`.
pub(crate) fn list(chunks: &Path) -> Result<Listing, ArchiveError> {
    let mut listing = Listing::default();
    let mut folders = Vec::new();
    for entry in entries(chunks)? {
        match is_shelf(&entry) {
            true => folders.push(entry.path()),
            false => listing.n_strays += 1,
        }
    }
    let lists: Vec<_> = folders
        .par_iter()
        .map(|folder| list_shelf(chunks, folder))
        .collect();
    for list in lists {
        let list = list?;
        listing.chunks.extend(list.chunks);
        listing.n_strays += list.n_strays;
    }
    Ok(listing)
}

fn list_shelf(chunks: &Path, folder: &Path) -> Result<Listing, ArchiveError> {
    let mut listing = Listing::default();
    for entry in entries(folder)? {
        match found(chunks, &entry) {
            Some(found) => listing.chunks.push(found),
            None => listing.n_strays += 1,
        }
    }
    Ok(listing)
}

/// Whether this is one of the folders that chunks are in, such as `9f`.
fn is_shelf(entry: &DirEntry) -> bool {
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let name = entry.file_name();
    let name = name.as_encoded_bytes();
    name.len() == 2 && name.iter().all(is_digit) && entry.path().is_dir()
}

/// The chunk that an entry is, if it is one.
fn found(chunks: &Path, entry: &DirEntry) -> Option<Found> {
    let id = id_of(entry)?;
    let path = entry.path();
    // One in the wrong folder would never be looked for there.
    (chunk_path(chunks, &id) == path).then_some(Found { path, id })
}

/// The chunk that a file is named after.
pub(crate) fn id_of(entry: &DirEntry) -> Option<ChunkId> {
    let name = entry.file_name();
    let id = ChunkId::parse(name.to_str()?.strip_suffix(".zst")?)?;
    entry.file_type().ok()?.is_file().then_some(id)
}

/// The entries of a folder; none when it is not there.
pub(crate) fn entries(folder: &Path) -> Result<Vec<DirEntry>, ArchiveError> {
    let failed = |error| ArchiveError::read(folder, error);
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| entry.map_err(failed)).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(failed(error)),
    }
}
