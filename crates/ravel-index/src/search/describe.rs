//! Hits for people.

use std::io;

use ravel_format::{Source as _, parse_record};
use ravel_home::SessionBytes;
use ravel_model::search::{Passage, Role, passages};
use rayon::prelude::*;

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
    let hits: Vec<Result<Option<Hit>, Skipped>> = ranked
        .par_iter()
        .map(|ranked| describe_one(library, request, ranked))
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
    let calls = calls_of(&bytes, found.span.start, &passages, request)
        .map_err(|error| Skipped::file(&file.path, &error))?;
    let Some(matched) = matching(&passages, request, Some(&calls)) else {
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

/// Finds the calls whose results are in a record: all of them where the filter depends on them,
/// otherwise those that are not far.
fn calls_of(
    bytes: &SessionBytes,
    before: u64,
    passages: &[Passage<'_>],
    request: &SearchRequest<'_>,
) -> io::Result<Calls> {
    let results = passages
        .iter()
        .filter(|passage| passage.role == Role::ToolResult);
    let ids = results.filter_map(|passage| passage.call.as_deref());
    if request.filter.needs_calls() {
        return find_all(bytes, &ids.map(str::to_owned).collect());
    }
    let known = ids.filter_map(|id| Some((id.to_owned(), find_near(bytes, before, id)?)));
    Ok(known.collect())
}
