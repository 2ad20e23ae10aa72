//! A tiny seeded generator of numbers.
//!
//! The same seed gives the same home on every machine and in every version of
//! the toolchain, which no library promises.

/// SplitMix64: one multiplication chain, good enough to spread sizes and words.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number in `low..high`.
    pub(super) fn between(&mut self, low: usize, high: usize) -> usize {
        let width = high.saturating_sub(low).max(1);
        low + usize::try_from(self.next() % width as u64).unwrap_or(0)
    }

    /// Tells true in `percent` of cases.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.between(0, 100) < percent
    }

    /// Returns one of the choices.
    pub(super) fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices
            .get(self.between(0, choices.len()))
            .copied()
            .unwrap_or_default()
    }

    /// Returns an id as the API makes them: a prefix, then letters and digits.
    pub(super) fn id(&mut self, prefix: &str) -> String {
        const LETTERS: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
        let mut id = prefix.to_owned();
        for _ in 0..2 {
            let mut rest = self.next();
            for _ in 0..11 {
                let place = usize::try_from(rest % LETTERS.len() as u64).unwrap_or(0);
                id.push(LETTERS.get(place).copied().map_or('0', char::from));
                rest /= LETTERS.len() as u64;
            }
        }
        id
    }

    /// Returns a version-4 UUID.
    pub(super) fn uuid(&mut self) -> String {
        let (high, low) = (self.next(), self.next());
        format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xFFFF,
            high & 0x0FFF,
            0x8000 | ((low >> 48) & 0x3FFF),
            low & 0xFFFF_FFFF_FFFF
        )
    }
}
