//! The list of all terms, to find those with a part of a word in them.
//!
//! Full text finds whole terms. People look for `cart` and mean `shoppingCart` too, so the terms
//! are also kept as plain text, a few hundred kilobytes a page, and searched like a file: ten
//! megabytes of them, which is a gigabyte of sessions, take a few milliseconds.

use memchr::{memchr, memmem, memrchr};
use rusqlite::{Connection, OptionalExtension as _};
use rustc_hash::FxHashSet;

use crate::term::Condition;

/// How large a page grows before the next one begins.
const PAGE_BYTES: usize = 256 << 10;

/// How many new terms are looked up one by one; for more it is quicker to load all there are.
const MANY: usize = 20_000;

/// Adds terms to the list, each once.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    /// All terms there are, once there was reason to load them.
    known: Option<FxHashSet<Box<str>>>,
}

impl Pages {
    /// Adds the terms that are not in the list yet. It has to happen before their records are
    /// indexed.
    pub(crate) fn add(
        &mut self,
        connection: &Connection,
        terms: FxHashSet<&str>,
    ) -> rusqlite::Result<()> {
        if self.known.is_none() && terms.len() > MANY {
            self.known = Some(load_all(connection)?);
        }
        let mut fresh: Vec<&str> = Vec::new();
        match &mut self.known {
            Some(known) => {
                for term in terms {
                    if !known.contains(term) {
                        known.insert(term.into());
                        fresh.push(term);
                    }
                }
            }
            None => {
                let mut look_up =
                    connection.prepare_cached("SELECT 1 FROM known WHERE term = ?1")?;
                for term in terms {
                    if !look_up.exists([term])? {
                        fresh.push(term);
                    }
                }
            }
        }
        // A fixed order: the same files give the same index.
        fresh.sort_unstable();
        append(connection, &fresh)
    }
}

fn append(connection: &Connection, terms: &[&str]) -> rusqlite::Result<()> {
    if terms.is_empty() {
        return Ok(());
    }
    let last: Option<(i64, Vec<u8>)> = connection
        .prepare_cached("SELECT id, body FROM page ORDER BY id DESC LIMIT 1")?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let mut write =
        connection.prepare_cached("INSERT OR REPLACE INTO page(id, body) VALUES(?1, ?2)")?;
    let (mut id, mut body) = last.unwrap_or((1, Vec::new()));
    for term in terms {
        if body.len() + term.len() >= PAGE_BYTES {
            write.execute((id, &body))?;
            id += 1;
            body.clear();
        }
        body.extend_from_slice(term.as_bytes());
        body.push(b'\n');
    }
    write.execute((id, &body))?;
    Ok(())
}

fn load_all(connection: &Connection) -> rusqlite::Result<FxHashSet<Box<str>>> {
    let mut known = FxHashSet::default();
    let mut select = connection.prepare_cached("SELECT body FROM page")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let body = row.get_ref(0)?.as_blob()?;
        let text = std::str::from_utf8(body).unwrap_or_default();
        known.extend(text.lines().map(Box::from));
    }
    Ok(known)
}

/// The terms that fit a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fitting {
    /// These.
    Terms(Vec<String>),
    /// So many that they say nothing.
    Many,
}

/// Finds the terms that fit each of the conditions; more than `limit` are many.
pub(crate) fn fitting(
    connection: &Connection,
    conditions: &[Condition],
    limit: usize,
) -> rusqlite::Result<Vec<Fitting>> {
    let mut found: Vec<Option<Vec<String>>> = conditions.iter().map(|_| Some(Vec::new())).collect();
    let finders: Vec<_> = conditions
        .iter()
        .map(|condition| memmem::Finder::new(condition.text()))
        .collect();
    let mut select = connection.prepare_cached("SELECT body FROM page")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let body = row.get_ref(0)?.as_blob()?;
        for ((condition, finder), found) in conditions.iter().zip(&finders).zip(&mut found) {
            if let Some(terms) = found {
                terms_in(body, condition, finder, terms);
                if terms.len() > limit {
                    *found = None;
                }
            }
        }
    }
    let all = found.into_iter();
    Ok(all
        .map(|terms| terms.map_or(Fitting::Many, Fitting::Terms))
        .collect())
}

fn terms_in(
    body: &[u8],
    condition: &Condition,
    finder: &memmem::Finder<'_>,
    terms: &mut Vec<String>,
) {
    let mut from = 0;
    while let Some(at) = body.get(from..).and_then(|rest| finder.find(rest)) {
        let at = from + at;
        let before = body.get(..at).and_then(|before| memrchr(b'\n', before));
        let start = before.map_or(0, |newline| newline + 1);
        let after = body.get(at..).and_then(|after| memchr(b'\n', after));
        let end = after.map_or(body.len(), |newline| at + newline);
        let term = body.get(start..end).map(std::str::from_utf8);
        if let Some(Ok(term)) = term
            && condition.admits(term)
        {
            terms.push(term.to_owned());
        }
        from = end;
    }
}
