//! Markdown as terminal lines.
//!
//! [`render`] turns CommonMark with tables, task lists and strikethrough into
//! styled lines of a given width. Everything shown goes through the sanitizer;
//! raw HTML is shown as the text it is. Work is linear in the input: nesting has no
//! recursion, only the outermost levels indent, and huge texts are shown unparsed.

mod flow;
mod table;

use pulldown_cmark::{Options as Syntax, Parser};

use crate::style::{Line, Span, Style};
use crate::wrap::{Margin, wrap};

/// Texts above this many bytes are wrapped as they are: nobody reads them as prose.
pub const MAX_BYTES: usize = 1_000_000;

/// How Markdown is shown.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Columns of the terminal.
    pub width: usize,
    /// Marks links with the terminal's hyperlinks instead of writing addresses out.
    pub hyperlinks: bool,
    /// The style of ordinary text, such as muted for thinking.
    pub base: Style,
}

impl Options {
    /// Returns options for ordinary text with addresses written out.
    pub const fn new(width: usize) -> Self {
        Self {
            width,
            hyperlinks: false,
            base: Style::PLAIN,
        }
    }

    /// Returns these options with hyperlinks.
    #[must_use]
    pub const fn with_hyperlinks(self) -> Self {
        Self {
            hyperlinks: true,
            ..self
        }
    }

    /// Returns these options with another style for ordinary text.
    #[must_use]
    pub const fn with_base(self, base: Style) -> Self {
        Self { base, ..self }
    }
}

/// Returns `text` as lines, without a blank line at either end.
pub fn render(text: &str, options: &Options) -> Vec<Line> {
    if text.len() > MAX_BYTES {
        let spans = [Span::new(text, options.base)];
        return wrap(&spans, options.width, &Margin::default());
    }
    let mut flow = flow::Flow::new(options);
    for event in Parser::new_ext(text, syntax()) {
        flow.accept(event);
    }
    flow.finish()
}

/// The extensions that both the terminal and the page understand.
pub(crate) fn syntax() -> Syntax {
    Syntax::ENABLE_TABLES | Syntax::ENABLE_STRIKETHROUGH | Syntax::ENABLE_TASKLISTS
}

#[cfg(test)]
mod tests;
