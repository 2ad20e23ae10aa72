//! Removing what nothing needs.

use std::fs;
use std::path::PathBuf;

use ravel_home::{ChunkId, Finding, Manifest, chunk_path, is_kept};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::archive::{Archive, ArchiveError, Lock, Progress};
use crate::store::{self, Found};

/// What was removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Chunks that no kept file names.
    pub n_chunks: u64,
    /// Their size on disk.
    pub n_bytes: u64,
    /// Things among the chunks that are none. They were left alone.
    pub n_strays: u64,
}

impl Archive {
    /// Removes chunks that no kept file names, and damaged ones that are of no use any more.
    ///
    /// Only a file with the name of a chunk, in its place, is ever removed.
    ///
    /// While a kept file is damaged nobody knows what it named. Then nothing is removed, and the
    /// findings say which files are.
    pub fn prune(
        &self,
        _lock: &Lock,
        progress: &dyn Progress,
    ) -> Result<Result<Pruned, Vec<Finding>>, ArchiveError> {
        self.remove_unneeded(progress)
    }

    pub(crate) fn remove_unneeded(
        &self,
        progress: &dyn Progress,
    ) -> Result<Result<Pruned, Vec<Finding>>, ArchiveError> {
        let listing = store::list(&self.chunks())?;
        let manifests = self.manifests()?;
        let mut needed: FxHashSet<ChunkId> = FxHashSet::default();
        let mut findings = Vec::new();
        for (path, manifest) in manifests {
            match manifest {
                Ok(manifest) => needed.extend(manifest.chunks.iter().map(|chunk| chunk.id)),
                Err(error) => findings.push(Finding::new(&path, error)),
            }
        }
        if !findings.is_empty() {
            return Ok(Err(findings));
        }
        let mut pruned = Pruned {
            n_strays: listing.n_strays,
            ..Pruned::default()
        };
        let damaged = self.replaced(&needed)?;
        let unneeded = listing.chunks.into_iter();
        let unneeded = unneeded.filter(|chunk| !needed.contains(&chunk.id));
        for chunk in unneeded.chain(damaged) {
            let n_bytes = chunk.path.metadata().map_or(0, |metadata| metadata.len());
            progress.step();
            fs::remove_file(&chunk.path)
                .map_err(|error| ArchiveError::write(&chunk.path, error))?;
            pruned.n_chunks += 1;
            pruned.n_bytes += n_bytes;
        }
        Ok(Ok(pruned))
    }

    /// Lists the damaged chunks that were put aside and that nothing needs, or that are whole
    /// again in their place.
    fn replaced(&self, needed: &FxHashSet<ChunkId>) -> Result<Vec<Found>, ArchiveError> {
        let chunks = self.chunks();
        let entries = store::entries(&self.damaged())?.into_iter();
        let found = entries.filter_map(|entry| {
            let id = store::id_of(&entry)?;
            let is_of_use = needed.contains(&id) && !chunk_path(&chunks, &id).exists();
            let path = entry.path();
            (!is_of_use).then_some(Found { path, id })
        });
        Ok(found.collect())
    }

    /// Reads every kept file, earlier versions included.
    pub(crate) fn manifests(
        &self,
    ) -> Result<Vec<(PathBuf, std::io::Result<Manifest>)>, ArchiveError> {
        let mut folders = vec![self.mirror()];
        let mut paths = Vec::new();
        while let Some(folder) = folders.pop() {
            let failed = |error| ArchiveError::read(&folder, error);
            for entry in fs::read_dir(&folder).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                let kind = entry.file_type().map_err(failed)?;
                let path = entry.path();
                if kind.is_dir() {
                    folders.push(path);
                } else if is_kept(&path) {
                    paths.push(path);
                }
            }
        }
        paths.sort();
        let load = |path: PathBuf| {
            let manifest = Manifest::load(&path);
            (path, manifest)
        };
        Ok(paths.into_par_iter().map(load).collect())
    }
}
