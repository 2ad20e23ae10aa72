//! Requests of one piece of a file.

use std::sync::{Arc, LazyLock};

use memchr::memmem;
use ravel_format::{Line, Place, Record, lines_from, parse_line};
use ravel_model::usage::{Origin, Request, may_hold_usage, read_request};

use crate::library::SourceFile;

/// What was found in a piece, or in all pieces up to it.
#[derive(Debug, Default)]
pub(crate) struct Harvest {
    requests: Vec<Request>,
    /// The folder the session was started in, if the piece is the first and says so.
    pub(crate) project: Option<Arc<str>>,
    pub(crate) n_lines: u64,
    pub(crate) n_damaged: u64,
}

impl Harvest {
    /// Adds the piece that follows.
    pub(crate) fn append(&mut self, next: Self) {
        let first_line = self.n_lines;
        self.requests
            .extend(next.requests.into_iter().map(|mut request| {
                request.line += first_line;
                request
            }));
        self.n_lines += next.n_lines;
        self.n_damaged += next.n_damaged;
        if self.project.is_none() {
            self.project = next.project;
        }
    }

    /// Returns the requests as their lines tell them.
    pub(crate) fn requests(&self) -> impl Iterator<Item = &Request> {
        self.requests.iter()
    }

    /// Returns the requests, each with its project.
    pub(crate) fn into_requests(mut self) -> Vec<Request> {
        if let Some(project) = self.project {
            for request in &mut self.requests {
                request.project = Arc::clone(&project);
            }
        }
        self.requests
    }
}

/// Returns what the records of a file do not say themselves.
pub(crate) fn origin(file: &SourceFile, project: Arc<str>) -> Origin {
    Origin {
        file: Arc::clone(&file.name),
        session: Arc::clone(&file.session),
        project,
    }
}

/// Reads a piece of whole lines.
pub(crate) fn read(piece: &[u8], offset: u64, origin: &Origin) -> Harvest {
    let mut harvest = Harvest::default();
    if offset == 0 {
        harvest.project = project_in(piece);
    }
    let place = Place { offset, line: 1 };
    for line in lines_from(piece, place) {
        harvest.n_lines += 1;
        harvest.line(&line, origin);
    }
    harvest
}

impl Harvest {
    fn line(&mut self, line: &Line<'_>, origin: &Origin) {
        match may_hold_usage(line.bytes) {
            true => self.records(&parse_line(line), origin),
            false => self.n_damaged += u64::from(is_cut(line.bytes)),
        }
    }

    /// Takes a line that was parsed for other reasons as if it was not: what counts as damage must
    /// not depend on who reads.
    pub(crate) fn parsed_line(&mut self, line: &Line<'_>, records: &[Record<'_>], origin: &Origin) {
        self.n_lines += 1;
        match may_hold_usage(line.bytes) {
            true => self.records(records, origin),
            false => self.n_damaged += u64::from(is_cut(line.bytes)),
        }
    }

    fn records(&mut self, records: &[Record<'_>], origin: &Origin) {
        for record in records {
            match read_request(record, origin) {
                Some(request) => self.requests.push(request),
                None => self.n_damaged += u64::from(record.json.is_none()),
            }
        }
    }
}

/// Tells whether a line that was not parsed stops in the middle: it says something, but not to
/// its end.
fn is_cut(line: &[u8]) -> bool {
    let is_padding = |byte: &&u8| matches!(**byte, b' ' | b'\t' | b'\r' | 0);
    let last = line.iter().rev().find(|byte| !is_padding(byte));
    last.is_some_and(|&last| last != b'}')
}

/// Finds the folder that a session was started in: the first one that its file names.
///
/// Only whole lines are looked at, so that the answer does not change while the file grows.
pub(crate) fn project_in(piece: &[u8]) -> Option<Arc<str>> {
    static FINDER: LazyLock<memmem::Finder<'_>> =
        LazyLock::new(|| memmem::Finder::new(b"\"cwd\":\""));
    let whole = memchr::memrchr(b'\n', piece).unwrap_or(0);
    let lines = piece.get(..whole).unwrap_or_default();
    FINDER.find_iter(lines).find_map(|at| {
        let text = text_at(lines, at + FINDER.needle().len() - 1)?;
        Some(text.into())
    })
}

/// Reads the JSON text whose quote is at an offset.
fn text_at(bytes: &[u8], offset: usize) -> Option<String> {
    let (json, _) = ravel_format::Json::parse_prefix(bytes.get(offset..)?).ok()?;
    Some(json.str()?.into_owned()).filter(|text| !text.is_empty())
}
