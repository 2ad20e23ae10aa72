//! Lines into messages.
//!
//! The blocks of one reply stand on several lines, sometimes with a result between them; what
//! the user's side says in a row is one message. Where two texts meet in it, the earlier one
//! gets a line end, so that the model does not read them as one sentence.

use rustc_hash::FxHashMap;

use super::block::{ApiBlock, BlockKind};
use super::line::{Line, Origin};
use super::{ApiContent, ApiMessage, Role, text};

/// Moves the lines of each reply next to each other, past results but not past words.
pub(super) fn join_replies(lines: Vec<Line>) -> Vec<Line> {
    let mut groups: Vec<Vec<Line>> = Vec::new();
    let mut replies = FxHashMap::default();
    for line in lines {
        let is_words = line.origin == Origin::Said && !line.is_all(BlockKind::ToolResult);
        if line.role == Role::User && is_words {
            replies = FxHashMap::default();
        }
        let Some(message) = line.message else {
            groups.push(vec![line]);
            continue;
        };
        let group = *replies.entry(message).or_insert(groups.len());
        match groups.get_mut(group) {
            Some(group) => group.push(line),
            None => groups.push(vec![line]),
        }
    }
    groups.into_iter().flatten().collect()
}

/// Makes the messages.
pub(super) fn merge(lines: Vec<Line>) -> Vec<ApiMessage> {
    let mut messages: Vec<ApiMessage> = Vec::new();
    let mut last_reply = None;
    let mut user_run = Vec::new();
    for line in lines {
        if line.role == Role::User {
            user_run.push(line);
            last_reply = None;
            continue;
        }
        messages.extend(merge_user(std::mem::take(&mut user_run)));
        let is_same = line.message.is_some() && line.message == last_reply;
        last_reply = line.message;
        match messages.last_mut() {
            Some(message) if is_same => extend(message, line),
            _ => messages.push(ApiMessage {
                role: Role::Assistant,
                content: ApiContent::Blocks(line.blocks),
                entries: vec![line.entry],
            }),
        }
    }
    messages.extend(merge_user(user_run));
    messages
}

/// Adds the next prompt.
pub(super) fn push_prompt(messages: &mut Vec<ApiMessage>, prompt: &str) {
    let quoted = text::quote(prompt);
    let last = messages.last_mut().filter(|last| last.role == Role::User);
    let Some(last) = last else {
        messages.push(ApiMessage {
            role: Role::User,
            content: ApiContent::Text(quoted),
            entries: Vec::new(),
        });
        return;
    };
    if let ApiContent::Text(bare) = &last.content {
        last.content = ApiContent::Blocks(vec![ApiBlock::from_string(bare)]);
    }
    if let ApiContent::Blocks(blocks) = &mut last.content {
        if let Some(before) = blocks.last_mut() {
            before.add_line_end();
        }
        blocks.push(ApiBlock::from_string(&quoted));
    }
}

fn extend(message: &mut ApiMessage, line: Line) {
    if let ApiContent::Blocks(blocks) = &mut message.content {
        blocks.extend(line.blocks);
        message.entries.push(line.entry);
    }
}

fn merge_user(run: Vec<Line>) -> Option<ApiMessage> {
    let n_lines = run.len();
    let mut draft = Draft::default();
    for line in lift_attachments(run) {
        draft.add(line);
    }
    let mut blocks = in_file_order(draft.results, draft.aside);
    blocks.append(&mut draft.rest);
    let content = match blocks.pop() {
        None => return None,
        Some(only) if n_lines == 1 && draft.is_bare => ApiContent::Text(only.into_quoted_text()),
        Some(last) => {
            blocks.push(last);
            ApiContent::Blocks(blocks)
        }
    };
    Some(ApiMessage {
        role: Role::User,
        content,
        entries: draft.entries,
    })
}

/// Moves what the client attached to a prompt before it, but not before a tool result.
fn lift_attachments(run: Vec<Line>) -> Vec<Line> {
    let (mut lifted, mut attached, mut said) = (Vec::new(), Vec::new(), Vec::new());
    for line in run {
        if line.origin != Origin::Said {
            attached.push(line);
        } else if line.has(BlockKind::ToolResult) {
            lifted.append(&mut attached);
            lifted.append(&mut said);
            lifted.push(line);
        } else {
            said.push(line);
        }
    }
    lifted.append(&mut attached);
    lifted.append(&mut said);
    lifted
}

/// Puts results from beside the chain where they were written among those of the chain.
fn in_file_order(
    chain: Vec<(usize, ApiBlock)>,
    mut aside: Vec<(usize, ApiBlock)>,
) -> Vec<ApiBlock> {
    aside.sort_by_key(|(entry, _)| *entry);
    let mut aside = aside.into_iter().peekable();
    let mut blocks = Vec::new();
    for (entry, block) in chain {
        while let Some((_, earlier)) = aside.next_if(|(other, _)| *other < entry) {
            blocks.push(earlier);
        }
        blocks.push(block);
    }
    blocks.extend(aside.map(|(_, block)| block));
    blocks
}

/// A user message in the making: results go first, whenever they come.
#[derive(Default)]
struct Draft {
    entries: Vec<usize>,
    results: Vec<(usize, ApiBlock)>,
    /// Results from beside the chain, which find their places at the end.
    aside: Vec<(usize, ApiBlock)>,
    rest: Vec<ApiBlock>,
    is_bare: bool,
    ends_in_text: bool,
}

impl Draft {
    fn add(&mut self, line: Line) {
        let is_first = self.entries.is_empty();
        self.entries.push(line.entry);
        if line.origin == Origin::Queued && self.fold(&line.blocks) {
            return;
        }
        let is_text =
            |block: Option<&ApiBlock>| block.is_some_and(|block| block.kind() == BlockKind::Text);
        let joins = line.origin != Origin::Reminder;
        if joins && self.ends_in_text && is_text(line.blocks.first()) {
            self.rest.last_mut().map(ApiBlock::add_line_end);
        }
        let ends_in_text = is_text(line.blocks.last());
        let (results, rest): (Vec<_>, Vec<_>) = line
            .blocks
            .into_iter()
            .partition(|block| block.kind() == BlockKind::ToolResult);
        let list = if line.is_aside {
            &mut self.aside
        } else {
            &mut self.results
        };
        list.extend(results.into_iter().map(|result| (line.entry, result)));
        self.rest.extend(rest);
        self.is_bare = line.is_bare;
        // Results move to the front with the first join, so a text before them is last then.
        self.ends_in_text = joins && (ends_in_text || !is_first && is_text(self.rest.last()));
    }

    /// Adds words that came with a tool result to that result.
    fn fold(&mut self, blocks: &[ApiBlock]) -> bool {
        let texts: Option<Vec<String>> = blocks.iter().map(ApiBlock::text).collect();
        let result = self.results.last_mut().or(self.aside.last_mut());
        match (result, texts) {
            (Some((_, result)), Some(texts)) => result.fold_text(&texts.join("\n\n")),
            _ => false,
        }
    }
}
