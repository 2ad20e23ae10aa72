//! Renders sessions for people: terminal text and one self-contained HTML page.
//!
//! The building blocks come first and know nothing of conversations: [`sanitize`]
//! makes transcript text harmless, [`style`] carries it with meaning instead of
//! colors, [`wrap`] fits it to a width, [`markdown`], [`code`] and [`diff`] turn
//! source into styled lines, and [`html`] does the same for a page. [`when`] and
//! [`amount`] word numbers for people.
//!
//! The conversation comes next: [`tool_line`] words tool calls for every renderer,
//! [`terminal`] shows turns and outlines, [`text_export`] and [`markdown_export`] write whole
//! sessions.
//!
//! Everything here is pure: no clock, no environment, no files. The caller passes
//! what it knows (width, color inputs, the time now) and a writer to write to.
//!
//! ```
//! use ravel_render::{markdown, style::{Painter, Palette}};
//!
//! let lines = markdown::render("Some *text*.", &markdown::Options::new(40));
//! let mut out = String::new();
//! Painter::new(Palette::PLAIN).paint(&lines, &mut out).unwrap();
//! assert_eq!(out, "Some text.\n");
//! ```

pub mod amount;
pub mod ansi;
pub mod chart;
pub mod code;
pub mod diff;
pub mod html;
pub mod json;
pub mod markdown;
pub mod markdown_export;
pub mod page;
pub mod sanitize;
mod steps;
pub mod style;
pub mod terminal;
#[cfg(test)]
mod testing;
pub mod text_export;
pub mod tool_line;
pub mod when;
pub mod words;
pub mod wrap;
