//! A tiny seeded generator of numbers and of text.
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

const WORDS: &[&str] = &[
    "the",
    "session",
    "reader",
    "walks",
    "every",
    "parent",
    "until",
    "it",
    "meets",
    "a",
    "root",
    "and",
    "keeps",
    "siblings",
    "of",
    "parallel",
    "calls",
    "fn",
    "let",
    "match",
    "self",
    "return",
    "Ok(())",
    "=>",
    "\"quoted\"",
    "C:\\path",
    "naïve",
    "→",
    "日本",
    "because",
    "tests",
    "fail",
    "when",
    "order",
    "changes",
    "cache",
    "index",
    "offset",
    "0x1f",
    "12,345",
    "bytes",
    "per",
    "second",
    "should",
    "never",
    "block",
    "writer",
    "so",
    "we",
    "split",
    "lock",
];

/// A pool of prose and code to cut pieces from; cutting is much faster than composing.
pub(super) struct Prose(String);

impl Prose {
    const POOL_BYTES: usize = 1 << 20;

    pub(super) fn new(random: &mut Random) -> Self {
        let mut pool = String::with_capacity(Self::POOL_BYTES + 64);
        while pool.len() < Self::POOL_BYTES {
            pool.push_str(random.pick(WORDS));
            pool.push_str(match random.between(0, 24) {
                0 => ".\n",
                1 => ":\n    ",
                2 => "\n\n",
                _ => " ",
            });
        }
        Self(pool)
    }

    /// Returns about `length` bytes of text.
    pub(super) fn cut(&self, random: &mut Random, length: usize) -> &str {
        let length = length.min(Self::POOL_BYTES / 2);
        let start = self
            .0
            .ceil_char_boundary(random.between(0, Self::POOL_BYTES - length));
        let end = self.0.floor_char_boundary(start + length);
        self.0.get(start..end).unwrap_or_default()
    }
}
