//! Finds a few short texts in bytes, fast.
//!
//! The bytes are searched for a *window* of each text, its three or four rarest characters in every
//! spelling, with vector instructions; only where one stands the whole text is compared. So upper
//! and lower case cost next to nothing, and a text without case is found by `memmem`.

use std::ops::Range;

use aho_corasick::{AhoCorasick, Anchored, Input, Span, packed};
use memchr::memmem;

use super::fold::{fold, spellings};
use super::query::Case;

/// Finds any of a few texts.
#[derive(Debug, Clone)]
pub(super) struct Finder {
    texts: Vec<Text>,
    case: Case,
    engine: Engine,
}

/// A text to find, its characters folded if case does not matter.
#[derive(Debug, Clone)]
struct Text {
    chars: Vec<char>,
    window: Range<usize>,
}

#[derive(Debug, Clone)]
enum Engine {
    /// One text with one spelling.
    Whole(Box<memmem::Finder<'static>>),
    /// Windows of texts, few enough for vector instructions.
    Packed(Box<packed::Searcher>),
    /// Windows of many texts, or a machine without vector instructions.
    Automaton(Box<AhoCorasick>),
    /// Nothing can be found.
    Nothing,
}

/// How many windows the vector search takes at most.
const MAX_PACKED: usize = 64;

/// Wider windows are rarer but have more spellings.
const MAX_WINDOW: usize = 4;

impl Finder {
    /// Makes a finder; empty texts are never found.
    pub(super) fn new<'t>(texts: impl IntoIterator<Item = &'t str>, case: Case) -> Self {
        let mut texts: Vec<Vec<char>> = texts
            .into_iter()
            .filter(|text| !text.is_empty())
            .map(|text| text.chars().map(|one| case.fold(one)).collect())
            .collect();
        texts.sort_unstable();
        texts.dedup();
        let budget = (MAX_PACKED / texts.len().max(1)).max(1);
        let texts = texts.into_iter();
        let texts: Vec<Text> = texts.map(|chars| Text::new(chars, case, budget)).collect();
        let engine = Engine::new(&texts, case);
        Self {
            texts,
            case,
            engine,
        }
    }

    /// Returns how rare the texts are likely to be, by the most common of them.
    pub(super) fn rarity(&self) -> usize {
        let texts = self.texts.iter();
        let rarity = texts.map(|text| text.window_rarity() + text.chars.len().min(16));
        rarity.min().unwrap_or(0)
    }

    /// Returns the characters of all texts.
    pub(super) fn chars(&self) -> impl Iterator<Item = char> {
        self.texts
            .iter()
            .flat_map(|text| text.chars.iter().copied())
    }

    /// Finds a text that starts at `from` or later.
    pub(super) fn find_at(&self, bytes: &[u8], from: usize) -> Option<Range<usize>> {
        let mut at = from;
        loop {
            let start = self.engine.find(bytes, at)?;
            if let Engine::Whole(finder) = &self.engine {
                return Some(start..start + finder.needle().len());
            }
            let around = |text: &Text| text.around(bytes, from..start, self.case);
            if let Some(found) = self.texts.iter().find_map(around) {
                return Some(found);
            }
            at = start + 1;
        }
    }

    /// Finds all texts, none inside another.
    pub(super) fn find_all(&self, bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let found = self.find_at(bytes, at)?;
            at = found.end;
            Some(found)
        })
    }
}

impl Case {
    /// Returns the form in which characters are compared.
    pub(super) fn fold(self, character: char) -> char {
        match self {
            Self::Fold => fold(character),
            Self::Exact => character,
        }
    }

    fn spellings(self, character: char) -> Vec<char> {
        match self {
            Self::Fold => spellings(character),
            Self::Exact => vec![character],
        }
    }
}

impl Text {
    /// Chooses the rarest window that has no more than `budget` spellings, wider ones first.
    fn new(chars: Vec<char>, case: Case, budget: usize) -> Self {
        let n_spellings: Vec<usize> = chars.iter().map(|&one| case.spellings(one).len()).collect();
        let widths = (1..=chars.len().min(MAX_WINDOW)).rev();
        let window = widths.into_iter().find_map(|width| {
            let starts = 0..=chars.len() - width;
            let windows = starts.map(|start| start..start + width);
            let fits = |window: &Range<usize>| {
                let counts = n_spellings.get(window.clone()).unwrap_or_default();
                counts.iter().product::<usize>() <= budget
            };
            windows
                .filter(fits)
                .max_by_key(|window| rarity_of(chars.get(window.clone()).unwrap_or_default()))
        });
        Self {
            window: window.unwrap_or(0..1),
            chars,
        }
    }

