//! Text of transcripts, made fit to hand on.
//!
//! Transcripts are hostile and hold secrets. What goes out has no control characters, none that
//! reorder text, and no secrets; and what is long is cut in the middle, after masking, so that no
//! cut can hide what makes a secret known.

use ravel_model::secret::{MASK, find, mask};

use crate::recall::Secrets;

/// The longest line for titles, paths and the like, in characters.
const MAX_LINE: usize = 200;

/// How much of a very long text is looked at from each side. More than any answer can hold.
const MAX_SIDE: usize = 2 << 20;

/// Cleans a text: control characters, characters that reorder it, secrets.
pub(crate) fn clean(text: &str, secrets: Secrets) -> String {
    let (head, tail) = sides(text);
    let plain: String = match tail {
        None => head.chars().filter_map(visible).collect(),
        Some(tail) => {
            let gap = format!(
                "\n… [{} bytes left out] …\n",
                text.len() - head.len() - tail.len()
            );
            let chars = head.chars().chain(gap.chars()).chain(tail.chars());
            chars.filter_map(visible).collect()
        }
    };
    match secrets {
        Secrets::Masked => mask(&plain).into_owned(),
        Secrets::Shown => plain,
    }
}

/// Cleans a whole text, however long, and tells where what stood at `place` is then.
///
/// What was masked is where its mask is.
pub(crate) fn clean_around(text: &str, place: usize, secrets: Secrets) -> (String, usize) {
    let mut plain = String::with_capacity(text.len());
    let mut at = 0;
    for (start, letter) in text.char_indices() {
        if start <= place {
            at = plain.len();
        }
        plain.extend(visible(letter));
    }
    let found = match secrets {
        Secrets::Masked => find(&plain),
        Secrets::Shown => Vec::new(),
    };
    let mut masked = String::with_capacity(plain.len());
    let (mut done, mut masked_at) = (0, None);
    for secret in found {
        let before = plain.get(done..secret.range.start).unwrap_or_default();
        if at < secret.range.end {
            masked_at = masked_at.or(Some(
                masked.len() + before.len().min(at.saturating_sub(done)),
            ));
        }
        masked.push_str(before);
        masked.push_str(MASK);
        done = secret.range.end;
    }
    let masked_at = masked_at.unwrap_or(masked.len() + at.saturating_sub(done));
    masked.push_str(plain.get(done..).unwrap_or_default());
    (masked, masked_at)
}

/// Cleans a text and puts it on one line.
pub(crate) fn clean_line(text: &str, secrets: Secrets) -> String {
    let window = prefix(text, 16 * MAX_LINE);
    let clean = clean(window, secrets);
    let mut line = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = line.char_indices().nth(MAX_LINE) {
        line.truncate(at);
        line.push('…');
    }
    line
}

/// Cuts the middle out of a text that is longer than so many bytes.
pub(crate) fn cut_middle(text: &str, max_bytes: usize) -> String {
    if text.len() <= max_bytes {
        return text.to_owned();
    }
    // Room for the mark.
    let room = max_bytes.saturating_sub(48);
    let head = prefix(text, room * 2 / 3);
    let tail = suffix(text, room - room * 2 / 3);
    let n_cut = text.len() - head.len() - tail.len();
    format!("{head}\n… [{n_cut} bytes cut] …\n{tail}")
}

/// Returns the start of a text, at most so many bytes.
pub(crate) fn prefix(text: &str, max_bytes: usize) -> &str {
    let mut end = max_bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

fn suffix(text: &str, max_bytes: usize) -> &str {
    let mut start = text.len().saturating_sub(max_bytes);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or_default()
}

fn sides(text: &str) -> (&str, Option<&str>) {
    match text.len() > 2 * MAX_SIDE {
        true => (prefix(text, MAX_SIDE), Some(suffix(text, MAX_SIDE))),
        false => (text, None),
    }
}

/// Returns what is handed on of a character; `None` for what would act on a reader unseen.
fn visible(letter: char) -> Option<char> {
    match letter {
        '\n' | '\t' => Some(letter),
        letter if is_unseen(letter) => None,
        // Escape sequences stay readable, as the picture of the character that starts them.
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(letter)),
        '\u{7f}' => Some('␡'),
        '\u{80}'..='\u{9f}' | '\u{fff9}'..='\u{fffb}' => Some('\u{fffd}'),
        _ => Some(letter),
    }
}

/// Tells whether nobody sees a character: no width, another direction, or a tag, which is a letter
/// that only models read.
fn is_unseen(letter: char) -> bool {
    let has_no_width = matches!(
        letter,
        '\r' | '\u{ad}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}'
    );
    let turns = matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}');
    has_no_width || turns || matches!(letter, '\u{e0000}'..='\u{e0fff}')
}
