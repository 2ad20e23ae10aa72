//! Small JSON documents around a session, read whole.
//!
//! A file that is not there, or is empty (clients leave such sidecars behind), is
//! `None`, not an error: none of these files is needed to read a session.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::finding::Finding;
use crate::kept::{StoredFile, is_kept, live_name};
use crate::lossy_json;

/// No sidecar is near this size; a larger file is not one of ours.
const LARGEST_DOCUMENT: u64 = 64 << 20;

/// Why a small JSON document could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JsonFileError {
    /// The file is there but cannot be read.
    #[error("read {path}")]
    Read {
        /// The document.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The file can be read but is not JSON.
    #[error("parse {path}")]
    Parse {
        /// The document.
        path: PathBuf,
        /// Where parsing stopped.
        #[source]
        source: serde_json::Error,
    },
}

impl From<JsonFileError> for Finding {
    fn from(error: JsonFileError) -> Self {
        match error {
            JsonFileError::Read { path, source } => Finding::new(&path, source),
            JsonFileError::Parse { path, source } => {
                Finding::new(&path, format_args!("not JSON: {source}"))
            }
        }
    }
}

/// Reads a document. `None` when there is no such file, or nothing in it.
pub(crate) fn load_json(path: &Path) -> Result<Option<Value>, JsonFileError> {
    let bytes = read_bounded(path).map_err(|source| JsonFileError::Read {
        path: path.to_path_buf(),
        source,
    })?;
    let Some(bytes) = bytes.filter(|bytes| !bytes.trim_ascii().is_empty()) else {
        return Ok(None);
    };
    let value = lossy_json::parse_value(&bytes).map_err(|source| JsonFileError::Parse {
        path: path.to_path_buf(),
        source,
    })?;
    Ok(Some(value))
}

/// Reads a document that has to be an object.
pub(crate) fn load_object(path: &Path) -> Result<Option<Map<String, Value>>, Finding> {
    match load_json(path)? {
        None => Ok(None),
        Some(Value::Object(object)) => Ok(Some(object)),
        Some(_) => Err(Finding::new(path, "not a JSON object")),
    }
}

/// The text under `key`, when there is one.
pub(crate) fn text_of(object: &Map<String, Value>, key: &str) -> Option<String> {
    object.get(key)?.as_str().map(str::to_owned)
}

/// The files of a folder, by name, so that a listing is the same everywhere. A
/// folder that is not there has none. Kept files of an archive have the names they had.
pub(crate) fn files_of(dir: &Path) -> Result<Vec<(String, PathBuf)>, Finding> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Finding::new(dir, error)),
    };
    let mut files: Vec<_> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let live = live_name(&name).map(str::to_owned);
            match live {
                // An earlier version is not what there is now.
                None if is_kept(&entry.path()) => None,
                live => Some((live.unwrap_or(name), entry.path())),
            }
        })
        .collect();
    files.sort();
    Ok(files)
}

fn read_bounded(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = match StoredFile::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    file.read_start(LARGEST_DOCUMENT).map(Some)
}
