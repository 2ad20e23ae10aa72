//! The texts of messages.

use std::borrow::Cow;

use ravel_format::{
    Content, ContentBlock, DocumentBlock, ImageSource, Json, JsonText, Kind, Record,
    ToolResultBlock, ToolUseBlock, Voice,
};

use super::leaf::{self, Leaves};
use super::{Passage, Role};

/// Returns the texts of a reply.
pub(super) fn replied<'a>(record: &Record<'a>) -> Vec<Passage<'a>> {
    let Some(message) = record.message() else {
        return Vec::new();
    };
    let marks = Marks::of(record);
    let role = match () {
        () if marks.is_api_error || message.is_synthetic() => Role::Other,
        // Seed 001: the subtype tells thinking from words.
        () if marks.is_thinking => Role::Thinking,
        () => Role::Reply,
    };
    let model = message.model.map(JsonText::decode);
    let blocks = message.content.blocks().enumerate();
    let passage = |(block, content)| Passage {
        block,
        model: model.clone(),
        ..of_block(content, role)
    };
    blocks.map(passage).collect()
}

/// Returns the texts of a record with the user's role.
pub(super) fn said<'a>(record: &Record<'a>, kind: Kind) -> Vec<Passage<'a>> {
    let Some(message) = record.message() else {
        return Vec::new();
    };
    let marks = Marks::of(record);
    let is_result = |block| matches!(block, ContentBlock::ToolResult(_));
    let is_kept = matches!(kind, Kind::CompactPrelude | Kind::CompactRecap);
    let has_result = message.content.blocks().any(is_result);
    let role = match () {
        () if marks.is_hidden || is_kept || has_result => Role::Other,
        () if kind == Kind::ToolResult => Role::ToolResult,
        () => Role::Prompt,
    };
    let blocks = message.content.blocks().enumerate();
    let passage = |(block, content)| {
        let mut passage = Passage {
            block,
            ..of_block(content, role)
        };
        match passage.role {
            Role::ToolResult => passage.path.clone_from(&marks.path),
            Role::Prompt => heed_voice(&mut passage),
            _ => {}
        }
        passage
    };
    blocks.map(passage).collect()
}

/// Tells what a person typed from what the client says for them.
fn heed_voice(passage: &mut Passage<'_>) {
    let voice = Voice::of(passage.text.as_bytes());
    if !matches!(voice, Voice::Words | Voice::Command | Voice::ShellInput) {
        passage.role = Role::Other;
    }
    let is_tagged = matches!(
        voice,
        Voice::Command | Voice::CommandOutput | Voice::ShellInput | Voice::ShellOutput
    );
    if is_tagged {
        passage.text = without_tags(&passage.text).into();
    }
}

/// Takes out the tags that commands and their outputs are recorded in.
pub(super) fn without_tags(text: &str) -> String {
    const TAGS: [&str; 8] = [
        "command-name",
        "command-message",
        "command-args",
        "local-command-stdout",
        "local-command-stderr",
        "bash-input",
        "bash-stdout",
        "bash-stderr",
    ];
    let mut left = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, from_tag)) = rest.split_once('<') {
        left.push_str(before);
        let name = from_tag.strip_prefix('/').unwrap_or(from_tag);
        let after = |tag: &&str| name.strip_prefix(*tag)?.strip_prefix('>');
        rest = match TAGS.iter().find_map(after) {
            Some(after) => {
                left.push('\n');
                after
            }
            None => {
                left.push('<');
                from_tag
            }
        };
    }
    left.push_str(rest);
    let lines = left.lines().map(str::trim_end);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

/// What a record says about itself and its tools, beside the message.
#[derive(Default)]
struct Marks<'a> {
    is_hidden: bool,
    is_api_error: bool,
    is_thinking: bool,
    path: Option<Cow<'a, str>>,
}

impl<'a> Marks<'a> {
    fn of(record: &Record<'a>) -> Self {
        let mut marks = Self::default();
        let Some(json) = record.json else {
            return marks;
        };
        for (key, value) in json.entries() {
            match key.escaped() {
                b"isMeta" | b"isCompactSummary" | b"isVisibleInTranscriptOnly" => {
                    marks.is_hidden |= value.is_truthy();
                }
                b"isApiErrorMessage" | b"is_api_error_message" => {
                    marks.is_api_error = value.is_truthy();
                }
                b"subtype" => {
                    marks.is_thinking = value.text().is_some_and(|name| name.is("thinking"));
                }
                b"toolUseResult" | b"tool_use_result" => {
                    let file = value.get("filePath");
                    let file = file.or_else(|| value.at(&["file", "filePath"]));
                    marks.path = file.and_then(Json::str);
                }
                _ => {}
            }
        }
        marks
    }
}

