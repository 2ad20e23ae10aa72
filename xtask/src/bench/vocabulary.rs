//! Made-up words in the proportions of real text and code.
//!
//! Words follow Zipf's law and come back more often within one session than across
//! sessions. A part of the tokens are names in code, paths, numbers and hashes, and
//! hashes are new each time: an index of real sessions never stops growing.

use super::random::Random;

const SEED: u64 = 0x000D_1C70_5EED;
const WORDS_LOG2: usize = 16;
const NAMES_LOG2: usize = 15;
/// Words that one session is about.
const TOPIC_WORDS: usize = 160;

const SYLLABLES: &[&str] = &[
    "ba", "ben", "bi", "cor", "da", "del", "di", "do", "fa", "fer", "fi", "ga", "gen", "go", "ha",
    "hin", "jo", "ka", "kel", "ki", "la", "len", "lo", "lu", "ma", "men", "mi", "mor", "na", "ner",
    "no", "pa", "pel", "pi", "por", "qua", "ra", "ren", "ri", "ro", "sa", "sen", "si", "sol", "ta",
    "ter", "ti", "to", "tu", "va", "ver", "vi", "wa", "wen", "xa", "ya", "yo", "za", "zen", "zi",
];
const ODDITIES: &[&str] = &[
    "=>",
    "Ok(())",
    "\"quoted\"",
    "C:\\path",
    "naïve",
    "→",
    "日本語",
    "{",
    "}",
    "//",
    "&&",
    "café",
    "==",
    "- [ ]",
    "été",
    "✓",
    "🙂",
    "::",
    "\t",
    "<T>",
];

/// All words, most frequent first.
pub(super) struct Vocabulary {
    words: Vec<String>,
    names: Vec<String>,
}

/// What a session is about: words that it uses again and again.
pub(super) struct Topic(Vec<usize>);

impl Vocabulary {
    pub(super) fn new() -> Self {
        let mut random = Random::new(SEED);
        let words: Vec<String> = (0..1 << WORDS_LOG2).map(spell).collect();
        let names = (0..1 << NAMES_LOG2)
            .map(|_| name(&words, &mut random))
            .collect();
        Self { words, names }
    }

    /// Draws what a session is about.
    pub(super) fn topic(&self, random: &mut Random) -> Topic {
        Topic(
            (0..TOPIC_WORDS)
                .map(|_| random.between(64, self.words.len()))
                .collect(),
        )
    }

    /// Composes about `length` bytes of text.
    pub(super) fn compose(&self, random: &mut Random, topic: &Topic, length: usize) -> String {
        let mut text = String::with_capacity(length + 48);
        while text.len() < length {
            self.push_token(&mut text, random, topic);
            text.push_str(match random.between(0, 24) {
                0 => ".\n",
                1 => ":\n    ",
                2 => "\n\n",
                3 => ", ",
                _ => " ",
            });
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// Composes a path below `folder`.
    pub(super) fn path(&self, random: &mut Random, folder: &str) -> String {
        let (part, name) = (zipf(random, 8), zipf(random, NAMES_LOG2));
        format!("{folder}/src/{}/{}.rs", self.word(part), self.name(name))
    }

    /// Returns a word that most sessions have; one in four is as short and frequent as "the".
    pub(super) fn common(&self, number: usize) -> &str {
        let first = if number.is_multiple_of(4) { 4 } else { 64 };
        self.word(first + number)
    }

    /// Returns a word that a few in a hundred sessions have.
    pub(super) fn middling(&self, number: usize) -> &str {
        self.word(6_000 + 97 * number)
    }

    /// Returns a name in code that a few sessions have.
    pub(super) fn rare(&self, number: usize) -> &str {
        self.name((1 << NAMES_LOG2) - 1 - 101 * number)
    }

    fn push_token(&self, text: &mut String, random: &mut Random, topic: &Topic) {
        match random.between(0, 100) {
            0..60 => text.push_str(self.word(zipf(random, WORDS_LOG2))),
            60..78 => text.push_str(self.word(topic.pick(random))),
            78..88 => text.push_str(self.name(zipf(random, NAMES_LOG2))),
            88..93 => text.push_str(random.pick(ODDITIES)),
            93..95 => text.push_str(&self.path(random, "")),
            95..99 => text.push_str(&random.between(0, 40_000).to_string()),
            _ => text.push_str(&format!("{:016x}", random.next())),
        }
    }

    fn word(&self, rank: usize) -> &str {
        self.words.get(rank).map_or("", String::as_str)
    }

    fn name(&self, rank: usize) -> &str {
        self.names.get(rank).map_or("", String::as_str)
    }
}

impl Topic {
    fn pick(&self, random: &mut Random) -> usize {
        let place = random.between(0, self.0.len());
        self.0.get(place).copied().unwrap_or_default()
    }
}

/// Draws a rank below `1 << log2`, the n-th about as often as one over n.
///
/// Every doubling of the rank is as likely as any other; integers only, so that
/// all machines draw the same.
fn zipf(random: &mut Random, log2: usize) -> usize {
    let low = 1 << random.between(0, log2);
    random.between(low, 2 * low)
}

/// Spells a number in syllables: the more frequent, the shorter.
fn spell(rank: usize) -> String {
    let mut word = String::new();
    let mut rest = rank;
    loop {
        word.push_str(SYLLABLES.get(rest % SYLLABLES.len()).copied().unwrap_or(""));
        rest /= SYLLABLES.len();
        if rest == 0 {
            return word;
        }
    }
}

/// Joins words into the name of a function, a type or a constant.
fn name(words: &[String], random: &mut Random) -> String {
    let n_parts = random.between(2, 4);
    let parts: Vec<&str> = (0..n_parts)
        .filter_map(|_| words.get(zipf(random, WORDS_LOG2)).map(String::as_str))
        .collect();
    match random.between(0, 10) {
        0..5 => parts.join("_"),
        5..9 => camel(&parts),
        _ => parts.join("_").to_uppercase(),
    }
}

fn camel(parts: &[&str]) -> String {
    let mut name = String::new();
    for (place, part) in parts.iter().enumerate() {
        let (first, rest) = part.split_at_checked(1).unwrap_or((part, ""));
        if place == 0 {
            name.push_str(first);
        } else {
            name.push_str(&first.to_uppercase());
        }
        name.push_str(rest);
    }
    name
}

#[cfg(test)]
mod tests;
