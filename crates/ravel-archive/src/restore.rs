//! Putting a session back where it was.
//!
//! Everything is read and compared before anything is written: what cannot be put back is known
//! by then. Each appears as a whole. A file that is there and is the same stays; one that differs
//! is replaced only by wish, and only after the archive has it.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ravel_home::{
    ChunkId, Finding, Home, Kept, Manifest, SessionFile, kept_path, read_at, unpack_chunk,
};
use tempfile::NamedTempFile;

use crate::archive::{Archive, ArchiveError, Lock};
use crate::atomic::Writer;
use crate::belonging::{self, Place};
use crate::file::{self, FileError, Pair, version_path};
use crate::store::Store;
use crate::walk::{Item, Tree};

/// What to put back, and how.
#[derive(Debug, Clone, Copy)]
pub struct RestoreRequest<'a> {
    /// The session.
    pub session: &'a SessionFile,
    /// An earlier version of its main file, by number.
    pub version: Option<u32>,
    /// A folder that takes the place of the home.
    pub to: Option<&'a Path>,
    /// What to do about a file that is there and is not the same.
    pub existing: Existing<'a>,
    /// Which times the files get.
    pub times: Times,
}

/// What to do about a file that is there and is not the same.
#[derive(Debug, Clone, Copy)]
pub enum Existing<'a> {
    /// Put nothing back.
    Refuse,
    /// Keep it as an earlier version, then replace it. It may be newer than the archive.
    Replace(&'a Lock),
}

/// Which times restored files get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// This one, usually that of now: the client deletes by time, and would delete them again.
    At(SystemTime),
    /// Those they had.
    Kept,
}

/// A session that was put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// Its main file.
    pub main: PathBuf,
    /// All its files, the main one first.
    pub files: Vec<RestoredFile>,
    /// What could not be listed.
    pub findings: Vec<Finding>,
}

/// A file of a session that was put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoredFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
    /// What was done.
    pub state: RestoreState,
}

/// What was done for a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestoreState {
    /// It was not there.
    Written,
    /// It was there, the same.
    Same,
    /// Something else was there. The archive has that as an earlier version.
    Replaced,
}

/// One of the states in which the main file of a session is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Its number; `None` for the last one.
    pub number: Option<u32>,
    /// The kept file.
    pub path: PathBuf,
    /// Its size in bytes, and when it was written. `None` when the kept file is damaged.
    pub facts: Option<(u64, SystemTime)>,
}

/// Why a session was not put back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The archive does not have it.
    #[error("find the session {0} in the archive")]
    NotKept(String),
    /// There is no such version.
    #[error("find version {number} of the session {session_id}")]
    NoVersion {
        /// The session.
        session_id: String,
        /// The number.
        number: u32,
    },
    /// Other files are in its place.
    #[error("put the session back: {} would be overwritten", named(.0))]
    Exists(Vec<PathBuf>),
    /// The file in its place was written while it was to be replaced.
    #[error("replace {}: it is being written", .0.display())]
    Busy(PathBuf),
    /// What is in its place could not be kept.
    #[error(transparent)]
    Keep(#[from] ArchiveError),
    /// The place is not inside of the home.
    #[error("write {}: a link leads out of the home", .0.display())]
    Outside(PathBuf),
    /// A file of the archive cannot be read.
    #[error("read {}: {source}", path.display())]
    Read {
        /// The kept file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
}

fn named(paths: &[PathBuf]) -> String {
    let first = paths.first().map(|path| path.display().to_string());
    let first = first.unwrap_or_default();
    match paths.len() {
        0 | 1 => first,
        n_paths => format!("{first} and {} more", n_paths - 1),
    }
}

/// Where files are put, and where they come from.
struct Places<'a> {
    root: &'a Path,
    mirror: &'a Path,
}

/// A file that is about to be put back.
struct Planned {
    kept: PathBuf,
    manifest: Manifest,
    path: PathBuf,
    state: RestoreState,
    /// The place of its last version in the archive.
    last: PathBuf,
    /// What was there, once the archive has it.
    before: Option<Manifest>,
}

impl Archive {
    /// Puts the files of a session back.
    pub fn restore(
        &self,
        home: &Home,
        request: &RestoreRequest<'_>,
    ) -> Result<Restored, RestoreError> {
        let _shared = match request.existing {
            Existing::Refuse => self.share(),
            // This is more than a share.
            Existing::Replace(_) => None,
        };
        let mut findings = Vec::new();
        let items = self.items(home, request, &mut findings)?;
        let root = request.to.unwrap_or(home.root());
        let mut planned = self.plan_all(items, root, &mut findings)?;
        match request.existing {
            Existing::Refuse => refuse_others(&planned)?,
            Existing::Replace(_) => self.keep_others(&mut planned)?,
        }
        let fence = Fence::around(root, home);
        for one in &planned {
            fence.make_room(&one.path)?;
            self.write(one, request.times)?;
        }
        let files: Vec<RestoredFile> = planned.into_iter().map(RestoredFile::from).collect();
        Ok(Restored {
            main: files
                .first()
                .map(|file| file.path.clone())
                .unwrap_or_default(),
            files,
            findings,
        })
    }

