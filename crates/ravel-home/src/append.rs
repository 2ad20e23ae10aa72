//! Appending to session files. Nothing else in Ravel writes to them.
//!
//! A running client may append to the same file at the same time, so each record is
//! one `write` of the whole line to a file opened for appending, which the system
//! keeps in one piece. A last line that was torn by a crash is closed with a newline
//! first; otherwise the new record would become part of it. A file is never created
//! by accident: the name of a session that does not exist is an error.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_public_assigned;

use crate::positional::read_at;

/// Normalizing can reveal characters that are then removed, and so on; in practice
/// the second round changes nothing.
const MOST_ROUNDS: usize = 10;

/// Invisible format characters, which have no place in a tag.
const FORMAT_CHARACTERS: [(char, char); 21] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{180e}', '\u{180e}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{202a}', '\u{202e}'),
    ('\u{2060}', '\u{2064}'),
    ('\u{2066}', '\u{206f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{fff9}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0001}', '\u{e0001}'),
    ('\u{e0020}', '\u{e007f}'),
];

/// Why nothing was appended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppendError {
    /// The file cannot be opened or created.
    #[error("open {}", path.display())]
    Open {
        /// The session file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The file was opened but not written.
    #[error("append to {}", path.display())]
    Write {
        /// The session file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The file has no content. Clients leave such files behind; they are no sessions.
    #[error("append to {}: it is empty", path.display())]
    EmptyFile {
        /// The session file.
        path: PathBuf,
    },
    /// The record contains a newline, and would be two.
    #[error("append to {}: the record has more than one line", path.display())]
    NotOneLine {
        /// The session file.
        path: PathBuf,
    },
    /// The title or tag has nothing visible in it.
    #[error("use an empty title or tag")]
    EmptyText,
    /// The file name is no session id.
    #[error("tell the session id from {}", path.display())]
    NoSessionId {
        /// The session file.
        path: PathBuf,
    },
}

/// A session file that is open for appending.
#[derive(Debug)]
pub struct Appender {
    path: PathBuf,
    file: File,
    /// Whether the last line still needs its newline.
    is_torn: bool,
}

impl Appender {
    /// Opens a session that exists and is not empty.
    pub fn open(path: &Path) -> Result<Self, AppendError> {
        let opened = OpenOptions::new().read(true).append(true).open(path);
        let file = opened.map_err(|source| open_error(path, source))?;
        let size = file
            .metadata()
            .map_err(|source| open_error(path, source))?
            .len();
        let Some(last) = size.checked_sub(1) else {
            return Err(AppendError::EmptyFile {
                path: path.to_path_buf(),
            });
        };
        let mut byte = [0];
        let n_read = read_at(&file, &mut byte, last).map_err(|source| open_error(path, source))?;
        Ok(Self {
            path: path.to_path_buf(),
            file,
            is_torn: n_read == 1 && byte != *b"\n",
        })
    }

    /// Makes a new session file that only its owner can read. Fails when it exists.
    pub fn create(path: &Path) -> Result<Self, AppendError> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options
            .open(path)
            .map_err(|source| open_error(path, source))?;
        Ok(Self {
            path: path.to_path_buf(),
            file,
            is_torn: false,
        })
    }

    /// Appends one record, given without its newline.
    pub fn append(&mut self, line: &[u8]) -> Result<(), AppendError> {
        if line.contains(&b'\n') {
            return Err(AppendError::NotOneLine {
                path: self.path.clone(),
            });
        }
        let mut bytes = Vec::with_capacity(line.len() + 2);
        if self.is_torn {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(line);
        bytes.push(b'\n');
        // If the disk fills up halfway, the next record must not join the torn one.
        self.is_torn = true;
        let written = self.file.write_all(&bytes);
        written.map_err(|source| AppendError::Write {
            path: self.path.clone(),
            source,
        })?;
        self.is_torn = false;
        Ok(())
    }
}

/// Appends one record to a session that exists.
pub fn append_line(path: &Path, line: &[u8]) -> Result<(), AppendError> {
    Appender::open(path)?.append(line)
}

/// Gives a session a title, in the way the official SDKs do.
pub fn rename_session(path: &Path, title: &str) -> Result<(), AppendError> {
    let title = title.trim();
    if title.is_empty() {
        return Err(AppendError::EmptyText);
    }
    append_line(path, &record("custom-title", "customTitle", title, path)?)
}

/// Gives a session a tag, or takes it away with `None`.
///
/// A tag is normalized and freed of invisible characters, so that it can be typed.
pub fn tag_session(path: &Path, tag: Option<&str>) -> Result<(), AppendError> {
    let tag = tag.map(clean_tag);
    if tag.as_deref() == Some("") {
        return Err(AppendError::EmptyText);
    }
    let tag = tag.unwrap_or_default();
    append_line(path, &record("tag", "tag", &tag, path)?)
}

/// A record with its keys in the order that official readers expect: a tag is only
/// seen on a line that starts with its type.
fn record(kind: &str, key: &str, text: &str, path: &Path) -> Result<Vec<u8>, AppendError> {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let session_id = stem.ok_or_else(|| AppendError::NoSessionId {
        path: path.to_path_buf(),
    })?;
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    Ok(format!(
        r#"{{"type":"{kind}","{key}":{},"sessionId":{}}}"#,
        quoted(text),
        quoted(session_id)
    )
    .into_bytes())
}

fn clean_tag(tag: &str) -> String {
    let mut clean = tag.to_owned();
    for _ in 0..MOST_ROUNDS {
        let next: String = clean
            .nfkc()
            .filter(|&character| is_visible(character))
            .collect();
        if next == clean {
            break;
        }
        clean = next;
    }
    clean.trim().to_owned()
}

fn is_visible(character: char) -> bool {
    let is_format = FORMAT_CHARACTERS
        .iter()
        .any(|(first, last)| (*first..=*last).contains(&character));
    is_public_assigned(character) && !is_format
}

fn open_error(path: &Path, source: io::Error) -> AppendError {
    AppendError::Open {
        path: path.to_path_buf(),
        source,
    }
}

#[cfg(test)]
mod tests;
