//! Files that a person asked for.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::failure::Failure;

/// What to do when the file is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Existing {
    /// Replace it.
    Replace,
    /// Leave it and fail.
    Keep,
}

/// Writes a file beside its place and puts it there when it is whole.
///
/// So a failed or interrupted run leaves no half file, and the file that was there, which may be
/// a session by another name, is never written into.
pub(crate) fn write_file(
    path: &Path,
    existing: Existing,
    write: impl FnOnce(&mut BufWriter<NamedTempFile>) -> io::Result<()>,
) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::io(format_args!("write {}", path.display()), &error);
    if existing == Existing::Keep && path.exists() {
        return Err(exists_already(path));
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let file = Builder::new()
        .prefix(".ravel-")
        .tempfile_in(folder)
        .map_err(failed)?;
    let mut out = BufWriter::with_capacity(256 << 10, file);
    write(&mut out).map_err(failed)?;
    let file = out
        .into_inner()
        .map_err(|error| failed(error.into_error()))?;
    let placed = match existing {
        Existing::Replace => file.persist(path),
        Existing::Keep => file.persist_noclobber(path),
    };
    match placed {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
            Err(exists_already(path))
        }
        Err(error) => Err(failed(error.error)),
    }
}

fn exists_already(path: &Path) -> Failure {
    Failure::request(format!("{} exists already", path.display())).hint("replace it with --force")
}

/// Tells whether two paths lead to the same file, as far as paths can tell.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    real(one).is_some_and(|one| real(other) == Some(one))
}

/// Flushes what goes to standard output.
pub(crate) fn write_stdout(
    write: impl FnOnce(&mut BufWriter<io::Stdout>) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(64 << 10, io::stdout());
    write(&mut out)?;
    Ok(out.flush()?)
}
