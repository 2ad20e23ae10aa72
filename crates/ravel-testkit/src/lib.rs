//! Test support for Ravel: sessions, homes and runs of the binary, all deterministic.
//!
//! [`SessionBuilder`] writes session lines in the shapes, key order and line order that four
//! versions of the real client were seen to write. [`TestHome`] lays out a `~/.claude` in a
//! temporary folder and runs the executable in a clean environment. [`FileTree`] is what the two
//! generators in `examples/` produce: `fixtures/` and the sample home of `ravel --demo`.
//!
//! The crate is for development only and knows nothing of Ravel's own reader: a bug in the reader
//! must not be able to hide behind a builder that shares its code.
//!
//! ```
//! use ravel_testkit::{Outcome, SessionBuilder, Version};
//! use serde_json::json;
//!
//! let mut session = SessionBuilder::new(Version::V2_1_29, "doc example");
//! session.prompt("Count the crates.");
//! session.call("Bash", json!({"command": "ls crates"}), &Outcome::bash("ravel\nravel-format"));
//! session.reply("There are two.");
//! assert_eq!(session.to_bytes().iter().filter(|byte| **byte == b'\n').count(), 4);
//! ```

mod clock;
mod command;
mod corpus;
mod home;
mod outcome;
mod patch;
mod session;
mod tree;
mod version;

pub use clock::{Clock, Ids, hex_digest};
pub use command::{Output, RavelCommand};
pub use corpus::{corpus_files, session_files};
pub use home::TestHome;
pub use outcome::Outcome;
pub use patch::structured_patch;
pub use session::agent::{AgentRun, AgentTask};
pub use session::compact::Trigger;
pub use session::message::ToolCall;
pub use session::{SessionBuilder, project_slug};
pub use tree::FileTree;
pub use version::Version;
