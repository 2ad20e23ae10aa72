//! Amounts and prices in whole numbers.

use std::fmt;

#[cfg(test)]
mod tests;

/// An amount of money in billionths of a dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Nanos(pub u64);

/// A price in nano-dollars per million pieces, mostly tokens.
///
/// The price of one token can be less than a nano-dollar's worth of digits: $0.125 per million
/// with a tenth on top is 137.5 nano-dollars a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Rate(pub u64);

/// A factor in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Factor(pub u32);

const NANOS_A_DOLLAR: u64 = 1_000_000_000;

impl Nanos {
    /// Adds without overflow.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Returns `self * numerator / denominator`, rounded down; the amount itself for a zero.
    #[must_use]
    pub fn scaled(self, numerator: u64, denominator: u64) -> Self {
        let product = u128::from(self.0) * u128::from(numerator);
        product
            .checked_div(u128::from(denominator))
            .map_or(self, |nanos| Self(u64::try_from(nanos).unwrap_or(u64::MAX)))
    }
}

impl std::iter::Sum for Nanos {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::default(), Self::plus)
    }
}

/// Dollars: `{:.2}` rounds to cents, `{}` writes all digits that say something, at least cents.
impl fmt::Display for Nanos {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match out.precision() {
            Some(n_digits) => rounded(self.0, n_digits.min(9)),
            None => trimmed(self.0),
        };
        out.pad_integral(true, "", &format!("${text}"))
    }
}

impl Rate {
    /// Returns the price of `count` pieces, rounded to the nearest nano-dollar, halves up.
    pub fn times(self, count: u64) -> Nanos {
        let nanos = (u128::from(self.0) * u128::from(count) + 500_000) / 1_000_000;
        Nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }

    /// Returns the price with a factor on it.
    #[must_use]
    pub fn with(self, factor: Factor) -> Self {
        let rate = (u128::from(self.0) * u128::from(factor.0) + 500) / 1_000;
        Self(u64::try_from(rate).unwrap_or(u64::MAX))
    }
}

/// Dollars per million.
impl fmt::Display for Rate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Nanos(self.0), out)
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:03}", self.0 / 1_000, self.0 % 1_000);
        write!(out, "{}x", text.trim_end_matches('0').trim_end_matches('.'))
    }
}

fn rounded(nanos: u64, n_digits: usize) -> String {
    let unit = 10_u64.pow(9 - n_digits as u32);
    let units = nanos / unit + u64::from(nanos % unit >= unit.div_ceil(2) && unit > 1);
    let scale = NANOS_A_DOLLAR / unit;
    match n_digits {
        0 => units.to_string(),
        _ => format!("{}.{:0n_digits$}", units / scale, units % scale),
    }
}

fn trimmed(nanos: u64) -> String {
    let text = rounded(nanos, 9);
    let n_zeros = text.len() - text.trim_end_matches('0').len();
    text.get(..text.len() - n_zeros.min(7))
        .unwrap_or(&text)
        .to_owned()
}
