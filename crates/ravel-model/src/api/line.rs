//! What each entry contributes to the conversation.

use ravel_format::{Entry, Facet, Flags, Id, Json, JsonKind, Kind, Record, Source, with_record};

use crate::graph::Graph;

use super::block::{ApiBlock, BlockKind};
use super::select::Selection;
use super::{DropReason, Dropped, Options, Role, paper, text};

/// One entry's part of a message.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) entry: usize,
    pub(super) role: Role,
    /// The reply it is a part of.
    pub(super) message: Option<Id>,
    pub(super) origin: Origin,
    pub(super) blocks: Vec<ApiBlock>,
    /// Whether it was put back from beside the chain of parents.
    pub(super) is_aside: bool,
    /// Whether the content is a string in the file, not a list.
    pub(super) is_bare: bool,
}

/// How words came into the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// As a message of its own.
    Said,
    /// Typed while the model was at work: it goes to the model with the tool results.
    Queued,
    /// Put in by the client.
    Reminder,
}

impl Line {
    pub(super) fn new(entry: usize, role: Role, blocks: Vec<ApiBlock>) -> Self {
        Self {
            entry,
            role,
            message: None,
            origin: Origin::Said,
            blocks,
            is_aside: false,
            is_bare: false,
        }
    }

    pub(super) fn is_all(&self, kind: BlockKind) -> bool {
        self.blocks.iter().all(|block| block.kind() == kind)
    }

    pub(super) fn has(&self, kind: BlockKind) -> bool {
        self.blocks.iter().any(|block| block.kind() == kind)
    }
}

/// Reads the entries that are sent, in order, and notes the others.
pub(super) fn read_lines(
    graph: &Graph<'_>,
    source: &dyn Source,
    selection: &Selection,
    options: &Options,
    dropped: &mut Vec<Dropped>,
) -> Vec<Line> {
    let entries = &selection.entries;
    let asked_for = options.leaf.and_then(|leaf| graph.entry(leaf));
    let reader = Reader {
        options,
        // The file of a sub-agent is a conversation too, and so is one that was asked for.
        is_sidechain: graph.is_agent_file()
            || asked_for.is_some_and(|entry| entry.has(Flags::SIDECHAIN)),
    };
    let mut lines = Vec::new();
    let mut rest = entries.iter().copied().peekable();
    while let Some(index) = rest.next() {
        let Some(entry) = graph.entry(index) else {
            continue;
        };
        let answer = rest.peek().and_then(|&next| {
            let content = paper::read_answer(source, graph.entry(next)?)?;
            Some((next, content))
        });
        let read = with_record(source, entry, |record| {
            reader.read(index, entry, record, answer)
        });
        match read {
            Ok(Read::Line(line)) => lines.push(Line {
                is_aside: selection.aside.contains(&index),
                ..line
            }),
            Ok(Read::Exchange(exchange)) => {
                lines.extend(*exchange);
                rest.next();
            }
            Err(reason) => dropped.push(Dropped {
                entry: index,
                reason,
            }),
        }
    }
    lines
}

/// What came out of an entry.
pub(super) enum Read {
    Line(Line),
    /// A call together with the next entry, which answers it.
    Exchange(Box<[Line; 2]>),
}

struct Reader<'a> {
    options: &'a Options,
    is_sidechain: bool,
}

