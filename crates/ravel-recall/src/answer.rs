//! What a tool says.

use std::fmt;

use serde_json::{Value, json};

/// What a tool found.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// For reading.
    pub text: String,
    /// The same for programs.
    pub json: Value,
}

/// Why a tool found nothing, and what to try instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hints: Vec<String>,
}

impl Refusal {
    /// Makes one without hints.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hints: Vec::new(),
        }
    }

    /// Adds what to do about it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Returns it for programs.
    pub(crate) fn json(&self) -> Value {
        json!({"error": self.message, "hints": self.hints})
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.message)?;
        self.hints
            .iter()
            .try_for_each(|hint| write!(out, "\nhint: {hint}"))
    }
}

impl std::error::Error for Refusal {}
