//! The cost of one request, part by part.
//!
//! The prompt as a whole picks the band, the band gives the prices, and fast mode, US-only
//! inference and batches are factors on every token price. Web searches have a fee of their own.

use super::{Book, Factor, Nanos, Rate, Rates, Row};
use crate::usage::{Day, Geo, Request, Speed, Tier};

#[cfg(test)]
mod tests;

/// What a request cost and how that was calculated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost<'a> {
    /// The amounts; parts without tokens are left out.
    pub parts: Vec<CostPart>,
    /// The price list that was used.
    pub row: &'a Row,
    /// The size of prompt above which the prices hold, if they are of a band.
    pub above: Option<u64>,
    /// The factors that are in the prices of the parts.
    pub surcharges: Vec<(Surcharge, Factor)>,
}

/// One amount: `count` pieces at a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CostPart {
    /// What was paid for.
    pub what: Charge,
    /// How many tokens, or searches.
    pub count: u64,
    /// The price of a million, factors included.
    pub rate: Rate,
    /// The amount, rounded to the nearest nano-dollar.
    pub nanos: Nanos,
}

/// What is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are those of the price list")]
pub enum Charge {
    Input,
    Output,
    CacheWrite5m,
    CacheWrite1h,
    CacheRead,
    WebSearch,
}

/// Why token prices have a factor on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Surcharge {
    /// `speed` is `fast`.
    Fast,
    /// `inference_geo` is `us`.
    UsOnly,
    /// `service_tier` is `batch`.
    Batch,
}

/// Why a request has no price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unpriced {
    /// The book does not have the model.
    Model,
    /// The book has the model, but only from a later day.
    Day,
    /// The request was made at a speed that has no price for the model.
    Speed,
    /// The request was made in a way that has no price: batch, US-only or web search.
    Fee,
}

impl Charge {
    /// Returns the name for people and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
            Self::CacheWrite5m => "cache write 5m",
            Self::CacheWrite1h => "cache write 1h",
            Self::CacheRead => "cache read",
            Self::WebSearch => "web search",
        }
    }
}

impl Surcharge {
    /// Returns the name for people and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast mode",
            Self::UsOnly => "US-only inference",
            Self::Batch => "batch",
        }
    }
}

impl Unpriced {
    /// Returns the code for `--explain` and JSON.
    pub fn code(self) -> &'static str {
        match self {
            Self::Model => "unknown-model",
            Self::Day => "before-first-price",
            Self::Speed => "unknown-speed",
            Self::Fee => "unknown-fee",
        }
    }
}

impl Cost<'_> {
    /// Returns the sum of the parts.
    pub fn total(&self) -> Nanos {
        self.parts.iter().map(|part| part.nanos).sum()
    }

    /// Returns the first day the price list holds, if it has one.
    pub fn row_date(&self) -> Option<Day> {
        self.row.from
    }
}

/// Prices a request.
pub fn cost<'a>(request: &Request, book: &'a Book) -> Result<Cost<'a>, Unpriced> {
    let row = find_row(request, book)?;
    let surcharges = surcharges(request, row, book)?;
    let (rates, above) = row.rates_for(request.tokens.prompt());
    let mut parts: Vec<CostPart> = token_parts(request, &rates)
        .into_iter()
        .map(|(what, count, rate)| {
            let factors = surcharges.iter().map(|(_, factor)| *factor);
            part(what, count, factors.fold(rate, Rate::with))
        })
        .collect();
    if request.web_searches > 0 {
        let rate = book.fees().web_search.ok_or(Unpriced::Fee)?;
        parts.push(part(Charge::WebSearch, request.web_searches, rate));
    }
    parts.retain(|part| part.count > 0);
    Ok(Cost {
        parts,
        row,
        above,
        surcharges,
    })
}

/// Returns the amount alone.
pub fn total(request: &Request, book: &Book) -> Result<Nanos, Unpriced> {
    cost(request, book).map(|cost| cost.total())
}

fn find_row<'a>(request: &Request, book: &'a Book) -> Result<&'a Row, Unpriced> {
    let day = request.time.map(Day::utc);
    book.find(&request.model, day)
        .ok_or_else(|| match book.has(&request.model) {
            true => Unpriced::Day,
            false => Unpriced::Model,
        })
}

fn surcharges(
    request: &Request,
    row: &Row,
    book: &Book,
) -> Result<Vec<(Surcharge, Factor)>, Unpriced> {
    let mut found = Vec::new();
    match request.speed {
        None | Some(Speed::Standard) => {}
        Some(Speed::Fast) => found.push((Surcharge::Fast, row.fast.ok_or(Unpriced::Speed)?)),
        Some(Speed::Other) => return Err(Unpriced::Speed),
    }
    if request.geo == Some(Geo::Us) {
        let factor = book.fees().us_only.ok_or(Unpriced::Fee)?;
        found.push((Surcharge::UsOnly, factor));
    }
    if request.tier == Some(Tier::Batch) {
        let factor = book.fees().batch.ok_or(Unpriced::Fee)?;
        found.push((Surcharge::Batch, factor));
    }
    Ok(found)
}

fn token_parts(request: &Request, rates: &Rates) -> [(Charge, u64, Rate); 5] {
    let tokens = &request.tokens;
    [
        (Charge::Input, tokens.input, rates.input),
        (Charge::Output, tokens.output, rates.output),
        (
            Charge::CacheWrite5m,
            tokens.cache_write_5m,
            rates.cache_write_5m,
        ),
        (
            Charge::CacheWrite1h,
            tokens.cache_write_1h,
            rates.cache_write_1h,
        ),
        (Charge::CacheRead, tokens.cache_read, rates.cache_read),
    ]
}

fn part(what: Charge, count: u64, rate: Rate) -> CostPart {
    CostPart {
        what,
        count,
        rate,
        nanos: rate.times(count),
    }
}
