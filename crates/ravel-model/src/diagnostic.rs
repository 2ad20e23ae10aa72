//! What is worth telling about a file, and where.
//!
//! A [`Diagnostic`] is a [`Code`] at a [`Place`]. Codes are stable: scripts filter by them, and
//! `docs/format/diagnostics.md` lists them all. Contents are never errors of the program, so this
//! is how everything odd in a file is reported. The name of the file is left to the caller.

use std::fmt;

use ravel_format::{Entry, Span};
use serde::{Serialize, Serializer};

mod code;
#[cfg(test)]
mod tests;

pub use code::Code;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know; nothing is wrong.
    Info,
    /// Odd: other tools may trip over it.
    Warning,
    /// The official client or SDK loses something or refuses the file.
    Error,
}

impl Severity {
    /// Returns the word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// Where in a file something was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The line, counted from 1; 0 for the file as a whole.
    pub line: u64,
    /// The bytes.
    pub span: Span,
    /// The value inside the record, as a JSON pointer.
    pub pointer: Option<String>,
}

impl Place {
    /// Returns the place of a record.
    pub fn of(entry: &Entry) -> Self {
        Self {
            line: u64::from(entry.line),
            span: entry.span,
            pointer: None,
        }
    }

    /// Returns the place of a value in a record.
    pub fn within(entry: &Entry, pointer: &str) -> Self {
        Self {
            pointer: Some(pointer.to_owned()),
            ..Self::of(entry)
        }
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What it is.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// Where it is.
    pub place: Place,
    /// What was found, in one sentence. May quote the file: escape it before showing it.
    pub message: String,
    /// What to do about it, in one line.
    pub help: &'static str,
}

impl Diagnostic {
    /// Makes a finding with what its code says about every such finding.
    pub fn new(code: Code, place: Place, message: String) -> Self {
        Self {
            code,
            severity: code.severity(),
            place,
            message,
            help: code.help(),
        }
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut out = serializer.serialize_struct("Diagnostic", 8)?;
        out.serialize_field("code", &self.code)?;
        out.serialize_field("severity", &self.severity)?;
        out.serialize_field("line", &self.place.line)?;
        out.serialize_field("offset", &self.place.span.start)?;
        out.serialize_field("length", &self.place.span.len)?;
        out.serialize_field("pointer", &self.place.pointer)?;
        out.serialize_field("message", &self.message)?;
        out.serialize_field("help", &self.help)?;
        out.end()
    }
}
