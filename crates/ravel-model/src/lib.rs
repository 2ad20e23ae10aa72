//! Turns records into a conversation.
pub mod graph;
pub mod source;
pub mod thread;

pub use graph::Graph;
pub use source::{Source, with_record};
pub use thread::Thread;
