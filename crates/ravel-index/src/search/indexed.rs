//! Finding matches with the index.
//!
//! The index names blocks of lines whose terms meet the conditions of the query, the newest first;
//! each is scanned. Where people ask for the best few, no more are scanned than it takes to find
//! these: a word that stands in every tenth record has its best hits among the newest as well as
//! anywhere. What the index does not know (files that another process is writing about, lines that
//! have not ended yet) is scanned too, and so is everything when the query has nothing that terms
//! could tell.

use std::cmp::Reverse;
use std::io;

use ravel_home::SessionBytes;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::rank::rank;
use super::scan::{Scanner, scan};
use super::{Found, SearchRequest};
use crate::digest::BLOCK_BYTES;
use crate::library::{Library, SourceFile};
use crate::progress::Progress;
use crate::skipped::Skipped;
use crate::store::{Address, FileRow, Fitting, Index, IndexError, Part, fitting};
use crate::term::conditions;
use crate::update::Plan;

/// How many terms a condition may stand for before it says nothing.
const MANY_TERMS: usize = 2_000;
/// How many records are examined first for each hit that is wanted, and at least. If there are not
/// enough hits among them, twice as many follow.
const EXAMINED_A_HIT: usize = 8;
const EXAMINED: usize = 512;
/// How much is scanned at a time when only the newest are wanted.
const BATCH_BYTES: u64 = 8 << 20;

/// What was found, and whether that is all.
pub(super) struct Outcome {
    pub(super) found: Vec<Found>,
    pub(super) skipped: Skipped,
    pub(super) is_complete: bool,
}

impl Default for Outcome {
    fn default() -> Self {
        Self {
            found: Vec::new(),
            skipped: Skipped::default(),
            is_complete: true,
        }
    }
}

impl Outcome {
    fn absorb(&mut self, more: Self) {
        self.found.extend(more.found);
        self.skipped.absorb(more.skipped);
        self.is_complete &= more.is_complete;
    }
}

/// What the index says about the query.
enum Candidates {
    /// Records that full text finds by these words may match, and no others.
    Found(String),
    /// No record does.
    None,
    /// Any record may.
    Any,
}

/// Some records that may match.
#[derive(Default)]
struct Batch {
    addresses: Vec<Address>,
    /// The first of the next batch, if there is one.
    next: Option<Address>,
}

/// Looks a request up.
pub(super) fn look_up(
    library: &Library,
    index: &Index,
    request: &SearchRequest<'_>,
    progress: &dyn Progress,
) -> Result<Outcome, IndexError> {
    let _snapshot = index.snapshot()?;
    let plan = index.plan(library)?;
    let places: FxHashMap<&str, usize> = library
        .files()
        .iter()
        .enumerate()
        .map(|(number, file)| (&*file.name, number))
        .collect();
    let looking = Looking {
        library,
        plan: &plan,
        places,
        request,
        scanner: Scanner::new(request),
    };
    let candidates = looking
        .candidates(index)
        .map_err(|error| index.error(error))?;
    let mut outcome = match candidates {
        Candidates::Any => return Ok(looking.newest(progress)),
        Candidates::None => Outcome::default(),
        Candidates::Found(words) => looking
            .matching(index, &words)
            .map_err(|error| index.error(error))?,
    };
    looking.unknown(&mut outcome, progress);
    Ok(outcome)
}

struct Looking<'a> {
    library: &'a Library,
    plan: &'a Plan<'a>,
    /// Where files are in the library, by name.
    places: FxHashMap<&'a str, usize>,
    request: &'a SearchRequest<'a>,
    scanner: Scanner<'a>,
}

/// Blocks of one file to examine, by where they start.
struct Group {
    file: usize,
    offsets: Vec<u64>,
}

