//! What all sessions used, read from the files.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ravel_home::SessionBytes;
use ravel_model::usage::{Account, Entry, Ledger, Request};
use rayon::prelude::*;

use crate::library::{Library, SourceFile};
use crate::progress::Progress;
use crate::skipped::Skipped;

mod indexed;
mod piece;
mod project;

pub use indexed::{indexed_usage, recent_usage, session_usage};
use piece::Found;
use project::Projects;

pub(crate) use piece::{Harvest, origin, project_in};

/// How much to remember of what was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// The requests that count.
    Sums,
    /// Also every line that does not, and why.
    Copies,
}

/// The requests of a library.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Every request, once.
    pub account: Account,
    /// What could not be read.
    pub skipped: Skipped,
}

/// Reads every file for its requests.
///
/// For sums alone, the requests have no ids: see [`Ledger::settle`].
pub fn scan_usage(library: &Library, detail: Detail, progress: &dyn Progress) -> Tally {
    match detail {
        Detail::Sums => scan::<Entry>(library, Ledger::default(), progress),
        Detail::Copies => scan::<Request>(library, Ledger::explaining(), progress),
    }
}

fn scan<T: Found>(library: &Library, ledger: Ledger, progress: &dyn Progress) -> Tally {
    let ledger = Mutex::new(ledger);
    let beside = Mutex::new((Skipped::default(), Projects::default()));
    library.files().par_iter().for_each(|file| {
        let (in_file, project) = read_file::<T>(file, &ledger);
        progress.add(file.size);
        let (skipped, projects) = &mut *lock(&beside);
        skipped.absorb(in_file);
        projects.add(file, project.as_ref());
    });
    let ledger = ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (skipped, projects) = beside.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut account = ledger.settle();
    projects.assign(&mut account);
    Tally {
        account,
        skipped: skipped.sorted(),
    }
}

/// Adds the requests of one file, piece by piece: a large one has a hundred thousand. Returns what
/// could not be read, and the project that the file names.
fn read_file<T: Found>(file: &SourceFile, ledger: &Mutex<Ledger>) -> (Skipped, Option<Arc<str>>) {
    let mut harvest = Harvest::<T>::default();
    let origin = piece::origin(file, Arc::clone(&file.slug));
    let read = SessionBytes::open(&file.path).and_then(|bytes| {
        bytes.scan(
            |piece, offset| piece::read::<T>(piece, offset, &origin),
            |piece| {
                let mut ledger = lock(ledger);
                harvest.pass(piece).for_each(|found| ledger.add(found));
            },
        )
    });
    let mut skipped = Skipped::lines(&file.path, harvest.n_damaged);
    if let Err(error) = read {
        skipped.absorb(Skipped::file(&file.path, &error));
    }
    (skipped, harvest.project)
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
