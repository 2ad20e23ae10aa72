//! Fits styled text to a width.
//!
//! Widths are terminal columns, counted per grapheme: a wide character takes two,
//! a combining mark none. [`wrap`] breaks between words (and between wide
//! characters, as East Asian text expects); [`fold`] keeps every space and breaks
//! exactly at the edge, which suits code; [`truncate`] cuts one line short.
//!
//! A [`Margin`] carries the hanging indent: what stands before the first line and
//! before the lines that follow, styled, so list markers and quote bars fit too.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::style::{Line, Role, Span};

/// Columns between tab stops.
const TAB: usize = 4;

/// What stands to the left of wrapped text.
#[derive(Clone, Debug, Default)]
pub struct Margin {
    /// Before the first line.
    pub first: Vec<Span>,
    /// Before every other line.
    pub rest: Vec<Span>,
}

impl Margin {
    /// Returns a margin of `columns` spaces before every line.
    pub fn indent(columns: usize) -> Self {
        Self::hanging(columns, columns)
    }

    /// Returns a margin of spaces, different for the first line.
    pub fn hanging(first: usize, rest: usize) -> Self {
        let spaces = |columns| vec![Span::new(&" ".repeat(columns), Role::Plain)];
        Self {
            first: spaces(first),
            rest: spaces(rest),
        }
    }
}

/// Breaks `spans` between words into lines of at most `width` columns.
///
/// Words longer than a line are broken. Line feeds in the text break lines too.
/// Returns one line at least; with a margin wider than `width` a line still takes
/// one grapheme, so the result is finite.
pub fn wrap(spans: &[Span], width: usize, margin: &Margin) -> Vec<Line> {
    let mut filler = Filler::new(width, margin);
    for span in spans {
        for word in span.text().split_word_bounds() {
            filler.add_word(span, word);
        }
    }
    filler.finish()
}

/// Breaks `spans` at exactly `width` columns, keeping all white space.
pub fn fold(spans: &[Span], width: usize, margin: &Margin) -> Vec<Line> {
    let mut filler = Filler::new(width, margin);
    for span in spans {
        for grapheme in span.text().graphemes(true) {
            filler.add_exact(span, grapheme);
        }
    }
    filler.finish()
}

/// Returns `line` cut to `width` columns, with `…` in place of what is missing.
pub fn truncate(line: &Line, width: usize) -> Line {
    if line.width() <= width {
        return line.clone();
    }
    let room = width.saturating_sub(1);
    let mut cut = Line::new();
    let mut used = 0;
    'spans: for span in line.spans() {
        for grapheme in span.text().graphemes(true) {
            if used + grapheme.width() > room {
                break 'spans;
            }
            used += grapheme.width();
            cut.push(span.with_text(grapheme.to_owned()));
        }
    }
    if width > 0 {
        cut.push(Span::new("…", Role::Muted));
    }
    cut
}

/// Returns the columns that `text`, sanitized, would take on one line.
pub fn columns(text: &str) -> usize {
    crate::sanitize::sanitize_line(text).width()
}

/// The line being filled, the word that may still move down, and finished lines.
struct Filler<'m> {
    width: usize,
    margin: &'m Margin,
    done: Vec<Line>,
    line: Line,
    /// Columns taken by the line, margin included.
    used: usize,
    /// Columns of the margin of this line.
    start: usize,
    /// The word not yet placed: it may still grow, across spans too.
    word: Vec<Span>,
    word_width: usize,
    /// Spaces between the line and the word; dropped when the line breaks here.
    gap: Option<Span>,
    gap_width: usize,
}

impl<'m> Filler<'m> {
    fn new(width: usize, margin: &'m Margin) -> Self {
        let mut filler = Self {
            width,
            margin,
            done: Vec::new(),
            line: Line::new(),
            used: 0,
            start: 0,
            word: Vec::new(),
            word_width: 0,
            gap: None,
            gap_width: 0,
        };
        filler.begin(&margin.first);
        filler
    }

    fn begin(&mut self, margin: &[Span]) {
        self.line = Line::new();
        self.line.extend(margin.iter().cloned());
        self.start = self.line.width();
        self.used = self.start;
    }

    fn break_line(&mut self) {
        self.done.push(std::mem::take(&mut self.line));
        self.begin(&self.margin.rest);
    }

    fn add_word(&mut self, span: &Span, word: &str) {
        match word {
            "\n" => {
                self.place_word();
                self.gap = None;
                self.gap_width = 0;
                self.break_line();
            }
            "\t" => self.add_gap(span, TAB),
            _ if word.chars().all(|c| c == ' ') => self.add_gap(span, word.len()),
            _ => self.grow_word(span, word),
        }
    }

    fn add_gap(&mut self, span: &Span, columns: usize) {
        self.place_word();
        self.gap_width = self.gap_width.saturating_add(columns);
        match &mut self.gap {
            Some(gap) => gap.push_str(&" ".repeat(columns)),
            None => self.gap = Some(span.with_text(" ".repeat(columns))),
        }
    }

    fn grow_word(&mut self, span: &Span, part: &str) {
        let width = part.width();
        // Wide characters are words of their own: East Asian text has no spaces.
        let is_wide = part.chars().next().is_some_and(|c| c > '\u{1100}') && width > 1;
        if is_wide {
            self.place_word();
        }
        self.word_width += width;
        match self.word.last_mut() {
            Some(last) if last.continues(span) => last.push_str(part),
            _ => self.word.push(span.with_text(part.to_owned())),
        }
        if is_wide {
            self.place_word();
        }
    }

    fn place_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let word = std::mem::take(&mut self.word);
        let width = std::mem::take(&mut self.word_width);
        let gap_width = std::mem::take(&mut self.gap_width);
        let gap = self.gap.take();
        if self.used + gap_width + width <= self.width {
            self.line.extend(gap);
            self.line.extend(word);
            self.used += gap_width + width;
            return;
        }
        if self.used > self.start {
            self.break_line();
        }
        if self.used + width <= self.width {
            self.line.extend(word);
            self.used += width;
            return;
        }
        for span in &word {
            for grapheme in span.text().graphemes(true) {
                self.add_exact(span, grapheme);
            }
        }
    }

    fn add_exact(&mut self, span: &Span, grapheme: &str) {
        if grapheme == "\n" {
            self.break_line();
            return;
        }
        let tab_width = TAB - (self.used - self.start) % TAB;
        let (text, width) = match grapheme {
            "\t" => (" ".repeat(tab_width), tab_width),
            _ => (grapheme.to_owned(), grapheme.width()),
        };
        if self.used + width > self.width && self.used > self.start {
            self.break_line();
        }
        self.used += width;
        self.line.push(span.with_text(text));
    }

    fn finish(mut self) -> Vec<Line> {
        self.place_word();
        self.done.push(self.line);
        self.done
    }
}

#[cfg(test)]
mod tests;