impl Looking<'_> {
    fn most(&self) -> usize {
        let wanted = |limit: usize| limit.saturating_mul(EXAMINED_A_HIT).max(EXAMINED);
        self.request.limit.map_or(usize::MAX, wanted)
    }

    fn candidates(&self, index: &Index) -> rusqlite::Result<Candidates> {
        let literals = self.request.query.literals().iter();
        let wanted: Vec<_> = literals
            .flat_map(|literal| conditions(literal.text()))
            .collect();
        let mut clauses = Vec::new();
        for fitting in fitting(&index.connection, &wanted, MANY_TERMS)? {
            match fitting {
                Fitting::Many => {}
                Fitting::Terms(terms) if terms.is_empty() => return Ok(Candidates::None),
                Fitting::Terms(terms) => {
                    let quoted: Vec<_> = terms.iter().map(|term| format!("\"{term}\"")).collect();
                    clauses.push(format!("({})", quoted.join(" OR ")));
                }
            }
        }
        Ok(match clauses.is_empty() {
            true => Candidates::Any,
            false => Candidates::Found(clauses.join(" AND ")),
        })
    }

    /// Asks full text, and examines what it finds until there are enough hits.
    fn matching(&self, index: &Index, words: &str) -> rusqlite::Result<Outcome> {
        let mut select = index
            .connection
            .prepare_cached("SELECT rowid FROM term WHERE term MATCH ?1 ORDER BY rowid DESC")?;
        let mut rows = select.query([words])?;
        let mut admitted = FxHashMap::default();
        let mut outcome = Outcome::default();
        let mut batch = Batch::default();
        let mut most = self.most();
        loop {
            batch.addresses.clear();
            batch.addresses.extend(batch.next.take());
            self.fill(&mut batch, &mut rows, (index, &mut admitted), most)?;
            outcome.absorb(self.examine_all(&self.by_file(index, &batch.addresses)?));
            if batch.next.is_none() || self.has_enough(&outcome.found) {
                outcome.is_complete = batch.next.is_none();
                return Ok(outcome);
            }
            most = most.saturating_mul(2);
        }
    }

    /// Takes records of admitted files until the batch is full.
    fn fill(
        &self,
        batch: &mut Batch,
        rows: &mut rusqlite::Rows<'_>,
        (index, admitted): (&Index, &mut FxHashMap<i64, bool>),
        most: usize,
    ) -> rusqlite::Result<()> {
        while let Some(row) = rows.next()? {
            let address = Address(row.get(0)?);
            let is_admitted = match admitted.get(&address.part()) {
                Some(&is_admitted) => is_admitted,
                None => {
                    let is_admitted = self.admits(index, address)?;
                    admitted.insert(address.part(), is_admitted);
                    is_admitted
                }
            };
            match is_admitted {
                true if batch.addresses.len() < most => batch.addresses.push(address),
                true => {
                    batch.next = Some(address);
                    break;
                }
                false => {}
            }
        }
        Ok(())
    }

    /// Tells whether there are as many hits as are wanted. Copies of a message are one.
    fn has_enough(&self, found: &[Found]) -> bool {
        let limit = self.request.limit.unwrap_or(usize::MAX);
        found.len() >= limit && rank(self.library, found.to_vec()).len() >= limit
    }

    /// Tells whether the part of a record is of a file that is there and asked for.
    fn admits(&self, index: &Index, address: Address) -> rusqlite::Result<bool> {
        let part = Part::load(&index.connection, address.part())?;
        let known = part.and_then(|part| self.plan.current.get(&part.file));
        Ok(known.is_some_and(|(file, row)| self.admits_file(file, row)))
    }

    fn admits_file(&self, file: &SourceFile, row: &FileRow) -> bool {
        (self.request.admits_project)(row.project_of(file))
    }

    fn by_file(&self, index: &Index, addresses: &[Address]) -> rusqlite::Result<Vec<Group>> {
        let mut parts: FxHashMap<i64, Option<Part>> = FxHashMap::default();
        let mut groups: FxHashMap<usize, Vec<u64>> = FxHashMap::default();
        for address in addresses {
            let part = match parts.get(&address.part()) {
                Some(part) => *part,
                None => {
                    let part = Part::load(&index.connection, address.part())?;
                    parts.insert(address.part(), part);
                    part
                }
            };
            let place = part.and_then(|part| {
                let (file, _) = self.plan.current.get(&part.file)?;
                Some((*self.places.get(&*file.name)?, address.offset(&part)))
            });
            if let Some((file, offset)) = place {
                groups.entry(file).or_default().push(offset);
            }
        }
        let groups = groups.into_iter();
        Ok(groups
            .map(|(file, offsets)| Group { file, offsets })
            .collect())
    }

    fn examine_all(&self, groups: &[Group]) -> Outcome {
        let examined: Vec<_> = groups
            .par_iter()
            .filter_map(|group| {
                let file = self.library.files().get(group.file)?;
                let found = self.examine_group(group);
                Some(found.map_err(|error| Skipped::file(&file.path, &error)))
            })
            .collect();
        let mut outcome = Outcome::default();
        for found in examined {
            match found {
                Ok(found) => outcome.found.extend(found),
                Err(skipped) => outcome.skipped.absorb(skipped),
            }
        }
        outcome
    }

    fn examine_group(&self, group: &Group) -> io::Result<Vec<Found>> {
        let Some(file) = self.library.files().get(group.file) else {
            return Ok(Vec::new());
        };
        let bytes = SessionBytes::open(&file.path)?;
        let blocks = group.offsets.iter();
        let blocks = blocks.map(|&start| start..start.saturating_add(BLOCK_BYTES));
        let read = self.scanner.parts(&bytes, blocks, group.file)?;
        Ok(read.found)
    }

    /// Scans what the index does not know.
    fn unknown(&self, outcome: &mut Outcome, progress: &dyn Progress) {
        let jobs = self.plan.jobs.iter();
        let files: Vec<usize> = jobs
            .filter_map(|job| self.places.get(&*job.file.name).copied())
            .collect();
        let (found, skipped) = scan(self.library, &files, self.request, progress);
        outcome.found.extend(found);
        outcome.skipped.absorb(skipped);
        for (file, row) in self.plan.current.values() {
            if !self.admits_file(file, row) {
                continue;
            }
            let damaged = Skipped::lines(&file.path, row.n_damaged);
            outcome.skipped.absorb(damaged);
            if row.n_read >= file.size {
                continue;
            }
            let Some(&number) = self.places.get(&*file.name) else {
                continue;
            };
            let read = SessionBytes::open(&file.path).and_then(|bytes| {
                self.scanner
                    .parts(&bytes, std::iter::once(row.n_read..u64::MAX), number)
            });
            match read {
                Ok(read) => outcome.found.extend(read.found),
                Err(error) => outcome.skipped.absorb(Skipped::file(&file.path, &error)),
            }
        }
    }

    /// Scans the files that were written last until there are enough hits, or all.
    fn newest(&self, progress: &dyn Progress) -> Outcome {
        let mut outcome = Outcome::default();
        let files = self.library.files();
        let mut order: Vec<usize> = (0..files.len()).collect();
        order.sort_by_key(|&number| Reverse(files.get(number).map(|file| file.modified)));
        let size = |number: usize| files.get(number).map_or(0, |file| file.size);
        let mut rest = order.as_slice();
        while !rest.is_empty() {
            let mut n_bytes = 0;
            let n_files = rest
                .iter()
                .take_while(|&&number| {
                    let is_room = n_bytes < BATCH_BYTES || self.request.limit.is_none();
                    n_bytes += size(number);
                    is_room
                })
                .count();
            let (batch, later) = rest.split_at(n_files.max(1).min(rest.len()));
            rest = later;
            let (found, skipped) = scan(self.library, batch, self.request, progress);
            outcome.found.extend(found);
            outcome.skipped.absorb(skipped);
            if self.has_enough(&outcome.found) {
                outcome.is_complete = rest.is_empty();
                break;
            }
        }
        outcome
    }
}
