//! A few lines of a text that may be huge.
//!
//! The text is cut before it is styled: what is not shown costs no more than counting it.

use std::borrow::Cow;

use crate::amount::counted;
use crate::style::{Line, Role, Span, Style};
use crate::wrap::{Margin, fold, truncate};

/// Lines that are shown at the end of a long output, where commands say how they went.
const TAIL: usize = 3;

/// Bytes of a line that are looked at where lines are counted: a line can be a whole file.
const LONGEST_LINE: usize = 4_000;

/// How much of a text is shown.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// Columns.
    pub(super) width: usize,
    /// Lines; longer ones are cut to one row each. `None` shows all, folded.
    pub(super) limit: Option<usize>,
}

/// A text in two pieces with a number of lines left out between them.
pub(super) struct Excerpt<'a> {
    pub(super) head: Vec<Cow<'a, str>>,
    pub(super) n_hidden: usize,
    pub(super) tail: Vec<Cow<'a, str>>,
}

impl<'a> Excerpt<'a> {
    /// Takes the first lines.
    pub(super) fn head(text: &'a str, limit: Option<usize>) -> Self {
        Self::take(text, limit, 0)
    }

    /// Takes the first lines and the last few.
    pub(super) fn both_ends(text: &'a str, limit: Option<usize>) -> Self {
        Self::take(text, limit, TAIL)
    }

    fn take(text: &'a str, limit: Option<usize>, tail: usize) -> Self {
        let text = text.trim_end_matches(['\n', '\r']);
        let clip = |line: &'a str| clip(line, limit.map(|_| LONGEST_LINE));
        let n_lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
        let limit = limit.unwrap_or(n_lines);
        // One line more takes the place of the line that says it is left out.
        if n_lines <= limit.saturating_add(1) {
            return Self {
                head: text.split('\n').map(clip).collect(),
                n_hidden: 0,
                tail: Vec::new(),
            };
        }
        let tail = tail.min(limit / 2);
        let mut last: Vec<_> = text.rsplit('\n').take(tail).map(clip).collect();
        last.reverse();
        Self {
            head: text.split('\n').take(limit - tail).map(clip).collect(),
            n_hidden: n_lines - limit,
            tail: last,
        }
    }

    /// Returns the lines, with a remark where some are left out.
    pub(super) fn render(&self, render: impl Fn(&str) -> Vec<Line>) -> Vec<Line> {
        let mut lines = render(&self.head.join("\n"));
        lines.extend(self.remark());
        if !self.tail.is_empty() {
            lines.extend(render(&self.tail.join("\n")));
        }
        lines
    }

    pub(super) fn remark(&self) -> Option<Line> {
        let remark = || Line::of(&more_lines(self.n_hidden), Role::Muted);
        (self.n_hidden > 0).then(remark)
    }
}

/// Cuts a line that nobody reads to its end.
fn clip(line: &str, limit: Option<usize>) -> Cow<'_, str> {
    let end = line.floor_char_boundary(limit.unwrap_or(line.len()));
    match line.get(..end) {
        Some(start) if end < line.len() => Cow::Owned(format!("{start}…")),
        _ => Cow::Borrowed(line),
    }
}

/// Says how many lines are left out.
pub(super) fn more_lines(n: usize) -> String {
    format!("… {}", counted(n, "more line"))
}

/// Returns lines that fit: cut where lines are counted, folded where all is shown.
pub(super) fn fit(lines: &[Line], extent: Extent) -> Vec<Line> {
    let fit_one = |line: &Line| match extent.limit {
        Some(_) => vec![truncate(line, extent.width)],
        None => fold(line.spans(), extent.width, &Margin::default()),
    };
    lines.iter().flat_map(fit_one).map(without_tabs).collect()
}

/// Tabs are columns that nobody can count on.
fn without_tabs(line: Line) -> Line {
    if !line.spans().iter().any(|span| span.text().contains('\t')) {
        return line;
    }
    let spans = line.spans().iter();
    let spans: Vec<Span> = spans
        .map(|span| span.with_text(span.text().replace('\t', "    ")))
        .collect();
    spans.into()
}

/// Returns lines in a style where they have none of their own.
pub(super) fn tinted(lines: Vec<Line>, style: impl Into<Style>) -> Vec<Line> {
    let style = style.into();
    let tint = |line: Line| {
        let spans = line.spans().iter();
        let spans: Vec<Span> = spans
            .map(|span| match span.style() {
                Style::PLAIN => Span::new(span.text(), style),
                _ => span.clone(),
            })
            .collect();
        spans.into()
    };
    lines.into_iter().map(tint).collect()
}

/// Returns lines moved to the right.
pub(super) fn indented(lines: Vec<Line>, columns: usize) -> Vec<Line> {
    let indent = |line: Line| {
        if line.is_blank() {
            return Line::new();
        }
        let mut indented = Line::new();
        indented.push(Span::new(&" ".repeat(columns), Role::Plain));
        indented.extend(line.spans().iter().cloned());
        indented
    };
    lines.into_iter().map(indent).collect()
}
