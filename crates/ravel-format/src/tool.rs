//! Tools: what the model asked for and what came of it.
//!
//! [`ToolCall`] is a typed view of the input of a tool call. [`ToolOutcome`] is one of
//! `toolUseResult`, which the client keeps for itself beside the text that the model gets.
//! Both go by the name of the tool; an outcome whose call is not at hand is told by its shape.

mod call;
mod outcome;

#[cfg(test)]
mod tests;

pub use call::*;
pub use outcome::*;
