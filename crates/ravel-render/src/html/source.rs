//! Code, diffs and terminal output as HTML.
//!
//! Roles become one-letter classes, so highlighted code stays small. Line numbers
//! and signs of a diff are drawn by the style sheet: copying text copies the code.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped};

use super::escape::{push_clean, push_text};
use crate::amount::counted;
use crate::ansi;
use crate::code::{Language, highlight_quickly};
use crate::diff::{Diff, DiffLine, LineKind};
use crate::sanitize::sanitize;
use crate::style::{Role, Style};

/// Returns a block of code with its language and a copy button.
pub fn code_html(text: &str, language: Language<'_>) -> Markup {
    let mut out = String::with_capacity(text.len() * 2 + 128);
    push_code(&mut out, text, language);
    PreEscaped(out)
}

/// Where numbered code comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was there.
    Read,
    /// It is new.
    Written,
}

/// Returns code with the numbers of its lines, the first being `first`.
pub fn numbered_html(text: &str, first: u64, language: Language<'_>, origin: Origin) -> Markup {
    let mut out = String::with_capacity(text.len() * 2 + 256);
    out.push_str(match origin {
        Origin::Read => "<div class=\"numbered\"><pre class=\"gutter\" data-n=\"",
        Origin::Written => "<div class=\"numbered new\"><pre class=\"gutter\" data-n=\"",
    });
    let n_lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64;
    let last = first.saturating_add(n_lines - u64::from(text.ends_with('\n') && n_lines > 0));
    for number in first..=last {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{number}");
    }
    out.push_str("\"></pre><pre><code>");
    push_tokens(&mut out, text, language);
    out.push_str("</code></pre></div>");
    PreEscaped(out)
}

/// Returns text as it was written, line breaks and spaces kept.
pub fn text_html(text: &str) -> Markup {
    let mut out = String::with_capacity(text.len() + 32);
    out.push_str("<pre class=\"text\">");
    push_text(&mut out, text);
    out.push_str("</pre>");
    PreEscaped(out)
}

/// Returns JSON text, colored, for records and tool inputs nothing else can show.
pub fn json_html(json: &str) -> Markup {
    code_html(json, Language::Named("json"))
}

/// Returns a diff with numbers, signs and marked words, cut to `max_lines`.
pub fn diff_html(diff: &Diff, max_lines: usize) -> Markup {
    let mut out = String::from("<pre class=\"diff\">");
    let mut left = max_lines;
    for (index, hunk) in diff.hunks.iter().enumerate() {
        if left == 0 {
            break;
        }
        if index > 0 {
            out.push_str("<span class=\"skip\">⋮</span>");
        }
        hunk.lines
            .iter()
            .take(left)
            .for_each(|line| push_diff_line(&mut out, line));
        left -= hunk.lines.len().min(left);
    }
    let hidden = diff.n_lines().saturating_sub(max_lines);
    if hidden > 0 {
        let rest = counted(hidden, "more line");
        // Writing to a String cannot fail.
        let _ = write!(out, "<span class=\"skip\">… {rest}</span>");
    }
    out.push_str("</pre>");
    PreEscaped(out)
}

/// Returns a command with what it printed; colors of the output keep their meaning.
pub fn terminal_html(command: &str, output: &str) -> Markup {
    let mut out = String::with_capacity(command.len() + output.len() + 128);
    out.push_str("<pre class=\"terminal\">");
    if !command.is_empty() {
        out.push_str("<span class=\"command\">");
        push_text(&mut out, command);
        out.push_str("</span>");
    }
    let lines = if output.is_empty() {
        Vec::new()
    } else {
        ansi::lines(output)
    };
    for line in lines {
        for span in line.spans() {
            push_styled(&mut out, span.text(), span.style());
        }
        out.push('\n');
    }
    out.push_str("</pre>");
    PreEscaped(out)
}

pub(super) fn push_code(out: &mut String, text: &str, language: Language<'_>) {
    out.push_str("<figure class=\"code\"><figcaption><span>");
    push_text(out, language.label());
    out.push_str("</span><button type=\"button\" class=\"copy\">Copy</button></figcaption>");
    out.push_str("<pre><code>");
    push_tokens(out, text, language);
    out.push_str("</code></pre></figure>");
}

fn push_tokens(out: &mut String, text: &str, language: Language<'_>) {
    let clean = sanitize(text);
    for line in highlight_quickly(&clean, language) {
        for token in line {
            push_styled(out, token.text, Style::of(token.role));
        }
        out.push('\n');
    }
}

fn push_diff_line(out: &mut String, line: &DiffLine) {
    let (class, number) = match line.kind {
        LineKind::Context => ("", line.new_number),
        LineKind::Added => (" class=\"add\"", line.new_number),
        LineKind::Removed => (" class=\"del\"", line.old_number),
        LineKind::Note => (" class=\"note\"", None),
    };
    let number = number.map(|number| number.to_string()).unwrap_or_default();
    // Writing to a String cannot fail.
    let _ = write!(out, "<span{class} data-n=\"{number}\">");
    for piece in &line.pieces {
        if piece.is_changed {
            out.push_str("<mark>");
            push_text(out, &piece.text);
            out.push_str("</mark>");
        } else {
            push_text(out, &piece.text);
        }
    }
    out.push_str("\n</span>");
}

/// Appends sanitized text with the classes of its style, if it has any.
fn push_styled(out: &mut String, clean: &str, style: Style) {
    let role = role_class(style.role);
    let bold = if style.bold { "b" } else { "" };
    let dim = if style.dim { "d" } else { "" };
    let classes = [role, bold, dim];
    if classes.iter().all(|class| class.is_empty()) {
        push_clean(out, clean);
        return;
    }
    out.push_str("<span class=\"");
    let mut used = classes.iter().filter(|class| !class.is_empty());
    out.push_str(used.next().copied().unwrap_or_default());
    for class in used {
        out.push(' ');
        out.push_str(class);
    }
    out.push_str("\">");
    push_clean(out, clean);
    out.push_str("</span>");
}

fn role_class(role: Role) -> &'static str {
    match role {
        Role::Plain | Role::Prompt | Role::Reply | Role::Punctuation => "",
        Role::Muted | Role::Comment => "c",
        Role::Keyword | Role::Accent => "k",
        Role::Text | Role::Added | Role::AddedWord | Role::Success => "s",
        Role::Number | Role::Warning => "n",
        Role::Function | Role::Link => "f",
        Role::Type | Role::Code => "t",
        Role::Property => "p",
        Role::Heading => "h",
        Role::Removed | Role::RemovedWord | Role::Error => "e",
    }
}