    /// Lists the states in which the main file of a session is kept, the last one first.
    pub fn versions(&self, home: &Home, session: &SessionFile) -> Vec<Version> {
        let Some(place) = Place::of(home, &self.mirror(), session) else {
            return Vec::new();
        };
        let current = kept_path(&self.mirror().join(place.main()));
        let earlier = (1..)
            .map(|number| (Some(number), version_path(&current, number)))
            .take_while(|(_, path)| path.exists());
        let mut versions: Vec<_> = earlier.collect();
        versions.push((None, current.clone()));
        versions.reverse();
        let version = |(number, path): (Option<u32>, PathBuf)| {
            let facts = Manifest::load(&path);
            Version {
                number,
                facts: facts
                    .ok()
                    .map(|manifest| (manifest.size, manifest.modified)),
                path,
            }
        };
        let is_there = |(_, path): &(Option<u32>, PathBuf)| path.is_file();
        versions.into_iter().filter(is_there).map(version).collect()
    }

    /// The kept files of the session, the main one first.
    fn items(
        &self,
        home: &Home,
        request: &RestoreRequest<'_>,
        findings: &mut Vec<Finding>,
    ) -> Result<Vec<Item>, RestoreError> {
        let session_id = &request.session.session_id;
        let not_kept = || RestoreError::NotKept(session_id.clone());
        let place = Place::of(home, &self.mirror(), request.session).ok_or_else(not_kept)?;
        let tree = Tree::of_archive(self);
        let mut items = belonging::of_session(&tree, &place, findings);
        let main = items.first_mut().filter(|item| item.name == place.main());
        let main = main.ok_or_else(not_kept)?;
        if let Some(number) = request.version {
            main.path = version_path(&main.path, number);
            if !main.path.is_file() {
                return Err(RestoreError::NoVersion {
                    session_id: session_id.clone(),
                    number,
                });
            }
        }
        Ok(items)
    }

