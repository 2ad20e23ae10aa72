//! How the index is, and keeping it small.
//!
//! Terms of a transcript that is gone cannot be taken out one by one, because the index does not
//! have the text. They lead nowhere and cost only space, until so much is gone that making the
//! index anew is worth it.

use rusqlite::{Connection, OptionalExtension as _};

use super::{Index, IndexError};
use crate::library::Library;
use crate::lock::{Lock, Patience};

/// How the index is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// Files it knows.
    pub n_files: u64,
    /// Bytes of them that were read.
    pub n_read: u64,
    /// Files that changed since, or are new.
    pub n_changed: u64,
    /// Files that are gone.
    pub n_gone: u64,
    /// Requests that count.
    pub n_requests: u64,
    /// Bytes of transcripts that are gone and whose terms still take space.
    pub n_forgotten: u64,
    /// Bytes of the index on disk.
    pub n_bytes: u64,
}

impl Index {
    /// Compares the index with the library, without changing either.
    pub fn status(&self, library: &Library) -> Result<Status, IndexError> {
        let plan = self.plan(library)?;
        let count = |query: &str| {
            let number: rusqlite::Result<i64> =
                self.connection.query_row(query, [], |row| row.get(0));
            number
                .map(|number| number as u64)
                .map_err(|error| self.error(error))
        };
        Ok(Status {
            n_files: count("SELECT count(*) FROM file")?,
            n_read: count("SELECT coalesce(sum(n_read), 0) FROM file")?,
            n_changed: plan.jobs.len() as u64,
            n_gone: plan.gone.len() as u64,
            n_requests: count("SELECT count(*) FROM request")?,
            n_forgotten: forgotten(&self.connection).map_err(|error| self.error(error))?,
            n_bytes: self.n_bytes(),
        })
    }

    /// Makes the file as small as it can be. What was forgotten takes space until the index is
    /// made anew: see [`Index::clear`].
    pub fn compact(&self) -> Result<(), IndexError> {
        let _lock = Lock::take(self.path(), Patience::Wait)?;
        let compact =
            "INSERT INTO term(term) VALUES('optimize'); VACUUM; PRAGMA wal_checkpoint(TRUNCATE);";
        let compacted = self.connection.execute_batch(compact);
        compacted.map_err(|error| self.error(error))
    }

    /// Tells whether most of the terms belong to transcripts that are gone.
    pub(crate) fn is_mostly_forgotten(&self) -> rusqlite::Result<bool> {
        let read: i64 =
            self.connection
                .query_row("SELECT coalesce(sum(n_read), 0) FROM file", [], |row| {
                    row.get(0)
                })?;
        /// Less is not worth a thought.
        const MIN: u64 = 64 << 20;
        let forgotten = forgotten(&self.connection)?;
        Ok(forgotten > MIN && forgotten > read as u64)
    }
}

fn forgotten(connection: &Connection) -> rusqlite::Result<u64> {
    let sum: Option<i64> = connection
        .query_row("SELECT sum(n_bytes) FROM forgotten", [], |row| row.get(0))
        .optional()?
        .flatten();
    Ok(sum.unwrap_or(0) as u64)
}

/// Notes that a transcript is gone.
pub(crate) fn note_forgotten(connection: &Connection, n_bytes: u64) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT INTO forgotten(n_bytes) VALUES(?1)")?
        .execute([n_bytes as i64])?;
    Ok(())
}
