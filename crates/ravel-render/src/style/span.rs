//! Pieces of styled text and the lines made of them.

use std::sync::Arc;

use unicode_width::UnicodeWidthStr;

use super::Style;
use crate::sanitize::{sanitize, sanitize_line};

/// Longest address that becomes a hyperlink; terminals cut or ignore longer ones.
const LINK_LIMIT: usize = 2048;

/// A piece of sanitized text in one style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    text: String,
    style: Style,
    link: Option<Arc<str>>,
}

impl Span {
    /// Returns `text`, sanitized, in `style`.
    pub fn new(text: &str, style: impl Into<Style>) -> Self {
        Self::clean(sanitize(text).into_owned(), style.into())
    }

    /// Returns `text`, sanitized and folded to one line, in `style`.
    pub fn line(text: &str, style: impl Into<Style>) -> Self {
        Self::clean(sanitize_line(text).into_owned(), style.into())
    }

    /// Returns a span of text that is known to be sanitized already.
    pub(crate) fn clean(text: String, style: Style) -> Self {
        Self {
            text,
            style,
            link: None,
        }
    }

    /// Returns a span with the style and link of this one.
    pub(crate) fn with_text(&self, text: String) -> Self {
        Self {
            text,
            style: self.style,
            link: self.link.clone(),
        }
    }

    /// Returns this span as a hyperlink to `address`.
    ///
    /// Only plain `http` and `https` addresses are taken; for others it stays text.
    #[must_use]
    pub fn linked(mut self, address: &str) -> Self {
        let scheme_is_web = address.starts_with("https://") || address.starts_with("http://");
        let is_printable = address.bytes().all(|byte| byte.is_ascii_graphic());
        if scheme_is_web && is_printable && address.len() <= LINK_LIMIT {
            self.link = Some(address.into());
        }
        self
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the style.
    pub fn style(&self) -> Style {
        self.style
    }

    /// Returns the address this span links to.
    pub fn link(&self) -> Option<&str> {
        self.link.as_deref()
    }

    /// Returns the number of terminal columns the text takes.
    pub fn width(&self) -> usize {
        self.text.width()
    }

    pub(crate) fn continues(&self, other: &Self) -> bool {
        self.style == other.style && self.link == other.link
    }

    pub(crate) fn push_str(&mut self, clean: &str) {
        self.text.push_str(clean);
    }
}

/// One line of output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    spans: Vec<Span>,
}

impl Line {
    /// Returns an empty line.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a line of one span.
    pub fn of(text: &str, style: impl Into<Style>) -> Self {
        Self {
            spans: vec![Span::line(text, style)],
        }
    }

    /// Appends a span, merged with the last one when they look alike.
    pub fn push(&mut self, span: Span) {
        match self.spans.last_mut() {
            _ if span.text.is_empty() => {}
            Some(last) if last.continues(&span) => last.push_str(&span.text),
            _ => self.spans.push(span),
        }
    }

    /// Returns this line with a span appended.
    #[must_use]
    pub fn with(mut self, text: &str, style: impl Into<Style>) -> Self {
        self.push(Span::line(text, style));
        self
    }

    /// Returns the spans in order.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Says whether the line shows nothing.
    pub fn is_blank(&self) -> bool {
        self.spans.iter().all(|span| span.text.trim().is_empty())
    }

    /// Returns the number of terminal columns the line takes.
    pub fn width(&self) -> usize {
        self.spans.iter().map(Span::width).sum()
    }

    /// Returns the text without any style.
    pub fn text(&self) -> String {
        self.spans.iter().map(Span::text).collect()
    }
}

impl From<Vec<Span>> for Line {
    fn from(spans: Vec<Span>) -> Self {
        let mut line = Self::new();
        for span in spans {
            line.push(span);
        }
        line
    }
}

impl Extend<Span> for Line {
    fn extend<T: IntoIterator<Item = Span>>(&mut self, spans: T) {
        for span in spans {
            self.push(span);
        }
    }
}
