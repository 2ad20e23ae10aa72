//! Reading files for matches.

use std::io;
use std::ops::Range;

use ravel_format::{Line, Place, Source as _, Span, lines_from, parse_line, parse_record};
use ravel_home::SessionBytes;
use ravel_model::search::Prefilter;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::calls::find_all;
use super::examine::{Calls, Verdict, examine};
use super::{Found, SearchRequest};
use crate::library::Library;
use crate::progress::Progress;
use crate::skipped::Skipped;
use crate::usage::project_in;

/// Reads some files of the library, by their places in it.
pub(super) fn scan(
    library: &Library,
    files: &[usize],
    request: &SearchRequest<'_>,
    progress: &dyn Progress,
) -> (Vec<Found>, Skipped) {
    let scanner = Scanner::new(request);
    let read = |&number: &usize| {
        let file = library.files().get(number)?;
        let outcome = scanner.file(&file.path, number, &file.slug);
        progress.add(file.size);
        Some(match outcome {
            Ok((found, n_damaged)) => (found, Skipped::lines(&file.path, n_damaged)),
            Err(error) => (Vec::new(), Skipped::file(&file.path, &error)),
        })
    };
    let results: Vec<_> = files.par_iter().filter_map(read).collect();
    let mut all = Vec::new();
    let mut skipped = Skipped::default();
    for (found, missed) in results {
        all.extend(found);
        skipped.absorb(missed);
    }
    (all, skipped)
}

/// Reads files for one request.
pub(super) struct Scanner<'a> {
    request: &'a SearchRequest<'a>,
    prefilter: Prefilter,
}

/// What was found in a piece, or in all pieces up to it.
#[derive(Default)]
pub(super) struct Piece {
    pub(super) found: Vec<Found>,
    /// Where the records are whose matches depend on calls, and the calls.
    undecided: Vec<Span>,
    ids: FxHashSet<String>,
    project: Option<std::sync::Arc<str>>,
    n_damaged: u64,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(request: &'a SearchRequest<'a>) -> Self {
        Self {
            request,
            prefilter: request.query.prefilter(),
        }
    }

    fn file(
        &self,
        path: &std::path::Path,
        number: usize,
        slug: &str,
    ) -> io::Result<(Vec<Found>, u64)> {
        let bytes = SessionBytes::open(path)?;
        let all = self.parts(&bytes, std::iter::once(0..u64::MAX), number)?;
        let project = all.project.as_deref().unwrap_or(slug);
        match all.found.is_empty() || (self.request.admits_project)(project) {
            true => Ok((all.found, all.n_damaged)),
            false => Ok((Vec::new(), all.n_damaged)),
        }
    }

    /// Reads parts of a file.
    pub(super) fn parts(
        &self,
        bytes: &SessionBytes,
        parts: impl IntoIterator<Item = Range<u64>>,
        number: usize,
    ) -> io::Result<Piece> {
        let mut all = Piece::default();
        for part in parts {
            bytes.scan_part(
                part,
                |piece, offset| self.piece(piece, offset, number),
                |piece| all.append(piece),
            )?;
        }
        if !all.ids.is_empty() {
            let calls = find_all(bytes, &all.ids)?;
            self.decide(bytes, &mut all, number, &calls)?;
        }
        Ok(all)
    }

    fn piece(&self, piece: &[u8], offset: u64, number: usize) -> Piece {
        let mut result = Piece::default();
        for range in self.prefilter.candidates(piece) {
            let place = Place {
                offset: offset + range.start as u64,
                line: 1,
            };
            // With its end: whether there is one decides what a carriage return before it is.
            let end = piece.len().min(range.end + 1);
            let bytes = piece.get(range.start..end).unwrap_or_default();
            for line in lines_from(bytes, place) {
                self.line(&line, number, &mut result);
            }
        }
        // It stands in the first lines; the matches can be anywhere.
        if offset == 0 {
            result.project = project_in(piece);
        }
        result
    }

    fn line(&self, line: &Line<'_>, number: usize, out: &mut Piece) {
        for record in parse_line(line) {
            out.n_damaged += u64::from(record.json.is_none() && !is_blank(record.raw));
            match examine(&record, number, self.request, None) {
                Verdict::Match(found) => out.found.push(found),
                Verdict::Depends(ids) => {
                    out.undecided.push(record.span);
                    out.ids.extend(ids);
                }
                Verdict::No => {}
            }
        }
    }

    /// Examines the lines that depended on calls again, now that those are known.
    ///
    /// They are read again: to keep them all could take as much memory as the file.
    fn decide(
        &self,
        bytes: &SessionBytes,
        all: &mut Piece,
        number: usize,
        calls: &Calls,
    ) -> io::Result<()> {
        for span in std::mem::take(&mut all.undecided) {
            let raw = bytes.read(span);
            let record = parse_record(&raw, span, 1);
            let verdict = examine(&record, number, self.request, Some(calls));
            if let Verdict::Match(found) = verdict {
                all.found.push(found);
            }
        }
        bytes.take_error().map_or(Ok(()), Err)
    }
}

impl Piece {
    fn append(&mut self, next: Self) {
        self.found.extend(next.found);
        self.undecided.extend(next.undecided);
        self.ids.extend(next.ids);
        self.n_damaged += next.n_damaged;
        if self.project.is_none() {
            self.project = next.project;
        }
    }
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .all(|byte| byte.is_ascii_whitespace() || *byte == 0)
}
