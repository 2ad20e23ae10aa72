//! Hits for programs.

use ravel_format::Timestamp;
use ravel_index::{Hit, Library, SearchResults, SourceFile};
use serde_json::{Value, json};

use super::session::Sessions;
use crate::context::Context;
use crate::failure::Failure;

/// Prints one document.
pub(super) fn print(
    context: &Context,
    library: &Library,
    results: &SearchResults,
) -> Result<(), Failure> {
    let mut sessions = Sessions::new(context, library);
    let hits = results.hits.iter();
    let hits: Vec<Value> = hits.map(|hit| of_hit(hit, &mut sessions)).collect();
    context.print_json(&json!({
        "found": results.n_found,
        "complete": results.is_complete,
        "skipped_lines": results.skipped.n_lines,
        "hits": hits,
    }))
}

fn of_hit(hit: &Hit, sessions: &mut Sessions<'_>) -> Value {
    let session = sessions.of(hit);
    let highlights = hit.snippet.highlights.iter();
    json!({
        "session": &*hit.file.session,
        "title": session.title,
        "project": session.project,
        "slug": &*hit.file.slug,
        "agent": hit.file.agent.as_deref(),
        "archived": hit.file.is_archived,
        "uuid": hit.uuid,
        "time": hit.time.map(Timestamp::to_iso),
        "role": hit.role.word(),
        "tool": hit.tool,
        "file": hit.path,
        "model": hit.model,
        "branch": hit.branch,
        "snippet": hit.snippet.text,
        "highlights": highlights.map(|range| [range.start, range.end]).collect::<Vec<_>>(),
        "path": hit.file.path.to_string_lossy(),
        "offset": hit.span.start,
        "bytes": hit.span.len,
        "copies": hit.copies.iter().map(of_copy).collect::<Vec<_>>(),
        "open": sessions.open_command(hit),
    })
}

fn of_copy(file: &SourceFile) -> Value {
    json!({"session": &*file.session, "agent": file.agent.as_deref(), "path": file.path.to_string_lossy()})
}
