//! One writer at a time, among all processes.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use crate::store::IndexError;

/// What to do when another process has the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// Give up: the answer can be had without writing.
    None,
    /// Wait until it is done.
    Wait,
}

/// The right to write the index. It goes with the process, however that ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of the index at `path`.
    pub(crate) fn take(path: &Path, patience: Patience) -> Result<Self, IndexError> {
        let path = path.with_extension("lock");
        let failed = |source| IndexError::Folder {
            path: path.clone(),
            source,
        };
        let mut options = OpenOptions::new();
        let file = options
            .create(true)
            .append(true)
            .open(&path)
            .map_err(failed)?;
        match patience {
            Patience::Wait => file.lock().map_err(failed)?,
            Patience::None => match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(IndexError::Busy),
                Err(TryLockError::Error(source)) => return Err(failed(source)),
            },
        }
        Ok(Self { _file: file })
    }
}
