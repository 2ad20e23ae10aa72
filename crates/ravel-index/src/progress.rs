//! How far long work has come.

/// Is told about every byte that was dealt with, from any thread.
pub trait Progress: Sync {
    /// Takes note of so many more bytes.
    fn add(&self, n_bytes: u64);
}

/// Nobody wants to know.
impl Progress for () {
    fn add(&self, _n_bytes: u64) {}
}
