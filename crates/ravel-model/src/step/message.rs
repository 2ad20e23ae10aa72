//! What people and the model say.

use ravel_format::{
    Content, ContentBlock, Entry, Flags, ImageSource, Json, JsonText, Record, Voice,
};

use super::build::Builder;
use super::{Asker, Picture, Prompt, RawJson, What};
use super::{build, call};
use crate::title::{command_line, tag};

/// Makes the steps of one line of a reply.
pub(super) fn reply(
    builder: &Builder<'_, '_>,
    index: usize,
    entry: &Entry,
    record: &Record<'_>,
) -> Vec<What> {
    let Some(message) = record.message() else {
        return vec![build::unknown(record)];
    };
    if entry.has(Flags::API_ERROR) {
        return vec![What::ApiError(text_of(record))];
    }
    // Seed 001: the subtype tells thinking from words.
    let is_thinking = record
        .get("subtype")
        .and_then(Json::text)
        .is_some_and(|subtype| subtype.is("thinking"));
    message
        .content
        .blocks()
        .map(|block| match block_step(builder, index, block) {
            What::Reply(text) if is_thinking => What::Thinking(text),
            what => what,
        })
        .filter(|what| !is_empty(what))
        .collect()
}

fn is_empty(what: &What) -> bool {
    matches!(what, What::Reply(text) if text.trim().is_empty())
}

fn block_step(builder: &Builder<'_, '_>, index: usize, block: ContentBlock<'_>) -> What {
    match block {
        ContentBlock::Text(text) => What::Reply(decoded(text.text)),
        ContentBlock::Thinking(thinking) => What::Thinking(decoded(thinking.thinking)),
        ContentBlock::RedactedThinking(_) => What::Thinking(String::new()),
        ContentBlock::ToolUse(block)
        | ContentBlock::ServerToolUse(block)
        | ContentBlock::McpToolUse(block) => {
            What::Call(Box::new(call::call(builder, index, block)))
        }
        ContentBlock::ServerToolResult(block) => {
            What::StrayResult(call::server_result(index, block))
        }
        ContentBlock::Image(image) => What::Picture(picture(image.source, None)),
        ContentBlock::Document(document) => What::Picture(picture(document.source, document.title)),
        other => {
            let json = other.json();
            let name = json
                .get("type")
                .and_then(ravel_format::Json::str)
                .unwrap_or("block".into());
            What::Unknown {
                name: name.into_owned(),
                json: RawJson::new(json),
            }
        }
    }
}

pub(super) fn decoded(text: Option<JsonText<'_>>) -> String {
    text.map(|text| text.decode().into_owned())
        .unwrap_or_default()
}

/// Makes the step of a user record that is no tool result.
pub(super) fn said(entry: &Entry, record: &Record<'_>) -> What {
    let text = text_of(record);
    let prompt = |text: String, asker| {
        What::Prompt(Prompt {
            text,
            asker,
            pictures: pictures_of(record),
        })
    };
    let output = |names: &[&str]| {
        let parts: Vec<&str> = names
            .iter()
            .filter_map(|name| tag(&text, name))
            .filter(|part| !part.is_empty())
            .collect();
        What::Output(parts.join("\n"))
    };
    match entry.voice {
        Voice::Words => prompt(text, Asker::Words),
        Voice::Command => prompt(command_line(&text).unwrap_or(text), Asker::Command),
        Voice::ShellInput => prompt(
            tag(&text, "bash-input").unwrap_or(&text).to_owned(),
            Asker::Shell,
        ),
        Voice::TaskNotification => prompt(notification(&text), Asker::Task),
        Voice::CommandOutput => output(&["local-command-stdout", "local-command-stderr"]),
        Voice::ShellOutput => output(&["bash-stdout", "bash-stderr"]),
        Voice::Interruption => What::Interruption(text),
        _ => What::Hidden {
            label: "for the model".into(),
            text,
        },
    }
}

/// Returns the summary of a task notification, which is written in tags.
fn notification(text: &str) -> String {
    let part = |name| tag(text, name).filter(|part| !part.is_empty());
    let summary = part("summary").or_else(|| part("status"));
    summary.map_or_else(|| text.to_owned(), str::to_owned)
}

/// Returns all text of a record's message.
pub(super) fn text_of(record: &Record<'_>) -> String {
    record
        .message()
        .map(|message| content_text(message.content))
        .unwrap_or_default()
}

/// Returns the text blocks of a content, each on lines of its own.
pub(super) fn content_text(content: Content<'_>) -> String {
    let texts: Vec<String> = content
        .blocks()
        .filter_map(|block| match block {
            ContentBlock::Text(text) => Some(decoded(text.text)),
            ContentBlock::ToolReference(reference) => Some(decoded(reference.tool_name)),
            _ => None,
        })
        .collect();
    texts.join("\n")
}

fn pictures_of(record: &Record<'_>) -> Vec<Picture> {
    record
        .message()
        .map(|message| content_pictures(message.content))
        .unwrap_or_default()
}

/// Returns the pictures and documents of a content.
pub(super) fn content_pictures(content: Content<'_>) -> Vec<Picture> {
    let pictures = content.blocks().filter_map(|block| match block {
        ContentBlock::Image(image) => Some(picture(image.source, None)),
        ContentBlock::Document(document) => Some(picture(document.source, document.title)),
        _ => None,
    });
    pictures.collect()
}

fn picture(source: Option<ImageSource<'_>>, title: Option<JsonText<'_>>) -> Picture {
    let mut picture = Picture {
        media_type: String::new(),
        base64: String::new(),
        name: title.map(|title| decoded(Some(title))),
    };
    match source {
        Some(ImageSource::Base64 { media_type, data }) => {
            picture.media_type = decoded(media_type);
            picture.base64 = decoded(data);
        }
        Some(ImageSource::Url(place) | ImageSource::File(place)) => {
            picture.name = Some(decoded(Some(place)));
        }
        _ => {}
    }
    picture
}
