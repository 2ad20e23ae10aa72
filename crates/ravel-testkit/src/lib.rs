//! ravel-testkit.
