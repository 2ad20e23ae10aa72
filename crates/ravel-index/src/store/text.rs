//! Texts that stand on thousands of rows, by number.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _};
use rustc_hash::FxHashMap;

use super::pack;

/// Gives texts a number, for one transaction.
pub(crate) struct Dictionary<'a> {
    connection: &'a Connection,
    numbers: FxHashMap<Arc<str>, u64>,
}

impl<'a> Dictionary<'a> {
    pub(crate) fn new(connection: &'a Connection) -> Self {
        Self {
            connection,
            numbers: FxHashMap::default(),
        }
    }
}

impl pack::Dictionary for Dictionary<'_> {
    fn number(&mut self, text: &Arc<str>) -> rusqlite::Result<u64> {
        if let Some(&number) = self.numbers.get(text) {
            return Ok(number);
        }
        let mut select = self
            .connection
            .prepare_cached("SELECT id FROM text WHERE text = ?1")?;
        let known: Option<i64> = select.query_row([&**text], |row| row.get(0)).optional()?;
        let number = match known {
            Some(number) => number,
            None => {
                self.connection
                    .prepare_cached("INSERT INTO text(text) VALUES(?1)")?
                    .execute([&**text])?;
                self.connection.last_insert_rowid()
            }
        } as u64;
        self.numbers.insert(Arc::clone(text), number);
        Ok(number)
    }
}

/// All texts, for reading many rows.
#[derive(Debug, Default)]
pub(crate) struct AllTexts {
    /// By number; numbers are given one after another.
    texts: Vec<Option<Arc<str>>>,
}

impl AllTexts {
    pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Self> {
        let mut select = connection.prepare_cached("SELECT id, text FROM text ORDER BY id")?;
        let mut rows = select.query([])?;
        let mut texts = Vec::new();
        while let Some(row) = rows.next()? {
            let number = row.get::<_, i64>(0)?;
            // A number that is far off was not given by this index.
            let Some(number) = usize::try_from(number)
                .ok()
                .filter(|&n| n <= texts.len() + 1024)
            else {
                continue;
            };
            texts.resize(number, None);
            texts.push(Some(row.get_ref(1)?.as_str()?.into()));
        }
        Ok(Self { texts })
    }
}

impl pack::Texts for AllTexts {
    fn text(&self, number: u64) -> Option<Arc<str>> {
        self.texts.get(usize::try_from(number).ok()?)?.clone()
    }
}

/// Some texts, looked up one by one.
pub(crate) struct FewTexts<'a> {
    connection: &'a Connection,
    known: std::cell::RefCell<FxHashMap<u64, Arc<str>>>,
}

impl<'a> FewTexts<'a> {
    pub(crate) fn new(connection: &'a Connection) -> Self {
        Self {
            connection,
            known: std::cell::RefCell::default(),
        }
    }

    fn look_up(&self, number: u64) -> rusqlite::Result<Arc<str>> {
        let mut select = self
            .connection
            .prepare_cached("SELECT text FROM text WHERE id = ?1")?;
        select.query_row([number as i64], |row| Ok(row.get_ref(0)?.as_str()?.into()))
    }
}

impl pack::Texts for FewTexts<'_> {
    fn text(&self, number: u64) -> Option<Arc<str>> {
        if let Some(text) = self.known.borrow().get(&number) {
            return Some(Arc::clone(text));
        }
        let text = self.look_up(number).ok()?;
        self.known.borrow_mut().insert(number, Arc::clone(&text));
        Some(text)
    }
}
