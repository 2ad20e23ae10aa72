//! The few files that are being written now.
//!
//! Looking at ten thousand files takes longer than a status line may take. But whoever is working
//! writes to files that were written lately, to files that are new in their folder, and to the one
//! that the caller names. An update from these leaves out only an old session that somebody else
//! goes on with; the next command that looks at all files finds it.

use std::path::{Component, Path};
use std::sync::Arc;
use std::time::SystemTime;

use ravel_home::{Home, Identity};
use rusqlite::{Connection, OptionalExtension as _};
use rustc_hash::FxHashSet;

use crate::fingerprint::nanos_since_1970;
use crate::library::{Library, SourceFile};
use crate::store::{Index, IndexError};

impl Index {
    /// Lists the files that were written since then, those that are new, and `transcript` with its
    /// sub-agents. `None` if the index has never looked at all files.
    pub fn recent(
        &self,
        home: &Home,
        transcript: Option<&Path>,
        since: SystemTime,
    ) -> Result<Option<Library>, IndexError> {
        let _snapshot = self.snapshot()?;
        // Everything would be new; that is not for whoever is in a hurry.
        if self.has_no_folders().map_err(|error| self.error(error))? {
            return Ok(None);
        }
        let known = self.names_since(since).map_err(|error| self.error(error))?;
        let mut names: FxHashSet<String> = known.into_iter().collect();
        let named = transcript.and_then(|path| name_in(home, path));
        names.extend(named.clone());
        for session in self.running(named, since)? {
            names.extend(agents_of(home, &session));
        }
        for folder in self
            .changed_folders(home)
            .map_err(|error| self.error(error))?
        {
            names.extend(transcripts_in(home, &folder));
        }
        let files = names.iter().filter_map(|name| SourceFile::at(home, name));
        Ok(Some(Library::of_files(files.collect())))
    }

    fn has_no_folders(&self) -> rusqlite::Result<bool> {
        let mut select = self.connection.prepare_cached("SELECT 1 FROM folder")?;
        Ok(!select.exists([])?)
    }

    /// Returns the sessions that may have started a sub-agent: the one that is named, and those
    /// that were written in the last quarter of the time.
    fn running(&self, named: Option<String>, since: SystemTime) -> Result<Vec<String>, IndexError> {
        let newest = self
            .connection
            .query_row("SELECT max(modified) FROM file", [], |row| {
                row.get::<_, Option<i64>>(0)
            });
        let newest = newest.map_err(|error| self.error(error))?.unwrap_or(0);
        let since = nanos_since_1970(since);
        let quarter = newest.saturating_sub(newest.saturating_sub(since) / 4);
        let mut names = self
            .names_after(quarter)
            .map_err(|error| self.error(error))?;
        names.extend(named);
        Ok(names)
    }

    fn names_since(&self, since: SystemTime) -> rusqlite::Result<Vec<String>> {
        self.names_after(nanos_since_1970(since))
    }

    fn names_after(&self, nanos: i64) -> rusqlite::Result<Vec<String>> {
        let mut select = self
            .connection
            .prepare_cached("SELECT name FROM file WHERE modified >= ?1")?;
        let rows = select.query_map([nanos], |row| row.get(0))?;
        rows.collect()
    }

    /// Returns the project folders in which files came or went since they were looked at.
    fn changed_folders(&self, home: &Home) -> rusqlite::Result<Vec<String>> {
        let mut changed = Vec::new();
        for (name, modified) in folders_of(home) {
            if folder_time(&self.connection, &name)? != Some(modified) {
                changed.push(name);
            }
        }
        Ok(changed)
    }

    /// Remembers the project folders as they are, after all their files were looked at.
    pub(crate) fn remember_folders(&self, folders: &[(String, i64)]) -> rusqlite::Result<()> {
        let mut write = self
            .connection
            .prepare_cached("INSERT OR REPLACE INTO folder(name, modified) VALUES(?1, ?2)")?;
        for (name, modified) in folders {
            if folder_time(&self.connection, name)? != Some(*modified) {
                write.execute((name, modified))?;
            }
        }
        Ok(())
    }
}

