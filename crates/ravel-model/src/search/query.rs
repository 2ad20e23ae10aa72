//! What is looked for.

use std::ops::Range;

use regex::{Regex, RegexBuilder};

use super::Passage;
use super::hit::{self, Match};
use super::prefilter::Prefilter;
use super::regex_literal;
use super::words::{self, Literal};

/// What is looked for.
#[derive(Debug, Clone)]
pub struct Query {
    case: Case,
    needle: Needle,
}

#[derive(Debug, Clone)]
enum Needle {
    Words(Vec<Literal>),
    Regex(Box<Regex>),
}

/// How a query is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// Words and "phrases", which all have to occur.
    Words,
    /// A regular expression.
    Regex,
}

/// Whether upper and lower case differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// They do not; see [`fold`](super::fold).
    Fold,
    /// They do.
    Exact,
}

/// Why a text is no query.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// Nobody types that much, and looking for it could take forever.
    #[error("take a query of more than {max} bytes")]
    TooLong {
        /// How long it may be.
        max: usize,
    },
    /// The regular expression has a mistake.
    #[error("read the regular expression")]
    Regex(#[source] Box<regex::Error>),
    /// The regular expression is short but stands for something huge.
    #[error("use the regular expression: it takes more than {max} bytes when compiled")]
    TooBig {
        /// How much it may take.
        max: usize,
    },
}

const MAX_QUERY: usize = 4096;

const MAX_COMPILED: usize = 8 << 20;

impl Query {
    /// Reads a query.
    ///
    /// All words and phrases have to occur in one record, though not in the same text of it. A
    /// regular expression has to match in one text. Without words, every text matches.
    pub fn parse(text: &str, syntax: Syntax, case: Case) -> Result<Self, QueryError> {
        if text.len() > MAX_QUERY {
            return Err(QueryError::TooLong { max: MAX_QUERY });
        }
        let needle = match syntax {
            Syntax::Words => Needle::Words(words::literals(text, case)),
            Syntax::Regex if text.is_empty() => Needle::Words(Vec::new()),
            Syntax::Regex => Needle::Regex(Box::new(compile(text, case)?)),
        };
        Ok(Self { case, needle })
    }

    /// Returns the words and phrases; none for a regular expression.
    pub fn literals(&self) -> &[Literal] {
        match &self.needle {
            Needle::Words(literals) => literals,
            Needle::Regex(_) => &[],
        }
    }

    /// Tells whether the query is a regular expression.
    pub fn is_regex(&self) -> bool {
        matches!(self.needle, Needle::Regex(_))
    }

    /// Tells whether upper and lower case differ.
    pub fn case(&self) -> Case {
        self.case
    }

    /// Returns what tells from raw bytes which lines may match.
    pub fn prefilter(&self) -> Prefilter {
        match &self.needle {
            Needle::Words(literals) => {
                let texts = literals.iter().map(|literal| vec![literal.text()]);
                Prefilter::new(texts, self.case)
            }
            Needle::Regex(regex) => {
                let texts = regex_literal::required(regex.as_str(), self.case);
                let forms = texts
                    .as_ref()
                    .map(|texts| texts.iter().map(String::as_str).collect());
                Prefilter::new(forms, self.case)
            }
        }
    }

    /// Looks for the query in those passages of a record that `admits` lets count.
    pub fn matches(
        &self,
        passages: &[Passage<'_>],
        admits: impl Fn(&Passage<'_>) -> bool,
    ) -> Option<Match> {
        let admitted = passages.iter().enumerate();
        let admitted = admitted.filter(|(_, passage)| admits(passage));
        match &self.needle {
            Needle::Words(literals) => hit::of_words(literals, admitted),
            Needle::Regex(regex) => hit::of_regex(regex, admitted),
        }
    }

    /// Returns where the query stands in any text, such as one that is shown: every word by
    /// itself, at most `max` places, in order.
    pub fn spans(&self, text: &str, max: usize) -> Vec<Range<usize>> {
        let mut spans: Vec<Range<usize>> = match &self.needle {
            Needle::Words(literals) => {
                let all = literals.iter();
                all.flat_map(|literal| literal.find_all(text).take(max))
                    .collect()
            }
            Needle::Regex(regex) => {
                let found = regex.find_iter(text).map(|found| found.range());
                found.filter(|span| !span.is_empty()).take(max).collect()
            }
        };
        hit::tidy(&mut spans, max);
        spans
    }
}

fn compile(pattern: &str, case: Case) -> Result<Regex, QueryError> {
    RegexBuilder::new(pattern)
        .case_insensitive(case == Case::Fold)
        .multi_line(true)
        .size_limit(MAX_COMPILED)
        .dfa_size_limit(MAX_COMPILED)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(max) => QueryError::TooBig { max },
            error => QueryError::Regex(Box::new(error)),
        })
}
