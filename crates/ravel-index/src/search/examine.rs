//! Whether a record matches.

use ravel_format::Record;
use ravel_model::search::{CallFacts, Match, Passage, Role, copy_key, passages};
use rustc_hash::FxHashMap;

use super::{Found, SearchRequest};

/// What is known of the calls whose results stand in a file.
pub(super) type Calls = FxHashMap<String, CallFacts>;

/// What the text of a record says to the request.
pub(super) enum Verdict {
    /// It matches.
    Match(Found),
    /// It matches if the calls with these ids are what the filter asks for.
    Depends(Vec<String>),
    /// It does not match.
    No,
}

/// Examines a record of a file; `calls` is what is known of the calls in it, once that was found
/// out.
pub(super) fn examine(
    record: &Record<'_>,
    file: usize,
    request: &SearchRequest<'_>,
    calls: Option<&Calls>,
) -> Verdict {
    if record.json.is_none() || !request.filter.admits_record(record) {
        return Verdict::No;
    }
    let passages = passages(record);
    let found = |found: Match| {
        Verdict::Match(Found {
            key: copy_key(record),
            score: found.score(),
            time: record.envelope().timestamp,
            is_fork: record.get("forkedFrom").is_some(),
            file,
            span: record.span,
        })
    };
    if calls.is_none() && request.filter.needs_calls() {
        let depends = on_calls(&passages, request);
        if !depends.is_empty() {
            return Verdict::Depends(depends);
        }
    }
    let matched = matching(&passages, request, calls);
    matched.map_or(Verdict::No, found)
}

/// Looks for the query in the passages that the filter admits.
pub(super) fn matching(
    passages: &[Passage<'_>],
    request: &SearchRequest<'_>,
    calls: Option<&Calls>,
) -> Option<Match> {
    request.query.matches(passages, |passage| {
        let call = passage.call.as_deref();
        let facts = call.and_then(|id| calls?.get(id));
        request.filter.admits_passage(passage, facts)
    })
}

/// Returns the calls whose results could match.
fn on_calls(passages: &[Passage<'_>], request: &SearchRequest<'_>) -> Vec<String> {
    let roles = &request.filter.roles;
    let is_open = |passage: &&Passage<'_>| {
        passage.role == Role::ToolResult && (roles.is_empty() || roles.contains(&Role::ToolResult))
    };
    let results = passages.iter().filter(is_open);
    results
        .filter_map(|passage| passage.call.as_deref().map(str::to_owned))
        .collect()
}
