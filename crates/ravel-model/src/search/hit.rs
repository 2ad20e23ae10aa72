//! How well a record matches.

use std::cmp::Reverse;
use std::ops::Range;

use regex::Regex;

use super::snippet::{self, Snippet};
use super::words::Literal;
use super::{Passage, Role};

/// Where and how well a record matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The passage that matches best, by its place in the list that was searched.
    pub passage: usize,
    /// Its role.
    pub role: Role,
    /// What matches in it, in order and without overlaps; the first 64 places.
    pub spans: Vec<Range<usize>>,
    /// How many places match in it.
    pub n_hits: usize,
    /// Whether everything that was looked for stands somewhere between characters that are no
    /// letters or digits.
    pub is_whole_word: bool,
}

const MAX_SPANS: usize = 64;

/// Some patterns read the whole text for each place that they find.
const MAX_REGEX_HITS: usize = 1000;

impl Match {
    /// Returns how good the match is: whole words first, then who speaks, then how often.
    ///
    /// The same for the same record, however it was found. Callers break ties by time.
    pub fn score(&self) -> u32 {
        const MANY: usize = 15;
        let hits = u32::try_from(self.n_hits.min(MANY)).unwrap_or(0);
        u32::from(self.is_whole_word) << 8 | self.role.weight() << 4 | hits
    }

    /// Returns a line of about `width` characters around the best place of the passage's text.
    pub fn snippet(&self, text: &str, width: usize) -> Snippet {
        let is_word = |span: &&Range<usize>| stands_alone(text, span);
        let best = self.spans.iter().find(is_word).or(self.spans.first());
        snippet::around(text, best.cloned().unwrap_or(0..0), &self.spans, width)
    }
}

/// Looks for words; each has to be in one of the passages.
pub(super) fn of_words<'p, 'a: 'p>(
    literals: &[Literal],
    passages: impl Iterator<Item = (usize, &'p Passage<'a>)>,
) -> Option<Match> {
    let mut states = vec![Occurrence::Nowhere; literals.len()];
    let mut best: Option<Hits> = None;
    for (place, passage) in passages {
        let mut hits = Hits::new(place, passage.role);
        for (literal, state) in literals.iter().zip(&mut states) {
            let found = hits.add(&passage.text, literal.find_all(&passage.text));
            *state = (*state).max(found);
        }
        best = better(best, hits);
    }
    let weakest = states.into_iter().min().unwrap_or(Occurrence::Word);
    let is_match = weakest > Occurrence::Nowhere;
    is_match.then(|| best.map(|hits| hits.into_match(weakest == Occurrence::Word)))?
}

/// Looks for a pattern, which has to match within one passage.
pub(super) fn of_regex<'p, 'a: 'p>(
    regex: &Regex,
    passages: impl Iterator<Item = (usize, &'p Passage<'a>)>,
) -> Option<Match> {
    let mut best: Option<Hits> = None;
    let mut strongest = Occurrence::Nowhere;
    for (place, passage) in passages {
        let found = regex.find_iter(&passage.text).take(MAX_REGEX_HITS);
        let mut found = found.map(|found| found.range()).peekable();
        if found.peek().is_none() {
            continue;
        }
        let mut hits = Hits::new(place, passage.role);
        // Some patterns match nothing, everywhere.
        let found = hits.add(&passage.text, found.filter(|span| !span.is_empty()));
        strongest = strongest.max(found);
        best = better(best, hits);
    }
    best.map(|hits| hits.into_match(strongest == Occurrence::Word))
}

/// How something occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Occurrence {
    Nowhere,
    Inside,
    Word,
}

/// What matches in one passage.
struct Hits {
    passage: usize,
    role: Role,
    n_literals: usize,
    n_words: usize,
    n_hits: usize,
    spans: Vec<Range<usize>>,
}

impl Hits {
    fn new(passage: usize, role: Role) -> Self {
        Self {
            passage,
            role,
            n_literals: 0,
            n_words: 0,
            n_hits: 0,
            spans: Vec::new(),
        }
    }

    /// Adds the places of one literal and tells how it occurs.
    fn add(&mut self, text: &str, found: impl Iterator<Item = Range<usize>>) -> Occurrence {
        let mut occurrence = Occurrence::Nowhere;
        for (n_before, span) in found.enumerate() {
            self.n_hits += 1;
            if occurrence < Occurrence::Word {
                occurrence = match stands_alone(text, &span) {
                    true => Occurrence::Word,
                    false => Occurrence::Inside,
                };
            }
            if n_before < MAX_SPANS {
                self.spans.push(span);
            }
        }
        self.n_literals += usize::from(occurrence > Occurrence::Nowhere);
        self.n_words += usize::from(occurrence == Occurrence::Word);
        occurrence
    }

    fn into_match(mut self, is_whole_word: bool) -> Match {
        tidy(&mut self.spans, MAX_SPANS);
        Match {
            passage: self.passage,
            role: self.role,
            spans: self.spans,
            n_hits: self.n_hits,
            is_whole_word,
        }
    }
}

/// Prefers the passage with more of the words, the earlier one of equals.
fn better(best: Option<Hits>, next: Hits) -> Option<Hits> {
    let rank = |hits: &Hits| {
        let weight = hits.role.weight();
        (hits.n_literals, hits.n_words, weight, hits.n_hits)
    };
    match best {
        Some(best) if rank(&best) >= rank(&next) => Some(best),
        _ => Some(next),
    }
}

/// Puts spans in order and joins those that overlap.
pub(super) fn tidy(spans: &mut Vec<Range<usize>>, max: usize) {
    spans.sort_unstable_by_key(|span| (span.start, Reverse(span.end)));
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(spans.len());
    for span in spans.drain(..) {
        match joined.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => joined.push(span),
        }
    }
    joined.truncate(max);
    *spans = joined;
}

/// Tells whether no letter or digit stands beside the span.
fn stands_alone(text: &str, span: &Range<usize>) -> bool {
    let before = text
        .get(..span.start)
        .and_then(|text| text.chars().next_back());
    let after = text.get(span.end..).and_then(|text| text.chars().next());
    let is_apart = |beside: Option<char>| beside.is_none_or(|one| !one.is_alphanumeric());
    is_apart(before) && is_apart(after)
}
