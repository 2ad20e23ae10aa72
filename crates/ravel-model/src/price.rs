//! What requests cost.
//!
//! A [`Book`] holds dated [`Row`]s of prices by model: those that come with Ravel and those that a
//! person put on top. [`cost`] prices one request and says how, part by part. A model without a
//! row has no price: it is never guessed from its family, and the caller names it as unpriced.
//!
//! Money is counted in whole [`Nanos`], so that sums do not depend on the order of adding. Nothing
//! here reads files: the caller hands the text of the override file to [`Book::merge`].

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::usage::Day;

mod cost;
mod file;
mod money;
mod name;
#[cfg(test)]
mod tests;

use name::NameCache;

pub use cost::{Charge, Cost, CostPart, Surcharge, Unpriced, cost, total};
pub use file::PriceError;
pub use money::{Factor, Nanos, Rate};

/// Prices by model and date.
#[derive(Debug, Clone, Default)]
pub struct Book {
    rows: Vec<Row>,
    /// The rows of each model by the day they begin to hold.
    by_model: BTreeMap<Box<str>, Vec<usize>>,
    aliases: BTreeMap<Box<str>, Box<str>>,
    fees: Fees,
    /// Names that were looked up: a few models stand on all lines.
    names: NameCache,
}

/// One price list and where it is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The models it is for.
    pub models: Vec<Box<str>>,
    /// The first day it holds, in UTC; `None` for as long as the model exists.
    pub from: Option<Day>,
    /// The day the prices were looked up.
    pub read: Option<Day>,
    /// Where the prices were found, in the words of the file.
    pub source: Box<str>,
    /// The file that has the row.
    pub shelf: Shelf,
    /// The prices for prompts up to the first band.
    pub rates: Rates,
    /// The prices for larger prompts, by size.
    pub bands: Vec<Band>,
    /// The factor of fast mode, for models that have one.
    pub fast: Option<Factor>,
}

/// The file that a row is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shelf {
    /// The file inside Ravel.
    Bundled,
    /// A person's file, by the name the caller gave.
    Override(Arc<str>),
}

/// Prices of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rates {
    /// Input that no cache had.
    pub input: Rate,
    /// Output, thinking included.
    pub output: Rate,
    /// Input written to the cache for five minutes.
    pub cache_write_5m: Rate,
    /// Input written to the cache for an hour.
    pub cache_write_1h: Rate,
    /// Input read from the cache.
    pub cache_read: Rate,
}

/// Prices of requests with long prompts. They hold for the whole request, not for the excess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    /// The prompt is larger than this: input, cache writes and cache reads together.
    pub above: u64,
    /// The prices.
    pub rates: Rates,
}

/// What does not depend on the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fees {
    /// The factor on tokens for inference in the United States only.
    pub us_only: Option<Factor>,
    /// The factor on tokens for batches.
    pub batch: Option<Factor>,
    /// The price of a web search.
    pub web_search: Option<Rate>,
}

impl Book {
    /// Reads the prices that come with Ravel.
    ///
    /// A test holds that they can be read; were they not, the book would be empty and every
    /// model unpriced.
    pub fn bundled() -> Self {
        let mut book = Self::default();
        let bundled = include_str!("../data/prices.toml");
        let parsed = file::parse(bundled, &Shelf::Bundled);
        debug_assert!(parsed.is_ok(), "the bundled prices cannot be read");
        if let Ok(file) = parsed {
            book.put(file);
        }
        book
    }

    /// Puts a person's prices on top; `name` is what the rows give as their file.
    ///
    /// A row replaces the one of the same model and day; fees and aliases replace theirs. After
    /// an error the book is as it was.
    pub fn merge(&mut self, text: &str, name: &str) -> Result<(), PriceError> {
        let file = file::parse(text, &Shelf::Override(name.into()))?;
        self.put(file);
        Ok(())
    }

    /// Returns the row that held for a model on a day, or the newest one when the day is unknown.
    pub fn find(&self, model: &str, day: Option<Day>) -> Option<&Row> {
        self.rows_of(model)?
            .iter()
            .filter_map(|&index| self.rows.get(index))
            .rfind(|row| row.from.is_none() || day.is_none() || row.from <= day)
    }

    /// Tells whether a model has any price, perhaps not on every day.
    pub fn has(&self, model: &str) -> bool {
        self.rows_of(model).is_some()
    }

    /// Returns every model with its rows in use, by name and then by day.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Row)> {
        self.by_model.iter().flat_map(|(model, rows)| {
            let rows = rows.iter().filter_map(|&index| self.rows.get(index));
            rows.map(|row| (&**model, row))
        })
    }

    /// Returns the other names of models: the name and the model it stands for.
    pub fn aliases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.aliases.iter().map(|(name, model)| (&**name, &**model))
    }

    /// Returns what does not depend on the model.
    pub fn fees(&self) -> Fees {
        self.fees
    }

    fn rows_of(&self, model: &str) -> Option<&[usize]> {
        let name = self.names.get_or_insert(model, || self.name_of(model))?;
        self.by_model.get(&*name).map(Vec::as_slice)
    }

    /// Returns the name that the book has a model under.
    fn name_of(&self, model: &str) -> Option<Arc<str>> {
        let model = model.to_ascii_lowercase();
        name::candidates(&model).into_iter().find_map(|name| {
            let own = self.by_model.get_key_value(&*name);
            let by_alias = || self.by_model.get_key_value(self.aliases.get(&*name)?);
            let (name, _) = own.or_else(by_alias)?;
            Some(Arc::from(&**name))
        })
    }

    fn put(&mut self, file: file::PriceFile) {
        self.names = NameCache::default();
        for row in file.rows {
            self.put_row(row);
        }
        self.aliases.extend(file.aliases);
        let fees = &mut self.fees;
        fees.us_only = file.fees.us_only.or(fees.us_only);
        fees.batch = file.fees.batch.or(fees.batch);
        fees.web_search = file.fees.web_search.or(fees.web_search);
    }

    fn put_row(&mut self, row: Row) {
        let index = self.rows.len();
        for model in &row.models {
            let indices = self.by_model.entry(model.clone()).or_default();
            let from = |&index: &usize| self.rows.get(index).map(|row| row.from);
            indices.retain(|old| from(old) != Some(row.from));
            let at = indices.partition_point(|old| from(old) < Some(row.from));
            indices.insert(at, index);
        }
        self.rows.push(row);
    }
}

impl Row {
    /// Returns the prices for a prompt of a size, and the band they are from.
    pub fn rates_for(&self, prompt: u64) -> (Rates, Option<u64>) {
        let band = self.bands.iter().rfind(|band| prompt > band.above);
        band.map_or((self.rates, None), |band| (band.rates, Some(band.above)))
    }
}
