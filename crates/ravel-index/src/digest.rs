//! What the index keeps of the lines of a file.

use ravel_format::{Place, lines_from, parse_line};
use ravel_model::activity::{Activity, Side};
use ravel_model::search::passages;
use ravel_model::usage::Origin;

use crate::term::Terms;
use crate::usage::{Harvest, project_in};

/// What was found in a piece of a file, or in several that follow each other.
#[derive(Debug, Default)]
pub(crate) struct Digest {
    /// The records with terms: where each starts in the file, and where its terms end in
    /// `terms`.
    records: Vec<(u64, usize)>,
    /// The terms of all records, with a space after each.
    terms: String,
    pub(crate) harvest: Harvest,
    pub(crate) activity: Activity,
    /// The whole lines that were read. The last line of a file is not one until it has ended.
    pub(crate) n_bytes: u64,
}

impl Digest {
    /// Reads a piece of a file; `offset` is where it starts there.
    pub(crate) fn read(piece: &[u8], offset: u64, origin: &Origin, side: Side) -> Self {
        let mut digest = Self::default();
        let whole = memchr::memrchr(b'\n', piece).map_or(0, |newline| newline + 1);
        let piece = piece.get(..whole).unwrap_or_default();
        digest.n_bytes = whole as u64;
        if offset == 0 {
            digest.harvest.project = project_in(piece);
        }
        let mut terms = Terms::default();
        for line in lines_from(piece, Place { offset, line: 1 }) {
            let records = parse_line(&line);
            digest.harvest.parsed_line(&line, &records, origin);
            for record in &records {
                digest.activity.add(record, side);
                for passage in passages(record) {
                    terms.add(&passage.text);
                }
                terms.take(&mut digest.terms);
                digest.end_record(record.span.start);
            }
        }
        digest
    }

    /// Takes note of the terms that were added since the last record.
    fn end_record(&mut self, start: u64) {
        let before = self.records.last().map_or(0, |(_, end)| *end);
        if self.terms.len() > before {
            self.records.push((start, self.terms.len()));
        }
    }

    /// Adds the piece that follows.
    pub(crate) fn append(&mut self, next: Self) {
        let base = self.terms.len();
        self.terms.push_str(&next.terms);
        let records = next.records.into_iter();
        self.records
            .extend(records.map(|(start, end)| (start, base + end)));
        self.harvest.append(next.harvest);
        self.activity.merge(next.activity);
        self.n_bytes += next.n_bytes;
    }

    /// Returns each record that has terms: where it starts, and its terms with spaces between.
    pub(crate) fn records(&self) -> impl Iterator<Item = (u64, &str)> {
        let ends = self.records.iter().map(|(_, end)| *end);
        let begins = std::iter::once(0).chain(ends);
        self.records
            .iter()
            .zip(begins)
            .map(|((start, end), begin)| {
                let terms = self.terms.get(begin..*end).unwrap_or_default();
                (*start, terms)
            })
    }

    /// Returns all terms, with repetitions.
    pub(crate) fn terms(&self) -> impl Iterator<Item = &str> {
        self.terms.split(' ').filter(|term| !term.is_empty())
    }
}
