//! The prices in use: those that come with Ravel, and a person's own on top.
//!
//! A file that cannot be used ends the command. Costs from the list inside, given to somebody who wrote
//! another one, would be wrong without a word.

use std::io;
use std::path::{Path, PathBuf};

use ravel_model::price::{Book, Factor, Nanos, PriceError};

use crate::context::display_path;
use crate::failure::Failure;
use crate::folders;

#[cfg(test)]
mod tests;

/// The prices and the file that a person can change them in.
pub(crate) struct PriceBook {
    /// The prices.
    pub(crate) book: Book,
    /// The person's own file, if there is one.
    pub(crate) own_file: Option<PathBuf>,
}

impl PriceBook {
    /// Reads the prices. No file of a person is fine, one that cannot be used is not.
    pub(crate) fn load() -> Result<Self, Failure> {
        let mut book = Book::bundled();
        // Without a home folder there is no place where such a file could be.
        let file = folders::prices_file().ok();
        let own = file.map(read_own).transpose()?.flatten();
        if let Some((path, text)) = &own {
            book.merge(text, &path.display().to_string())
                .map_err(|error| unusable(path, text, &error))?;
        }
        Ok(Self {
            book,
            own_file: own.map(|(path, _)| path),
        })
    }
}

/// Writes an amount for programs: dollars with all digits that say something.
pub(crate) fn usd(nanos: Nanos) -> String {
    nanos.to_string().trim_start_matches('$').to_owned()
}

/// Writes a factor for programs.
pub(crate) fn factor_number(factor: Factor) -> String {
    factor.to_string().trim_end_matches('x').to_owned()
}

fn read_own(path: PathBuf) -> Result<Option<(PathBuf, String)>, Failure> {
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some((path, text))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let what = format!("read the prices in {}", display_path(&path));
            Err(Failure::io(what, &error).hint("move the file away to use the prices inside"))
        }
    }
}

fn unusable(path: &Path, text: &str, error: &PriceError) -> Failure {
    let place = match line_of(text, error) {
        Some(line) => format!("{}:{line}", display_path(path)),
        None => display_path(path),
    };
    let why = match error {
        PriceError::Format(error) => error.message().to_owned(),
        other => format!("could not {other}"),
    };
    Failure::request(format!("could not use the prices in {place}: {why}"))
        .hint(advice(error))
        .hint("move the file away to use the prices inside")
}

/// Returns the line that is wrong, counted from 1, as far as the text tells.
fn line_of(text: &str, error: &PriceError) -> Option<usize> {
    let at_line = |found: &dyn Fn(&str) -> bool| {
        let at = text.lines().position(found)?;
        Some(at + 1)
    };
    match error {
        PriceError::Format(error) => {
            let before = text.get(..error.span()?.start)?;
            Some(before.matches('\n').count() + 1)
        }
        PriceError::Version(_) => at_line(&|line| line.trim_start().starts_with("format")),
        PriceError::NoModels => at_line(&|line| {
            let value = line.trim_start().strip_prefix("models");
            value.is_some_and(|value| !value.contains('"') && value.contains(']'))
        }),
        PriceError::Day(day) => at_line(&|line| line.contains(day.as_str())),
        PriceError::Bands(model) => {
            at_line(&|line| line.to_ascii_lowercase().contains(&format!("\"{model}\"")))
        }
        _ => None,
    }
}

fn advice(error: &PriceError) -> &'static str {
    match error {
        PriceError::Version(_) => "write `format = 1`, or leave the line out",
        PriceError::NoModels => "name the models of the row: models = [\"claude-opus-5-5\"]",
        PriceError::Day(_) => "write a day as 2026-01-31, without quotes and time",
        PriceError::Bands(_) => "put the smaller `prompt` of [[price.above]] first",
        _ => {
            "a row has models, input, output, cache-write-5m, cache-write-1h, cache-read, and if need be from, fast, read, source"
        }
    }
}
