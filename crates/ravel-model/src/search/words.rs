//! Words and phrases, as people type them.

use std::ops::Range;

use super::finder::Finder;
use super::query::Case;

/// A text that has to occur, letter by letter.
#[derive(Debug, Clone)]
pub struct Literal {
    text: String,
    folded: String,
    finder: Finder,
}

impl Literal {
    fn new(text: String, case: Case) -> Self {
        let folded = text.chars().map(super::fold).collect();
        let finder = Finder::new([text.as_str()], case);
        Self {
            text,
            folded,
            finder,
        }
    }

    /// Returns the text as typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text without case.
    pub fn folded(&self) -> &str {
        &self.folded
    }

    /// Returns where the literal stands in a text.
    pub(super) fn find_all(&self, text: &str) -> impl Iterator<Item = Range<usize>> {
        self.finder.find_all(text.as_bytes())
    }
}

/// Takes a query apart: words, and phrases in double quotes.
///
/// A backslash takes its meaning from a quote. A quote inside a word is a part of it, and a phrase
/// without end goes on to the end.
pub(super) fn literals(query: &str, case: Case) -> Vec<Literal> {
    let mut literals: Vec<Literal> = Vec::new();
    let mut rest = query.trim_start();
    while !rest.is_empty() {
        let (text, after) = match rest.strip_prefix('"') {
            Some(phrase) => take(phrase, |one| one == '"'),
            None => take(rest, char::is_whitespace),
        };
        if !text.is_empty() && literals.iter().all(|known| known.text != text) {
            literals.push(Literal::new(text, case));
        }
        rest = after.trim_start();
    }
    literals
}

/// Takes the characters before the one that ends them, which is dropped.
fn take(text: &str, ends: impl Fn(char) -> bool) -> (String, &str) {
    let mut taken = String::new();
    let mut chars = text.chars();
    while let Some(character) = chars.next() {
        if character == '\\' && chars.as_str().starts_with('"') {
            taken.extend(chars.next());
        } else if ends(character) {
            break;
        } else {
            taken.push(character);
        }
    }
    (taken, chars.as_str())
}
