//! Requests of one piece of a file.

use std::sync::{Arc, LazyLock};

use memchr::{memchr, memmem, memrchr};
use ravel_format::{Line, Place, Record, lines_from, parse_line};
use ravel_model::usage::{
    Entry, Origin, Request, Unusual, may_hold_usage, read_entry, read_request,
};

use crate::library::SourceFile;

/// A line with usage, kept whole or as the little that sums need.
pub(crate) trait Found: From<Request> + Into<Entry> + Send {
    /// Reads a line without parsing it, if that can be done.
    fn read(line: &Line<'_>, origin: &Origin) -> Result<Option<Self>, Unusual>;

    /// Returns the request, which may have no ids.
    fn request_mut(&mut self) -> &mut Request;
}

impl Found for Request {
    fn read(_: &Line<'_>, _: &Origin) -> Result<Option<Self>, Unusual> {
        Err(Unusual)
    }

    fn request_mut(&mut self) -> &mut Request {
        self
    }
}

impl Found for Entry {
    fn read(line: &Line<'_>, origin: &Origin) -> Result<Option<Self>, Unusual> {
        read_entry(line, origin)
    }

    fn request_mut(&mut self) -> &mut Request {
        self.request_mut()
    }
}

/// What was found in a piece, or in all pieces up to it.
#[derive(Debug)]
pub(crate) struct Harvest<T = Request> {
    requests: Vec<T>,
    /// The folder the session was started in, if the piece is the first and says so.
    pub(crate) project: Option<Arc<str>>,
    pub(crate) n_lines: u64,
    pub(crate) n_damaged: u64,
}

impl<T> Default for Harvest<T> {
    fn default() -> Self {
        Self {
            requests: Vec::new(),
            project: None,
            n_lines: 0,
            n_damaged: 0,
        }
    }
}

impl<T: Found> Harvest<T> {
    /// Adds the piece that follows.
    pub(crate) fn append(&mut self, next: Self) {
        let requests = self.count(next);
        self.requests.extend(requests);
    }

    /// Adds the piece that follows, but hands its requests out.
    pub(crate) fn pass(&mut self, next: Self) -> impl Iterator<Item = T> {
        let requests = self.count(next);
        let project = self.project.clone();
        requests.map(move |mut found| {
            if let Some(project) = &project {
                found.request_mut().project = Arc::clone(project);
            }
            found
        })
    }

    /// Adds the piece that follows, and numbers the lines of its requests as those of the file.
    fn count(&mut self, next: Self) -> impl Iterator<Item = T> + use<T> {
        let first_line = self.n_lines;
        self.n_lines += next.n_lines;
        self.n_damaged += next.n_damaged;
        if self.project.is_none() {
            self.project = next.project;
        }
        next.requests.into_iter().map(move |mut found| {
            found.request_mut().line += first_line;
            found
        })
    }
}

impl Harvest {
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
pub(crate) fn read<T: Found>(piece: &[u8], offset: u64, origin: &Origin) -> Harvest<T> {
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

impl<T: Found> Harvest<T> {
    fn line(&mut self, line: &Line<'_>, origin: &Origin) {
        if !may_hold_usage(line.bytes) {
            self.n_damaged += u64::from(is_cut(line.bytes));
            return;
        }
        match T::read(line, origin) {
            Ok(found) => self.requests.extend(found),
            Err(Unusual) => self.records(&parse_line(line), origin),
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
                Some(request) => self.requests.push(request.into()),
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

/// Finds the folder that a session was started in: the first one that a record of its file names.
///
/// Only whole lines are looked at, so that the answer does not change while the file grows.
pub(crate) fn project_in(piece: &[u8]) -> Option<Arc<str>> {
    static FINDER: LazyLock<memmem::Finder<'_>> = LazyLock::new(|| memmem::Finder::new(b"\"cwd\""));
    let whole = memrchr(b'\n', piece).map_or(0, |newline| newline + 1);
    let mut rest = piece.get(..whole)?;
    while let Some(at) = FINDER.find(rest) {
        let start = memrchr(b'\n', rest.get(..at)?).map_or(0, |newline| newline + 1);
        let line = lines_from(rest.get(start..)?, Place::default()).next()?;
        // A tool may have been given a folder of the same name; only that of the record counts.
        let folders = parse_line(&line);
        let mut folders = folders.iter().filter_map(|record| record.get("cwd")?.str());
        if let Some(folder) = folders.find(|folder| !folder.is_empty()) {
            return Some(folder.into());
        }
        let end = memchr(b'\n', rest.get(at..)?)?;
        rest = rest.get(at + end + 1..)?;
    }
    None
}
