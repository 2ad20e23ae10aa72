//! Turns records into a conversation.
pub mod branch;
pub mod exchange;
pub mod graph;
pub mod history;
pub mod placement;
pub mod source;
#[cfg(test)]
mod testing;
pub mod thread;
pub mod turn;

pub use branch::Branch;
pub use exchange::Exchanges;
pub use graph::Graph;
pub use history::{Segment, history};
pub use source::{Source, with_record};
pub use thread::Thread;
pub use turn::Turn;
