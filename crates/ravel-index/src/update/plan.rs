//! Which files have to be read.

use rustc_hash::FxHashMap;

use crate::fingerprint::Stamp;
use crate::library::{Library, SourceFile};
use crate::store::FileRow;

/// The way from what the index knows to what there is.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    /// Files to read, the last written last.
    pub(crate) jobs: Vec<Job<'a>>,
    /// Files to forget.
    pub(crate) gone: Vec<FileRow>,
    /// Files the index knows all about, by their number there.
    pub(crate) current: FxHashMap<i64, (&'a SourceFile, FileRow)>,
}

/// A file to read.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub(crate) file: &'a SourceFile,
    pub(crate) state: State,
}

/// What is known of a file that has to be read.
#[derive(Debug)]
pub(crate) enum State {
    /// Nothing.
    New,
    /// What it was like before; whether it grew or is another file, its bytes will tell.
    Changed(FileRow),
    /// It is being read in this update, and so far this is known.
    Begun(FileRow),
}

impl<'a> Plan<'a> {
    pub(crate) fn new(library: &'a Library, mut rows: FxHashMap<Box<str>, FileRow>) -> Self {
        let mut plan = Self {
            jobs: Vec::new(),
            gone: Vec::new(),
            current: FxHashMap::default(),
        };
        for file in library.files() {
            match rows.remove(&*file.name) {
                Some(row) if row.stamp == Stamp::of(file) => {
                    plan.current.insert(row.id, (file, row));
                }
                Some(row) => plan.jobs.push(Job {
                    file,
                    state: State::Changed(row),
                }),
                None => plan.jobs.push(Job {
                    file,
                    state: State::New,
                }),
            }
        }
        plan.gone.extend(rows.into_values());
        // Later records get larger addresses, so that the newest are found first.
        plan.jobs.sort_by_key(|job| job.file.modified);
        plan
    }

    /// Tells whether the index knows all there is.
    pub(crate) fn is_done(&self) -> bool {
        self.jobs.is_empty() && self.gone.is_empty()
    }
}
