//! ravel-home.
