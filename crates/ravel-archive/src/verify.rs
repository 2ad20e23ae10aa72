//! Reading everything, to know that it can be read.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use ravel_home::{ChunkId, ChunkRef, Finding, chunk_path, unpack_chunk};
use rayon::prelude::*;

use crate::archive::{Archive, ArchiveError, Lock, Progress};
use crate::{atomic, store};

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
    /// Things among the chunks that are none. They do no harm either.
    pub n_strays: u64,
    /// Damaged chunks that were put aside.
    pub n_put_aside: u64,
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
        let (verified, _) = self.read_all(progress)?;
        Ok(verified)
    }

    /// As [`verify`](Self::verify), and puts damaged chunks aside.
    ///
    /// Where a chunk is goes by its name, so that one that is damaged would never be written
    /// again. Put aside it is missing, and the next [`keep`](Self::keep) writes it, if a file of
    /// the home still has it.
    pub fn verify_and_put_aside(
        &self,
        _lock: &Lock,
        progress: &dyn Progress,
    ) -> Result<Verified, ArchiveError> {
        let (mut verified, suspects) = self.read_all(progress)?;
        let (chunks, damaged) = (self.chunks(), self.damaged());
        for id in suspects {
            let path = chunk_path(&chunks, &id);
            if !store::is_damaged(&path, &id) {
                continue;
            }
            let aside = damaged.join(format!("{id}.zst"));
            progress.step();
            atomic::make_folder(&damaged)
                .and_then(|()| fs::rename(&path, &aside))
                .map_err(|error| ArchiveError::write(&aside, error))?;
            verified.n_put_aside += 1;
        }
        Ok(verified)
    }

    /// Reads everything; returns the chunks that could not be unpacked too.
    fn read_all(&self, progress: &dyn Progress) -> Result<(Verified, Vec<ChunkId>), ArchiveError> {
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
        let listing = store::list(&self.chunks())?;
        verified.n_strays = listing.n_strays;
        for found in listing.chunks {
            verified.n_stored_bytes += found.path.metadata().map_or(0, |metadata| metadata.len());
            verified.n_unneeded += u64::from(!needed.contains_key(&found.id));
        }
        progress.begin(needed.values().map(|one| one.chunk.length).sum());
        let chunks = self.chunks();
        let (suspects, problems): (Vec<ChunkId>, Vec<Finding>) = needed
            .par_iter()
            .filter_map(|(id, one)| {
                let outcome = unpack_chunk(&chunks, &one.chunk);
                progress.add(one.chunk.length);
                Some((*id, one.finding(&outcome.err()?)))
            })
            .unzip();
        verified.n_chunks = needed.len() as u64;
        verified.findings.extend(problems);
        Ok((verified, suspects))
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
