//! The message of a record, in every dialect.
//!
//! The client nests an API message under `message`. Seed 001 writes the text there as a plain
//! string and puts tool calls on the record itself; `system` records have `content` at the top.
//! [`Record::message`] gives all of them one shape.

use crate::content::{Content, ContentBlock, ToolUseBlock};
use crate::json::{Json, JsonKind, JsonText};
use crate::kind::Kind;
use crate::record::Record;
use crate::usage::Usage;
use crate::view::FromJson as _;

#[cfg(test)]
mod tests;

/// An API message, or what stands for one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Message<'a> {
    /// The value of `message`; `None` where the record has none and its content is at the top.
    pub json: Option<Json<'a>>,
    /// The id that all records of one API message share.
    pub id: Option<JsonText<'a>>,
    /// `user` or `assistant`; paper dialects leave it to the type of the record.
    pub role: Option<JsonText<'a>>,
    /// The model; `<synthetic>` where the client made the message itself.
    pub model: Option<JsonText<'a>>,
    /// Why the model stopped, where the client's version kept it.
    pub stop_reason: Option<JsonText<'a>>,
    /// What it says.
    pub content: Content<'a>,
    /// What it cost; repeated on every record of the message.
    pub usage: Option<Usage<'a>>,
}

impl<'a> Message<'a> {
    /// Reads the value of `message`; a plain string is its content.
    pub fn from_json(json: Json<'a>) -> Self {
        let mut message = Self::of_content(Content::Missing);
        message.json = Some(json);
        if json.kind() != JsonKind::Object {
            message.content = Content::from_json(json);
        }
        for (key, value) in json.entries() {
            match &*key.decode() {
                "id" => message.id = value.text(),
                "role" => message.role = value.text(),
                "model" => message.model = value.text(),
                "stop_reason" => message.stop_reason = value.text(),
                "content" => message.content = Content::from_json(value),
                "usage" => message.usage = Usage::read(value),
                _ => {}
            }
        }
        message
    }

    fn of_content(content: Content<'a>) -> Self {
        Self {
            json: None,
            id: None,
            role: None,
            model: None,
            stop_reason: None,
            content,
            usage: None,
        }
    }

    /// Tells whether the client made the message itself, without the model.
    pub fn is_synthetic(self) -> bool {
        self.model.is_some_and(|model| model.is("<synthetic>"))
    }
}

impl<'a> crate::view::FromJson<'a> for Message<'a> {
    fn read(json: Json<'a>) -> Option<Self> {
        (!json.is_null()).then(|| Self::from_json(json))
    }
}

impl<'a> Record<'a> {
    /// Returns the content blocks of the record's message; none when it has no message.
    pub fn blocks(&self) -> impl Iterator<Item = ContentBlock<'a>> + use<'a> {
        let message = self.message().into_iter();
        message.flat_map(|message| message.content.blocks())
    }

    /// Returns the message of the record, if records of its kind carry one.
    pub fn message(&self) -> Option<Message<'a>> {
        let record = self.json?;
        let mut kind = Kind::None;
        let (mut message, mut content, mut has_call) = (None, None, false);
        for (key, value) in record.entries() {
            match &*key.decode() {
                "type" => kind = value.text().map_or(Kind::None, Kind::from_text),
                "message" => message = Json::read(value),
                "content" => content = Json::read(value),
                "toolName" => has_call = value.text().is_some(),
                _ => {}
            }
        }
        match message {
            // An object already says everything; the keys beside it belong to other dialects.
            Some(json) if json.kind() == JsonKind::Object => Some(Message::from_json(json)),
            _ if has_call && kind.is_message() => {
                let mut paper = Message::of_content(Content::Call {
                    text: message.and_then(Json::text),
                    call: call_on(record),
                });
                paper.json = message;
                Some(paper)
            }
            Some(json) => Some(Message::from_json(json)),
            None if kind.is_linked() => content.map(Content::from_json).map(Message::of_content),
            None => None,
        }
    }
}

/// Reads the call that seed 001 puts on the record; such calls have no id.
fn call_on(record: Json<'_>) -> ToolUseBlock<'_> {
    let mut call = ToolUseBlock::from_json(record);
    call.id = None;
    call
}
