//! What tool results do not say themselves.

use std::borrow::Cow;

use ravel_format::{ContentBlock, JsonText, Kind, Record};

use super::message::path_of;

/// What a call says about its result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallFacts {
    /// The tool.
    pub tool: String,
    /// The file it touches.
    pub path: Option<String>,
    /// The model that called it.
    pub model: Option<String>,
}

/// Returns the tool calls of a reply by id; none for other records.
pub fn calls<'a>(record: &Record<'a>) -> impl Iterator<Item = (Cow<'a, str>, CallFacts)> {
    let message = record.message();
    let message = message.filter(|_| record.kind() == Kind::Assistant);
    message.into_iter().flat_map(|message| {
        let model = message.model.map(JsonText::decode);
        message.content.blocks().filter_map(move |block| {
            let (ContentBlock::ToolUse(call)
            | ContentBlock::ServerToolUse(call)
            | ContentBlock::McpToolUse(call)) = block
            else {
                return None;
            };
            let facts = CallFacts {
                tool: call.name.map(JsonText::decode).unwrap_or_default().into(),
                path: path_of(call).map(Cow::into_owned),
                model: model.as_deref().map(str::to_owned),
            };
            Some((call.id?.decode(), facts))
        })
    })
}