/// Returns the text of a block; `words` is the role of plain text.
fn of_block(block: ContentBlock<'_>, words: Role) -> Passage<'_> {
    match block {
        ContentBlock::Text(text) => Passage::new(words, decoded(text.text)),
        ContentBlock::Thinking(block) => Passage::new(Role::Thinking, decoded(block.thinking)),
        ContentBlock::ToolUse(call)
        | ContentBlock::ServerToolUse(call)
        | ContentBlock::McpToolUse(call) => of_call(call),
        ContentBlock::ToolResult(result) | ContentBlock::ServerToolResult(result) => {
            of_result(result)
        }
        other => {
            let mut texts = Vec::new();
            nested(other, MAX_DEPTH, &mut texts);
            Passage::new(Role::Other, leaf::join(texts))
        }
    }
}

fn of_call(call: ToolUseBlock<'_>) -> Passage<'_> {
    let input = call.input.map(|input| leaf::text_of(input, Leaves::All));
    Passage {
        tool: call.name.map(JsonText::decode),
        call: call.id.map(JsonText::decode),
        path: path_of(call),
        ..Passage::new(Role::ToolInput, input.unwrap_or_default())
    }
}

/// Returns the file that a call touches.
pub(super) fn path_of(call: ToolUseBlock<'_>) -> Option<Cow<'_, str>> {
    let input = call.input?;
    let keys = ["file_path", "notebook_path", "path"];
    let path = keys
        .iter()
        .find_map(|key| input.get(key).and_then(Json::str));
    path.filter(|path| !path.is_empty())
}

fn of_result(result: ToolResultBlock<'_>) -> Passage<'_> {
    let mut texts = Vec::new();
    of_content(result.content, MAX_DEPTH, &mut texts);
    Passage {
        call: result.tool_use_id.map(JsonText::decode),
        ..Passage::new(Role::ToolResult, leaf::join(texts))
    }
}

/// Blocks hold blocks in results and documents; nothing known goes deeper.
const MAX_DEPTH: usize = 8;

fn of_content<'a>(content: Content<'a>, depth: usize, texts: &mut Vec<Cow<'a, str>>) {
    if depth > 0 {
        let blocks = content.blocks();
        blocks.for_each(|block| nested(block, depth - 1, texts));
    }
}

/// Adds the texts of a block that stands inside another one, or has no role of its own.
fn nested<'a>(block: ContentBlock<'a>, depth: usize, texts: &mut Vec<Cow<'a, str>>) {
    let mut add = |text: Option<JsonText<'a>>| {
        let text = text.filter(|text| !text.is_empty());
        texts.extend(text.map(JsonText::decode));
    };
    match block {
        ContentBlock::Text(block) => add(block.text),
        ContentBlock::Thinking(block) => add(block.thinking),
        ContentBlock::ToolReference(block) => add(block.tool_name),
        ContentBlock::Document(block) => of_document(block, depth, texts),
        ContentBlock::SearchResult(block) => {
            add(block.title);
            add(block.source);
            of_content(block.content.unwrap_or(Content::Missing), depth, texts);
        }
        ContentBlock::ToolResult(block) | ContentBlock::ServerToolResult(block) => {
            of_content(block.content, depth, texts);
        }
        ContentBlock::ToolUse(call)
        | ContentBlock::ServerToolUse(call)
        | ContentBlock::McpToolUse(call) => {
            let input = call.input.into_iter();
            input.for_each(|input| leaf::collect(input, Leaves::All, texts));
        }
        ContentBlock::Unknown { json, .. } => leaf::collect(json, Leaves::Prose, texts),
        _ => {}
    }
}

fn of_document<'a>(block: DocumentBlock<'a>, depth: usize, texts: &mut Vec<Cow<'a, str>>) {
    let words = [block.title, block.context];
    texts.extend(words.into_iter().flatten().map(JsonText::decode));
    match block.source {
        Some(ImageSource::Text(text)) => texts.push(text.decode()),
        Some(ImageSource::Content(json)) => of_content(Content::from_json(json), depth, texts),
        _ => {}
    }
}

fn decoded(text: Option<JsonText<'_>>) -> Cow<'_, str> {
    text.map(JsonText::decode).unwrap_or_default()
}
