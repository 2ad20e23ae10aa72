//! Bringing the archive up to date.

use std::path::PathBuf;

use ravel_home::{Finding, Home, SessionFile, kept_path};
use rayon::prelude::*;

use crate::archive::{Archive, ArchiveError, Lock, Progress};
use crate::atomic::Writer;
use crate::belonging::{self, Place, is_session};
use crate::file::{self, Before, FileError, FileReport, Outcome, Pair};
use crate::prune::Pruned;
use crate::store::Store;
use crate::walk::{Item, Tree};

/// What is to be kept.
#[derive(Debug, Clone, Copy)]
pub enum Selection<'a> {
    /// All sessions, with everything around them.
    Everything,
    /// Some sessions and what belongs to them.
    Sessions(&'a [SessionFile]),
}

/// What was done, or would be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Sessions that were looked at.
    pub n_sessions: u64,
    /// Sessions of which something was new.
    pub n_sessions_changed: u64,
    /// Files that were looked at.
    pub n_files: u64,
    /// Their size in bytes.
    pub n_bytes: u64,
    /// Files that the archive did not have.
    pub n_new: u64,
    /// Files that had grown.
    pub n_grown: u64,
    /// Files that had been cut or rewritten, so that an earlier version was kept too.
    pub n_replaced: u64,
    /// Bytes that the archive did not have.
    pub n_new_bytes: u64,
    /// Bytes that were written for them.
    pub n_stored_bytes: u64,
    /// What was removed because nothing needs it any more.
    pub pruned: Pruned,
    /// What could not be read.
    pub findings: Vec<Finding>,
}

/// A file of the home with its size and its place in the archive.
struct Source {
    item: Item,
    kept: PathBuf,
    size: u64,
}

impl Archive {
    /// Brings the archive up to date.
    ///
    /// A file that cannot be read is a finding; the others are kept all the same. A failure to
    /// write ends the run, with the archive as good as before.
    pub fn keep(
        &self,
        _lock: &Lock,
        home: &Home,
        selection: &Selection<'_>,
        progress: &dyn Progress,
    ) -> Result<Summary, ArchiveError> {
        let mut summary = Summary::default();
        let sources = self.sources(home, selection, &mut summary.findings);
        progress.begin(sources.iter().map(|source| source.size).sum());
        let store = Store::open(self, Writer::new(self.tmp(), progress))?;
        // Small files side by side, each large one on all cores.
        let (large, small): (Vec<_>, Vec<_>) =
            sources.iter().partition(|source| source.size > file::LARGE);
        let kept: Vec<_> = small
            .par_iter()
            .map(|source| keep_one(&store, source))
            .collect();
        for (source, outcome) in small.iter().zip(kept) {
            summary.add(source, outcome)?;
        }
        for source in large {
            summary.add(source, keep_one(&store, source))?;
        }
        summary.n_stored_bytes = store.n_stored();
        // Nothing is removed before what replaces it is on the disk.
        store.writer.settle()?;
        if matches!(selection, Selection::Everything) {
            match self.remove_unneeded(progress)? {
                Ok(pruned) => summary.pruned = pruned,
                Err(findings) => summary.findings.extend(findings),
            }
        }
        Ok(summary)
    }

    /// Says what [`keep`](Self::keep) would do, by the sizes and times of the files.
    pub fn plan(&self, home: &Home, selection: &Selection<'_>) -> Result<Summary, ArchiveError> {
        let mut summary = Summary::default();
        let sources = self.sources(home, selection, &mut summary.findings);
        let reports: Vec<_> = sources.par_iter().map(foresee).collect();
        for (source, report) in sources.iter().zip(reports) {
            summary.add(source, report)?;
        }
        Ok(summary)
    }

    /// Whether the main file of a session is in the archive as it is now, by its size and times.
    pub fn is_current(&self, home: &Home, session: &SessionFile) -> bool {
        let Some(place) = Place::of(home, &self.mirror(), session) else {
            return false;
        };
        let kept = kept_path(&self.mirror().join(place.main()));
        let before = Before::load(&kept);
        let metadata = session.path.metadata();
        before.is_ok_and(|before| metadata.is_ok_and(|metadata| before.is_current(&metadata)))
    }

    fn sources(
        &self,
        home: &Home,
        selection: &Selection<'_>,
        findings: &mut Vec<Finding>,
    ) -> Vec<Source> {
        let tree = Tree::of_home(home);
        let mirror = self.mirror();
        let items = match selection {
            Selection::Everything => belonging::everything(&tree, findings),
            Selection::Sessions(sessions) => {
                let mut items = Vec::new();
                for session in *sessions {
                    match Place::of(home, &mirror, session) {
                        Some(place) => items.extend(belonging::of_session(&tree, &place, findings)),
                        None => findings.push(Finding::new(&session.path, "not in this home")),
                    }
                }
                // Two sessions may name one plan.
                items.sort();
                items.dedup();
                items
            }
        };
        items
            .into_par_iter()
            .map(|item| Source {
                kept: kept_path(&mirror.join(&item.name)),
                size: item.path.metadata().map_or(0, |metadata| metadata.len()),
                item,
            })
            .collect()
    }
}

fn keep_one(store: &Store<'_>, source: &Source) -> Result<FileReport, FileError> {
    let pair = Pair {
        source: &source.item.path,
        kept: &source.kept,
    };
    file::keep(store, &pair)
}

fn foresee(source: &Source) -> Result<FileReport, FileError> {
    let report = |outcome, n_new| Ok(FileReport { outcome, n_new });
    let metadata = source.item.path.metadata().map_err(FileError::Source)?;
    let size = metadata.len();
    match Before::load(&source.kept)? {
        before if before.is_current(&metadata) => report(Outcome::Unchanged, 0),
        Before::Nothing => report(Outcome::New, size),
        Before::Kept(old) if old.size < size => report(Outcome::Grown, size - old.size),
        Before::Kept(old) if old.size == size => report(Outcome::Unchanged, 0),
        Before::Kept(_) | Before::Damaged => report(Outcome::Replaced, size),
    }
}

impl Summary {
    fn add(
        &mut self,
        source: &Source,
        report: Result<FileReport, FileError>,
    ) -> Result<(), ArchiveError> {
        let report = match report {
            Ok(report) => report,
            Err(FileError::Source(error)) => {
                self.findings.push(Finding::new(&source.item.path, error));
                return Ok(());
            }
            Err(FileError::Archive(error)) => return Err(error),
        };
        let is_changed = match report.outcome {
            Outcome::Gone => return Ok(()),
            Outcome::Unchanged => false,
            Outcome::New | Outcome::Grown | Outcome::Replaced => true,
        };
        self.n_files += 1;
        self.n_bytes += source.size;
        self.n_new_bytes += report.n_new;
        self.n_new += u64::from(report.outcome == Outcome::New);
        self.n_grown += u64::from(report.outcome == Outcome::Grown);
        self.n_replaced += u64::from(report.outcome == Outcome::Replaced);
        if is_session(&source.item) {
            self.n_sessions += 1;
            self.n_sessions_changed += u64::from(is_changed);
        }
        Ok(())
    }
}
