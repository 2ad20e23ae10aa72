//! Files of the archive, read as if they still stood in the home.
//!
//! A kept file, `<name>.kept`, holds no content: its [`Manifest`] names the chunks that make up
//! the file, and each chunk is one compressed file under `chunks`, named by the hash of what is
//! in it. [`Kept`] reads such a file at any place, a chunk at a time. [`StoredFile`] is either
//! that or a plain file, so that readers need not care.
//!
//! Nothing here writes; the `ravel-archive` crate does. What is wrong with a kept file or a
//! chunk is an [`io::Error`] that names it.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

mod manifest;
mod stored;

pub use manifest::{ChunkId, ChunkRef, LARGEST_CHUNK, Manifest, Stamp};
pub use stored::StoredFile;

/// What the name of a kept file ends with.
pub const KEPT_SUFFIX: &str = ".kept";

/// The file that marks the folder of an archive. No mirrored file can have this name, because
/// they all end otherwise.
pub const ARCHIVE_MARK: &str = "ravel-archive";

/// How many chunks stay unpacked. Several cores read one file side by side, and texts are mostly
/// read in order.
const N_UNPACKED: usize = 8;

/// A file of the archive, open for reading.
#[derive(Debug)]
pub struct Kept {
    manifest: Manifest,
    /// Where each chunk starts in the file.
    starts: Vec<u64>,
    chunks: PathBuf,
    unpacked: Mutex<VecDeque<(usize, Arc<Vec<u8>>)>>,
}

/// Whether a path names a kept file: the current one, or an earlier version with its number.
pub fn is_kept(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        return false;
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match name.rsplit_once('.') {
        Some((stem, "kept")) => !stem.is_empty(),
        Some((rest, number)) if is_number(number) => rest.ends_with(KEPT_SUFFIX),
        _ => false,
    }
}

/// The path of the kept copy of a file, when both stand in the same folder.
pub fn kept_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(KEPT_SUFFIX);
    PathBuf::from(name)
}

/// The name a kept file had in the home. `None` when the name is not of the current version.
pub(crate) fn live_name(name: &str) -> Option<&str> {
    name.strip_suffix(KEPT_SUFFIX)
        .filter(|name| !name.is_empty())
}

/// The copy of the home in an archive.
pub fn mirror_of(archive: &Path) -> PathBuf {
    archive.join("home")
}

/// The file of a chunk below the `chunks` of an archive.
pub fn chunk_path(chunks: &Path, id: &ChunkId) -> PathBuf {
    let name = id.to_string();
    let folder = name.get(..2).unwrap_or_default();
    chunks.join(folder).join(format!("{name}.zst"))
}

/// Unpacks a chunk and checks it against its name.
pub fn unpack_chunk(chunks: &Path, chunk: &ChunkRef) -> io::Result<Vec<u8>> {
    let path = chunk_path(chunks, &chunk.id);
    let about = |kind: io::ErrorKind, what: &dyn std::fmt::Display| {
        io::Error::new(kind, format!("chunk {} of the archive {what}", chunk.id))
    };
    let damaged = || about(io::ErrorKind::InvalidData, &"is damaged");
    let length = usize::try_from(chunk.length).map_err(|_| damaged())?;
    let packed = read_packed(&path, chunk.length).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => about(error.kind(), &"is missing"),
        kind => about(kind, &format_args!("cannot be read: {error}")),
    })?;
    let bytes = zstd::bulk::decompress(&packed, length).map_err(|_| damaged())?;
    if bytes.len() != length || ChunkId::of(&bytes) != chunk.id {
        return Err(damaged());
    }
    Ok(bytes)
}

/// Reads a packed chunk. What does not pack well is a little larger than it was, never much.
fn read_packed(path: &Path, length: u64) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    let most = length + length / 128 + 1024;
    File::open(path)?.take(most).read_to_end(&mut packed)?;
    Ok(packed)
}

impl ChunkId {
    /// The name of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl Kept {
    /// Opens a kept file. Its chunks are opened as they are needed.
    pub fn open(path: &Path) -> io::Result<Self> {
        let manifest = Manifest::load(path)?;
        let chunks = chunks_for(path)?;
        let starts = manifest.starts().collect();
        Ok(Self {
            manifest,
            starts,
            chunks,
            unpacked: Mutex::default(),
        })
    }

    /// What the kept file says.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The size of the file that was kept.
    pub fn size(&self) -> u64 {
        self.manifest.size
    }

    /// When the file that was kept was last written.
    pub fn modified(&self) -> SystemTime {
        self.manifest.modified
    }

    /// Reads up to `buffer.len()` bytes from `offset`; fewer only at the end of the file.
    pub fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut n_filled = 0;
        while let Some(rest) = buffer.get_mut(n_filled..).filter(|rest| !rest.is_empty()) {
            let at = offset + n_filled as u64;
            if at >= self.size() {
                break;
            }
            // The last chunk that starts at or before the place.
            let number = self.starts.partition_point(|&start| start <= at) - 1;
            let chunk = self.chunk(number)?;
            let start = self.starts.get(number).copied().unwrap_or_default();
            let skipped = usize::try_from(at - start).map_err(io::Error::other)?;
            let from = chunk.get(skipped..).unwrap_or_default();
            let n_copied = from.len().min(rest.len());
            if n_copied == 0 {
                break;
            }
            if let (Some(to), Some(from)) = (rest.get_mut(..n_copied), from.get(..n_copied)) {
                to.copy_from_slice(from);
            }
            n_filled += n_copied;
        }
        Ok(n_filled)
    }

    /// A chunk, unpacked now or a moment ago.
    fn chunk(&self, number: usize) -> io::Result<Arc<Vec<u8>>> {
        if let Some(known) = self.unpacked.lock().ok().and_then(|mut recent| {
            let place = recent.iter().position(|(one, _)| *one == number)?;
            let known = recent.remove(place)?;
            let bytes = Arc::clone(&known.1);
            recent.push_back(known);
            Some(bytes)
        }) {
            return Ok(known);
        }
        let Some(chunk) = self.manifest.chunks.get(number) else {
            return Ok(Arc::default());
        };
        let bytes = Arc::new(unpack_chunk(&self.chunks, chunk)?);
        if let Ok(mut recent) = self.unpacked.lock() {
            if recent.len() >= N_UNPACKED {
                recent.pop_front();
            }
            recent.push_back((number, Arc::clone(&bytes)));
        }
        Ok(bytes)
    }
}

/// Finds the chunks of the archive that a kept file stands in.
fn chunks_for(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let mirrors = path
        .ancestors()
        .filter(|above| above.file_name().is_some_and(|name| name == "home"));
    let mut archives = mirrors.filter_map(Path::parent);
    match archives.find(|archive| archive.join(ARCHIVE_MARK).is_file()) {
        Some(archive) => Ok(archive.join("chunks")),
        None => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "a kept file outside of an archive, without its chunks",
        )),
    }
}

#[cfg(test)]
pub(crate) mod tests;
