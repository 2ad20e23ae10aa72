//! Versions as the records name them, joined with those on disk.

use std::fmt;
use std::path::PathBuf;

use jiff::tz::TimeZone;
use ravel_format::Timestamp;
use ravel_home::{Home, file_versions, hash_of, read_version};
use ravel_model::file_history::{TrackedVersion, tracked_files};
use ravel_model::step::What;
use ravel_model::{Session, steps};
use ravel_render::style::{Role, Style};
use ravel_render::{amount, when};
use serde_json::{Value, json};

use super::compare::{Text, read_now};
use crate::context::epoch_ms;
use crate::failure::Failure;
use crate::finding::report_findings;
use crate::table::Cell;

/// A version, or the file as it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// The version with this number.
    Version(u64),
    /// The file on disk.
    Now,
}

impl fmt::Display for Moment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(number) => write!(out, "v{number}"),
            Self::Now => out.write_str("now"),
        }
    }
}

/// Reads `v2`, `2` or `now`.
pub(crate) fn parse_moment(text: &str) -> Result<Moment, String> {
    if text == "now" {
        return Ok(Moment::Now);
    }
    let number = text.strip_prefix('v').unwrap_or(text).parse();
    let number = number.map_err(|_| "say a version such as v2, or now".to_owned())?;
    Ok(Moment::Version(number))
}

/// A file with its versions.
pub(crate) struct KeptFile {
    /// Its path as the session names it; the hash of it where the session does not.
    pub(crate) path: String,
    /// Where it is on disk, if that is known.
    pub(crate) absolute: Option<String>,
    /// What its copies are called.
    pub(crate) hash: Option<String>,
    /// Its versions, the oldest first.
    pub(crate) versions: Vec<KeptVersion>,
}

/// One version of a file.
pub(crate) struct KeptVersion {
    /// Its number.
    pub(crate) version: u64,
    /// The name of its copy; `None` where the file did not exist.
    pub(crate) backup_name: Option<String>,
    time_ms: Option<i64>,
    prompt_uuid: Option<String>,
    prompt: Option<String>,
    copy: Option<(PathBuf, u64)>,
}

/// Where the copies of a session are.
pub(crate) struct Store<'h> {
    place: Option<(&'h Home, String)>,
}

impl<'h> Store<'h> {
    pub(crate) fn new(home: Option<&'h Home>, session_id: Option<String>) -> Self {
        Self {
            place: home.zip(session_id),
        }
    }

    pub(crate) fn session_id(&self) -> Option<&str> {
        self.place
            .as_ref()
            .map(|(_, session_id)| session_id.as_str())
    }

    /// Returns the files of a session by path, then those that only have copies.
    pub(crate) fn files(&self, session: &Session<'_>) -> Vec<KeptFile> {
        let mut copies = self.copies();
        let tracked = session.main().map(tracked_files).unwrap_or_default();
        let mut files: Vec<KeptFile> = tracked
            .into_iter()
            .map(|file| {
                let versions = file.versions.into_iter();
                let versions: Vec<KeptVersion> = versions
                    .map(|version| KeptVersion::recorded(session, version, &mut copies))
                    .collect();
                let named = versions.iter().find_map(|one| one.backup_name.as_deref());
                let hash = named.and_then(|name| name.split_once("@v"));
                KeptFile {
                    hash: hash
                        .map(|(hash, _)| hash.to_owned())
                        .or_else(|| Some(hash_of(file.absolute.as_deref()?))),
                    absolute: file.absolute,
                    path: file.path,
                    versions,
                }
            })
            .collect();
        add_unrecorded(&mut files, copies);
        files
    }

    fn copies(&self) -> Vec<KeptVersion> {
        let Some((home, session_id)) = &self.place else {
            return Vec::new();
        };
        let found = file_versions(home, session_id);
        report_findings(found.findings.iter());
        let versions = found.items.into_iter().flat_map(|file| file.versions);
        versions
            .map(|version| KeptVersion {
                version: version.version.into(),
                backup_name: Some(version.backup_name),
                time_ms: Some(epoch_ms(version.modified)),
                prompt_uuid: None,
                prompt: None,
                copy: Some((version.path, version.size)),
            })
            .collect()
    }

    /// Reads a version.
    pub(crate) fn read(&self, file: &KeptFile, moment: Moment) -> Result<Text, Failure> {
        let number = match moment {
            Moment::Now => return read_now(file),
            Moment::Version(number) => number,
        };
        let version = file.version(number)?;
        let Some(name) = &version.backup_name else {
            return Ok(Text::absent("the file did not exist"));
        };
        let failed = |error| Failure::io(format_args!("read {} {moment}", file.path), &error);
        let kept = match &self.place {
            Some((home, session_id)) => read_version(home, session_id, name).map_err(failed)?,
            None => None,
        };
        match kept {
            Some(bytes) => Ok(Text { bytes, note: None }),
            None => Err(Failure::request(format!(
                "could not read {} {moment}: its copy is gone",
                file.path
            ))
            .hint("`ravel files` lists the versions that are still kept")),
        }
    }
}

/// Copies that no record names: of known files, or of files whose path nobody knows.
fn add_unrecorded(files: &mut Vec<KeptFile>, copies: Vec<KeptVersion>) {
    for copy in copies {
        let name = copy.backup_name.as_deref().unwrap_or_default();
        let hash = name
            .split_once("@v")
            .map_or(name, |(hash, _)| hash)
            .to_owned();
        let known = files
            .iter()
            .position(|file| file.hash.as_ref() == Some(&hash));
        match known.and_then(|place| files.get_mut(place)) {
            Some(file) => {
                file.versions.push(copy);
                file.versions.sort_by_key(|version| version.version);
            }
            None => files.push(KeptFile {
                path: hash.clone(),
                absolute: None,
                hash: Some(hash),
                versions: vec![copy],
            }),
        }
    }
}

