//! Which versions of which files a session kept.
//!
//! Before the client edits a file it keeps a copy, and again at each prompt for files that changed
//! since. The copies are files in the home; the records here only name them, all again in every
//! snapshot. [`tracked_files`] makes one list of it: each file once, each version once, with the
//! prompt at which it was kept. Whether the copies are still there is not known here.

use std::collections::BTreeMap;

use ravel_format::body::{Backup, FileHistoryDelta, FileHistorySnapshot};
use ravel_format::{Body, JsonText, Kind, Record, Timestamp};

use crate::session::Part;

#[cfg(test)]
mod tests;

/// A file that a session edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackedFile {
    /// Its path as the records name it: below the folder of the session, or absolute.
    pub path: String,
    /// Its absolute path, where the records tell.
    pub absolute: Option<String>,
    /// Its versions, the oldest first.
    pub versions: Vec<TrackedVersion>,
}

/// One version of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackedVersion {
    /// Its number.
    pub version: u64,
    /// The name of the copy; `None` where the file did not exist.
    pub backup_name: Option<String>,
    /// When it was kept.
    pub time: Option<Timestamp>,
    /// The prompt at which it was kept, or before whose edits.
    pub prompt_uuid: String,
    /// The entry of the prompt, when it is in the file.
    pub prompt: Option<usize>,
    /// The line of the record that names it first.
    pub line: u32,
}

/// Returns the files of a session by path.
pub fn tracked_files(part: &Part<'_>) -> Vec<TrackedFile> {
    let mut files = Files {
        part,
        folder: part.graph.outline().said().folders.texts().first().cloned(),
        found: BTreeMap::new(),
    };
    for entry in part.graph.outline().entries() {
        if matches!(
            entry.kind,
            Kind::FileHistorySnapshot | Kind::FileHistoryDelta
        ) {
            part.read(entry, |record| files.add(record));
        }
    }
    let mut found: Vec<TrackedFile> = files.found.into_values().collect();
    for file in &mut found {
        file.versions.sort_by_key(|version| version.version);
    }
    found
}

struct Files<'p, 't> {
    part: &'p Part<'t>,
    /// The folder that relative paths start from.
    folder: Option<String>,
    found: BTreeMap<String, TrackedFile>,
}

impl Files<'_, '_> {
    fn add(&mut self, record: &Record<'_>) {
        match record.body() {
            Body::FileHistorySnapshot(body) => self.add_snapshot(body, record),
            Body::FileHistoryDelta(body) => self.add_delta(body, record),
            _ => {}
        }
    }

    fn add_snapshot(&mut self, body: FileHistorySnapshot<'_>, record: &Record<'_>) {
        let Some(snapshot) = body.snapshot else {
            return;
        };
        let prompt = decoded(snapshot.message_id.or(body.message_id));
        for (path, backup) in snapshot.tracked_file_backups.into_iter().flatten() {
            let time = backup.backup_time.or(snapshot.timestamp);
            self.add_version(&path.decode(), &backup, time, (&prompt, record));
        }
    }

    fn add_delta(&mut self, body: FileHistoryDelta<'_>, record: &Record<'_>) {
        let (Some(path), Some(backup)) = (body.tracking_path, body.backup) else {
            return;
        };
        let prompt = decoded(body.snapshot_message_id.or(body.message_id));
        let time = backup.backup_time.or(body.timestamp);
        self.add_version(&path.decode(), &backup, time, (&prompt, record));
    }

    fn add_version(
        &mut self,
        path: &str,
        backup: &Backup<'_>,
        time: Option<Timestamp>,
        (prompt, record): (&str, &Record<'_>),
    ) {
        let version = TrackedVersion {
            version: backup.version.unwrap_or(0),
            backup_name: backup
                .backup_file_name
                .map(|name| name.decode().into_owned()),
            time,
            prompt: self.part.graph.find(prompt),
            prompt_uuid: prompt.to_owned(),
            line: u32::try_from(record.line).unwrap_or(u32::MAX),
        };
        let folder = self.folder.as_deref();
        let file = self
            .found
            .entry(path.to_owned())
            .or_insert_with(|| TrackedFile {
                path: path.to_owned(),
                absolute: absolute(path, folder),
                versions: Vec::new(),
            });
        // Snapshots repeat what earlier ones said.
        let is_known = |known: &TrackedVersion| {
            known.version == version.version && known.backup_name == version.backup_name
        };
        if !file.versions.iter().any(is_known) {
            file.versions.push(version);
        }
    }
}

/// Completes a path; sessions come from any system, so this one's rules do not count.
fn absolute(path: &str, folder: Option<&str>) -> Option<String> {
    if is_absolute(path) {
        return Some(path.to_owned());
    }
    let folder = folder?;
    let separator = if folder.contains('\\') && !folder.contains('/') {
        '\\'
    } else {
        '/'
    };
    let folder = folder.trim_end_matches(separator);
    Some(format!("{folder}{separator}{path}"))
}

fn is_absolute(path: &str) -> bool {
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    path.starts_with('/') || path.starts_with('\\') || has_drive
}

fn decoded(text: Option<JsonText<'_>>) -> String {
    text.map(|text| text.decode().into_owned())
        .unwrap_or_default()
}
