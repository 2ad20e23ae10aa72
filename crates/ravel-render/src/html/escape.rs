//! Writes transcript text into HTML.

use maud::{Markup, PreEscaped};

use crate::sanitize::sanitize;

/// Appends `text`, sanitized and escaped for element content and quoted attributes.
pub(super) fn push_text(out: &mut String, text: &str) {
    push_clean(out, &sanitize(text));
}

/// Appends text that is sanitized already, escaped.
pub(super) fn push_clean(out: &mut String, clean: &str) {
    let mut rest = clean;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
        let (before, special) = rest.split_at(at);
        out.push_str(before);
        out.push_str(match special.as_bytes().first() {
            Some(b'&') => "&amp;",
            Some(b'<') => "&lt;",
            Some(b'>') => "&gt;",
            Some(b'"') => "&quot;",
            _ => "&#39;",
        });
        rest = special.get(1..).unwrap_or_default();
    }
    out.push_str(rest);
}

/// Returns `text` ready to stand in a page.
pub(super) fn safe(text: &str) -> Markup {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    push_text(&mut out, text);
    PreEscaped(out)
}
