//! Whether a file is still the one that was read.
//!
//! A [`Stamp`] is what the file system says; while it is the same, so is the file. When it is not,
//! the [`Mark`] tells growth from anything else: the bytes at the start and at the end of what was
//! read are still there in a file that only grew.

use std::io;
use std::time::SystemTime;

use ravel_format::{Source as _, Span};
use ravel_home::SessionBytes;
use sha2::{Digest as _, Sha256};

use crate::library::SourceFile;

/// What the file system says about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stamp {
    pub(crate) size: u64,
    /// When its bytes were last written, in nanoseconds since 1970.
    pub(crate) modified: i64,
    /// When anything about it changed, which nobody can set back.
    pub(crate) changed: i64,
    pub(crate) inode: u64,
}

impl Stamp {
    pub(crate) fn of(file: &SourceFile) -> Self {
        Self {
            size: file.size,
            modified: nanos_since_1970(file.modified),
            changed: file.identity.changed,
            inode: file.identity.inode,
        }
    }
}

/// Returns a time as the index keeps it.
pub(crate) fn nanos_since_1970(time: SystemTime) -> i64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(0))
}

/// What the bytes that were read look like, at both ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Mark {
    head: [u8; 8],
    tail: [u8; 8],
}

/// How many bytes are looked at on each end.
const SAMPLE: u64 = 1024;

impl Mark {
    /// Looks at a file of which `n_read` bytes were read.
    pub(crate) fn of(bytes: &SessionBytes, n_read: u64) -> io::Result<Self> {
        let length = n_read.min(SAMPLE);
        let sample = |start| {
            let digest = Sha256::digest(bytes.read(Span { start, len: length }));
            digest.first_chunk().copied().unwrap_or_default()
        };
        let mark = Self {
            head: sample(0),
            tail: sample(n_read - length),
        };
        match bytes.take_error() {
            Some(error) => Err(error),
            None => Ok(mark),
        }
    }

    pub(crate) fn to_bytes(self) -> Vec<u8> {
        [self.head, self.tail].concat()
    }

    /// Reads what [`Mark::to_bytes`] wrote; anything else fits no file.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        let (head, tail) = bytes.split_at_checked(8).unwrap_or_default();
        Self {
            head: head.try_into().unwrap_or_default(),
            tail: tail.try_into().unwrap_or_default(),
        }
    }
}
