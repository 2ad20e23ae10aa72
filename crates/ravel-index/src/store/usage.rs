//! Lines with usage, and the requests behind them.
//!
//! All lines are kept, because a copy that comes or goes can change which line counts. Lines are
//! settled name by name: when lines come or go, only the requests of their names are found
//! anew.

use std::sync::Arc;

use ravel_format::Timestamp;
use ravel_model::usage::{Ledger, Request};
use rusqlite::{Connection, Row};
use rustc_hash::FxHashSet;

use super::pack::{Origin, Texts, pack, unpack};
use super::text::{AllTexts, Dictionary, FewTexts};

/// Lines that have one of these numbers have to be settled again: see [`Request::name_hash`].
pub(crate) type Names = FxHashSet<i64>;

/// A stretch of time, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimeRange {
    first: i64,
    last: i64,
}

impl TimeRange {
    /// Every request, those without a time included.
    pub(crate) const ALL: Self = Self {
        first: i64::MIN,
        last: i64::MAX,
    };

    /// The time between two moments. Requests without a time are never between them.
    pub(crate) fn between(since: Option<Timestamp>, until: Option<Timestamp>) -> Self {
        if since.is_none() && until.is_none() {
            return Self::ALL;
        }
        Self {
            first: since.map_or(UNTIMED + 1, |time| time.0.max(UNTIMED + 1)),
            last: until.map_or(i64::MAX, |time| time.0),
        }
    }
}

/// The time of requests that do not say when they were made.
const UNTIMED: i64 = i64::MIN;

fn time_of(request: &Request) -> i64 {
    request.time.map_or(UNTIMED, |Timestamp(millis)| millis)
}

/// Keeps the lines of a file.
pub(crate) fn insert_lines(
    connection: &Connection,
    file: i64,
    requests: &[Request],
    names: &mut Names,
) -> rusqlite::Result<()> {
    let mut dictionary = Dictionary::new(connection);
    let mut insert = connection.prepare_cached(
        "INSERT OR REPLACE INTO line(file, start, number, name, body) VALUES(?1, ?2, ?3, ?4, ?5)",
    )?;
    for request in requests {
        let name = request.name_hash() as i64;
        let body = pack(request, &mut dictionary)?;
        insert.execute((file, request.offset as i64, request.line as i64, name, body))?;
        names.insert(name);
    }
    Ok(())
}

/// Forgets the lines of a file.
pub(crate) fn forget_lines(
    connection: &Connection,
    file: i64,
    names: &mut Names,
) -> rusqlite::Result<()> {
    let mut select = connection.prepare_cached("SELECT name FROM line WHERE file = ?1")?;
    for name in select.query_map([file], |row| row.get(0))? {
        names.insert(name?);
    }
    connection
        .prepare_cached("DELETE FROM line WHERE file = ?1")?
        .execute([file])?;
    Ok(())
}

/// Finds the requests of some names anew.
pub(crate) fn settle(connection: &Connection, names: &Names) -> rusqlite::Result<()> {
    let texts = FewTexts::new(connection);
    let mut dictionary = Dictionary::new(connection);
    let mut forget = connection.prepare_cached("DELETE FROM request WHERE name = ?1")?;
    let mut insert = connection
        .prepare_cached("INSERT INTO request(time, name, n, body) VALUES(?1, ?2, ?3, ?4)")?;
    for &name in names {
        forget.execute([name])?;
        let mut ledger = Ledger::default();
        for request in lines_named(connection, name, &texts)? {
            ledger.add(request);
        }
        for (number, mut request) in ledger.settle().requests.into_iter().enumerate() {
            // Only sums are read from here; ids and places are with the lines.
            (request.message, request.request, request.record) = (None, None, None);
            let body = pack(&request, &mut dictionary)?;
            insert.execute((time_of(&request), name, number as i64, body))?;
        }
    }
    Ok(())
}

