//! How many messages a session has.
//!
//! A message is a record of type `user`, `assistant` or (in an old dialect) `human`.
//! The type is found by text search. Only a line that also names a type which is
//! neither a message nor a usual content block is walked key by key, because such a
//! record may carry a whole message inside itself, as `progress` records do.

use std::sync::LazyLock;

use memchr::{memchr, memrchr};

use super::field::{self, Needle};

/// Values of `type` that occur inside a message and say nothing about the record.
const PARTS: [&[u8]; 14] = [
    b"message",
    b"text",
    b"thinking",
    b"redacted_thinking",
    b"tool_use",
    b"server_tool_use",
    b"tool_result",
    b"image",
    b"document",
    b"base64",
    b"ephemeral",
    b"create",
    b"update",
    b"direct",
];

static SIDECHAIN: LazyLock<[Needle; 2]> = LazyLock::new(|| {
    [
        Needle::new("\"isSidechain\":true"),
        Needle::new("\"isSidechain\": true"),
    ]
});

/// What was counted, and over how many bytes.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Census {
    n_messages: u64,
    n_bytes: u64,
    has_main_message: bool,
}

/// The lines of a text, as far as they name a type.
pub(super) struct Lines<'t> {
    text: &'t [u8],
    census: Census,
    /// Where the line that was seen last starts and ends.
    start: usize,
    end: usize,
    names_message: bool,
    is_unclear: bool,
}

impl Census {
    /// The number of messages in a file of this size.
    pub(super) fn estimate(&self, size: u64) -> u64 {
        if self.n_bytes == 0 || self.n_bytes == size {
            return self.n_messages;
        }
        let scaled = u128::from(self.n_messages) * u128::from(size) / u128::from(self.n_bytes);
        u64::try_from(scaled).unwrap_or(u64::MAX)
    }

    pub(super) fn is_sidechain_only(&self) -> bool {
        self.n_messages > 0 && !self.has_main_message
    }

    /// Begins to count in one more text.
    pub(super) fn lines<'t>(&self, text: &'t [u8]) -> Lines<'t> {
        Lines {
            text,
            census: Self {
                n_bytes: self.n_bytes + text.len() as u64,
                ..*self
            },
            start: 0,
            end: 0,
            names_message: false,
            is_unclear: false,
        }
    }
}

impl Lines<'_> {
    /// Takes in a `"type":` that stands from `at` to `after`. They come in order.
    pub(super) fn see_type(&mut self, at: usize, after: usize) {
        if at >= self.end {
            self.close_line();
            let (before, rest) = self.text.split_at(at.min(self.text.len()));
            self.start = memrchr(b'\n', before).map_or(0, |newline| newline + 1);
            self.end = memchr(b'\n', rest).map_or(self.text.len(), |newline| at + newline);
        }
        match field::string_at(self.text, after) {
            Some(name) if is_message_type(name) => self.names_message = true,
            Some(name) => self.is_unclear = self.is_unclear || !PARTS.contains(&name),
            None => {}
        }
    }

    /// The count so far, this text included.
    pub(super) fn finish(mut self) -> Census {
        self.close_line();
        self.census
    }

    fn close_line(&mut self) {
        let names_message = std::mem::take(&mut self.names_message);
        let is_unclear = std::mem::take(&mut self.is_unclear);
        let line = self.text.get(self.start..self.end).unwrap_or_default();
        if names_message && (!is_unclear || record_type(line).is_some_and(is_message_type)) {
            let census = &mut self.census;
            census.n_messages += 1;
            census.has_main_message = census.has_main_message || !is_sidechain(line);
        }
    }
}

/// Whether a line says that it belongs to a sub-agent.
pub(super) fn is_sidechain(line: &[u8]) -> bool {
    SIDECHAIN.iter().any(|needle| needle.occurs_in(line))
}

fn is_message_type(name: &[u8]) -> bool {
    matches!(name, b"user" | b"assistant" | b"human")
}

/// The record's own `type`: the one at the first level of the object.
fn record_type(line: &[u8]) -> Option<&[u8]> {
    let mut depth = 0_usize;
    let mut at = 0;
    loop {
        let rest = line.get(at..)?;
        let hit = rest
            .iter()
            .position(|byte| matches!(byte, b'"' | b'{' | b'}' | b'[' | b']'))?;
        at += hit + 1;
        match rest.get(hit)? {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {
                let inside = line.get(at..)?;
                let end = field::string_end(inside)?;
                at += end + 1;
                let is_type = depth == 1 && inside.get(..end) == Some(b"type");
                // A value "type" is not followed by a colon.
                let after = line.get(at..)?.trim_ascii_start();
                if is_type && let Some(value) = after.strip_prefix(b":") {
                    return field::string_at(value.trim_ascii_start(), 0);
                }
            }
        }
    }
}
