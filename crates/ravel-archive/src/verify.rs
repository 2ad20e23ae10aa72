//! Reading everything, to know that it can be read.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ravel_home::{ChunkId, ChunkRef, Finding, unpack_chunk};
use rayon::prelude::*;

use crate::archive::{Archive, ArchiveError, Progress};
use crate::store;

/// What was found in an archive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    /// Kept files, earlier versions included.
    pub n_files: u64,
    /// The bytes of the files they stand for.
    pub n_bytes: u64,
    /// Chunks that were read.
    pub n_chunks: u64,
    /// What the chunks take on disk.
    pub n_stored_bytes: u64,
    /// Chunks that no file names. They do no harm.
    pub n_unneeded: u64,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

/// A chunk and the first file that names it.
struct Needed {
    chunk: ChunkRef,
    path: PathBuf,
    n_files: u64,
}

impl Archive {
    /// Reads every kept file and every chunk, and checks them against their hashes.
    pub fn verify(&self, progress: &dyn Progress) -> Result<Verified, ArchiveError> {
        let _shared = self.share();
        let mut verified = Verified::default();
        let mut needed: BTreeMap<ChunkId, Needed> = BTreeMap::new();
        for (path, manifest) in self.manifests()? {
            verified.n_files += 1;
            let manifest = match manifest {
                Ok(manifest) => manifest,
                Err(error) => {
                    verified.findings.push(Finding::new(&path, error));
                    continue;
                }
            };
            verified.n_bytes += manifest.size;
            for chunk in manifest.chunks {
                let known = needed.entry(chunk.id).or_insert_with(|| Needed {
                    chunk,
                    path: path.clone(),
                    n_files: 0,
                });
                known.n_files += 1;
            }
        }
        for found in store::list(&self.chunks())? {
            verified.n_stored_bytes += found.path.metadata().map_or(0, |metadata| metadata.len());
            let is_needed = found.id.is_some_and(|id| needed.contains_key(&id));
            verified.n_unneeded += u64::from(!is_needed);
        }
        progress.begin(needed.values().map(|one| one.chunk.length).sum());
        let chunks = self.chunks();
        let problems: Vec<Finding> = needed
            .par_iter()
            .filter_map(|(_, one)| {
                let outcome = unpack_chunk(&chunks, &one.chunk);
                progress.add(one.chunk.length);
                Some(one.finding(&outcome.err()?))
            })
            .collect();
        verified.n_chunks = needed.len() as u64;
        verified.findings.extend(problems);
        Ok(verified)
    }
}

impl Needed {
    fn finding(&self, error: &std::io::Error) -> Finding {
        match self.n_files {
            0 | 1 => Finding::new(&self.path, error),
            n_files => {
                let more = format_args!("{error}; {} more need it", n_files - 1);
                Finding::new(&self.path, more)
            }
        }
    }
}
