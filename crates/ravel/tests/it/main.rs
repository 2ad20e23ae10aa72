//! End-to-end tests: the real binary on real files.
mod fixtures;
