//! Just enough of Rust's grammar to measure functions and to follow `mod`.
//!
//! [`mask`] blanks out everything that is not code (comments, strings, character
//! literals) and keeps every line where it was, so the checks can search plain
//! text. It is no parser: macros that build functions are not seen.

/// A function and the lines it spans.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) first_line: usize,
    pub(super) last_line: usize,
}

/// Returns the source with comments and literals replaced by blanks.
pub(super) fn mask(source: &str) -> String {
    let bytes = source.as_bytes();
    let mut masked = String::with_capacity(source.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let Some(end) = literal_end(bytes, at) else {
            masked.push(if byte.is_ascii() {
                char::from(byte)
            } else {
                ' '
            });
            at += 1;
            continue;
        };
        for skipped in bytes.get(at..end).unwrap_or_default() {
            masked.push(if *skipped == b'\n' { '\n' } else { ' ' });
        }
        at = end;
    }
    masked
}

/// Returns where the comment or literal that starts at `at` ends, if one does.
fn literal_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let previous = at
        .checked_sub(1)
        .and_then(|index| bytes.get(index))
        .copied();
    let in_word = previous.is_some_and(is_word);
    if rest.starts_with(b"//") {
        return Some(at + find(rest, b"\n").unwrap_or(rest.len()));
    }
    if rest.starts_with(b"/*") {
        return Some(at + block_comment_length(rest));
    }
    match rest.first()? {
        b'"' => Some(at + string_length(rest)),
        b'r' | b'b' | b'c' if !in_word => raw_string_length(rest).map(|length| at + length),
        b'\'' => char_length(rest).map(|length| at + length),
        _ => None,
    }
}

/// Block comments nest.
fn block_comment_length(rest: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(pair) = rest.get(at..at + 2) {
        match pair {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn string_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// `r"…"`, `r#"…"#`, `br"…"`, `cr"…"`; anything else that starts alike is a word.
fn raw_string_length(rest: &[u8]) -> Option<usize> {
    let prefix = rest
        .iter()
        .take_while(|byte| matches!(byte, b'r' | b'b' | b'c'))
        .count();
    if prefix > 2 || !rest.get(..prefix)?.contains(&b'r') {
        return None;
    }
    let after = rest.get(prefix..)?;
    let hashes = after.iter().take_while(|byte| **byte == b'#').count();
    if after.get(hashes) != Some(&b'"') {
        return None;
    }
    let mut closing = vec![b'"'];
    closing.extend(std::iter::repeat_n(b'#', hashes));
    let body = after.get(hashes + 1..)?;
    let end = find(body, &closing).map_or(body.len(), |end| end + closing.len());
    Some(prefix + hashes + 1 + end)
}

/// A character literal, unless the quote starts a lifetime.
fn char_length(rest: &[u8]) -> Option<usize> {
    if rest.get(1) == Some(&b'\\') {
        let body = rest.get(3..)?;
        return find(body, b"'").map(|end| end + 4);
    }
    let text = rest.get(1..rest.len().min(6))?;
    let width = text
        .utf8_chunks()
        .next()?
        .valid()
        .chars()
        .next()?
        .len_utf8();
    (rest.get(1 + width) == Some(&b'\'')).then_some(width + 2)
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the functions with bodies in masked source, outer ones before inner ones.
pub(super) fn functions(masked: &str) -> Vec<Function> {
    let mut found = Vec::new();
    for start in word_starts(masked, "fn") {
        let after = masked.get(start + 2..).unwrap_or_default();
        let name: String = after
            .trim_start()
            .bytes()
            .take_while(|byte| is_word(*byte))
            .map(char::from)
            .collect();
        if name.is_empty() {
            continue; // A function pointer type, `fn(u8) -> u8`.
        }
        let Some(length) = body_end(after) else {
            continue;
        };
        found.push(Function {
            name,
            first_line: line_of(masked, start),
            last_line: line_of(masked, start + 2 + length),
        });
    }
    found
}

/// Returns the offset of the brace that closes the body, or `None` for a bare signature.
fn body_end(after: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut nesting = 0_usize;
    for (offset, byte) in after.bytes().enumerate() {
        match byte {
            b'(' | b'[' => nesting += 1,
            b')' | b']' => nesting = nesting.saturating_sub(1),
            b';' if depth == 0 && nesting == 0 => return None,
            b'{' => depth += 1,
            b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 && nesting == 0 {
                    return Some(offset);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the names of modules declared without a body (`mod name;`).
pub(super) fn declared_modules(masked: &str) -> Vec<String> {
    word_starts(masked, "mod")
        .filter_map(|start| {
            let after = masked.get(start + 3..)?.trim_start();
            let name: String = after
                .bytes()
                .take_while(|byte| is_word(*byte))
                .map(char::from)
                .collect();
            let ends = after.get(name.len()..)?.trim_start().starts_with(';');
            (ends && !name.is_empty()).then_some(name)
        })
        .collect()
}

/// Returns the lines (counted from 1) of `#[cfg(test)] mod … { … }`.
pub(super) fn test_module_lines(masked: &str) -> usize {
    let marker = "#[cfg(test)]";
    let Some(start) = masked.find(marker) else {
        return 0;
    };
    let after = masked.get(start + marker.len()..).unwrap_or_default();
    if !after.trim_start().starts_with("mod") {
        return 0;
    }
    let Some(length) = body_end(after) else {
        return 0;
    };
    line_of(masked, start + marker.len() + length) - line_of(masked, start) + 1
}

/// Returns the line of a byte offset, counted from 1.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    text.bytes()
        .take(offset)
        .filter(|byte| *byte == b'\n')
        .count()
        + 1
}

fn word_starts<'a>(masked: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let bytes = masked.as_bytes();
    masked
        .match_indices(word)
        .map(|(start, _)| start)
        .filter(move |start| {
            let before = start.checked_sub(1).and_then(|index| bytes.get(index));
            let after = bytes.get(start + word.len());
            !before.copied().is_some_and(is_word) && !after.copied().is_some_and(is_word)
        })
}

#[cfg(test)]
mod tests;