    /// Reads everything that is to be put back. Without its main file there is no session; what
    /// is damaged of the rest is a finding.
    fn plan_all(
        &self,
        items: Vec<Item>,
        root: &Path,
        findings: &mut Vec<Finding>,
    ) -> Result<Vec<Planned>, RestoreError> {
        let places = Places {
            root,
            mirror: &self.mirror(),
        };
        let mut planned = Vec::new();
        for (number, item) in items.into_iter().enumerate() {
            let outcome = plan(item, &places).and_then(|one| self.check(&one).map(|()| one));
            match outcome {
                Ok(one) => planned.push(one),
                Err(RestoreError::Read { path, source }) if number > 0 => {
                    findings.push(Finding::new(&path, source));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(planned)
    }

    /// Takes what is about to be replaced into the archive.
    fn keep_others(&self, planned: &mut [Planned]) -> Result<(), RestoreError> {
        let store = Store::open(self, Writer::new(self.tmp(), &()))?;
        let others = planned.iter_mut().filter(|one| one.is_other());
        for one in others {
            let pair = Pair {
                source: &one.path,
                kept: &one.last,
            };
            let before = file::keep_aside(&store, &pair).map_err(|error| match error {
                FileError::Archive(error) => RestoreError::Keep(error),
                FileError::Source(source) => RestoreError::Read {
                    path: one.path.clone(),
                    source,
                },
            })?;
            one.before = Some(before);
        }
        Ok(store.writer.settle()?)
    }

    fn check(&self, planned: &Planned) -> Result<(), RestoreError> {
        if planned.state == RestoreState::Same {
            return Ok(());
        }
        let chunks = self.chunks();
        let mut needed = planned.manifest.chunks.iter();
        needed
            .try_for_each(|chunk| unpack_chunk(&chunks, chunk).map(drop))
            .map_err(|source| RestoreError::Read {
                path: planned.kept.clone(),
                source,
            })
    }

    fn write(&self, planned: &Planned, times: Times) -> Result<(), RestoreError> {
        let path = &planned.path;
        let failed = |source: io::Error| RestoreError::Write {
            path: path.clone(),
            source,
        };
        if planned.state == RestoreState::Same {
            let file = File::options().append(true).open(path);
            return file
                .and_then(|file| set_time(&file, &planned.manifest, times))
                .map_err(failed);
        }
        let file = self.unpack(planned, times).map_err(failed)?;
        let outcome = match &planned.before {
            Some(before) if planned.has_changed(before) => {
                return Err(RestoreError::Busy(path.clone()));
            }
            Some(_) => file.persist(path),
            // Whatever came into its place meanwhile stays.
            None => file.persist_noclobber(path),
        };
        outcome.map(drop).map_err(|error| failed(error.error))
    }

    /// Writes a file next to its place.
    fn unpack(&self, planned: &Planned, times: Times) -> io::Result<NamedTempFile> {
        let chunks = self.chunks();
        let folder = planned.path.parent().unwrap_or(Path::new(""));
        let mut file = tempfile::Builder::new()
            .prefix(".ravel-restore-")
            .tempfile_in(folder)?;
        for chunk in &planned.manifest.chunks {
            file.write_all(&unpack_chunk(&chunks, chunk)?)?;
        }
        set_time(file.as_file(), &planned.manifest, times)?;
        file.as_file().sync_all()?;
        Ok(file)
    }
}

impl Planned {
    fn is_other(&self) -> bool {
        self.state == RestoreState::Replaced
    }

    /// Whether what was there is not what is there now.
    fn has_changed(&self, before: &Manifest) -> bool {
        let metadata = self.path.metadata();
        !metadata.is_ok_and(|metadata| file::is_untouched(before, &metadata))
    }
}

/// Fails when something would be replaced.
fn refuse_others(planned: &[Planned]) -> Result<(), RestoreError> {
    let others = planned.iter().filter(|one| one.is_other());
    let others: Vec<PathBuf> = others.map(|one| one.path.clone()).collect();
    match others.is_empty() {
        true => Ok(()),
        false => Err(RestoreError::Exists(others)),
    }
}

impl From<Planned> for RestoredFile {
    fn from(planned: Planned) -> Self {
        Self {
            path: planned.path,
            size: planned.manifest.size,
            state: planned.state,
        }
    }
}

/// Compares a kept file with what is in its place.
fn plan(item: Item, places: &Places<'_>) -> Result<Planned, RestoreError> {
    let failed = |source: io::Error| RestoreError::Read {
        path: item.path.clone(),
        source,
    };
    let manifest = Kept::open(&item.path).map_err(failed)?.manifest().clone();
    let path = places.root.join(&item.name);
    let state = match File::open(&path) {
        Ok(file) if is_same(&file, &manifest) => RestoreState::Same,
        Err(error) if error.kind() == io::ErrorKind::NotFound => RestoreState::Written,
        Ok(_) | Err(_) => RestoreState::Replaced,
    };
    Ok(Planned {
        last: kept_path(&places.mirror.join(&item.name)),
        before: None,
        kept: item.path,
        manifest,
        path,
        state,
    })
}

fn is_same(file: &File, manifest: &Manifest) -> bool {
    let is_size = file
        .metadata()
        .is_ok_and(|now| now.is_file() && now.len() == manifest.size);
    let mut buffer = Vec::new();
    let mut chunks = manifest.chunks.iter().zip(manifest.starts());
    is_size
        && chunks.all(|(chunk, start)| {
            buffer.resize(usize::try_from(chunk.length).unwrap_or_default(), 0);
            let is_read =
                read_at(file, &mut buffer, start).is_ok_and(|n_read| n_read == buffer.len());
            is_read && ChunkId::of(&buffer) == chunk.id
        })
}

fn set_time(file: &File, manifest: &Manifest, times: Times) -> io::Result<()> {
    match times {
        Times::At(time) => file.set_modified(time),
        Times::Kept => file.set_modified(manifest.modified),
    }
}

/// Where files may be put.
struct Fence {
    roots: Vec<PathBuf>,
}

impl Fence {
    fn around(root: &Path, home: &Home) -> Self {
        // The folders of projects may be links to another disk: a person made them so.
        let roots = [root.to_path_buf(), home.projects(), home.conversations()];
        let _ = fs::create_dir_all(root);
        Self {
            roots: roots
                .iter()
                .filter_map(|root| root.canonicalize().ok())
                .collect(),
        }
    }

    /// Makes the folder of a file, unless a link leads it out.
    fn make_room(&self, path: &Path) -> Result<(), RestoreError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let outside = || RestoreError::Outside(path.to_path_buf());
        // The nearest folder that is there says where all the new ones will be.
        let there = folder
            .ancestors()
            .find(|above| above.symlink_metadata().is_ok());
        let real = there
            .and_then(|there| there.canonicalize().ok())
            .ok_or_else(outside)?;
        if !self.roots.iter().any(|root| real.starts_with(root)) {
            return Err(outside());
        }
        fs::create_dir_all(folder).map_err(|source| RestoreError::Write {
            path: folder.to_path_buf(),
            source,
        })
    }
}
