//! What results do not say themselves: which tool answered.

use std::io;

use aho_corasick::AhoCorasick;
use memchr::{memmem, memrchr};
use ravel_format::{Place, Source as _, Span, lines_from, parse_line};
use ravel_home::SessionBytes;
use ravel_model::search::{CallFacts, calls};
use rustc_hash::FxHashSet;

use super::examine::Calls;

/// Finds calls by their ids, in one pass over the file.
pub(super) fn find_all(bytes: &SessionBytes, ids: &FxHashSet<String>) -> io::Result<Calls> {
    let mut found = Calls::default();
    if ids.is_empty() {
        return Ok(found);
    }
    // Too many ids for one automaton is no reason to fail: then every call is looked at.
    let finder = AhoCorasick::new(ids).ok();
    bytes.scan(
        |piece, offset| calls_in(piece, offset, ids, finder.as_ref()),
        |piece| found.extend(piece),
    )?;
    Ok(found)
}

fn calls_in(
    piece: &[u8],
    offset: u64,
    ids: &FxHashSet<String>,
    finder: Option<&AhoCorasick>,
) -> Vec<(String, CallFacts)> {
    let mark = memmem::Finder::new(b"tool_use");
    let mut found = Vec::new();
    for line in lines_from(piece, Place { offset, line: 1 }) {
        let is_named = finder.is_none_or(|finder| finder.is_match(line.bytes));
        if !is_named || mark.find(line.bytes).is_none() {
            continue;
        }
        for record in parse_line(&line) {
            let calls = calls(&record).filter(|(id, _)| ids.contains(&**id));
            found.extend(calls.map(|(id, facts)| (id.into_owned(), facts)));
        }
    }
    found
}

/// Finds a call shortly before its result: good enough to name the tool to a person.
pub(super) fn find_near(bytes: &SessionBytes, before: u64, id: &str) -> Option<CallFacts> {
    const NEAR: u64 = 256 << 10;
    let start = before.saturating_sub(NEAR);
    let span = Span {
        start,
        len: before - start,
    };
    let window = bytes.read(span);
    let at = memmem::rfind(&window, id.as_bytes())?;
    let begin = memrchr(b'\n', window.get(..at)?).map_or(0, |newline| newline + 1);
    let place = Place {
        offset: start + begin as u64,
        line: 1,
    };
    let line = lines_from(window.get(begin..)?, place).next()?;
    let records = parse_line(&line);
    let mut all = records.iter().flat_map(calls);
    Some(all.find(|(found, _)| found == id)?.1)
}
