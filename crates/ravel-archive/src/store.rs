//! Chunks on disk, each once.

use std::cell::RefCell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

use ravel_home::{ChunkId, ChunkRef, chunk_path};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::archive::{Archive, ArchiveError};
use crate::atomic::Writer;

/// How hard chunks are packed. See docs/design/archive.md for what was measured.
const LEVEL: i32 = 9;

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
        let known = list(&chunks)?.into_iter().filter_map(|found| found.id);
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
        if self.has(&id) {
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

/// A file below `chunks`.
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// Which chunk it is; `None` for what does not belong there.
    pub(crate) id: Option<ChunkId>,
}

/// Lists the files below `chunks`.
pub(crate) fn list(chunks: &Path) -> Result<Vec<Found>, ArchiveError> {
    let folders = names(chunks)?;
    let lists: Vec<_> = folders.par_iter().map(|folder| names(folder)).collect();
    let mut found = Vec::new();
    for list in lists {
        found.extend(list?.into_iter().map(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            let id = name.and_then(|name| ChunkId::parse(name.strip_suffix(".zst")?));
            // One in the wrong folder would never be looked for there.
            let id = id.filter(|id| chunk_path(chunks, id) == path);
            Found { id, path }
        }));
    }
    Ok(found)
}

fn names(folder: &Path) -> Result<Vec<PathBuf>, ArchiveError> {
    let failed = |error| ArchiveError::read(folder, error);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        // A stray file among the folders.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    entries
        .map(|entry| entry.map(|entry| entry.path()).map_err(failed))
        .collect()
}