/// Finds the file a person means: by its path, else by the end of it.
pub(crate) fn choose<'f>(files: &'f [KeptFile], path: &str) -> Result<&'f KeptFile, Failure> {
    let is_exact = |file: &&KeptFile| file.path == path || file.absolute.as_deref() == Some(path);
    if let Some(file) = files.iter().find(is_exact) {
        return Ok(file);
    }
    let ending = format!("/{path}");
    let ends = |text: &str| text.ends_with(&ending) || text.ends_with(&ending.replace('/', "\\"));
    let fitting: Vec<&KeptFile> = files
        .iter()
        .filter(|file| ends(&file.path) || file.absolute.as_deref().is_some_and(ends))
        .collect();
    match fitting.as_slice() {
        [file] => Ok(file),
        [] => Err(Failure::request(format!(
            "could not find {path:?} among the files of the session"
        ))
        .hint("`ravel files SESSION` lists them")),
        several => {
            let message = format!("could not choose a file: {path:?} fits {}", several.len());
            let named = several.iter().take(5);
            Err(named.fold(Failure::request(message), |failure, file| {
                failure.hint(format!("it may be {}", file.path))
            }))
        }
    }
}

impl KeptFile {
    fn version(&self, number: u64) -> Result<&KeptVersion, Failure> {
        let mut versions = self.versions.iter();
        versions
            .find(|version| version.version == number)
            .ok_or_else(|| {
                let known = self.versions.iter().map(|one| format!("v{}", one.version));
                let known = known.collect::<Vec<_>>().join(" ");
                Failure::request(format!("could not find v{number} of {}", self.path))
                    .hint(format!("it has {known}"))
            })
    }

    /// Returns neighboring versions that can be compared.
    pub(crate) fn consecutive(&self) -> Vec<(Moment, Moment)> {
        let readable: Vec<&KeptVersion> = self
            .versions
            .iter()
            .filter(|version| version.state() != "missing")
            .collect();
        let pairs = readable.iter().zip(readable.iter().skip(1));
        pairs
            .map(|(one, next)| (Moment::Version(one.version), Moment::Version(next.version)))
            .collect()
    }

    /// Returns the file for programs.
    pub(crate) fn json(&self) -> Value {
        json!({
            "path": self.path,
            "absolute": self.absolute,
            "hash": self.hash,
            "versions": self.versions.iter().map(KeptVersion::json).collect::<Vec<_>>(),
        })
    }
}

impl KeptVersion {
    /// Joins what a record says with its copy, which is taken out of `copies`.
    fn recorded(
        session: &Session<'_>,
        version: TrackedVersion,
        copies: &mut Vec<KeptVersion>,
    ) -> Self {
        let is_own = |copy: &KeptVersion| {
            version.backup_name.is_some() && copy.backup_name == version.backup_name
        };
        let copy = copies.iter().position(is_own).map(|at| copies.remove(at));
        Self {
            version: version.version,
            time_ms: version.time.map(|Timestamp(millis)| millis),
            prompt: version.prompt.and_then(|entry| prompt_text(session, entry)),
            prompt_uuid: Some(version.prompt_uuid),
            backup_name: version.backup_name,
            copy: copy.and_then(|copy| copy.copy),
        }
    }

    /// Returns `kept`, `missing`, or `absent` where there was no file.
    pub(crate) fn state(&self) -> &'static str {
        match (&self.backup_name, &self.copy) {
            (None, _) => "absent",
            (Some(_), None) => "missing",
            (Some(_), Some(_)) => "kept",
        }
    }

    pub(crate) fn row(&self) -> Vec<Cell> {
        let muted = Style::of(Role::Muted);
        let time = self
            .time_ms
            .map(|time| when::moment(time, &TimeZone::system()));
        let (size, style) = match (self.state(), &self.copy) {
            ("kept", Some((_, size))) => (amount::bytes(*size), muted),
            ("missing", _) => ("gone".into(), Style::of(Role::Warning)),
            _ => ("no file yet".into(), muted),
        };
        let prompt = self.prompt.as_deref().unwrap_or_default();
        let prompt = prompt.lines().next().unwrap_or_default();
        vec![
            Cell::new(format!("v{}", self.version), Style::PLAIN),
            Cell::new(time.unwrap_or_default(), muted),
            Cell::new(size, style),
            Cell::new(prompt, Style::of(Role::Prompt)),
        ]
    }

    fn json(&self) -> Value {
        json!({
            "version": self.version,
            "state": self.state(),
            "time": self.time_ms.map(|time| Timestamp(time).to_iso()),
            "bytes": self.copy.as_ref().map(|(_, size)| size),
            "backup": self.backup_name,
            "copy": self.copy.as_ref().map(|(path, _)| path),
            "prompt_uuid": self.prompt_uuid,
            "prompt": self.prompt,
        })
    }
}

fn prompt_text(session: &Session<'_>, entry: usize) -> Option<String> {
    steps(session, 0, &[entry])
        .into_iter()
        .find_map(|step| match step.what {
            What::Prompt(prompt) => Some(prompt.text),
            _ => None,
        })
}
