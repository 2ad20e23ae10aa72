//! Debug logs: `debug/<session>.txt`, and `debug/latest`, a link to the newest.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::finding::{Finding, Listing};
use crate::home::{Home, is_plain_name};
use crate::json_file::files_of;

/// The debug log of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DebugLog {
    /// The session.
    pub session_id: String,
    /// The file.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last written.
    pub modified: SystemTime,
}

/// The debug log of a session, if one was kept.
pub fn debug_log(home: &Home, session_id: &str) -> Option<DebugLog> {
    if !is_plain_name(session_id) {
        return None;
    }
    describe(session_id, &home.debug().join(format!("{session_id}.txt"))).ok()
}

/// Lists the debug logs by name.
pub fn debug_logs(home: &Home) -> Listing<DebugLog> {
    let mut listing = Listing::default();
    let files = files_of(&home.debug()).unwrap_or_else(|finding| {
        listing.findings.push(finding);
        Vec::new()
    });
    for (name, path) in files {
        if let Some(session_id) = name.strip_suffix(".txt") {
            listing.take(describe(session_id, &path).map(Some));
        }
    }
    listing
}

/// The newest debug log: what `latest` points to inside the folder, else by time.
pub fn latest_debug_log(home: &Home) -> Option<DebugLog> {
    let linked = home.debug().join("latest").read_link().ok();
    let named = linked.as_deref().and_then(Path::file_stem);
    named
        .and_then(|stem| debug_log(home, stem.to_str()?))
        .or_else(|| {
            let logs = debug_logs(home).items.into_iter();
            logs.max_by_key(|log| log.modified)
        })
}

fn describe(session_id: &str, path: &Path) -> Result<DebugLog, Finding> {
    let metadata = path.metadata().map_err(|error| Finding::new(path, error))?;
    Ok(DebugLog {
        session_id: session_id.to_owned(),
        path: path.to_path_buf(),
        size: metadata.len(),
        modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn logs_are_found_by_session_and_the_latest_by_link_or_time() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        assert_eq!(latest_debug_log(&home), None);
        fs::create_dir_all(home.debug()).unwrap();
        fs::write(home.debug().join("s1.txt"), "one").unwrap();
        assert_eq!(debug_log(&home, "s1").unwrap().size, 3);
        assert_eq!(debug_log(&home, "../s1"), None);
        assert_eq!(latest_debug_log(&home).unwrap().session_id, "s1");
        assert_eq!(debug_logs(&home).items.len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn the_link_decides() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        fs::create_dir_all(home.debug()).unwrap();
        for name in ["old.txt", "new.txt"] {
            fs::write(home.debug().join(name), "").unwrap();
        }
        std::os::unix::fs::symlink(home.debug().join("old.txt"), home.debug().join("latest"))
            .unwrap();
        assert_eq!(latest_debug_log(&home).unwrap().session_id, "old");
    }
}
