//! The places worth a look: one pass of an automaton over the text.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::token::{SHAPES, Shape};

/// What was seen at a place.
#[derive(Debug, Clone, Copy)]
pub(super) enum Anchor {
    /// The start of a key that has a known shape.
    Token(&'static Shape),
    /// A word that things to hide are called.
    Word,
    /// `://`, with a password to follow perhaps.
    Scheme,
    /// The name of the header.
    Authorization,
    /// The word before a token in a header.
    Bearer,
    /// The start of a key in PEM.
    Pem,
    /// The end of a key in PEM.
    PemEnd,
}

/// Words in the names of things to hide. The whole name is looked at later.
const WORDS: [&str; 14] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "_pass",
    "secret",
    "token",
    "credential",
    "apikey",
    "accesskey",
    "accountkey",
    "privatekey",
    "_key",
    "-key",
];

const OTHERS: [(&str, Anchor); 5] = [
    ("://", Anchor::Scheme),
    ("authorization", Anchor::Authorization),
    ("bearer ", Anchor::Bearer),
    ("-----begin ", Anchor::Pem),
    ("-----end ", Anchor::PemEnd),
];

static AUTOMATON: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let shapes = SHAPES.iter().map(|shape| shape.prefix);
    let others = OTHERS.iter().map(|(text, _)| *text);
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .build(shapes.chain(WORDS).chain(others))
        .ok()
});

/// Returns the places in order, apart from each other.
pub(super) fn anchors(text: &str) -> impl Iterator<Item = (Anchor, Range<usize>)> {
    let automaton = AUTOMATON.as_ref();
    debug_assert!(automaton.is_some(), "the patterns are few and short");
    let matches = automaton.map(|automaton| automaton.find_iter(text));
    matches.into_iter().flatten().filter_map(|found| {
        let anchor = anchor(found.pattern().as_usize())?;
        Some((anchor, found.range()))
    })
}

fn anchor(number: usize) -> Option<Anchor> {
    if let Some(shape) = SHAPES.get(number) {
        return Some(Anchor::Token(shape));
    }
    let number = number - SHAPES.len();
    match number.checked_sub(WORDS.len()) {
        None => Some(Anchor::Word),
        Some(number) => OTHERS.get(number).map(|(_, anchor)| *anchor),
    }
}
