//! Pasted text in place of its placeholder.
//!
//! The client shows `[Pasted text #1 +39 lines]` and keeps the text beside it or in the paste
//! cache. A text that is no longer kept leaves its placeholder where it is.

use ravel_home::{HistoryEntry, Home, PastedContent, load_paste};

#[cfg(test)]
mod tests;

/// Returns the text of an entry with everything pasted put in.
pub(crate) fn expand(home: &Home, entry: &HistoryEntry) -> String {
    put_in(&entry.display, |id| {
        let paste = entry.pasted.iter().find(|paste| paste.id == id)?;
        content(home, paste)
    })
}

/// Returns a pasted text; one that cannot be read is as good as gone.
fn content(home: &Home, paste: &PastedContent) -> Option<String> {
    let cached = || load_paste(home, paste.content_hash.as_deref()?).ok()?;
    paste.content.clone().or_else(cached)
}

fn put_in(text: &str, paste: impl Fn(&str) -> Option<String>) -> String {
    const OPENING: &str = "[Pasted text #";
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(OPENING) {
        expanded.push_str(before);
        let digits = after.find(|c: char| !c.is_ascii_digit());
        let (id, tail) = after.split_at(digits.unwrap_or(after.len()));
        // A placeholder stays on its line: a bracket far away belongs to something else.
        let end = tail
            .find([']', '\n'])
            .filter(|&at| tail.get(at..=at) == Some("]"));
        match end.and_then(|end| Some((paste(id)?, tail.get(end + 1..)?))) {
            Some((pasted, next)) => {
                expanded.push_str(&pasted);
                rest = next;
            }
            None => {
                expanded.push_str(OPENING);
                rest = after;
            }
        }
    }
    expanded.push_str(rest);
    expanded
}
