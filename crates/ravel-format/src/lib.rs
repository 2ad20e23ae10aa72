//! ravel-format.
