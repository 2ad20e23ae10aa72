//! The index on disk: one SQLite file.
//!
//! It holds, for each file of the library, how far it was read and what it was like then; which
//! terms stand in which records; every line with usage, and the requests behind those lines. It
//! holds no texts: those stay in the transcripts.
//!
//! | table | one row for |
//! |---|---|
//! | `file` | a transcript: its stamp, how much of it was read |
//! | `activity` | a transcript: what was done in it when |
//! | `folder` | a project folder: when files last came or went in it |
//! | `part` | bytes of a transcript that were read in one go |
//! | `term` | a block of lines: its terms (full text, without the text) |
//! | `page` | some of the terms there are, to look for parts of words in |
//! | `line` | a line with usage |
//! | `request` | a request that counts, by the time it was made |
//! | `text` | a session, project or model, to be named by a number |
//! | `forgotten` | a transcript that is gone, whose terms still take space |
//!
//! The row of a block in `term` is its part and its offset there: see [`Address`].

use std::cell::RefCell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode};
use rustc_hash::FxHashMap;

use crate::lock::{Lock, Patience};

mod activity;
mod address;
mod care;
mod file;
pub(crate) mod pack;
mod page;
mod text;
pub(crate) mod usage;

pub(crate) use activity::{load_activity, save_activity};
pub(crate) use address::{Address, Part};
pub use care::Status;
pub(crate) use care::note_forgotten;
pub(crate) use file::FileRow;
pub(crate) use page::{Fitting, Pages, fitting};
pub(crate) use text::FewTexts;

/// Counted up whenever the tables or their meaning change; an index of another version is made
/// anew.
const SCHEMA_VERSION: i64 = 5;

