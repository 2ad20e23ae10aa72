//! Reads recorded terminal output: colors become roles, all else is dropped.
//!
//! A command's output keeps the meaning of its colors (red is an error, green is
//! success) in our own palette. Cursor movement, titles and the like are removed;
//! a carriage return means that a progress line was drawn over, so only what was
//! drawn last on that line is kept.

use crate::sanitize::{opens_sequence, sanitize, sequence_length};
use crate::style::{Line, Role, Span, Style};

/// Returns the lines of recorded terminal output, styled by its own colors.
pub fn lines(output: &str) -> Vec<Line> {
    let output = output.strip_suffix('\n').unwrap_or(output);
    let mut style = Style::PLAIN;
    output
        .split('\n')
        .map(|line| read_line(line.strip_suffix('\r').unwrap_or(line), &mut style))
        .collect()
}

fn read_line(line: &str, style: &mut Style) -> Line {
    let mut out = Line::new();
    for drawn in line.split('\r') {
        // An empty redraw leaves what is there: it only moved the cursor.
        if !drawn.is_empty() {
            out = Line::new();
            read_drawn(drawn, style, &mut out);
        }
    }
    out
}

fn read_drawn(text: &str, style: &mut Style, out: &mut Line) {
    let mut rest = text;
    while let Some(at) = rest.find(opens_sequence) {
        let (before, sequence) = rest.split_at(at);
        push(before, *style, out);
        let length = sequence_length(sequence).unwrap_or_else(|| {
            let opener = sequence.chars().next().map_or(1, char::len_utf8);
            push(sequence.get(..opener).unwrap_or_default(), *style, out);
            opener
        });
        if let Some(codes) = color_codes(sequence.get(..length).unwrap_or_default()) {
            apply(codes, style);
        }
        rest = sequence.get(length..).unwrap_or_default();
    }
    push(rest, *style, out);
}

fn push(text: &str, style: Style, out: &mut Line) {
    if !text.is_empty() {
        out.push(Span::clean(sanitize(text).into_owned(), style));
    }
}

/// Returns the parameters of a sequence that sets colors and attributes.
fn color_codes(sequence: &str) -> Option<&str> {
    let body = sequence
        .strip_prefix("\u{1b}[")
        .or_else(|| sequence.strip_prefix('\u{9b}'))?;
    let codes = body.strip_suffix('m')?;
    codes
        .bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b';' | b':'))
        .then_some(codes)
}

fn apply(codes: &str, style: &mut Style) {
    let mut numbers = codes
        .split([';', ':'])
        .map(|code| code.parse::<u16>().unwrap_or(0));
    while let Some(code) = numbers.next() {
        match code {
            0 => *style = Style::PLAIN,
            1 => style.bold = true,
            2 => style.dim = true,
            3 => style.italic = true,
            4 => style.underline = true,
            9 => style.strike = true,
            22 => (style.bold, style.dim) = (false, false),
            23 => style.italic = false,
            24 => style.underline = false,
            29 => style.strike = false,
            30..=37 | 39 | 90..=97 => style.role = role(code),
            // Extended colors have no meaning we know: their parameters are skipped.
            38 | 48 => match numbers.next() {
                Some(5) => drop(numbers.next()),
                Some(2) => drop(numbers.nth(2)),
                _ => {}
            },
            _ => {}
        }
    }
}

fn role(code: u16) -> Role {
    match code {
        31 | 91 => Role::Error,
        32 | 92 => Role::Success,
        33 | 93 => Role::Warning,
        34 | 94 => Role::Link,
        35 | 95 => Role::Accent,
        36 | 96 => Role::Code,
        90 => Role::Muted,
        _ => Role::Plain,
    }
}

#[cfg(test)]
mod tests;
