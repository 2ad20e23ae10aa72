//! Which row a model has today, and why.

use std::process::ExitCode;

use ravel_model::price::{Book, Row, Unpriced};
use ravel_model::usage::Day;
use ravel_render::style::{Line, Role, Span, Style};
use ravel_render::wrap::{Margin, wrap};
use serde_json::json;

use super::{file, json, table};
use crate::context::Context;
use crate::failure::Failure;

/// Shows the row of one model; a model without one is the exit code 1.
pub(super) fn run(
    context: &Context,
    book: &Book,
    model: &str,
    today: Day,
) -> Result<ExitCode, Failure> {
    let row = book.find(model, Some(today));
    let found = row.map(|row| Found {
        row,
        name: name_in_book(model, row, book),
    });
    if context.json() {
        print_json(context, book, model, found.as_ref())?;
    } else {
        let lines = match &found {
            Some(found) => found.lines(model, context.width()),
            None => missing(model, book),
        };
        context.print_lines(&lines)?;
    }
    Ok(ExitCode::from(u8::from(found.is_none())))
}

/// A row and the name that it was found by.
struct Found<'a> {
    row: &'a Row,
    name: Named<'a>,
}

/// How a name leads to a row.
enum Named<'a> {
    /// The row is for this model.
    Model(&'a str),
    /// The book has another name for the model.
    Alias { alias: &'a str, model: &'a str },
}

impl Named<'_> {
    fn model(&self) -> &str {
        match self {
            Self::Model(model) | Self::Alias { model, .. } => model,
        }
    }
}

/// Finds the name that a row was found by.
///
/// Looking up takes parts off the ends of a name and writes `-` for `.`, so the name in the book is
/// in the middle of what was asked for.
fn name_in_book<'a>(model: &str, row: &'a Row, book: &'a Book) -> Named<'a> {
    let asked = model.to_ascii_lowercase();
    let plain = asked.replace('.', "-");
    let is_inside = |name: &&str| asked.contains(*name) || plain.contains(*name);
    let models = row.models.iter().map(|name| &**name);
    let longest = models
        .clone()
        .filter(is_inside)
        .max_by_key(|name| name.len());
    if let Some(name) = longest {
        return Named::Model(name);
    }
    let aliases = book.aliases().filter(|(alias, model)| {
        is_inside(alias) && row.models.iter().any(|name| **name == **model)
    });
    match aliases.max_by_key(|(alias, _)| alias.len()) {
        Some((alias, model)) => Named::Alias { alias, model },
        None => Named::Model(models.clone().next().unwrap_or_default()),
    }
}

impl Found<'_> {
    fn lines(&self, model: &str, width: usize) -> Vec<Line> {
        let muted = Style::of(Role::Muted);
        let name = self.name.model();
        let mut lines = table(&[(name, self.row)], width);
        lines.push(Line::default());
        let mut say = |text: String| {
            let spans = [Span::line(&text, muted)];
            lines.extend(wrap(&spans, width, &Margin::indent(0)));
        };
        match &self.name {
            Named::Alias { alias, model } => say(format!("`{alias}` is another name of {model}.")),
            Named::Model(_) if model != name => say(format!(
                "`{model}` is {name}: case, provider, version, date and [1m] do not count, and no row has a longer part of the name."
            )),
            Named::Model(_) => {}
        }
        let since = match self.row.from {
            Some(day) => format!("It holds from {day} on (UTC)"),
            None => "It holds for as long as the model exists".to_owned(),
        };
        let read = self.row.read.map(|day| format!(", looked up on {day}"));
        say(format!("{since}{}.", read.unwrap_or_default()));
        if !self.row.bands.is_empty() {
            say("The size of the whole prompt (input, cache writes and reads) picks the line for all of a request.".into());
        }
        let source = Some(&*self.row.source).filter(|source| !source.is_empty());
        let source = source.map_or(String::new(), |source| format!(", source: {source}"));
        say(format!("File: {}{source}.", file(self.row)));
        lines
    }
}

/// Says why there is no row.
fn reason(model: &str, book: &Book) -> Unpriced {
    match book.has(model) {
        true => Unpriced::Day,
        false => Unpriced::Model,
    }
}

fn missing(model: &str, book: &Book) -> Vec<Line> {
    let why = match reason(model, book) {
        Unpriced::Day => "its first price holds from a later day on",
        _ => "no row has the name, and prices are not guessed from similar ones",
    };
    vec![
        Line::of(&format!("{model} has no price: {why}."), Style::default()),
        Line::of(
            "Its tokens are counted, its cost is not. `ravel prices --path` names the file to add a row to.",
            Style::of(Role::Muted),
        ),
    ]
}

fn print_json(
    context: &Context,
    book: &Book,
    model: &str,
    found: Option<&Found<'_>>,
) -> Result<(), Failure> {
    let name = found.map(|found| found.name.model());
    let alias = found.and_then(|found| match found.name {
        Named::Alias { alias, .. } => Some(alias),
        Named::Model(_) => None,
    });
    let unpriced = found.is_none().then(|| reason(model, book).code());
    context.print_json(&json!({
        "asked": model,
        "model": name,
        "alias": alias,
        "price": found.map(|found| json::entry(found.name.model(), found.row)),
        "unpriced": unpriced,
    }))
}
