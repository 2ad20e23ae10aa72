//! What holds for the model as a whole.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must stop")]

mod hostile;
