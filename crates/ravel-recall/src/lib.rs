//! Lets an agent use its own history, over the Model Context Protocol.
//!
//! A [`Recall`] answers the five tools of `ravel mcp`: searching sessions, listing them, reading a
//! range of messages, files touched, and usage. [`serve_stdio`] speaks the protocol on standard
//! input and output. Everything is read-only, every answer is bounded in size and says how to get
//! the rest, and secrets are masked unless the person who started the server wants otherwise.
//!
//! What goes wrong is an answer too, a [`Refusal`] with hints that a model can act on. Nothing here
//! reads the environment or a clock: both come in with the [`Settings`]. The protocol's crate stays
//! behind `server`.
//!
//! ```
//! use ravel_home::Home;
//! use ravel_recall::{Recall, Settings, UtcClock};
//! use serde_json::json;
//!
//! let recall = Recall::new(Settings::new(Home::at("no/such/home"), UtcClock::at(0)));
//! let answer = recall.call("list_sessions", &json!({}))?;
//! assert_eq!(answer.json["sessions"], json!([]));
//! # Ok::<(), ravel_recall::Refusal>(())
//! ```

mod answer;
mod clean;
mod clock;
mod files;
mod list;
mod open;
mod page;
mod read;
mod recall;
mod search;
mod server;
mod tool;
mod usage;

pub use answer::{Answer, Refusal};
pub use clock::{Clock, UtcClock};
pub use recall::{Recall, Secrets, Settings};
pub use server::{ServeError, serve_stdio};
pub use tool::{TOOLS, ToolCard};
