//! What the index keeps of the lines of a file.

use ravel_format::{Place, lines_from, parse_line};
use ravel_model::activity::{Activity, Side};
use ravel_model::search::passages;
use ravel_model::usage::Origin;

use crate::term::{TermSet, Terms};
use crate::usage::{Harvest, project_in};

/// How far apart the first and the last line of a block may start.
///
/// Full text knows which blocks of a file have a term, not which lines: that takes half the time and
/// space, and a block is searched in microseconds.
pub(crate) const BLOCK_BYTES: u64 = 16 << 10;

/// What was found in a piece of a file, or in several that follow each other.
#[derive(Debug, Default)]
pub(crate) struct Digest {
    /// The blocks with terms: where each starts in the file, and where its terms end in `terms`.
    blocks: Vec<(u64, usize)>,
    /// The terms of all blocks, with a space after each.
    terms: String,
    /// The same, but hardly any of them twice.
    distinct: String,
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
        let mut block = Block::default();
        for line in lines_from(piece, Place { offset, line: 1 }) {
            block.begin_line(line.span.start, &mut digest);
            let records = parse_line(&line);
            digest.harvest.parsed_line(&line, &records, origin);
            for record in &records {
                digest.activity.add(record, side);
                for passage in passages(record) {
                    block.terms.add(&passage.text);
                }
            }
            block.end_line(line.span.start);
        }
        block.close(&mut digest);
        digest.distinct = block.distinct.text().to_owned();
        digest
    }

    /// Adds the piece that follows.
    pub(crate) fn append(&mut self, next: Self) {
        let base = self.terms.len();
        self.terms.push_str(&next.terms);
        self.distinct.push_str(&next.distinct);
        let blocks = next.blocks.into_iter();
        self.blocks
            .extend(blocks.map(|(start, end)| (start, base + end)));
        self.harvest.append(next.harvest);
        self.activity.merge(next.activity);
        self.n_bytes += next.n_bytes;
    }

    /// Returns each block that has terms: where it starts, and its terms with spaces between.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (u64, &str)> {
        let ends = self.blocks.iter().map(|(_, end)| *end);
        let begins = std::iter::once(0).chain(ends);
        self.blocks.iter().zip(begins).map(|((start, end), begin)| {
            let terms = self.terms.get(begin..*end).unwrap_or_default();
            (*start, terms)
        })
    }

    /// Returns all terms, with few repetitions.
    pub(crate) fn terms(&self) -> impl Iterator<Item = &str> {
        split(&self.distinct)
    }
}

/// Lines that are indexed together.
#[derive(Default)]
struct Block {
    /// Where its first line with terms starts.
    start: Option<u64>,
    terms: Terms,
    /// The terms of all blocks of the piece.
    distinct: TermSet,
}

impl Block {
    /// Closes the block if a line is too far from its start.
    fn begin_line(&mut self, line: u64, digest: &mut Digest) {
        if self.start.is_some_and(|start| line - start >= BLOCK_BYTES) {
            self.close(digest);
        }
    }

    fn end_line(&mut self, line: u64) {
        if self.start.is_none() && !self.terms.text().is_empty() {
            self.start = Some(line);
        }
    }

    fn close(&mut self, digest: &mut Digest) {
        if let Some(start) = self.start.take() {
            digest.terms.push_str(self.terms.text());
            digest.blocks.push((start, digest.terms.len()));
            split(self.terms.text()).for_each(|term| self.distinct.insert(term));
        }
        self.terms.clear();
    }
}

fn split(terms: &str) -> impl Iterator<Item = &str> {
    terms.split(' ').filter(|term| !term.is_empty())
}
