//! What holds for the index as a whole: whatever happened to the files, it answers as they do.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on must stop"
)]

mod answer;
mod corpus;
mod edit;
mod line;
mod place;
mod shared;
mod shelf;
mod total;
