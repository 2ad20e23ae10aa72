//! What the index knows of a transcript.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, Row};
use rustc_hash::FxHashMap;

use crate::fingerprint::{Mark, Stamp};
use crate::library::SourceFile;

/// A transcript as far as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileRow {
    pub(crate) id: i64,
    /// What the file was like when it was last looked at.
    pub(crate) stamp: Stamp,
    /// The bytes that were read: whole lines from the start.
    pub(crate) n_read: u64,
    pub(crate) n_lines: u64,
    pub(crate) n_damaged: u64,
    /// Lines with usage, copies included.
    pub(crate) n_requests: u64,
    /// The folder the session was started in; empty while no line has said so.
    pub(crate) project: Arc<str>,
    /// What the bytes that were read looked like.
    pub(crate) mark: Mark,
}

const COLUMNS: &str =
    "id, size, modified, changed, inode, n_read, n_lines, n_damaged, n_requests, project, mark";

impl FileRow {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let number = |column: usize| row.get::<_, i64>(column).map(|number| number as u64);
        Ok(Self {
            id: row.get(0)?,
            stamp: Stamp {
                size: number(1)?,
                modified: row.get(2)?,
                changed: row.get(3)?,
                inode: number(4)?,
            },
            n_read: number(5)?,
            n_lines: number(6)?,
            n_damaged: number(7)?,
            n_requests: number(8)?,
            project: row.get::<_, String>(9)?.into(),
            mark: Mark::from_bytes(row.get_ref(10)?.as_blob()?),
        })
    }

    /// Returns all files by their name.
    pub(crate) fn load_all(connection: &Connection) -> rusqlite::Result<FxHashMap<Box<str>, Self>> {
        let mut select = connection.prepare_cached(&format!("SELECT {COLUMNS}, name FROM file"))?;
        let rows = select.query_map([], |row| {
            let name: String = row.get(11)?;
            Ok((name.into_boxed_str(), Self::read(row)?))
        })?;
        rows.collect()
    }

    /// Returns those of the named files that are known.
    pub(crate) fn load_named<'n>(
        connection: &Connection,
        names: impl Iterator<Item = &'n str>,
    ) -> rusqlite::Result<FxHashMap<Box<str>, Self>> {
        let select = format!("SELECT {COLUMNS} FROM file WHERE name = ?1");
        let mut select = connection.prepare_cached(&select)?;
        let mut rows = FxHashMap::default();
        for name in names {
            if let Some(row) = select.query_row([name], Self::read).optional()? {
                rows.insert(name.into(), row);
            }
        }
        Ok(rows)
    }

    /// Writes a file that is new to the index and returns its number, which no other file has
    /// had.
    pub(crate) fn insert(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
        connection
            .prepare_cached(
                "INSERT INTO file(name, size, modified, changed, inode, n_read, n_lines, n_damaged, n_requests, project, mark)
                 VALUES(?1, 0, 0, 0, 0, 0, 0, 0, 0, '', x'')",
            )?
            .execute([name])?;
        Ok(connection.last_insert_rowid())
    }

    /// Returns the project that a file belongs to: the folder it names, or else that of the home it
    /// stands in.
    pub(crate) fn project_of<'a>(&'a self, file: &'a SourceFile) -> &'a Arc<str> {
        match &*self.project {
            "" => &file.slug,
            _ => &self.project,
        }
    }

    /// Returns the number of a file.
    pub(crate) fn id_of(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
        connection
            .prepare_cached("SELECT id FROM file WHERE name = ?1")?
            .query_row([name], |row| row.get(0))
    }

    /// Writes what is known now.
    pub(crate) fn update(&self, connection: &Connection) -> rusqlite::Result<()> {
        connection
            .prepare_cached(
                "UPDATE file SET size = ?2, modified = ?3, changed = ?4, inode = ?5,
                 n_read = ?6, n_lines = ?7, n_damaged = ?8, n_requests = ?9, project = ?10, mark = ?11
                 WHERE id = ?1",
            )?
            .execute((
                self.id,
                self.stamp.size as i64,
                self.stamp.modified,
                self.stamp.changed,
                self.stamp.inode as i64,
                self.n_read as i64,
                self.n_lines as i64,
                self.n_damaged as i64,
                self.n_requests as i64,
                &*self.project,
                self.mark.to_bytes(),
            ))?;
        Ok(())
    }

    /// Forgets a file; what was read of it has to be forgotten before.
    pub(crate) fn delete(connection: &Connection, id: i64) -> rusqlite::Result<()> {
        connection
            .prepare_cached("DELETE FROM activity WHERE file = ?1")?
            .execute([id])?;
        connection
            .prepare_cached("DELETE FROM file WHERE id = ?1")?
            .execute([id])?;
        Ok(())
    }
}
