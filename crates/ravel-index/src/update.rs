//! Bringing the index up to date.
//!
//! What changed is found by stamps, one look at each file. Changed files are read in waves: while
//! one is written, the next is being read on the other cores. A wave is one transaction, so
//! whatever ends the process, the index knows how far each file was read, and goes on from there.

use std::collections::VecDeque;

use ravel_home::Finding;
use rusqlite::TransactionBehavior;

use crate::library::Library;
use crate::lock::{Lock, Patience};
use crate::progress::Progress;
use crate::store::{FileRow, Index, IndexError, Pages};

mod absorb;
mod plan;
mod wave;

pub(crate) use plan::Plan;
use wave::{Read, read_wave};

/// How many bytes of transcripts are much for one update.
const MUCH: u64 = 32 << 20;

/// What an update did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Updated {
    /// Files that were not in the index before.
    pub n_new: u64,
    /// Files that had grown.
    pub n_grown: u64,
    /// Files that were cut, rewritten or replaced, and read anew.
    pub n_replaced: u64,
    /// Files that are gone.
    pub n_gone: u64,
    /// Bytes that were read.
    pub n_bytes: u64,
    /// Files that could not be read.
    pub findings: Vec<Finding>,
}

impl Updated {
    /// Tells whether the index was up to date already.
    pub fn is_nothing(&self) -> bool {
        self.n_new + self.n_grown + self.n_replaced + self.n_gone == 0
    }
}

impl Index {
    /// Reads what is new in the library.
    pub fn update(
        &mut self,
        library: &Library,
        patience: Patience,
        progress: &dyn Progress,
    ) -> Result<Updated, IndexError> {
        if self.plan(library)?.is_done() {
            return Ok(Updated::default());
        }
        let _lock = Lock::take(self.path(), patience)?;
        // Another process may have done it all while this one waited.
        let mut plan = self.plan(library)?;
        let is_worn = self.is_mostly_forgotten();
        if is_worn.map_err(|error| self.error(error))? {
            self.clear_locked()?;
            plan = self.plan(library)?;
        }
        let updated = self.carry_out(plan, progress)?;
        self.tidy(updated.n_bytes)?;
        let remembered = self.remember_folders(library.folders());
        remembered.map_err(|error| self.error(error))?;
        Ok(updated)
    }

    /// Moves what was written into the file itself, if it was much: the log beside it would stay as
    /// large as it grew.
    fn tidy(&self, n_bytes: u64) -> Result<(), IndexError> {
        if n_bytes < MUCH {
            return Ok(());
        }
        let tidied = self
            .connection
            .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
        tidied.map_err(|error| self.error(error))
    }

    /// Reads what is new in some files. Those that are not in `library` are left as they are.
    pub fn update_some(
        &mut self,
        library: &Library,
        patience: Patience,
    ) -> Result<Updated, IndexError> {
        let is_done = {
            let _snapshot = self.snapshot()?;
            self.plan_some(library)?.is_done()
        };
        if is_done {
            return Ok(Updated::default());
        }
        let _lock = Lock::take(self.path(), patience)?;
        let plan = self.plan_some(library)?;
        self.carry_out(plan, &())
    }

    /// Returns what there is to do for some files.
    pub(crate) fn plan_some<'a>(&self, library: &'a Library) -> Result<Plan<'a>, IndexError> {
        let files = library.files().iter();
        let rows = FileRow::load_named(&self.connection, files.map(|file| &*file.name));
        Ok(Plan::new(library, rows.map_err(|error| self.error(error))?))
    }

    pub(crate) fn plan<'a>(&self, library: &'a Library) -> Result<Plan<'a>, IndexError> {
        let rows = self.files().map_err(|error| self.error(error))?;
        Ok(Plan::new(library, rows))
    }

    fn carry_out(
        &mut self,
        plan: Plan<'_>,
        progress: &dyn Progress,
    ) -> Result<Updated, IndexError> {
        let mut updated = Updated {
            n_gone: plan.gone.len() as u64,
            ..Updated::default()
        };
        let mut pages = Pages::default();
        let mut jobs: VecDeque<_> = plan.jobs.into();
        self.write(&plan.gone, &[], &mut pages)?;
        let mut reads = read_wave(&mut jobs);
        while !reads.is_empty() {
            for read in &reads {
                updated.take(read);
                progress.add(read.digest.n_bytes);
            }
            let (written, next) = rayon::join(
                || self.write(&[], &reads, &mut pages),
                || read_wave(&mut jobs),
            );
            written?;
            reads = next;
        }
        Ok(updated)
    }

    fn write(
        &mut self,
        gone: &[FileRow],
        reads: &[Read<'_>],
        pages: &mut Pages,
    ) -> Result<(), IndexError> {
        if gone.is_empty() && reads.is_empty() {
            return Ok(());
        }
        self.forget_files();
        let written = (|| {
            let transaction = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            absorb::absorb(&transaction, gone, reads, pages)?;
            transaction.commit()
        })();
        written.map_err(|error| self.error(error))
    }
}