/// Returns the lines of a name.
pub(crate) fn lines_named(
    connection: &Connection,
    name: i64,
    texts: &dyn Texts,
) -> rusqlite::Result<Vec<Request>> {
    let mut select = connection.prepare_cached(
        "SELECT file.name, line.start, line.number, line.body
         FROM line JOIN file ON file.id = line.file WHERE line.name = ?1",
    )?;
    let rows = select.query_map([name], |row| read_line(row, texts))?;
    rows.filter_map(Result::transpose).collect()
}

/// Returns all lines there are.
pub(crate) fn all_lines(connection: &Connection) -> rusqlite::Result<Vec<Request>> {
    let texts = AllTexts::load(connection)?;
    let mut select = connection.prepare_cached(
        "SELECT file.name, line.start, line.number, line.body
         FROM line JOIN file ON file.id = line.file",
    )?;
    let rows = select.query_map([], |row| read_line(row, &texts))?;
    rows.filter_map(Result::transpose).collect()
}

fn read_line(row: &Row<'_>, texts: &dyn Texts) -> rusqlite::Result<Option<Request>> {
    let origin = Origin {
        file: row.get_ref(0)?.as_str()?.into(),
        offset: row.get::<_, i64>(1)? as u64,
        line: row.get::<_, i64>(2)? as u64,
    };
    Ok(unpack(row.get_ref(3)?.as_blob()?, texts, origin))
}

/// Returns the requests of a time in order, but those that were settled under some names.
pub(crate) fn requests(
    connection: &Connection,
    times: TimeRange,
    except: &Names,
) -> rusqlite::Result<Vec<Request>> {
    // A few days have a few sessions; to load thousands of names for them would take longer.
    let texts: Box<dyn Texts + '_> = match times == TimeRange::ALL {
        true => Box::new(AllTexts::load(connection)?),
        false => Box::new(FewTexts::new(connection)),
    };
    let nowhere: Arc<str> = "".into();
    let mut select = connection.prepare_cached(
        "SELECT name, body FROM request WHERE time BETWEEN ?1 AND ?2 ORDER BY time",
    )?;
    let mut rows = select.query([times.first, times.last])?;
    let mut requests = Vec::new();
    while let Some(row) = rows.next()? {
        if !except.is_empty() && except.contains(&row.get(0)?) {
            continue;
        }
        let body = row.get_ref(1)?.as_blob()?;
        requests.extend(unpack(body, &*texts, from(&nowhere)));
    }
    Ok(requests)
}

/// Settled requests do not say where their lines are.
fn from(nowhere: &Arc<str>) -> Origin {
    Origin {
        file: Arc::clone(nowhere),
        line: 0,
        offset: 0,
    }
}

/// Returns the requests of a session that have a line in its own files: the main one, by its name,
/// and those in its folder.
pub(crate) fn session_requests(
    connection: &Connection,
    main_file: &str,
    session: &str,
) -> rusqlite::Result<Vec<Request>> {
    let stem = main_file.strip_suffix(".jsonl").unwrap_or(main_file);
    let mut names = Names::default();
    let mut select = connection.prepare_cached(
        "SELECT DISTINCT line.name FROM line JOIN file ON file.id = line.file
         WHERE file.name = ?1 OR (file.name > ?2 || '/' AND file.name < ?2 || '0')",
    )?;
    for name in select.query_map([main_file, stem], |row| row.get(0))? {
        names.insert(name?);
    }
    let texts = FewTexts::new(connection);
    let nowhere: Arc<str> = "".into();
    let mut select = connection.prepare_cached("SELECT body FROM request WHERE name = ?1")?;
    let mut requests = Vec::new();
    for name in names {
        let rows = select.query_map([name], |row| {
            Ok(unpack(row.get_ref(0)?.as_blob()?, &texts, from(&nowhere)))
        })?;
        for request in rows {
            requests.extend(request?.filter(|request| *request.session == *session));
        }
    }
    Ok(requests)
}
