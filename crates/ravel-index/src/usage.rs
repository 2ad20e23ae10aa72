//! What all sessions used, read from the files.

use std::sync::{Arc, Mutex, PoisonError};

use ravel_home::SessionBytes;
use ravel_model::usage::{Account, Ledger, Request};
use rayon::prelude::*;

use crate::library::{Library, SourceFile};
use crate::progress::Progress;
use crate::skipped::Skipped;

mod indexed;
mod piece;

pub use indexed::indexed_usage;
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
pub fn scan_usage(library: &Library, detail: Detail, progress: &dyn Progress) -> Tally {
    let ledger = match detail {
        Detail::Sums => Ledger::default(),
        Detail::Copies => Ledger::explaining(),
    };
    let shared = Mutex::new((ledger, Skipped::default()));
    library.files().par_iter().for_each(|file| {
        let (requests, skipped) = read_file(file);
        progress.add(file.size);
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        for request in requests {
            shared.0.add(request);
        }
        shared.1.absorb(skipped);
    });
    let (ledger, skipped) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    Tally {
        account: ledger.settle(),
        skipped: skipped.sorted(),
    }
}

/// Reads one file for its requests.
fn read_file(file: &SourceFile) -> (Vec<Request>, Skipped) {
    let mut harvest = Harvest::default();
    let origin = piece::origin(file, Arc::clone(&file.slug));
    let read = SessionBytes::open(&file.path).and_then(|bytes| {
        bytes.scan(
            |piece, offset| piece::read(piece, offset, &origin),
            |piece| harvest.append(piece),
        )
    });
    let mut skipped = Skipped::lines(&file.path, harvest.n_damaged);
    if let Err(error) = read {
        skipped.absorb(Skipped::file(&file.path, &error));
    }
    (harvest.into_requests(), skipped)
}
