//! Charts made of characters.
//!
//! [`bars`] compares amounts, one a line, with labels and figures in columns. Lengths and shades
//! are in the characters themselves, so a chart says the same without colors; a style only helps
//! the eye. Every line fits the width that the caller names, however narrow.

mod bar;

pub use bar::{Bar, bars};
