//! ravel-render.
