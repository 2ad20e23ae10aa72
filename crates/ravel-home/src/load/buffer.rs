//! Memory to read into, again and again.

use std::io;

use crate::kept::StoredFile;

/// Bytes that were read, in memory that stays.
///
/// A `Vec` would be filled with zeros before each read; over a gigabyte that is a tenth of the
/// time.
#[derive(Default)]
pub(super) struct Buffer {
    memory: Vec<u8>,
    n_filled: usize,
}

impl Buffer {
    /// Forgets what was read, and the memory too when it is more than `keep`.
    pub(super) fn clear(&mut self, keep: usize) {
        self.n_filled = 0;
        if self.memory.len() > keep {
            self.memory = Vec::new();
        }
    }

    /// Returns what was read.
    pub(super) fn bytes(&self) -> &[u8] {
        self.memory.get(..self.n_filled).unwrap_or_default()
    }

    /// Forgets what is after the first `length` bytes.
    pub(super) fn truncate(&mut self, length: usize) {
        self.n_filled = self.n_filled.min(length);
    }

    /// Appends a range of the file, or less where the file was cut short meanwhile.
    pub(super) fn read(&mut self, file: &StoredFile, start: u64, end: u64) -> io::Result<()> {
        let length = usize::try_from(end.saturating_sub(start)).map_err(io::Error::other)?;
        let (first, wanted) = (self.n_filled, self.n_filled + length);
        if self.memory.len() < wanted {
            self.memory.resize(wanted, 0);
        }
        while let Some(rest) = self
            .memory
            .get_mut(self.n_filled..wanted)
            .filter(|rest| !rest.is_empty())
        {
            match file.read_at(rest, start + (self.n_filled - first) as u64)? {
                0 => break,
                n_read => self.n_filled += n_read,
            }
        }
        Ok(())
    }

    /// Returns what was read, with its memory.
    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        self.memory.truncate(self.n_filled);
        self.memory
    }
}
