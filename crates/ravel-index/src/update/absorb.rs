//! Writing what was read.

use std::sync::Arc;

use ravel_home::Finding;
use ravel_model::activity::Activity;
use rusqlite::Connection;

use super::Updated;
use super::wave::Read;
use crate::store::usage::{Names, forget_lines, insert_lines, settle};
use crate::store::{Address, FileRow, Pages, Part, load_activity, note_forgotten, save_activity};

/// Writes a wave: files to forget, and bytes that were read.
pub(crate) fn absorb(
    connection: &Connection,
    gone: &[FileRow],
    reads: &[Read<'_>],
    pages: &mut Pages,
) -> rusqlite::Result<()> {
    let mut names = Names::default();
    for row in gone {
        forget(connection, row, &mut names)?;
    }
    pages.add(
        connection,
        reads.iter().flat_map(|read| read.digest.terms()).collect(),
    )?;
    for read in reads {
        absorb_file(connection, read, &mut names)?;
    }
    settle(connection, &names)
}

fn absorb_file(
    connection: &Connection,
    read: &Read<'_>,
    names: &mut Names,
) -> rusqlite::Result<()> {
    if let Some(outdated) = &read.outdated {
        // The row of a file that was begun in this update does not know its number.
        let id = FileRow::id_of(connection, &read.file.name)?;
        forget(
            connection,
            &FileRow {
                id,
                ..outdated.clone()
            },
            names,
        )?;
    }
    let mut row = read.row();
    row.id = match &read.known {
        Some(_) => FileRow::id_of(connection, &read.file.name)?,
        None => FileRow::insert(connection, &read.file.name)?,
    };
    row.update(connection)?;
    absorb_terms(connection, row.id, read)?;
    let n_lines_before = row.n_lines - read.digest.harvest.n_lines;
    let requests = read.digest.harvest.requests().map(|request| {
        let mut request = request.clone();
        request.line += n_lines_before;
        if !row.project.is_empty() {
            request.project = Arc::clone(&row.project);
        }
        request
    });
    insert_lines(connection, row.id, &requests.collect::<Vec<_>>(), names)?;
    let mut activity: Activity = match &read.known {
        Some(_) => load_activity(connection, row.id)?,
        None => Activity::default(),
    };
    activity.merge(read.digest.activity.clone());
    save_activity(connection, row.id, &activity)
}

fn absorb_terms(connection: &Connection, file: i64, read: &Read<'_>) -> rusqlite::Result<()> {
    let mut insert = connection.prepare_cached("INSERT INTO term(rowid, text) VALUES(?1, ?2)")?;
    let mut part: Option<Part> = None;
    for (offset, terms) in read.digest.blocks() {
        let address = part.and_then(|part| Address::of(&part, offset));
        let address = match address {
            Some(address) => address,
            None => {
                let next = part.insert(Part::insert(connection, file, offset)?);
                match Address::of(next, offset) {
                    Some(address) => address,
                    None => continue,
                }
            }
        };
        insert.execute((address.0, terms))?;
    }
    Ok(())
}

fn forget(connection: &Connection, row: &FileRow, names: &mut Names) -> rusqlite::Result<()> {
    Part::forget(connection, row.id)?;
    forget_lines(connection, row.id, names)?;
    note_forgotten(connection, row.n_read)?;
    FileRow::delete(connection, row.id)
}

impl Updated {
    /// Counts a file when it was read for the first time in this update.
    pub(super) fn take(&mut self, read: &Read<'_>) {
        self.n_bytes += read.digest.n_bytes;
        match (&read.error, &read.known, &read.outdated) {
            (Some(error), _, _) => self.findings.push(Finding::new(&read.file.path, error)),
            (None, None, Some(_)) => self.n_replaced += 1,
            (None, None, None) => self.n_new += 1,
            (None, Some(row), _) => self.n_grown += u64::from(row.stamp.size > 0),
        }
    }
}
