//! A line of text around a match.

use std::ops::Range;

/// A line of text with what matches in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snippet {
    /// The text, on one line; `…` where it was cut. It may still hold control characters.
    pub text: String,
    /// What matches, in order, as places in the text.
    pub highlights: Vec<Range<usize>>,
}

/// Cuts out about `width` characters around `best`. White space becomes one blank each time.
///
/// Only the text nearby is looked at, however long the rest is.
pub(super) fn around(
    text: &str,
    best: Range<usize>,
    spans: &[Range<usize>],
    width: usize,
) -> Snippet {
    let width = width.max(1);
    let n_chars = text.get(best.clone()).unwrap_or_default().chars();
    let room = width.saturating_sub(n_chars.take(width).count());
    // A little before the match tells what it is about; what follows tells more.
    let start = start_before(text, best.start, room / 3);
    let mut snippet = Snippet::default();
    if !text
        .get(..start)
        .unwrap_or_default()
        .trim_start()
        .is_empty()
    {
        snippet.text.push('…');
    }
    let mut writer = Writer {
        snippet,
        spans,
        room: width,
        owes_blank: false,
    };
    for (offset, character) in text.get(start..).unwrap_or_default().char_indices() {
        if !writer.put(start + offset, character) {
            writer.snippet.text.push('…');
            break;
        }
    }
    writer.snippet
}

#[derive(Clone, Copy)]
enum Ink {
    Plain,
    Marked,
}

struct Writer<'s> {
    snippet: Snippet,
    spans: &'s [Range<usize>],
    room: usize,
    owes_blank: bool,
}

impl Writer<'_> {
    /// Puts one character; `false` if there is no room for it.
    fn put(&mut self, at: usize, character: char) -> bool {
        let ink = self.ink_at(at);
        if character.is_whitespace() {
            let is_blank = self.snippet.text.ends_with(' ');
            let is_first = self.snippet.text.is_empty();
            self.owes_blank = !is_blank && !is_first;
            // A blank that belongs to a match is shown as such.
            return match ink {
                Ink::Marked if self.owes_blank => self.push(' ', ink),
                _ => true,
            };
        }
        if std::mem::take(&mut self.owes_blank) && !self.push(' ', Ink::Plain) {
            return false;
        }
        self.push(character, ink)
    }

    fn push(&mut self, character: char, ink: Ink) -> bool {
        if self.room == 0 {
            return false;
        }
        self.room -= 1;
        self.owes_blank = false;
        let start = self.snippet.text.len();
        self.snippet.text.push(character);
        let end = self.snippet.text.len();
        match (ink, self.snippet.highlights.last_mut()) {
            (Ink::Marked, Some(last)) if last.end == start => last.end = end,
            (Ink::Marked, _) => self.snippet.highlights.push(start..end),
            (Ink::Plain, _) => {}
        }
        true
    }

    /// Tells whether the byte at `at` matches; those before it are never asked for again.
    fn ink_at(&mut self, at: usize) -> Ink {
        while self.spans.first().is_some_and(|span| span.end <= at) {
            self.spans = self.spans.get(1..).unwrap_or_default();
        }
        match self.spans.first() {
            Some(span) if span.contains(&at) => Ink::Marked,
            _ => Ink::Plain,
        }
    }
}

/// Goes back by `n_chars` characters, white space counted once, but not far.
fn start_before(text: &str, from: usize, n_chars: usize) -> usize {
    const FAR: usize = 16;
    let before = text.get(..from).unwrap_or_default();
    let mut room = n_chars;
    let mut start = before.len();
    let mut was_blank = false;
    for (at, character) in before.char_indices().rev().take(n_chars * FAR) {
        let is_blank = character.is_whitespace();
        if !(is_blank && was_blank) {
            if room == 0 {
                break;
            }
            room -= 1;
        }
        was_blank = is_blank;
        start = at;
    }
    start
}