fn folder_time(connection: &Connection, name: &str) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached("SELECT modified FROM folder WHERE name = ?1")?
        .query_row([name], |row| row.get(0))
        .optional()
}

/// Returns the project folders of a home, and when files last came or went in each.
pub(crate) fn folders_of(home: &Home) -> Vec<(String, i64)> {
    let Ok(entries) = std::fs::read_dir(home.projects()) else {
        return Vec::new();
    };
    let folders = entries.flatten().filter_map(|entry| {
        let metadata = entry.metadata().ok().filter(std::fs::Metadata::is_dir)?;
        let modified = nanos_since_1970(metadata.modified().ok()?);
        Some((entry.file_name().to_str()?.to_owned(), modified))
    });
    folders.collect()
}

fn transcripts_in(home: &Home, folder: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(home.projects().join(folder)) else {
        return Vec::new();
    };
    let names = entries.flatten().filter_map(|entry| {
        let name = entry.file_name().to_str()?.to_owned();
        name.ends_with(".jsonl")
            .then(|| format!("projects/{folder}/{name}"))
    });
    names.collect()
}

/// Returns the sub-agents in the folder of a session.
fn agents_of(home: &Home, session: &str) -> Vec<String> {
    let Some(folder) = session.strip_suffix(".jsonl") else {
        return Vec::new();
    };
    let mut names = Vec::new();
    let mut folders = vec![format!("{folder}/subagents")];
    // Workflows have a folder each, below a common one; a link may lead anywhere and is left alone.
    const DEEPEST: usize = 16;
    for _ in 0..DEEPEST {
        let mut below = Vec::new();
        for folder in folders {
            let entries = std::fs::read_dir(home.root().join(&folder));
            for entry in entries.into_iter().flatten().flatten() {
                let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
                    continue;
                };
                let path = format!("{folder}/{name}");
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => below.push(path),
                    Ok(kind) if kind.is_file() && is_agent(&name) => names.push(path),
                    _ => {}
                }
            }
        }
        folders = below;
    }
    names
}

fn is_agent(name: &str) -> bool {
    name.starts_with("agent-") && name.ends_with(".jsonl")
}

/// Returns the name of a file in the library, if it is a transcript of the home.
fn name_in(home: &Home, path: &Path) -> Option<String> {
    let below = path.strip_prefix(home.root()).ok().map(Path::to_owned);
    let below = below.or_else(|| {
        let real = path.canonicalize().ok()?;
        let root = home.root().canonicalize().ok()?;
        Some(real.strip_prefix(root).ok()?.to_owned())
    })?;
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    let parts = below.components().map(|part| {
        let name = part.as_os_str().to_str()?;
        is_plain(part).then_some(name)
    });
    Some(parts.collect::<Option<Vec<_>>>()?.join("/"))
}

impl SourceFile {
    /// Looks at the transcript with a name; `None` if there is none.
    fn at(home: &Home, name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix("projects/")?.split('/');
        let slug = parts.next()?;
        let first = parts.next()?;
        let stem = name.rsplit('/').next()?.strip_suffix(".jsonl")?;
        let agent = stem.strip_prefix("agent-").map(Arc::from);
        let session = match (&agent, first.strip_suffix(".jsonl")) {
            (None, Some(session)) => session,
            (Some(_), None) => first,
            (Some(agent), Some(_)) => agent,
            (None, None) => return None,
        };
        let path = home.root().join(name);
        // A link may lead out of the home; whoever looks at all files finds out.
        let metadata = path.symlink_metadata().ok();
        let metadata = metadata.filter(std::fs::Metadata::is_file)?;
        Some(Self {
            name: name.into(),
            session: session.into(),
            slug: slug.into(),
            size: metadata.len(),
            modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            is_archived: false,
            identity: Identity::of(&metadata),
            agent,
            path,
        })
    }
}
