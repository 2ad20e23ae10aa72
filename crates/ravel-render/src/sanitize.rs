//! Makes transcript text harmless for a terminal and honest for a reader.
//!
//! A transcript is hostile input: a tool may have printed escape sequences that
//! retitle a window, answer a terminal query or move the cursor over what was
//! shown before, and text may hold invisible characters that reorder or hide it.
//! [`sanitize`] makes such characters visible, [`sanitize_line`] also folds line
//! breaks for places that hold one line, and [`strip_escapes`] removes well-formed
//! sequences first, which suits recorded terminal output.
//!
//! What comes out never contains a control character other than `\n` and `\t`,
//! and no character that changes the direction of text.

use std::borrow::Cow;
use std::fmt::Write as _;

/// What happens to one character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Keep,
    /// Shown as a one-column control picture.
    Picture(char),
    /// Shown as its code point, since it would reorder or smuggle text.
    Name,
    /// Invisible and harmless when gone.
    Drop,
    /// Kept only where it joins visible characters (emoji, Indic and Persian text).
    Joiner,
}

/// Returns `text` with everything a terminal could act on made visible.
///
/// Line feeds and tabs stay, `\r\n` becomes `\n`. Borrows when nothing needs work.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    if is_clean(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut previous = '\0';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\r' && chars.peek() == Some(&'\n') {
            continue;
        }
        match fate(c) {
            Fate::Keep => out.push(c),
            Fate::Picture(picture) => out.push(picture),
            Fate::Name => push_name(&mut out, c),
            Fate::Joiner if joins(previous, c) => out.push(c),
            Fate::Drop | Fate::Joiner => continue,
        }
        previous = c;
    }
    Cow::Owned(out)
}

/// Returns `text` sanitized and on one line: line feeds and tabs become spaces.
pub fn sanitize_line(text: &str) -> Cow<'_, str> {
    let clean = sanitize(text);
    if clean.bytes().any(|byte| matches!(byte, b'\n' | b'\t')) {
        return Cow::Owned(clean.replace(['\n', '\t'], " "));
    }
    clean
}

/// Returns recorded terminal output without its escape sequences, then sanitized.
///
/// Only complete sequences are removed. What is left of a torn one stays visible,
/// so that nothing can hide text by opening a sequence that never ends.
pub fn strip_escapes(text: &str) -> Cow<'_, str> {
    if !text.chars().any(opens_sequence) {
        return sanitize(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(opens_sequence) {
        let (before, sequence) = rest.split_at(at);
        kept.push_str(before);
        let length = match sequence_length(sequence) {
            Some(length) => length,
            None => {
                let opener = sequence.chars().next().map_or(1, char::len_utf8);
                kept.push_str(sequence.get(..opener).unwrap_or_default());
                opener
            }
        };
        rest = sequence.get(length..).unwrap_or_default();
    }
    kept.push_str(rest);
    Cow::Owned(sanitize(&kept).into_owned())
}

/// Returns the length in bytes of the complete escape sequence `text` starts with.
///
/// Strings (OSC, DCS and their like) end at BEL, ST, or not at all: a line feed or
/// another ESC means that the terminator is missing. This also keeps the scan linear.
pub(crate) fn sequence_length(text: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    let (_, opener) = chars.next()?;
    let (at, kind) = match opener {
        '\u{1b}' => chars.next()?,
        // The 8-bit openers are the 7-bit ones plus 0x40.
        '\u{80}'..='\u{9f}' => (0, char::from_u32(u32::from(opener) - 0x40)?),
        _ => return None,
    };
    let body_start = if at == 0 {
        opener.len_utf8()
    } else {
        at + kind.len_utf8()
    };
    let body = text.get(body_start..)?;
    let body_length = match kind {
        '[' => final_byte(body, ' '..='?', '@'..='~')?,
        ']' | 'P' | 'X' | '^' | '_' => string_end(body)?,
        ' '..='/' => final_byte(body, ' '..='/', '0'..='~')?,
        '0'..='~' => 0,
        _ => return None,
    };
    Some(body_start + body_length)
}

fn final_byte(
    body: &str,
    middle: std::ops::RangeInclusive<char>,
    last: std::ops::RangeInclusive<char>,
) -> Option<usize> {
    let (at, c) = body.char_indices().find(|(_, c)| !middle.contains(c))?;
    last.contains(&c).then_some(at + c.len_utf8())
}

fn string_end(body: &str) -> Option<usize> {
    let (at, c) = body
        .char_indices()
        .find(|(_, c)| matches!(c, '\u{7}' | '\u{1b}' | '\u{9c}' | '\n'))?;
    match c {
        '\u{7}' | '\u{9c}' => Some(at + c.len_utf8()),
        '\u{1b}' if body.get(at..)?.starts_with("\u{1b}\\") => Some(at + 2),
        _ => None,
    }
}

pub(crate) fn opens_sequence(c: char) -> bool {
    matches!(c, '\u{1b}' | '\u{80}'..='\u{9f}')
}

fn is_clean(text: &str) -> bool {
    let plain = |byte: u8| matches!(byte, b'\n' | b'\t' | 0x20..=0x7e);
    text.bytes().all(plain) || text.chars().all(|c| fate(c) == Fate::Keep)
}

fn fate(c: char) -> Fate {
    match c {
        '\n' | '\t' | ' '..='~' => Fate::Keep,
        '\0'..='\u{1f}' => Fate::Picture(char::from_u32(0x2400 + u32::from(c)).unwrap_or('?')),
        '\u{7f}' => Fate::Picture('\u{2421}'),
        // C1 controls, line and paragraph separators, bidi controls, interlinear
        // marks, tags and supplementary variation selectors, noncharacters.
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'..='\u{ffff}'
        | '\u{e0000}'..='\u{e0fff}' => Fate::Name,
        // Soft hyphen, fillers, zero-width space, marks, word joiner, byte order mark.
        '\u{ad}'
        | '\u{115f}'..='\u{1160}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'..='\u{200f}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{1d173}'..='\u{1d17a}' => Fate::Drop,
        '\u{200c}'..='\u{200d}' | '\u{fe00}'..='\u{fe0f}' => Fate::Joiner,
        _ => Fate::Keep,
    }
}

/// Says whether a joiner or variation selector has something to act on.
fn joins(previous: char, joiner: char) -> bool {
    let is_selector = ('\u{fe00}'..='\u{fe0f}').contains(&joiner);
    match fate(previous) {
        Fate::Keep if previous.is_ascii() => {
            is_selector && matches!(previous, '0'..='9' | '#' | '*')
        }
        Fate::Keep => true,
        // A joiner may follow a selector, as in many emoji; nothing else may pile up.
        Fate::Joiner => !is_selector && ('\u{fe00}'..='\u{fe0f}').contains(&previous),
        Fate::Picture(_) | Fate::Name | Fate::Drop => false,
    }
}

fn push_name(out: &mut String, c: char) {
    // Writing to a String cannot fail.
    let _ = write!(out, "<U+{:04X}>", u32::from(c));
}

#[cfg(test)]
mod tests;