const SCHEMA: &str = "
CREATE TABLE folder(name TEXT PRIMARY KEY, modified INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE forgotten(n_bytes INTEGER NOT NULL);
CREATE TABLE text(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE file(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL, inode INTEGER NOT NULL,
    n_read INTEGER NOT NULL, n_lines INTEGER NOT NULL, n_damaged INTEGER NOT NULL,
    n_requests INTEGER NOT NULL,
    project TEXT NOT NULL, mark BLOB NOT NULL
);
CREATE INDEX file_modified ON file(modified);
CREATE TABLE activity(file INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE part(id INTEGER PRIMARY KEY AUTOINCREMENT, file INTEGER NOT NULL, start INTEGER NOT NULL);
CREATE INDEX part_file ON part(file);
CREATE VIRTUAL TABLE term USING fts5(text, content='', detail=none, columnsize=0, tokenize='ascii');
CREATE VIRTUAL TABLE known USING fts5vocab(term, row);
CREATE TABLE page(id INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE line(
    file INTEGER NOT NULL, start INTEGER NOT NULL, number INTEGER NOT NULL, name INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY(file, start)
) WITHOUT ROWID;
CREATE INDEX line_name ON line(name);
CREATE TABLE request(
    time INTEGER NOT NULL, name INTEGER NOT NULL, n INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY(time, name, n)
) WITHOUT ROWID;
CREATE INDEX request_name ON request(name);
INSERT INTO term(term, rank) VALUES('hashsize', 67108864);
INSERT INTO term(term, rank) VALUES('pgsz', 8000);
";

const DROP: &str = "
DROP TABLE IF EXISTS known; DROP TABLE IF EXISTS term; DROP TABLE IF EXISTS page;
DROP TABLE IF EXISTS line; DROP TABLE IF EXISTS request; DROP TABLE IF EXISTS part;
DROP TABLE IF EXISTS activity; DROP TABLE IF EXISTS file; DROP TABLE IF EXISTS text; DROP TABLE IF EXISTS forgotten;
DROP TABLE IF EXISTS folder;
";

/// How long to wait for another process that is writing its few milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// The index of a home.
#[derive(Debug)]
pub struct Index {
    pub(crate) connection: Connection,
    path: PathBuf,
    files: RefCell<Option<KnownFiles>>,
}

/// The rows of all files, so that one command reads them once.
#[derive(Debug)]
struct KnownFiles {
    /// What SQLite counts up when another process writes.
    version: i64,
    rows: FxHashMap<Box<str>, FileRow>,
}

/// Why an index cannot be used. Every question can be answered without one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The folder or the lock file cannot be made.
    #[error("write {}: {source}", path.display())]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process is writing the index now.
    #[error("update the index: another process is doing it")]
    Busy,
    /// The database says no.
    #[error("use the index {}: {source}", path.display())]
    Database {
        /// The file of the index.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
}

impl IndexError {
    /// Tells whether the file is damaged and has to be made anew.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Database { source, .. } => is_damage(source),
            _ => false,
        }
    }
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

impl Index {
    /// Opens the index at `path` for questions, and changes nothing. `None` when there is none, or
    /// one that another version of Ravel made.
    pub fn open(path: &Path) -> Result<Option<Self>, IndexError> {
        if !path.exists() {
            return Ok(None);
        }
        let index = Self::connect(path)?;
        let version = index.version().map_err(|source| index.error(source))?;
        Ok((version == SCHEMA_VERSION).then_some(index))
    }

    /// Opens the index at `path`, or makes an empty one. One that is damaged, or that another
    /// version of Ravel made, is made anew, once no other process is writing.
    pub fn create(path: &Path) -> Result<Self, IndexError> {
        if let Some(folder) = path.parent() {
            make_folder(folder).map_err(|source| IndexError::Folder {
                path: folder.to_owned(),
                source,
            })?;
        }
        match Self::open(path) {
            Ok(Some(index)) => return Ok(index),
            Err(error) if !error.is_damage() => return Err(error),
            Ok(None) | Err(_) => {}
        }
        let _lock = Lock::take(path, Patience::Wait)?;
        // Another process may have made it while this one waited.
        match Self::open(path) {
            Ok(Some(index)) => return Ok(index),
            Err(error) if error.is_damage() => remove(path)?,
            Ok(None) | Err(_) => {}
        }
        let mut index = Self::connect(path)?;
        index.reset().map_err(|source| index.error(source))?;
        Ok(index)
    }

    fn connect(path: &Path) -> Result<Self, IndexError> {
        let connected = Connection::open(path).and_then(|connection| {
            connection.busy_timeout(PATIENCE)?;
            connection.pragma_update(None, "synchronous", "normal")?;
            connection.set_prepared_statement_cache_capacity(64);
            // Whoever adds a line should not have to tidy up as well; every thousandth page does.
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            Ok(connection)
        });
        Ok(Self {
            connection: connected.map_err(|source| database_error(path, source))?,
            path: path.to_owned(),
            files: RefCell::default(),
        })
    }

    /// Returns what is known of all files, by name.
    pub(crate) fn files(&self) -> rusqlite::Result<FxHashMap<Box<str>, FileRow>> {
        let version = self
            .connection
            .pragma_query_value(None, "data_version", |row| row.get(0))?;
        let mut files = self.files.borrow_mut();
        if let Some(known) = files.as_ref().filter(|known| known.version == version) {
            return Ok(known.rows.clone());
        }
        let rows = FileRow::load_all(&self.connection)?;
        *files = Some(KnownFiles {
            version,
            rows: rows.clone(),
        });
        Ok(rows)
    }

    /// Takes note that this process writes.
    pub(crate) fn forget_files(&self) {
        *self.files.borrow_mut() = None;
    }

    fn version(&self) -> rusqlite::Result<i64> {
        self.connection
            .pragma_query_value(None, "user_version", |row| row.get(0))
    }

    /// Makes the tables anew. Needs the lock.
    fn reset(&mut self) -> rusqlite::Result<()> {
        self.forget_files();
        // Blocks of full text are 8,000 bytes and fit one page; only a new file takes the size.
        self.connection.pragma_update(None, "page_size", 8192)?;
        self.connection.pragma_update(None, "journal_mode", "wal")?;
        let transaction = self
            .connection
            .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        transaction.execute_batch(DROP)?;
        transaction.execute_batch(SCHEMA)?;
        transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
        transaction.commit()
    }

    /// Begins a question: until the value is dropped, all is read as it is now, whatever other
    /// processes write.
    pub(crate) fn snapshot(&self) -> Result<rusqlite::Transaction<'_>, IndexError> {
        let transaction = self.connection.unchecked_transaction();
        transaction.map_err(|source| self.error(source))
    }

    /// Forgets everything, once no other process is writing.
    pub fn clear(&mut self) -> Result<(), IndexError> {
        let _lock = Lock::take(&self.path, Patience::Wait)?;
        match self.clear_locked() {
            Err(error) if error.is_damage() => self.replace(),
            other => other,
        }
    }

    /// Begins with a new file, where the old one is too damaged to be emptied.
    fn replace(&mut self) -> Result<(), IndexError> {
        let nothing = Connection::open_in_memory();
        self.connection = nothing.map_err(|source| self.error(source))?;
        remove(&self.path)?;
        *self = Self::connect(&self.path)?;
        self.clear_locked()
    }

    /// Forgets everything. Who is not the only writer would take what the other one remembers of
    /// the tables away.
    pub(crate) fn clear_locked(&mut self) -> Result<(), IndexError> {
        self.reset().map_err(|source| self.error(source))
    }

    /// Returns the file of the index.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns how many bytes the index takes on disk.
    pub fn n_bytes(&self) -> u64 {
        files_of(&self.path)
            .iter()
            .filter_map(|file| fs::metadata(file).ok())
            .map(|metadata| metadata.len())
            .sum()
    }

    pub(crate) fn error(&self, source: rusqlite::Error) -> IndexError {
        database_error(&self.path, source)
    }
}

fn database_error(path: &Path, source: rusqlite::Error) -> IndexError {
    IndexError::Database {
        path: path.to_owned(),
        source,
    }
}

/// Sessions are private, and so is what is known about them.
fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn remove(path: &Path) -> Result<(), IndexError> {
    for file in files_of(path) {
        match fs::remove_file(&file) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(IndexError::Folder { path: file, source });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the database and what SQLite keeps beside it.
fn files_of(path: &Path) -> [PathBuf; 3] {
    ["", "-wal", "-shm"].map(|ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        name.into()
    })
}
