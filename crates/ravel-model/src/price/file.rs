//! Price files: TOML into rows.
//!
//! The bundled file and a person's have one format. Reading is strict, unlike that of sessions: a
//! misspelled key in a price file must not silently change what things cost.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

use super::{Band, Factor, Fees, Rate, Rates, Row, Shelf};
use crate::usage::Day;

#[cfg(test)]
mod tests;

/// Why a price file could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PriceError {
    /// The text is no TOML, or has keys or values of the wrong kind.
    #[error("read prices: {0}")]
    Format(#[from] toml::de::Error),
    /// The file says it has a format that this version does not know.
    #[error("read prices of format {0}; this version knows format 1")]
    Version(u32),
    /// A price list names no models.
    #[error("use a price without models")]
    NoModels,
    /// A date is none, or has a time with it.
    #[error("use {0} as a day")]
    Day(String),
    /// The bands of a price list do not grow.
    #[error("use the bands of {0}: each must be above the one before")]
    Bands(Box<str>),
}

/// What a price file says.
pub(super) struct PriceFile {
    pub(super) rows: Vec<Row>,
    pub(super) aliases: BTreeMap<Box<str>, Box<str>>,
    pub(super) fees: Fees,
}

/// Reads a price file.
pub(super) fn parse(text: &str, shelf: &Shelf) -> Result<PriceFile, PriceError> {
    let file: File = toml::from_str(text)?;
    if let Some(version) = file.format.filter(|&version| version != 1) {
        return Err(PriceError::Version(version));
    }
    let read = file.read.map(day).transpose()?;
    let rows = file.price.into_iter().map(|price| row(price, read, shelf));
    Ok(PriceFile {
        rows: rows.collect::<Result<_, _>>()?,
        aliases: file.aliases.into_iter().map(lower_pair).collect(),
        fees: Fees {
            us_only: file.fees.us_only.map(Thousandths::factor),
            batch: file.fees.batch.map(Thousandths::factor),
            // From millionths of a dollar for a thousand to nano-dollars for a million.
            web_search: file
                .fees
                .web_search
                .map(|dollars| Rate(dollars.0.saturating_mul(1_000_000))),
        },
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct File {
    format: Option<u32>,
    read: Option<toml::value::Datetime>,
    #[serde(default)]
    fees: FeeTable,
    #[serde(default)]
    aliases: BTreeMap<String, String>,
    #[serde(default)]
    price: Vec<Price>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct FeeTable {
    us_only: Option<Thousandths>,
    batch: Option<Thousandths>,
    web_search: Option<Dollars>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Price {
    models: Vec<String>,
    from: Option<toml::value::Datetime>,
    read: Option<toml::value::Datetime>,
    #[serde(default)]
    source: String,
    input: Dollars,
    output: Dollars,
    #[serde(rename = "cache-write-5m")]
    cache_write_5m: Dollars,
    #[serde(rename = "cache-write-1h")]
    cache_write_1h: Dollars,
    cache_read: Dollars,
    fast: Option<Thousandths>,
    #[serde(default)]
    above: Vec<Above>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Above {
    prompt: u64,
    input: Dollars,
    output: Dollars,
    #[serde(rename = "cache-write-5m")]
    cache_write_5m: Dollars,
    #[serde(rename = "cache-write-1h")]
    cache_write_1h: Dollars,
    cache_read: Dollars,
}

fn row(price: Price, read: Option<Day>, shelf: &Shelf) -> Result<Row, PriceError> {
    let models: Vec<Box<str>> = price.models.iter().map(|name| lower(name)).collect();
    let first = models.first().cloned().ok_or(PriceError::NoModels)?;
    let bands: Vec<Band> = price.above.iter().map(band).collect();
    if !bands.is_sorted_by(|one, next| one.above < next.above) {
        return Err(PriceError::Bands(first));
    }
    Ok(Row {
        models,
        from: price.from.map(day).transpose()?,
        read: price.read.map(day).transpose()?.or(read),
        source: price.source.into(),
        shelf: shelf.clone(),
        rates: Rates {
            input: price.input.rate(),
            output: price.output.rate(),
            cache_write_5m: price.cache_write_5m.rate(),
            cache_write_1h: price.cache_write_1h.rate(),
            cache_read: price.cache_read.rate(),
        },
        bands,
        fast: price.fast.map(Thousandths::factor),
    })
}

fn band(above: &Above) -> Band {
    Band {
        above: above.prompt,
        rates: Rates {
            input: above.input.rate(),
            output: above.output.rate(),
            cache_write_5m: above.cache_write_5m.rate(),
            cache_write_1h: above.cache_write_1h.rate(),
            cache_read: above.cache_read.rate(),
        },
    }
}

fn day(written: toml::value::Datetime) -> Result<Day, PriceError> {
    let error = || PriceError::Day(written.to_string());
    let date = written.date.filter(|_| written.time.is_none());
    let date = date.ok_or_else(error)?;
    Day::from_ymd(i32::from(date.year), date.month, date.day).ok_or_else(error)
}

fn lower(name: &str) -> Box<str> {
    name.trim().to_ascii_lowercase().into()
}

fn lower_pair((name, model): (String, String)) -> (Box<str>, Box<str>) {
    (lower(&name), lower(&model))
}

/// Dollars in millionths: a price has no more decimals than that.
#[derive(Clone, Copy)]
struct Dollars(u64);

impl Dollars {
    fn rate(self) -> Rate {
        Rate(self.0.saturating_mul(1_000))
    }
}

impl<'de> Deserialize<'de> for Dollars {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_any(Decimal { n_decimals: 6 }).map(Self)
    }
}

/// A factor with three decimals.
#[derive(Clone, Copy)]
struct Thousandths(u64);

impl Thousandths {
    fn factor(self) -> Factor {
        Factor(u32::try_from(self.0).unwrap_or(u32::MAX))
    }
}

impl<'de> Deserialize<'de> for Thousandths {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_any(Decimal { n_decimals: 3 }).map(Self)
    }
}

/// Reads a number into an integer of its last decimal, without calculating in floats.
struct Decimal {
    n_decimals: usize,
}

/// More dollars per million tokens than this are a mistake, and smaller ones cannot overflow.
const MAX: u64 = 1_000_000_000;

impl Decimal {
    /// Moves the decimal point of digits such as `3.75`.
    fn shift(&self, digits: &str) -> Option<u64> {
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if fraction.len() > self.n_decimals || whole.parse::<u64>().ok()? > MAX {
            return None;
        }
        let n_decimals = self.n_decimals;
        format!("{whole}{fraction:0<n_decimals$}").parse().ok()
    }
}

impl Visitor<'_> for Decimal {
    type Value = u64;

    fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let n_decimals = self.n_decimals;
        write!(
            out,
            "a number from 0 to {MAX} with at most {n_decimals} decimals"
        )
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<u64, E> {
        let unexpected = de::Unexpected::Signed(number);
        self.shift(&number.to_string())
            .ok_or_else(|| E::invalid_value(unexpected, &self))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<u64, E> {
        let unexpected = de::Unexpected::Unsigned(number);
        self.shift(&number.to_string())
            .ok_or_else(|| E::invalid_value(unexpected, &self))
    }

    /// A float is written with the fewest digits that mean it, which are those in the file.
    fn visit_f64<E: de::Error>(self, number: f64) -> Result<u64, E> {
        let unexpected = de::Unexpected::Float(number);
        self.shift(&number.to_string())
            .ok_or_else(|| E::invalid_value(unexpected, &self))
    }
}
