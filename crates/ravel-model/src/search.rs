//! Finding words in records.
//!
//! [`passages`] gives the texts of a record, a [`Query`] says which of them match, and a
//! [`Filter`] which of them count. A [`Match`] has a score and a [`Snippet`]. Whoever looks
//! through files or asks an index uses these same functions, so that both find the same.
//!
//! Looking through files is quick because of the [`Prefilter`]: it tells from raw bytes which
//! lines may match, so that all others are never parsed. It may take a line for a match that is
//! none, never the other way round.
//!
//! Nothing here reads files.

mod calls;
mod copy;
mod escape;
mod filter;
mod finder;
mod fold;
mod hit;
mod leaf;
mod message;
mod passage;
mod prefilter;
mod query;
mod regex_literal;
mod role;
mod snippet;
#[cfg(test)]
mod tests;
mod words;

pub use calls::{CallFacts, calls};
pub use copy::{CopyKey, copy_key};
pub use filter::Filter;
pub use fold::fold;
pub use hit::Match;
pub use passage::{Passage, passages};
pub use prefilter::{Candidates, Prefilter};
pub use query::{Case, Query, QueryError, Syntax};
pub use role::Role;
pub use snippet::Snippet;
pub use words::Literal;