    fn window_rarity(&self) -> usize {
        rarity_of(self.chars.get(self.window.clone()).unwrap_or_default())
    }

    /// Returns all ways to write the window.
    fn window_spellings(&self, case: Case) -> Vec<String> {
        let window = self.chars.get(self.window.clone()).unwrap_or_default();
        let mut all = vec![String::new()];
        for &character in window {
            let next = case.spellings(character);
            let longer = |start: &String| {
                let start = start.clone();
                next.iter().map(move |one| format!("{start}{one}"))
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    /// Compares the text around a window that stands at the end of `before`, and goes back no
    /// further than its start.
    fn around(&self, bytes: &[u8], before: Range<usize>, case: Case) -> Option<Range<usize>> {
        let (left, right) = self.chars.split_at_checked(self.window.start)?;
        let mut end = before.end;
        for &expected in right {
            let (character, length) = first_char(bytes.get(end..)?)?;
            (case.fold(character) == expected).then_some(())?;
            end += length;
        }
        let mut start = before.end;
        for &expected in left.iter().rev() {
            let (character, length) = last_char(bytes.get(before.start..start)?)?;
            (case.fold(character) == expected).then_some(())?;
            start -= length;
        }
        Some(start..end)
    }
}

impl Engine {
    fn new(texts: &[Text], case: Case) -> Self {
        if let [only] = texts {
            let has_one_spelling = |&one: &char| case.spellings(one).len() == 1;
            if only.chars.iter().all(has_one_spelling) {
                let needle: String = only.chars.iter().collect();
                return Self::Whole(Box::new(memmem::Finder::new(&needle).into_owned()));
            }
        }
        let mut windows: Vec<String> = texts
            .iter()
            .flat_map(|text| text.window_spellings(case))
            .collect();
        windows.sort_unstable();
        windows.dedup();
        let packed = Some(&windows)
            .filter(|windows| windows.len() <= MAX_PACKED)
            .and_then(packed::Searcher::new);
        match packed {
            Some(searcher) => Self::Packed(Box::new(searcher)),
            None if windows.is_empty() => Self::Nothing,
            // It fails only beyond billions of windows.
            None => AhoCorasick::new(&windows).map_or(Self::Nothing, |automaton| {
                Self::Automaton(Box::new(automaton))
            }),
        }
    }

    /// Returns the first place at `from` or later where a window stands.
    #[inline]
    fn find(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let rest = bytes.get(from..)?;
        match self {
            Self::Whole(finder) => finder.find(rest).map(|at| from + at),
            Self::Packed(searcher) => {
                let span = Span::from(from..bytes.len());
                searcher.find_in(bytes, span).map(|found| found.start())
            }
            Self::Automaton(automaton) => {
                let input = Input::new(rest).anchored(Anchored::No);
                automaton.find(input).map(|found| from + found.start())
            }
            Self::Nothing => None,
        }
    }
}

/// ASCII by how often it stands in transcripts, the most common first.
const COMMON: &[u8] =
    b" eatnorsi\"l:dcu,pm0hf1-g2_b34y.5{}6789/wvkTSEAICRxNPUDLMOFBHjq()=zGWVKJ[]'`*#<>XYQZ\\+;!?|&$@%~^";

fn rarity_of(window: &[char]) -> usize {
    const OUTSIDE_ASCII: usize = 110;
    let rarity = |&character: &char| {
        let is_it = |&byte: &u8| char::from(byte) == character;
        let place = COMMON.iter().position(is_it);
        place.unwrap_or(OUTSIDE_ASCII) + 1
    };
    window.iter().map(rarity).sum()
}

/// Decodes the first character.
#[inline]
fn first_char(bytes: &[u8]) -> Option<(char, usize)> {
    let first = *bytes.first()?;
    if first.is_ascii() {
        return Some((char::from(first), 1));
    }
    (2..=4).find_map(|length| one_char(bytes.get(..length)?))
}

/// Decodes the last character.
#[inline]
fn last_char(bytes: &[u8]) -> Option<(char, usize)> {
    let last = *bytes.last()?;
    if last.is_ascii() {
        return Some((char::from(last), 1));
    }
    (2..=4).find_map(|length| one_char(bytes.get(bytes.len().checked_sub(length)?..)?))
}

fn one_char(bytes: &[u8]) -> Option<(char, usize)> {
    let character = std::str::from_utf8(bytes).ok()?.chars().next()?;
    (character.len_utf8() == bytes.len()).then_some((character, bytes.len()))
}
