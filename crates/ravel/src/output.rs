//! Where documents go that a person asked for.
//!
//! A file is written beside its place and put there when it is whole, so a failed or interrupted
//! run leaves no half file, and the file that was there, which may be a session by another name,
//! is never written into. Standard output, pipes and devices are written as they are.

use std::fs::OpenOptions;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use ravel_home::Home;
use tempfile::{Builder, NamedTempFile};

use crate::failure::Failure;
use crate::open::Opened;

/// What to do when the file is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Existing {
    /// Replace it.
    Replace,
    /// Leave it and fail.
    Keep,
}

impl Existing {
    /// Reads `--force`.
    pub(crate) fn by_force(is_forced: bool) -> Self {
        if is_forced { Self::Replace } else { Self::Keep }
    }
}

/// What is in a document, as far as a terminal is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// Bytes of a session as they are.
    Raw,
    /// Nothing that a terminal would obey.
    Tame,
}

/// Who may read a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Whoever may read other new files of this person.
    Usual,
    /// Only this person, as the client has it for sessions.
    Private,
}

/// A place for a document.
pub(crate) struct Output<'a> {
    /// The home, whose sessions are not replaced.
    pub(crate) home: Option<&'a Home>,
    /// The file; `-` is standard output.
    pub(crate) path: &'a Path,
    /// What to do when the file is there already.
    pub(crate) existing: Existing,
    /// What is written.
    pub(crate) content: Content,
    /// Who may read it.
    pub(crate) access: Access,
}

impl Output<'_> {
    /// Tells whether a file comes to be, which a person can be told.
    pub(crate) fn is_file(&self) -> bool {
        !self.is_stdout() && !is_passage(self.path)
    }

    /// Writes a document that is made from a session.
    pub(crate) fn write(
        &self,
        opened: &Opened,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let checked = |out: &mut dyn Write| {
            let written = write(out);
            // What could not be read says more than what came of it.
            opened.check_read()?;
            written.map_err(|error| self.failed(&error))
        };
        if self.is_file() {
            self.write_file(checked)
        } else {
            self.write_through(checked)
        }
    }

    fn is_stdout(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    fn failed(&self, error: &io::Error) -> Failure {
        match self.is_stdout() {
            true => Failure::output("write the output", error),
            false => Failure::output(format_args!("write {}", self.path.display()), error),
        }
    }

    /// Writes what goes to standard output, a pipe or a device.
    fn write_through(
        &self,
        write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if self.is_stdout() {
            return self.pass(io::stdout(), write);
        }
        let file = OpenOptions::new().write(true).open(self.path);
        self.pass(file.map_err(|error| self.failed(&error))?, write)
    }

    fn pass<W: Write + IsTerminal>(
        &self,
        out: W,
        write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if self.content == Content::Raw && out.is_terminal() {
            return Err(
                Failure::request("a session as it is may hold what a terminal obeys")
                    .hint("write it into a file with --output FILE, or into a pipe"),
            );
        }
        let mut out = BufWriter::with_capacity(64 << 10, out);
        write(&mut out)?;
        out.flush().map_err(|error| self.failed(&error))
    }

    fn write_file(
        &self,
        write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.refuse_what_is_there()?;
        let file = self.new_file().map_err(|error| self.failed(&error))?;
        let mut out = BufWriter::with_capacity(256 << 10, file);
        write(&mut out)?;
        let file = out
            .into_inner()
            .map_err(|error| self.failed(error.error()))?;
        let placed = match self.existing {
            Existing::Replace => file.persist(self.path),
            Existing::Keep => file.persist_noclobber(self.path),
        };
        match placed {
            Ok(_) => Ok(()),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(self.exists_already())
            }
            Err(error) => Err(self.failed(&error.error)),
        }
    }

    /// Fails early when the place is taken by something that stays.
    fn refuse_what_is_there(&self) -> Result<(), Failure> {
        let path = self.path;
        // A link that leads nowhere is there, too.
        if path.symlink_metadata().is_err() {
            return Ok(());
        }
        if path.is_dir() {
            let message = format!("could not write {}: it is a folder", path.display());
            return Err(Failure::request(message).hint("name a file in it"));
        }
        if self.home.is_some_and(|home| is_session_of(home, path)) {
            let message = format!("{} is a session of the home", path.display());
            return Err(Failure::request(message).hint("name another file with --output"));
        }
        match self.existing {
            Existing::Keep => Err(self.exists_already()),
            Existing::Replace => Ok(()),
        }
    }

    fn exists_already(&self) -> Failure {
        Failure::request(format!("{} exists already", self.path.display()))
            .hint("replace it with --force")
    }

    fn new_file(&self) -> io::Result<NamedTempFile> {
        let mut builder = Builder::new();
        builder.prefix(".ravel-");
        #[cfg(unix)]
        if self.access == Access::Usual {
            use std::os::unix::fs::PermissionsExt as _;
            // The umask takes from these what it takes from every new file.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        builder.tempfile_in(folder_of(self.path))
    }
}

/// Tells whether something is written into rather than put in place: a pipe, a device.
fn is_passage(path: &Path) -> bool {
    // These lead to whatever is open there, which may be a file.
    let names_open_file = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    let is_other = |metadata: std::fs::Metadata| !metadata.is_file() && !metadata.is_dir();
    names_open_file.iter().any(|name| path.starts_with(name)) || path.metadata().is_ok_and(is_other)
}

/// Tells whether a path names a session file in the home, whatever it leads to.
fn is_session_of(home: &Home, path: &Path) -> bool {
    let has_ending = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("jsonl"));
    let folder = folder_of(path).canonicalize();
    let is_in = |root: &Path| {
        let root = root.canonicalize();
        matches!((&folder, root), (Ok(folder), Ok(root)) if folder.starts_with(&root))
    };
    has_ending && (is_in(&home.projects()) || is_in(&home.conversations()))
}

fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Tells whether two paths lead to the same file, as far as paths can tell.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    real(one).is_some_and(|one| real(other) == Some(one))
}

#[cfg(test)]
mod tests;
