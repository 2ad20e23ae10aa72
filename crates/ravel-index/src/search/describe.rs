//! Hits for people.

use std::io;
use std::path::Path;

use ravel_format::{Source as _, Span, parse_record};
use ravel_home::SessionBytes;
use ravel_model::search::{Passage, Role, passages};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::{find_all, find_near};
use super::examine::{Calls, matching};
use super::rank::Ranked;
use super::{Hit, SearchRequest};
use crate::library::Library;
use crate::skipped::Skipped;

/// Reads the records of hits again and says what is in them. What cannot be read any more is no
/// hit.
pub(super) fn describe(
    library: &Library,
    request: &SearchRequest<'_>,
    ranked: &[Ranked],
    skipped: &mut Skipped,
) -> Vec<Hit> {
    let calls = calls_of_all(library, request, ranked);
    let hits: Vec<Result<Option<Hit>, Skipped>> = ranked
        .par_iter()
        .map(|ranked| describe_one(library, request, ranked, &calls))
        .collect();
    let mut described = Vec::new();
    for hit in hits {
        match hit {
            Ok(hit) => described.extend(hit),
            Err(missed) => skipped.absorb(missed),
        }
    }
    described
}

fn describe_one(
    library: &Library,
    request: &SearchRequest<'_>,
    ranked: &Ranked,
    known: &FxHashMap<usize, Calls>,
) -> Result<Option<Hit>, Skipped> {
    let found = &ranked.found;
    let Some(file) = library.files().get(found.file) else {
        return Ok(None);
    };
    let bytes =
        SessionBytes::open(&file.path).map_err(|error| Skipped::file(&file.path, &error))?;
    let raw = bytes.read(found.span);
    let record = parse_record(&raw, found.span, 1);
    let passages = passages(&record);
    let near;
    let calls = match known.get(&found.file) {
        Some(calls) => calls,
        None => {
            near = calls_near(&bytes, found.span.start, &passages);
            &near
        }
    };
    let Some(matched) = matching(&passages, request, Some(calls)) else {
        return Ok(None);
    };
    let Some(passage) = passages.get(matched.passage) else {
        return Ok(None);
    };
    let call = passage.call.as_deref().and_then(|id| calls.get(id));
    let envelope = record.envelope();
    let text = |value: Option<ravel_format::JsonText<'_>>| {
        value
            .map(|value| value.decode().into_owned())
            .filter(|text| !text.is_empty())
    };
    let owned = |own: &Option<std::borrow::Cow<'_, str>>| own.as_deref().map(str::to_owned);
    let of_copies = ranked.copies.iter();
    Ok(Some(Hit {
        file: file.clone(),
        session: text(envelope.session_id).unwrap_or_else(|| file.session.to_string()),
        uuid: text(envelope.uuid),
        time: found.time,
        role: matched.role,
        tool: owned(&passage.tool).or_else(|| call.map(|call| call.tool.clone())),
        path: owned(&passage.path).or_else(|| call.and_then(|call| call.path.clone())),
        model: owned(&passage.model).or_else(|| call.and_then(|call| call.model.clone())),
        branch: text(envelope.git_branch),
        folder: text(envelope.cwd),
        snippet: matched.snippet(&passage.text, request.snippet_width),
        score: found.score,
        span: found.span,
        copies: of_copies
            .filter_map(|&copy| library.files().get(copy).cloned())
            .collect(),
    }))
}

/// Finds the calls whose results are among the hits, in one pass over each file. Only where the
/// filter depends on them: others are looked for near the result.
fn calls_of_all(
    library: &Library,
    request: &SearchRequest<'_>,
    ranked: &[Ranked],
) -> FxHashMap<usize, Calls> {
    if !request.filter.needs_calls() {
        return FxHashMap::default();
    }
    let mut spans: FxHashMap<usize, Vec<Span>> = FxHashMap::default();
    for Ranked { found, .. } in ranked {
        spans.entry(found.file).or_default().push(found.span);
    }
    let known = spans.into_par_iter().filter_map(|(number, spans)| {
        let file = library.files().get(number)?;
        // A file that cannot be read any more is noted with its hits.
        Some((number, calls_at(&file.path, &spans).unwrap_or_default()))
    });
    known.collect()
}

fn calls_at(path: &Path, spans: &[Span]) -> io::Result<Calls> {
    let bytes = SessionBytes::open(path)?;
    let mut ids = FxHashSet::default();
    for &span in spans {
        let raw = bytes.read(span);
        let record = parse_record(&raw, span, 1);
        ids.extend(results(&passages(&record)).map(str::to_owned));
    }
    find_all(&bytes, &ids)
}

/// Finds the calls whose results are in a record and which are not far before it.
fn calls_near(bytes: &SessionBytes, before: u64, passages: &[Passage<'_>]) -> Calls {
    let known =
        results(passages).filter_map(|id| Some((id.to_owned(), find_near(bytes, before, id)?)));
    known.collect()
}

/// Returns the calls whose results are among some passages.
fn results<'p>(passages: &'p [Passage<'_>]) -> impl Iterator<Item = &'p str> {
    let results = passages
        .iter()
        .filter(|passage| passage.role == Role::ToolResult);
    results.filter_map(|passage| passage.call.as_deref())
}
