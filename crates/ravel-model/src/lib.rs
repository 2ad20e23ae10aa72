//! ravel-model.