impl Reader<'_> {
    fn read(
        &self,
        index: usize,
        entry: &Entry,
        record: &Record<'_>,
        answer: Option<(usize, String)>,
    ) -> Result<Read, DropReason> {
        if entry.has(Flags::SIDECHAIN) && !self.is_sidechain {
            return Err(DropReason::Sidechain);
        }
        match entry.kind {
            Kind::Assistant if is_api_error(entry, record) => Err(DropReason::ApiError),
            Kind::Assistant if record.get("toolName").is_some() => {
                paper::read_call(index, record, answer)
            }
            Kind::Assistant => read_message(index, Role::Assistant, record).map(|line| {
                let message = entry.message;
                Read::Line(Line { message, ..line })
            }),
            kind if kind.is_user() => read_message(index, Role::User, record).map(Read::Line),
            Kind::System if entry.facet == Facet::LocalCommand => {
                read_body(index, Role::User, record.get("content")).map(Read::Line)
            }
            Kind::Attachment => self.read_attachment(index, record).map(Read::Line),
            _ => Err(DropReason::NotAMessage),
        }
    }

    fn read_attachment(&self, index: usize, record: &Record<'_>) -> Result<Line, DropReason> {
        let is_queued = is_queued_prompt(record);
        if !is_queued && !self.options.reminders {
            return Err(DropReason::Reminder);
        }
        let rendered = record.get("rendered").map(rendered_blocks);
        let prompt = || {
            let prompt = record.json?.at(&["attachment", "prompt"]);
            Some(body_blocks(prompt.filter(|_| is_queued)?)?.0)
        };
        let blocks = rendered.filter(|blocks| !blocks.is_empty()).or_else(prompt);
        Ok(Line {
            origin: if is_queued {
                Origin::Queued
            } else {
                Origin::Reminder
            },
            ..Line::new(index, Role::User, blocks.ok_or(DropReason::Reminder)?)
        })
    }
}

/// Only errors that the client made up are errors; a model may be quoted with the same flag.
fn is_api_error(entry: &Entry, record: &Record<'_>) -> bool {
    let model = record.json.and_then(|json| json.at(&["message", "model"]));
    entry.has(Flags::API_ERROR) && (entry.has(Flags::SYNTHETIC) || model.is_none())
}

/// Tells plain words of the user from what a client wraps or puts under the system's name.
fn is_queued_prompt(record: &Record<'_>) -> bool {
    let says = |path: &[&str], value: &str| {
        let json = record.json.and_then(|json| json.at(path));
        json.and_then(Json::text).is_some_and(|text| text.is(value))
    };
    let is_wrapped = |item: Json<'_>| {
        let content = item.get("content").and_then(Json::str);
        content.is_some_and(|content| content.starts_with("<system-reminder>"))
    };
    let rendered = record.get("rendered");
    says(&["attachment", "type"], "queued_command")
        && !says(&["attachment", "commandMode"], "task-notification")
        && !says(&["renderedRole"], "system")
        && !rendered.is_some_and(|rendered| rendered.items().any(is_wrapped))
}

fn rendered_blocks(rendered: Json<'_>) -> Vec<ApiBlock> {
    let contents = rendered.items().filter_map(|item| item.get("content"));
    contents
        .filter_map(body_blocks)
        .flat_map(|(blocks, _)| blocks)
        .collect()
}

fn read_message(index: usize, role: Role, record: &Record<'_>) -> Result<Line, DropReason> {
    let message = record.get("message");
    let content = match message.map(Json::kind) {
        // Seed 001: the message is its text.
        Some(JsonKind::Text) => message,
        Some(JsonKind::Object) => message.and_then(|message| message.get("content")),
        _ => record.get("content"),
    };
    read_body(index, role, content)
}

fn read_body(index: usize, role: Role, content: Option<Json<'_>>) -> Result<Line, DropReason> {
    let (blocks, is_bare) = content
        .and_then(body_blocks)
        .ok_or(DropReason::Unreadable)?;
    Ok(Line {
        is_bare,
        ..Line::new(index, role, blocks)
    })
}

/// Reads content in any shape; the flag tells whether it is a string.
fn body_blocks(content: Json<'_>) -> Option<(Vec<ApiBlock>, bool)> {
    match content.kind() {
        JsonKind::Text => Some((vec![ApiBlock::from_string(&text::clean(content))], true)),
        JsonKind::Array => Some((
            content.items().filter_map(ApiBlock::from_json).collect(),
            false,
        )),
        JsonKind::Object => Some((vec![ApiBlock::from_json(content)?], false)),
        _ => None,
    }
}
