//! Colors source code by meaning.
//!
//! [`highlight`] splits text into tokens with our own few [`Role`]s, so code looks
//! like the rest of the output and a page needs only a handful of classes. Grammars
//! come from syntect and two-face; they are loaded on first use, which costs a few
//! milliseconds and is never paid when no code is shown.
//!
//! Grammars are exact and slow. [`highlight_quickly`] knows the common languages
//! well enough for pages with megabytes of code.
//!
//! Highlighting is a courtesy: unknown languages, very long lines and big inputs
//! come back as plain tokens.

mod dialect;
mod language;
mod quick;
mod scope;

use std::sync::LazyLock;

use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};

pub use language::Language;

use crate::sanitize::sanitize;
use crate::style::{Line, Role, Span, Style};
use scope::RoleCache;

/// Inputs above this many bytes stay plain: grammars cost about a second per megabyte.
pub const MAX_BYTES: usize = 200_000;

/// Texts with a line above this many bytes stay plain: minified code is not read.
pub const MAX_LINE: usize = 2_000;

/// Inputs above this many bytes stay plain even for the quick scan: nobody reads them.
const MAX_QUICK: usize = 1_000_000;

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

/// A piece of source code with one meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// The text, as it stands in the source.
    pub text: &'a str,
    /// What it is.
    pub role: Role,
}

/// Returns the tokens of each line, without line feeds.
pub fn highlight<'a>(text: &'a str, language: Language<'_>) -> Vec<Vec<Token<'a>>> {
    match grammar(text, language) {
        Some(syntax) => parse(text, syntax),
        None => plain(text),
    }
}

/// Returns the tokens of each line by a plain scan, for the languages it knows.
///
/// Other languages stay plain: to load and compile grammars takes longer than most pages.
pub fn highlight_quickly<'a>(text: &'a str, language: Language<'_>) -> Vec<Vec<Token<'a>>> {
    match dialect::Dialect::find(language.short_name()) {
        Some(dialect) if text.len() <= MAX_QUICK => quick::lex(text, dialect),
        _ => plain(text),
    }
}

/// Returns highlighted code as styled lines.
pub fn render(text: &str, language: Language<'_>) -> Vec<Line> {
    let clean = sanitize(text);
    highlight(&clean, language)
        .into_iter()
        .map(|tokens| tokens.into_iter().map(span).collect::<Vec<_>>().into())
        .collect()
}

fn span(token: Token<'_>) -> Span {
    Span::clean(token.text.to_owned(), Style::of(token.role))
}

fn grammar(text: &str, language: Language<'_>) -> Option<&'static SyntaxReference> {
    let readable = text.len() <= MAX_BYTES && text.split('\n').all(|line| line.len() <= MAX_LINE);
    // Checked before the grammars are touched, since this loads them.
    if !readable || language.is_plain() {
        return None;
    }
    language.find(&SYNTAXES)
}

fn plain(text: &str) -> Vec<Vec<Token<'_>>> {
    let role = Role::Plain;
    lines(text)
        .map(|line| vec![Token { text: line, role }])
        .collect()
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.strip_suffix('\n').unwrap_or(text).split('\n')
}

fn parse<'a>(text: &'a str, syntax: &SyntaxReference) -> Vec<Vec<Token<'a>>> {
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut roles = RoleCache::default();
    let mut with_feed = String::new();
    lines(text)
        .map(|line| {
            with_feed.clear();
            with_feed.push_str(line);
            with_feed.push('\n');
            let operations = state.parse_line(&with_feed, &SYNTAXES).unwrap_or_default();
            tokens_of_line(line, &operations, &mut stack, &mut roles)
        })
        .collect()
}

fn tokens_of_line<'a>(
    line: &'a str,
    operations: &[(usize, syntect::parsing::ScopeStackOp)],
    stack: &mut ScopeStack,
    roles: &mut RoleCache,
) -> Vec<Token<'a>> {
    let mut tokens: Vec<Token<'a>> = Vec::new();
    let mut start = 0;
    let ends = operations
        .iter()
        .map(|(at, operation)| (*at, Some(operation)));
    for (end, operation) in ends.chain([(line.len(), None)]) {
        let end = end.min(line.len());
        let role = roles.role_of(stack);
        push_token(&mut tokens, line, start..end, role);
        start = end.max(start);
        if let Some(operation) = operation {
            // A grammar that pops too much only loses color.
            let _ = stack.apply(operation);
        }
    }
    tokens
}

/// Appends a token, grown from the last one when the role is the same.
fn push_token<'a>(
    tokens: &mut Vec<Token<'a>>,
    line: &'a str,
    range: std::ops::Range<usize>,
    role: Role,
) {
    let Some(text) = line.get(range.clone()).filter(|text| !text.is_empty()) else {
        return;
    };
    if let Some(last) = tokens.last_mut() {
        // Space has no color of its own.
        if last.role == role || text.trim().is_empty() {
            let grown = range.start.saturating_sub(last.text.len())..range.end;
            last.text = line.get(grown).unwrap_or(last.text);
            return;
        }
    }
    tokens.push(Token { text, role });
}

#[cfg(test)]
mod tests;
