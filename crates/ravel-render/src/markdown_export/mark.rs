//! Text of a transcript made safe to stand in Markdown.

use pulldown_cmark::{Event, Parser};

use crate::markdown;
use crate::sanitize::{sanitize, sanitize_line};

/// Returns words on one line in which nothing is a mark.
pub(super) fn plain(text: &str) -> String {
    let mut escaped = String::new();
    for c in sanitize_line(text).trim().chars() {
        if matches!(
            c,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '&'
        ) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Returns text on one line as code.
pub(super) fn code_span(text: &str) -> String {
    let text = sanitize_line(text);
    let text = text.trim();
    if text.is_empty() {
        return String::new();
    }
    let marks = "`".repeat(longest_run(text, '`') + 1);
    // A space keeps a backtick at an edge apart from the marks; readers drop it.
    let space = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{marks}{space}{text}{space}{marks}")
}

/// Returns text as a code block, fenced so that nothing in it can end it.
pub(super) fn fenced(text: &str, language: &str) -> String {
    let text = sanitize(text);
    let text = text.trim_end_matches('\n');
    let fence = "`".repeat((longest_run(text, '`') + 1).max(3));
    format!("{fence}{language}\n{text}\n{fence}")
}

/// Returns Markdown as it was written, but without HTML and with every fence closed.
pub(super) fn prose(text: &str) -> String {
    let text = sanitize(text);
    let text = text.trim_end();
    if text.len() > markdown::MAX_BYTES {
        return fenced(text, "text");
    }
    let mut escaped = escape_html(text);
    if let Some(fence) = open_fence(&escaped) {
        escaped.push('\n');
        escaped.push_str(&fence);
    }
    escaped
}

/// Puts a backslash before what a reader would take for HTML.
fn escape_html(text: &str) -> String {
    let events = Parser::new_ext(text, markdown::syntax()).into_offset_iter();
    let mut escaped = String::with_capacity(text.len());
    let mut copied = 0;
    for (event, range) in events {
        let is_html = matches!(event, Event::Html(_) | Event::InlineHtml(_));
        if !is_html || range.start < copied {
            continue;
        }
        escaped.push_str(text.get(copied..range.start).unwrap_or_default());
        let html = text.get(range.clone()).unwrap_or_default();
        escaped.push_str(&html.replace('<', "\\<"));
        copied = range.end;
    }
    escaped.push_str(text.get(copied..).unwrap_or_default());
    escaped
}

/// Returns the fence that a text leaves open.
fn open_fence(text: &str) -> Option<String> {
    let mut open: Option<(char, usize)> = None;
    for line in text.lines() {
        // Fences inside lists and quotes end with them, or are closed here in vain.
        let line = line.trim_start();
        let Some(mark) = line.chars().next().filter(|c| matches!(c, '`' | '~')) else {
            continue;
        };
        let length = line.chars().take_while(|c| *c == mark).count();
        let rest = line.trim_start_matches(mark);
        match open {
            None if length >= 3 && !(mark == '`' && rest.contains('`')) => {
                open = Some((mark, length));
            }
            Some((own, n)) if own == mark && length >= n && rest.trim().is_empty() => open = None,
            _ => {}
        }
    }
    open.map(|(mark, length)| mark.to_string().repeat(length))
}

fn longest_run(text: &str, mark: char) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == mark { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}
