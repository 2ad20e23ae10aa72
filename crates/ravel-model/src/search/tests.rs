//! Search as its users see it: lines in, matches out.

use ravel_format::{Span, parse_record};

use super::{Case, Filter, Match, Passage, Query, Syntax, passages};

mod corpus;
mod fold;
mod passage;
mod prefilter;
mod query;
mod snippet;
mod which;

fn with_passages<T>(line: &str, view: impl FnOnce(&[Passage<'_>]) -> T) -> T {
    with_record(line, |record| view(&passages(record)))
}

fn with_record<T>(line: &str, view: impl FnOnce(&ravel_format::Record<'_>) -> T) -> T {
    let span = Span { start: 0, len: 0 };
    view(&parse_record(line.as_bytes(), span, 1))
}

fn words(text: &str) -> Query {
    Query::parse(text, Syntax::Words, Case::Fold).unwrap()
}

fn regex(text: &str) -> Query {
    Query::parse(text, Syntax::Regex, Case::Fold).unwrap()
}

fn find(query: &Query, line: &str) -> Option<Match> {
    with_passages(line, |passages| query.matches(passages, |_| true))
}

/// A prompt with a text, as most writers of JSON put it.
fn prompt(text: &str) -> String {
    format!(
        r#"{{"type":"user","uuid":"u","message":{{"content":{}}}}}"#,
        serde_json::to_string(text).unwrap()
    )
}

fn admits(filter: &Filter, line: &str) -> bool {
    with_record(line, |record| {
        filter.admits_record(record)
            && passages(record)
                .iter()
                .any(|passage| filter.admits_passage(passage, None))
    })
}
