//! Where a block of lines stands, in one number.
//!
//! Full text knows blocks by numbers of 63 bits: the upper half is the [`Part`], the lower half
//! the offset in it. Parts are numbered as they are read, so a larger number is a later block,
//! and a part that was forgotten takes all its blocks with it.

use rusqlite::{Connection, OptionalExtension as _};

/// How far a part may reach.
pub(crate) const PART_BYTES: u64 = 1 << 32;

/// Bytes of a transcript that were read in one go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) id: i64,
    /// The file, by its number in the index.
    pub(crate) file: i64,
    /// Where in the file it starts.
    pub(crate) start: u64,
}

/// The number of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Address(pub(crate) i64);

impl Address {
    /// Returns the number of the block at an offset of the file; `None` if it is not in the part.
    pub(crate) fn of(part: &Part, offset: u64) -> Option<Self> {
        let inside = offset.checked_sub(part.start)?;
        let inside = i64::try_from(inside).ok().filter(|_| inside < PART_BYTES)?;
        Some(Self(part.id << 32 | inside))
    }

    /// Returns the number of its part.
    pub(crate) fn part(self) -> i64 {
        self.0 >> 32
    }

    /// Returns where in the file the block starts.
    pub(crate) fn offset(self, part: &Part) -> u64 {
        part.start + (self.0 as u64 & (PART_BYTES - 1))
    }
}

impl Part {
    /// Makes the next part.
    pub(crate) fn insert(connection: &Connection, file: i64, start: u64) -> rusqlite::Result<Self> {
        connection
            .prepare_cached("INSERT INTO part(file, start) VALUES(?1, ?2)")?
            .execute((file, start as i64))?;
        Ok(Self {
            id: connection.last_insert_rowid(),
            file,
            start,
        })
    }

    /// Returns the part with a number, unless it was forgotten.
    pub(crate) fn load(connection: &Connection, id: i64) -> rusqlite::Result<Option<Self>> {
        let mut select = connection.prepare_cached("SELECT file, start FROM part WHERE id = ?1")?;
        let part = select.query_row([id], |row| {
            Ok(Self {
                id,
                file: row.get(0)?,
                start: row.get::<_, i64>(1)? as u64,
            })
        });
        part.optional()
    }

    /// Forgets the parts of a file.
    pub(crate) fn forget(connection: &Connection, file: i64) -> rusqlite::Result<()> {
        connection
            .prepare_cached("DELETE FROM part WHERE file = ?1")?
            .execute([file])?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_back_to_its_record() {
        let part = Part {
            id: 7,
            file: 3,
            start: 1_000,
        };
        let address = Address::of(&part, 1_000 + PART_BYTES - 1).unwrap();
        assert_eq!(address.part(), 7);
        assert_eq!(address.offset(&part), 1_000 + PART_BYTES - 1);
        assert_eq!(Address::of(&part, 1_000 + PART_BYTES), None);
        assert_eq!(Address::of(&part, 999), None);
        let next = Part { id: 8, ..part };
        assert!(Address::of(&next, 1_000) > Some(address));
    }
}
