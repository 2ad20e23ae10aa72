//! What a client sends to the Messages API when it goes on with a session.
//!
//! [`rebuild`] turns the main thread of a file into the messages that stand before the next
//! prompt: cut at the last compaction, parts of one reply joined, tool calls paired with their
//! results, nothing in it that the API refuses. The rules are those of client 2.1.325, checked
//! against recordings of what it really sent. Blocks are passed on as bytes of the file, never
//! through a tree of values, so key order and number digits stay as they were.
//!
//! It does not make the context that a client adds anew on every start (git state, date, tool
//! lists); recorded renderings of it are included when [`Options::reminders`] says so.

use std::io::{self, Write};

use crate::graph::Graph;
use ravel_format::Source;

mod block;
mod line;
mod merge;
pub(crate) mod paper;
mod select;
#[cfg(test)]
mod tests;
mod text;
mod tidy;

pub use block::{ApiBlock, BlockKind};

/// Which conversation to rebuild, and how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// The entry to stop after; the end of the main thread when `None`.
    pub leaf: Option<usize>,
    /// Whether recorded `<system-reminder>` texts are included.
    pub reminders: bool,
}

/// The conversation before the next prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rebuilt {
    /// The messages in order.
    pub messages: Vec<ApiMessage>,
    /// What is on the thread but not in the messages, in thread order for each rule.
    pub dropped: Vec<Dropped>,
    /// How many entries of the thread a compaction left behind.
    pub n_compacted: usize,
}

/// One message of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: ApiContent,
    /// The entries it was made from; none when the client would make it up.
    pub entries: Vec<usize>,
}

/// Who speaks in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the API's own")]
pub enum Role {
    User,
    Assistant,
}

/// What a message says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApiContent {
    /// A bare string, as JSON with its quotes.
    Text(String),
    /// Content blocks.
    Blocks(Vec<ApiBlock>),
}

/// Something that is on the thread and not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dropped {
    /// The entry it is, or is a part of.
    pub entry: usize,
    /// Why it is not sent.
    pub reason: DropReason,
}

/// Why something on the thread is not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DropReason {
    /// A sub-agent wrote it.
    Sidechain,
    /// News for the screen: progress, or a system record that is no command output.
    NotAMessage,
    /// Context that a client makes anew.
    Reminder,
    /// An API error in the shape of a reply.
    ApiError,
    /// A reply of nothing but thinking.
    ThinkingOnly,
    /// A text of the model that is empty or white space.
    BlankText,
    /// A user message that says nothing.
    Empty,
    /// A tool result whose call is not right before it.
    ResultWithoutCall,
    /// A tool call whose result is not right after it.
    CallWithoutResult,
    /// A tool call or result with an id that was used before.
    Repeated,
    /// The record has no message that can be read.
    Unreadable,
}

/// Rebuilds the messages that a client sends before the next prompt.
pub fn rebuild(graph: &Graph<'_>, source: &dyn Source, options: &Options) -> Rebuilt {
    let selection = select::select(graph, source, options.leaf);
    let mut dropped = Vec::new();
    let lines = line::read_lines(graph, source, &selection, options, &mut dropped);
    let is_question = tidy::is_question(graph, &selection.entries, &lines);
    let lines = tidy::drop_unsendable(lines, &mut dropped);
    let lines = merge::join_replies(lines);
    let lines = tidy::pair_tools(lines, &mut dropped);
    let lines = tidy::drop_unsendable(lines, &mut dropped);
    let mut rebuilt = Rebuilt {
        messages: merge::merge(lines),
        dropped,
        n_compacted: selection.n_compacted,
    };
    if is_question {
        tidy::close(&mut rebuilt.messages);
    }
    rebuilt
}

impl Rebuilt {
    /// Adds the next prompt as a client does: it joins a user message that is last.
    pub fn push_prompt(&mut self, prompt: &str) {
        merge::push_prompt(&mut self.messages, prompt);
    }

    /// Writes the messages as one JSON array.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_list(out, &self.messages, |message, out| message.write_json(out))
    }
}

impl Role {
    /// Returns the name that the API knows the role by.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

impl ApiMessage {
    /// Returns the content blocks; none when the content is a bare string.
    pub fn blocks(&self) -> &[ApiBlock] {
        match &self.content {
            ApiContent::Text(_) => &[],
            ApiContent::Blocks(blocks) => blocks,
        }
    }

    /// Returns the texts in order, decoded: the bare string, or those of the text blocks.
    pub fn texts(&self) -> impl Iterator<Item = String> + '_ {
        let bare = match &self.content {
            ApiContent::Text(json) => Some(text::decode(json)),
            ApiContent::Blocks(_) => None,
        };
        let blocks = self.blocks().iter().filter_map(ApiBlock::text);
        bare.into_iter().chain(blocks)
    }

    /// Writes the message as one JSON object, without white space of its own.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{{\"role\":\"{}\",\"content\":", self.role.name())?;
        match &self.content {
            ApiContent::Text(json) => out.write_all(json.as_bytes())?,
            ApiContent::Blocks(blocks) => write_list(out, blocks, |block, out| {
                out.write_all(block.json().as_bytes())
            })?,
        }
        out.write_all(b"}")
    }
}

fn write_list<T>(
    out: &mut dyn Write,
    items: &[T],
    write: impl Fn(&T, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for (n_before, item) in items.iter().enumerate() {
        if n_before > 0 {
            out.write_all(b",")?;
        }
        write(item, out)?;
    }
    out.write_all(b"]")
}
