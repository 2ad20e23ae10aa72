//! Finding messages in all sessions.
//!
//! Whether a record matches is decided by its text alone, in [`examine`]. A scan examines every
//! line that may match; the index names records that may match. Both then go the same way: copies
//! of one message become one hit, the best come first, and only those that are asked for are read
//! again to be described.

use ravel_format::{Span, Timestamp};
use ravel_model::search::{CopyKey, Filter, Query, Role, Snippet};

use crate::library::{Library, SourceFile};
use crate::progress::Progress;
use crate::skipped::Skipped;
use crate::store::{Index, IndexError};

mod calls;
mod describe;
mod examine;
mod indexed;
mod rank;
mod scan;

/// What to find.
pub struct SearchRequest<'a> {
    /// What to look for.
    pub query: &'a Query,
    /// Where to look for it.
    pub filter: &'a Filter,
    /// Which projects to look at, by the folder they are in, or the name of their folder in the
    /// home where no line tells.
    pub admits_project: &'a (dyn Fn(&str) -> bool + Sync),
    /// How many hits are wanted; `None` for all.
    pub limit: Option<usize>,
    /// How long a snippet may be, in characters.
    pub snippet_width: usize,
}

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct SearchResults {
    /// The best hits, the best first.
    pub hits: Vec<Hit>,
    /// How many messages match, as far as they were counted.
    pub n_found: usize,
    /// Whether all were counted. If not, the newest were ranked, and there are more.
    pub is_complete: bool,
    /// What could not be read.
    pub skipped: Skipped,
}

/// A message that matches.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The file it stands in.
    pub file: SourceFile,
    /// The session it belongs to, as the message says.
    pub session: String,
    /// The id of the record, if it has one.
    pub uuid: Option<String>,
    /// When it was written.
    pub time: Option<Timestamp>,
    /// Who or what says it.
    pub role: Role,
    /// The tool that was called or that answered.
    pub tool: Option<String>,
    /// The file that the call touched.
    pub path: Option<String>,
    /// The model that wrote it.
    pub model: Option<String>,
    /// The git branch.
    pub branch: Option<String>,
    /// The folder it was written in.
    pub folder: Option<String>,
    /// The text around the best place.
    pub snippet: Snippet,
    /// How good the match is, for comparison only.
    pub score: u32,
    /// Where in the file the record is.
    pub span: Span,
    /// The files with copies of it, by name, this one not included.
    pub copies: Vec<SourceFile>,
}

/// A match, before anybody wants to see it.
#[derive(Debug, Clone)]
struct Found {
    key: CopyKey,
    score: u32,
    time: Option<Timestamp>,
    is_fork: bool,
    /// The file, by its place in the library.
    file: usize,
    span: Span,
}

/// Finds messages by reading every file.
pub fn scan_search(
    library: &Library,
    request: &SearchRequest<'_>,
    progress: &dyn Progress,
) -> SearchResults {
    let all: Vec<usize> = (0..library.files().len()).collect();
    let (found, skipped) = scan::scan(library, &all, request, progress);
    finish(library, request, found, skipped)
}

/// Finds messages with the help of the index, which has to be up to date as far as possible: what
/// it does not know is scanned.
pub fn search(
    library: &Library,
    index: &Index,
    request: &SearchRequest<'_>,
    progress: &dyn Progress,
) -> Result<SearchResults, IndexError> {
    let outcome = indexed::look_up(library, index, request, progress)?;
    let mut results = finish(library, request, outcome.found, outcome.skipped);
    results.is_complete &= outcome.is_complete;
    Ok(results)
}

/// Makes hits of what was found.
fn finish(
    library: &Library,
    request: &SearchRequest<'_>,
    found: Vec<Found>,
    mut skipped: Skipped,
) -> SearchResults {
    let ranked = rank::rank(library, found);
    let n_found = ranked.len();
    let n_wanted = request.limit.unwrap_or(usize::MAX).min(n_found);
    let wanted = ranked.get(..n_wanted).unwrap_or_default();
    let hits = describe::describe(library, request, wanted, &mut skipped);
    SearchResults {
        hits,
        n_found,
        is_complete: true,
        skipped: skipped.sorted(),
    }
}
