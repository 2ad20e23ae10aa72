//! Texts into terms, and what people look for into conditions on terms.
//!
//! A term is a run of letters and digits, folded. The index knows which records have which terms,
//! and a list of all terms. People look for parts of words too, so a literal becomes
//! [`Condition`]s: what a record with the literal must have in its terms. `art-of c` asks for a
//! term that ends with `art`, the term `of`, and a term that begins with `c`.
//!
//! A run that is too long is kept in overlapping windows, each of [`WINDOW`] characters, so that
//! every part of [`HALF`] characters stands in one of them, a beginning at the beginning of the
//! first and an end at the end of the last. Longer conditions are cut to that. A condition is
//! necessary, never sufficient: the text itself decides.

use std::hash::BuildHasher as _;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use ravel_model::search::fold;
use rustc_hash::FxBuildHasher;

#[cfg(test)]
mod tests;

/// The longest term, in characters.
const WINDOW: usize = 64;
/// The longest part of a run that is in one window for sure.
const HALF: usize = WINDOW / 2;

/// The terms of one block of lines, each once.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    seen: TermSet,
    run: String,
}

/// Terms in one text, each once, with a space after each.
///
/// A set of strings would take memory for each of millions.
#[derive(Debug, Default)]
pub(crate) struct TermSet {
    text: String,
    /// Where each term begins and ends.
    places: HashTable<(u32, u32)>,
}

impl TermSet {
    /// Adds a term, unless it is there.
    pub(crate) fn insert(&mut self, term: &str) {
        let Self { text, places } = self;
        let at =
            |&(start, end): &(u32, u32)| text.get(start as usize..end as usize).unwrap_or_default();
        let entry = places.entry(
            hash_of(term),
            |place| at(place) == term,
            |place| hash_of(at(place)),
        );
        let Entry::Vacant(vacant) = entry else {
            return;
        };
        let start = text.len();
        let end = start + term.len();
        // No piece of a file is that large.
        let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end)) else {
            return;
        };
        vacant.insert((start, end));
        text.push_str(term);
        text.push(' ');
    }

    /// Returns the terms with a space after each.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Begins anew, and keeps the memory.
    fn clear(&mut self) {
        self.text.clear();
        self.places.clear();
    }
}

fn hash_of(term: &str) -> u64 {
    FxBuildHasher.hash_one(term)
}

/// What a term has to be like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Condition {
    /// Exactly this.
    Is(String),
    /// Begins with it.
    Begins(String),
    /// Ends with it.
    Ends(String),
    /// Has it somewhere.
    Has(String),
}

impl Terms {
    /// Adds the terms of a text.
    pub(crate) fn add(&mut self, text: &str) {
        for letter in text.chars() {
            let is_inner = match letter.is_ascii() {
                true => letter.is_ascii_alphanumeric(),
                false => letter.is_alphanumeric(),
            };
            if is_inner {
                self.run.push(fold(letter));
            } else {
                self.end_run();
            }
        }
        self.end_run();
    }

    /// Returns all terms with a space after each.
    pub(crate) fn text(&self) -> &str {
        self.seen.text()
    }

    /// Begins anew.
    pub(crate) fn clear(&mut self) {
        self.seen.clear();
    }

    fn end_run(&mut self) {
        if self.run.is_empty() {
            return;
        }
        let run = std::mem::take(&mut self.run);
        // Bytes are at least as many as characters, so nearly all runs are one term for sure.
        match run.len() <= WINDOW {
            true => self.seen.insert(&run),
            false => windows(&run).for_each(|window| self.seen.insert(window)),
        }
        self.run = run;
        self.run.clear();
    }
}

/// Cuts a run into terms.
fn windows(run: &str) -> impl Iterator<Item = &str> {
    let is_short = run.chars().count() <= WINDOW;
    let starts: Vec<usize> = match is_short {
        true => vec![0],
        false => run.char_indices().map(|(at, _)| at).step_by(HALF).collect(),
    };
    let n_starts = starts.len();
    // The last half window has nothing that the window before it does not have.
    let n_windows = if n_starts > 1 { n_starts - 1 } else { 1 };
    (0..n_windows).filter_map(move |number| {
        let start = *starts.get(number)?;
        let end = starts.get(number + 2).copied().unwrap_or(run.len());
        run.get(start..end)
    })
}

/// Returns what the terms of every text with this literal meet. None if it has no letter or
/// digit.
pub(crate) fn conditions(literal: &str) -> Vec<Condition> {
    let folded: String = literal.chars().map(fold).collect();
    let is_inner = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let begins_inside = is_inner(folded.chars().next());
    let ends_inside = is_inner(folded.chars().next_back());
    let runs: Vec<&str> = folded
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|run| !run.is_empty())
        .collect();
    let last = runs.len().saturating_sub(1);
    let conditions = runs.iter().enumerate().map(|(number, run)| {
        let is_open_before = number == 0 && begins_inside;
        let is_open_after = number == last && ends_inside;
        condition(run, is_open_before, is_open_after)
    });
    conditions.collect()
}

fn condition(run: &str, is_open_before: bool, is_open_after: bool) -> Condition {
    let is_long = run.chars().count() > HALF;
    match (is_open_before, is_open_after) {
        (false, false) if run.chars().count() > WINDOW => Condition::Begins(first(run)),
        (false, false) => Condition::Is(run.to_owned()),
        (false, true) if is_long => Condition::Begins(first(run)),
        (false, true) => Condition::Begins(run.to_owned()),
        (true, false) if is_long => Condition::Ends(last(run)),
        (true, false) => Condition::Ends(run.to_owned()),
        (true, true) if is_long => Condition::Has(first(run)),
        (true, true) => Condition::Has(run.to_owned()),
    }
}

fn first(run: &str) -> String {
    run.chars().take(HALF).collect()
}

fn last(run: &str) -> String {
    let n_before = run.chars().count().saturating_sub(HALF);
    run.chars().skip(n_before).collect()
}

impl Condition {
    /// Returns the text that every fitting term has in it.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Is(text) | Self::Begins(text) | Self::Ends(text) | Self::Has(text) => text,
        }
    }

    /// Tells whether a term fits.
    pub(crate) fn admits(&self, term: &str) -> bool {
        match self {
            Self::Is(text) => term == text,
            Self::Begins(text) => term.starts_with(text.as_str()),
            Self::Ends(text) => term.ends_with(text.as_str()),
            Self::Has(text) => term.contains(text.as_str()),
        }
    }
}
