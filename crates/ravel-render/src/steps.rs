//! The steps of a conversation, a few entries at a time.
//!
//! A turn can be as long as a session, so no renderer asks for all its steps at once.

use ravel_model::step::Step;
use ravel_model::{Session, steps};

/// Entries read at once: enough to join what belongs together, few enough to start at once.
const CHUNK: usize = 64;

/// Returns the steps of some entries of one file, made as they are asked for.
pub(crate) fn stream<'s>(
    session: &'s Session<'_>,
    part: usize,
    entries: &'s [usize],
) -> impl Iterator<Item = Step> + 's {
    let chunks = entries.chunks(CHUNK);
    chunks.flat_map(move |chunk| steps(session, part, chunk))
}

/// Returns the folder a session works in.
pub(crate) fn folder(session: &Session<'_>) -> Option<String> {
    let said = session.main()?.graph.outline().said();
    said.folders.texts().first().cloned()
}
