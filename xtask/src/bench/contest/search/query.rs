//! What people look for: words that are rare or common, two at once, phrases, parts of words.

use std::path::Path;

use anyhow::{Context, Result};

use crate::bench::home;
use crate::bench::random::Random;
use crate::bench::vocabulary::Vocabulary;

const SEED: u64 = 0xA5C_0FF5;

/// A kind of query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Rare,
    Common,
    Pair,
    Phrase,
    Part,
}

impl Kind {
    pub(super) const ALL: &'static [Self] = &[
        Self::Rare,
        Self::Common,
        Self::Pair,
        Self::Phrase,
        Self::Part,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Rare => "rare words",
            Self::Common => "common words",
            Self::Pair => "two words",
            Self::Phrase => "phrases",
            Self::Part => "parts of words",
        }
    }
}

/// Makes `count` queries of a kind; the same ones every time.
pub(super) fn queries(
    kind: Kind,
    vocabulary: &Vocabulary,
    home: &Path,
    count: usize,
) -> Result<Vec<String>> {
    let mut random = Random::new(SEED);
    if kind == Kind::Phrase {
        return phrases(home, &mut random, count);
    }
    Ok((0..count)
        .map(|number| match kind {
            Kind::Rare => vocabulary.rare(number).to_owned(),
            Kind::Common => vocabulary.common(number).to_owned(),
            Kind::Pair => format!(
                "{} {}",
                vocabulary.common(number),
                vocabulary.middling(number)
            ),
            Kind::Phrase | Kind::Part => inner(vocabulary.middling(number)).to_owned(),
        })
        .collect())
}

/// Leaves out the first and the last letter.
fn inner(word: &str) -> &str {
    word.get(1..word.len().saturating_sub(1)).unwrap_or(word)
}

/// Takes phrases of two or three words out of what assistants said.
fn phrases(home: &Path, random: &mut Random, count: usize) -> Result<Vec<String>> {
    let files = home::session_files(home)?;
    let mut phrases = Vec::new();
    // A session without a phrase is rare; a home without any must still end.
    for _ in 0..count * 20 {
        if phrases.len() == count {
            break;
        }
        let file = files
            .get(random.between(0, files.len()))
            .context("the home has no sessions")?;
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("could not read {}", file.display()))?;
        phrases.extend(phrase(&text, random));
    }
    Ok(phrases)
}

fn phrase(session: &str, random: &mut Random) -> Option<String> {
    let marker = "\"type\":\"text\",\"text\":\"";
    let start = session.find(marker)? + marker.len();
    let said = session.get(start..)?;
    let said = said.get(..said.find(['\\', '"'])?)?;
    let words: Vec<&str> = said.split(' ').collect();
    let length = random.between(2, 4);
    let found = words.windows(length).skip(1).find(|window| {
        window
            .iter()
            .all(|word| word.len() > 1 && word.chars().all(|c| c.is_ascii_alphabetic()))
    })?;
    Some(format!("\"{}\"", found.join(" ")))
}
