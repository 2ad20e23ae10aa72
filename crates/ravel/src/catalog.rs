//! All sessions of the home, and the index if a person made one.
//!
//! The index is brought up to date before it is used. If another process is at it, or the file
//! cannot be used, the answer is the same and only takes longer.

use ravel_format::Timestamp;
use ravel_index::{
    Detail, Index, IndexError, Library, Patience, SearchRequest, SearchResults, Tally,
    indexed_activity, indexed_usage, scan_activity, scan_search, scan_usage, search,
};
use ravel_model::activity::Activity;

use crate::context::Context;
use crate::failure::Failure;
use crate::finding::warn;
use crate::folders;
use crate::progress::Bar;

/// Whether to use an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UseIndex {
    /// If there is one.
    IfThere,
    /// Read the files themselves.
    Never,
}

impl UseIndex {
    /// Reads the option `--no-index`.
    pub(crate) fn unless(no_index: bool) -> Self {
        match no_index {
            true => Self::Never,
            false => Self::IfThere,
        }
    }
}

/// All sessions, ready for questions.
pub(crate) struct Catalog {
    pub(crate) library: Library,
    index: Option<Index>,
}

impl Catalog {
    /// Lists the files, and brings the index up to date.
    pub(crate) fn open(context: &Context, use_index: UseIndex) -> Result<Self, Failure> {
        // Where there is no place for an archive, there is none; the home can be read all the same.
        let archive = folders::archive_folder(context).ok();
        let library = Library::open(context.home()?, archive.as_deref());
        let index = match use_index {
            UseIndex::Never => None,
            UseIndex::IfThere => usable_index(context, &library),
        };
        Ok(Self { library, index })
    }

    /// Counts requests. With an index, only those of the days in question may be there.
    pub(crate) fn usage(
        &self,
        detail: Detail,
        days: (Option<Timestamp>, Option<Timestamp>),
    ) -> Tally {
        let indexed = self.ask(|index| indexed_usage(&self.library, index, detail, days));
        indexed.unwrap_or_else(|| scan_usage(&self.library, detail, &self.bar("reading")))
    }

    /// Returns what was done in each file, in the order of the library.
    pub(crate) fn activity(&self) -> Vec<Activity> {
        let indexed = self.ask(|index| indexed_activity(&self.library, index));
        indexed.unwrap_or_else(|| scan_activity(&self.library, &self.bar("reading")))
    }

    /// Finds messages.
    pub(crate) fn search(&self, request: &SearchRequest<'_>) -> SearchResults {
        let bar = self.bar("searching");
        let indexed = self.ask(|index| search(&self.library, index, request, &bar).map(Some));
        indexed.unwrap_or_else(|| scan_search(&self.library, request, &bar))
    }

    /// Asks the index; `None` where there is none, or none that has an answer.
    fn ask<T>(&self, question: impl FnOnce(&Index) -> Result<Option<T>, IndexError>) -> Option<T> {
        or_warn(question(self.index.as_ref()?))
    }

    fn bar(&self, what: &'static str) -> Bar {
        let bar = Bar::new(what);
        bar.set_length(self.library.n_bytes());
        bar
    }
}

fn usable_index(context: &Context, library: &Library) -> Option<Index> {
    let path = folders::index_file(context).ok()?;
    let updated = Index::open(&path).and_then(|index| {
        let mut index = match index {
            Some(index) => index,
            // A person wants an index, and another version of Ravel has made this one.
            None if path.exists() => Index::create(&path)?,
            None => return Ok(None),
        };
        let bar = Bar::new("indexing");
        bar.set_length(library.n_bytes());
        match index.update(library, Patience::None, &bar) {
            Ok(_) | Err(IndexError::Busy) => Ok(Some(index)),
            Err(error) => Err(error),
        }
    });
    or_warn(updated)
}

/// Says why the index is of no use, if it is not.
fn or_warn<T>(answer: Result<Option<T>, IndexError>) -> Option<T> {
    answer.unwrap_or_else(|error| {
        warn(format_args!("could not {error}; reading the files instead"));
        if error.is_damage() {
            warn("`ravel index --rebuild` makes the index anew");
        }
        None
    })
}

impl ravel_index::Progress for Bar {
    fn add(&self, n_bytes: u64) {
        self.advance(n_bytes);
    }
}
