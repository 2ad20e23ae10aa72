//! Earlier versions of edited files: `file-history/<session>/<hash>@v<n>`.
//!
//! The hash is of the file's absolute path, so which file a version belongs to is
//! known only to who knows the path: see [`hash_of`]. Each version is the whole file;
//! version 1 is what was there before the first edit.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::finding::{Finding, Listing};
use crate::home::{Home, is_plain_name};
use crate::json_file::files_of;
use crate::kept::{StoredFile, kept_path};
use crate::paste::short_hash;

/// A file with its kept versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackedFile {
    /// The hash of its absolute path.
    pub hash: String,
    /// Its versions, the oldest first.
    pub versions: Vec<FileVersion>,
}

/// One kept version of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileVersion {
    /// The number after `@v`.
    pub version: u32,
    /// The name that session records use: `<hash>@v<n>`.
    pub backup_name: String,
    /// The kept file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
    /// When it was kept.
    pub modified: SystemTime,
}

/// The hash that stands for a file: the first 16 hex digits of the SHA-256 of its
/// absolute path.
pub fn hash_of(absolute_path: &str) -> String {
    short_hash(absolute_path.as_bytes())
}

/// Lists the versions that were kept for a session, by file.
pub fn file_versions(home: &Home, session_id: &str) -> Listing<TrackedFile> {
    let mut listing = Listing::default();
    if !is_plain_name(session_id) {
        return listing;
    }
    let files = files_of(&home.file_history().join(session_id)).unwrap_or_else(|finding| {
        listing.findings.push(finding);
        Vec::new()
    });
    let mut tracked: BTreeMap<String, Vec<FileVersion>> = BTreeMap::new();
    for (backup_name, path) in files {
        let Some((hash, version)) = parts_of(&backup_name) else {
            continue;
        };
        match StoredFile::facts(&path) {
            Ok((size, modified)) => tracked
                .entry(hash.to_owned())
                .or_default()
                .push(FileVersion {
                    version,
                    size,
                    modified,
                    backup_name,
                    path,
                }),
            Err(error) => listing.findings.push(Finding::new(&path, error)),
        }
    }
    listing.items = tracked
        .into_iter()
        .map(|(hash, mut versions)| {
            versions.sort_by_key(|version| version.version);
            TrackedFile { hash, versions }
        })
        .collect();
    listing
}

/// Reads one version by the name that session records give it. `None` when it is not
/// kept, or the name is not of this form.
pub fn read_version(
    home: &Home,
    session_id: &str,
    backup_name: &str,
) -> io::Result<Option<Vec<u8>>> {
    if !is_plain_name(session_id) || !is_plain_name(backup_name) || parts_of(backup_name).is_none()
    {
        return Ok(None);
    }
    let path = home.file_history().join(session_id).join(backup_name);
    for path in [kept_path(&path), path] {
        match StoredFile::open(&path).and_then(|file| file.read_start(u64::MAX)) {
            Ok(bytes) => return Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

fn parts_of(backup_name: &str) -> Option<(&str, u32)> {
    let (hash, version) = backup_name.split_once("@v")?;
    Some((hash, version.parse().ok()?))
}

#[cfg(test)]
mod tests;
