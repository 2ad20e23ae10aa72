//! Turns records into a conversation.
pub mod activity;
pub mod agent;
pub mod api;
pub mod branch;
pub mod check;
pub mod diagnostic;
pub mod exchange;
pub mod facts;
pub mod file_history;
pub mod graph;
mod groups;
pub mod history;
pub mod placement;
pub mod price;
pub mod repair;
pub mod search;
pub mod secret;
pub mod session;
pub mod step;
#[cfg(test)]
mod testing;
pub mod thread;
pub mod title;
pub mod todo;
pub mod turn;
pub mod usage;

pub use agent::{Agent, AgentMeta};
pub use branch::Branch;
pub use diagnostic::{Code, Diagnostic, Severity};
pub use exchange::Exchanges;
pub use facts::Facts;
pub use graph::Graph;
pub use history::{Segment, history};
pub use session::{Part, Session, Transcript};
pub use step::{Step, What, steps};
pub use thread::Thread;
pub use turn::Turn;
