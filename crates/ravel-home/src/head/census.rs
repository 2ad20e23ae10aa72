//! How many messages a session has.
//!
//! A message is a record of type `user`, `assistant` or (in an old dialect) `human`.
//! The type is found by text search. Only a line that also names a type which is
//! neither a message nor a usual content block is walked key by key, because such a
//! record may carry a whole message inside itself, as `progress` records do.

use std::sync::LazyLock;

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

static TYPE: LazyLock<Needle> = LazyLock::new(|| Needle::new("\"type\":"));
static SIDECHAIN: LazyLock<[Needle; 2]> = LazyLock::new(|| {
    [
        Needle::new("\"isSidechain\":true"),
        Needle::new("\"isSidechain\": true"),
    ]
});

/// What was counted, and over how many bytes.
#[derive(Debug, Default)]
pub(super) struct Census {
    n_messages: u64,
    n_bytes: u64,
    has_main_message: bool,
    pub(super) is_exact: bool,
}

impl Census {
    /// The number of messages in a file of this size.
    pub(super) fn estimate(&self, size: u64) -> u64 {
        if self.is_exact || self.n_bytes == 0 {
            return self.n_messages;
        }
        let scaled = u128::from(self.n_messages) * u128::from(size) / u128::from(self.n_bytes);
        u64::try_from(scaled).unwrap_or(u64::MAX)
    }

    pub(super) fn is_sidechain_only(&self) -> bool {
        self.n_messages > 0 && !self.has_main_message
    }

    fn count(&mut self, text: &[u8]) {
        self.n_bytes += text.len() as u64;
        let mut rest = text;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1);
            let (line, following) = rest.split_at(end);
            if is_message(line) {
                self.n_messages += 1;
                self.has_main_message = self.has_main_message || !is_sidechain(line);
            }
            rest = following;
        }
    }
}

/// Counts the whole text when there is one, else the full lines of both ends.
pub(super) fn take(head: &[u8], tail: &[u8], whole: Option<&[u8]>) -> Census {
    let mut census = Census::default();
    if let Some(whole) = whole {
        census.is_exact = true;
        census.count(whole);
        return census;
    }
    let head_end = memchr::memrchr(b'\n', head).map_or(0, |newline| newline + 1);
    let tail_start = memchr::memchr(b'\n', tail).map_or(tail.len(), |newline| newline + 1);
    census.count(head.get(..head_end).unwrap_or_default());
    census.count(tail.get(tail_start..).unwrap_or_default());
    census
}

/// Whether a line says that it belongs to a sub-agent.
pub(super) fn is_sidechain(line: &[u8]) -> bool {
    SIDECHAIN.iter().any(|needle| needle.occurs_in(line))
}

fn is_message(line: &[u8]) -> bool {
    let mut names_message = false;
    let mut is_unclear = false;
    for at in TYPE.positions(line) {
        match field::string_at(line, at + TYPE.len()) {
            Some(b"user" | b"assistant" | b"human") => names_message = true,
            Some(other) => is_unclear = is_unclear || !PARTS.contains(&other),
            None => {}
        }
    }
    names_message && (!is_unclear || record_type(line).is_some_and(is_message_type))
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
