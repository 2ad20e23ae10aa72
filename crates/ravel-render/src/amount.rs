//! Words amounts for people: token counts and sizes in bytes.
//!
//! Three significant figures at most: nobody acts on the fourth.

/// Returns a count such as a number of tokens: `42`, `1.2k`, `158k`, `3.4M`.
pub fn count(n: u64) -> String {
    scaled(n, 1000, &["", "k", "M", "G", "T"])
}

/// Returns a size in bytes: `812 B`, `4.1 kB`, `64 MB`.
pub fn bytes(n: u64) -> String {
    scaled(n, 1000, &[" B", " kB", " MB", " GB", " TB"])
}

/// Returns a number with its noun in the right form: `1 line`, `3 lines`.
///
/// Takes counts of either width; one that no `u64` holds reads as the largest.
pub fn counted(n: impl TryInto<u64>, noun: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{plural}")
}

fn scaled(n: u64, step: u64, units: &[&str]) -> String {
    let mut unit = 0;
    let mut divisor = 1u64;
    // Half a unit below the next step already rounds up to it: 999,950 is 1.0M.
    while unit + 1 < units.len() && n.saturating_add(divisor / 2) >= divisor.saturating_mul(step) {
        divisor = divisor.saturating_mul(step);
        unit += 1;
    }
    let suffix = units.get(unit).copied().unwrap_or_default();
    let tenths = (u128::from(n) * 10 + u128::from(divisor) / 2) / u128::from(divisor);
    if unit == 0 || tenths >= 100 {
        let whole = (u128::from(n) + u128::from(divisor) / 2) / u128::from(divisor);
        return format!("{whole}{suffix}");
    }
    match tenths % 10 {
        0 => format!("{}{suffix}", tenths / 10),
        tenth => format!("{}.{tenth}{suffix}", tenths / 10),
    }
}

#[cfg(test)]
mod tests;
