//! Whether a file is the same file as before.

use std::fs::Metadata;

/// What the file system knows of a file besides its size and time.
///
/// Both are 0 where it does not say, and for files of the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Identity {
    /// Its number in the file system: another one is another file.
    pub inode: u64,
    /// When anything about it last changed, in nanoseconds since 1970. Unlike the time of its last
    /// write, nobody can set this back.
    pub changed: i64,
}

impl Identity {
    /// Reads it from what the system says.
    #[cfg(unix)]
    pub fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        let seconds = metadata.ctime().saturating_mul(1_000_000_000);
        Self {
            inode: metadata.ino(),
            changed: seconds.saturating_add(metadata.ctime_nsec()),
        }
    }

    /// Reads it from what the system says, which is nothing here.
    #[cfg(not(unix))]
    pub fn of(_metadata: &Metadata) -> Self {
        Self::default()
    }
}
