//! What a message says: text or content blocks.
//!
//! [`Content`] is the value of `content` in any of its shapes and [`ContentBlock`] is one block of
//! it. A plain string is one text block, so a reader needs one loop. A block of a type that has
//! no name here is [`ContentBlock::Unknown`] and keeps its bytes.

use crate::json::{Items, Json, JsonKind, JsonText};
use crate::view::{FromJson, List, view};

#[cfg(test)]
mod tests;

/// The value of `content`, in the shapes the dialects give it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Content<'a> {
    /// A plain string.
    Text(JsonText<'a>),
    /// An array of blocks.
    Blocks(Json<'a>),
    /// A value that is neither, such as a lone object.
    Other(Json<'a>),
    /// Seed 001: a tool call that stands on the record itself, with an optional text before it.
    Call {
        /// The text, from `message`.
        text: Option<JsonText<'a>>,
        /// The call, from `toolName` and `toolArguments`.
        call: ToolUseBlock<'a>,
    },
    /// No content, or `null`.
    Missing,
}

impl<'a> Content<'a> {
    /// Reads the value of `content`.
    pub fn from_json(json: Json<'a>) -> Self {
        match json.kind() {
            JsonKind::Text => json.text().map_or(Self::Other(json), Self::Text),
            JsonKind::Array => Self::Blocks(json),
            JsonKind::Null => Self::Missing,
            _ => Self::Other(json),
        }
    }

    /// Returns the value in the file; `None` where there is none of its own.
    pub fn json(self) -> Option<Json<'a>> {
        match self {
            Self::Text(text) => Some(Json::from_scanned(text.raw())),
            Self::Blocks(json) | Self::Other(json) => Some(json),
            Self::Call { .. } | Self::Missing => None,
        }
    }

    /// Returns the blocks in order; a plain string is one text block.
    pub fn blocks(self) -> Blocks<'a> {
        let (first, second, items) = match self {
            Self::Text(text) => (Some(ContentBlock::text(text)), None, None),
            Self::Blocks(json) => (None, None, Some(json.items())),
            Self::Other(json) => (Some(ContentBlock::from_json(json)), None, None),
            Self::Call { text, call } => (
                text.map(ContentBlock::text),
                Some(ContentBlock::ToolUse(call)),
                None,
            ),
            Self::Missing => (None, None, None),
        };
        Blocks {
            first,
            second,
            items,
        }
    }

    /// Tells whether there is nothing in it.
    pub fn is_empty(self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            _ => self.blocks().next().is_none(),
        }
    }
}

impl<'a> FromJson<'a> for Content<'a> {
    fn read(json: Json<'a>) -> Option<Self> {
        Some(Self::from_json(json))
    }
}

/// The blocks of a [`Content`].
#[derive(Clone)]
pub struct Blocks<'a> {
    first: Option<ContentBlock<'a>>,
    second: Option<ContentBlock<'a>>,
    items: Option<Items<'a>>,
}

impl<'a> Iterator for Blocks<'a> {
    type Item = ContentBlock<'a>;

    fn next(&mut self) -> Option<ContentBlock<'a>> {
        let block = self.first.take().or_else(|| self.second.take());
        block.or_else(|| self.items.as_mut()?.next().map(ContentBlock::from_json))
    }
}

/// One block of a message.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ContentBlock<'a> {
    /// Text.
    Text(TextBlock<'a>),
    /// What the model thought, or only the signature of it.
    Thinking(ThinkingBlock<'a>),
    /// Thoughts that only the server can read.
    RedactedThinking(RedactedThinkingBlock<'a>),
    /// A call of a tool that the client runs.
    ToolUse(ToolUseBlock<'a>),
    /// A call of a tool that the server runs.
    ServerToolUse(ToolUseBlock<'a>),
    /// A call of an MCP tool that the server runs.
    McpToolUse(ToolUseBlock<'a>),
    /// What a tool of the client answered.
    ToolResult(ToolResultBlock<'a>),
    /// What a tool of the server answered; the type of the block names the tool.
    ServerToolResult(ToolResultBlock<'a>),
    /// An image.
    Image(ImageBlock<'a>),
    /// A document, such as a PDF.
    Document(DocumentBlock<'a>),
    /// A passage that a search found.
    SearchResult(SearchResultBlock<'a>),
    /// The name of a tool that was found for later use.
    ToolReference(ToolReferenceBlock<'a>),
    /// A file put into the server's container.
    ContainerUpload(ContainerUploadBlock<'a>),
    /// Anything else.
    Unknown {
        /// The type it gives itself.
        name: Option<JsonText<'a>>,
        /// The block.
        json: Json<'a>,
    },
}

view! {
    /// A block of text.
    TextBlock<'a> {
        text: JsonText<'a> = "text",
        citations: List<'a, Json<'a>> = "citations",
    }

    /// A block of thinking.
    ThinkingBlock<'a> {
        /// Empty since 2.1.05x in many sessions: the client then keeps the signature only.
        thinking: JsonText<'a> = "thinking",
        signature: JsonText<'a> = "signature",
    }

    /// A block of thinking that only the server can read.
    RedactedThinkingBlock<'a> {
        data: JsonText<'a> = "data",
    }

    /// A tool call.
    ToolUseBlock<'a> {
        id: JsonText<'a> = "id",
        name: JsonText<'a> = "name" | "toolName",
        /// An object, but third-party models also write a string.
        input: Json<'a> = "input" | "toolArguments",
        server_name: JsonText<'a> = "server_name",
        caller: Json<'a> = "caller",
    }

    /// A document.
    DocumentBlock<'a> {
        source: ImageSource<'a> = "source",
        title: JsonText<'a> = "title",
        context: JsonText<'a> = "context",
    }

    /// An image.
    ImageBlock<'a> {
        source: ImageSource<'a> = "source",
    }

    /// A passage that a search found.
    SearchResultBlock<'a> {
        title: JsonText<'a> = "title",
        source: JsonText<'a> = "source",
        content: Content<'a> = "content",
    }

    /// The name of a tool that was found for later use.
    ToolReferenceBlock<'a> {
        tool_name: JsonText<'a> = "tool_name",
    }

    /// A file put into the server's container.
    ContainerUploadBlock<'a> {
        file_id: JsonText<'a> = "file_id",
    }
}

/// What a tool answered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ToolResultBlock<'a> {
    /// The block.
    pub json: Json<'a>,
    /// The type of the block: `tool_result`, or the server's tool.
    pub type_text: Option<JsonText<'a>>,
    /// The call it answers.
    pub tool_use_id: Option<JsonText<'a>>,
    /// The answer, as the model gets it.
    pub content: Content<'a>,
    /// Whether the tool failed; most records do not say.
    pub is_error: Option<bool>,
}

impl<'a> ToolResultBlock<'a> {
    /// Reads the block; a key that is missing or odd is `None`.
    pub fn from_json(json: Json<'a>) -> Self {
        let mut block = Self {
            json,
            type_text: None,
            tool_use_id: None,
            content: Content::Missing,
            is_error: None,
        };
        for (key, value) in json.entries() {
            match &*key.decode() {
                "type" => block.type_text = value.text(),
                "tool_use_id" => block.tool_use_id = value.text(),
                "content" => block.content = Content::from_json(value),
                "is_error" => block.is_error = value.bool(),
                _ => {}
            }
        }
        block
    }
}

/// Where the bytes of an image or document are.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ImageSource<'a> {
    /// In the file itself.
    Base64 {
        /// The media type, such as `image/png`.
        media_type: Option<JsonText<'a>>,
        /// The bytes in base64.
        data: Option<JsonText<'a>>,
    },
    /// On the web.
    Url(JsonText<'a>),
    /// With the Files API, by id.
    File(JsonText<'a>),
    /// Plain text of a document.
    Text(JsonText<'a>),
    /// Content blocks of a document.
    Content(Json<'a>),
    /// Anything else.
    Other(Json<'a>),
}

impl<'a> FromJson<'a> for ImageSource<'a> {
    fn read(json: Json<'a>) -> Option<Self> {
        if json.kind() != JsonKind::Object {
            return None;
        }
        let text = |key| json.get(key).and_then(Json::text);
        let source = match text("type").map(JsonText::decode).as_deref() {
            Some("base64") => Some(Self::Base64 {
                media_type: text("media_type"),
                data: text("data"),
            }),
            Some("url") => text("url").map(Self::Url),
            Some("file") => text("file_id").map(Self::File),
            Some("text") => text("data").map(Self::Text),
            Some("content") => json.get("content").map(Self::Content),
            _ => None,
        };
        Some(source.unwrap_or(Self::Other(json)))
    }
}

impl<'a> FromJson<'a> for ContentBlock<'a> {
    fn read(json: Json<'a>) -> Option<Self> {
        Some(Self::from_json(json))
    }
}

impl<'a> ContentBlock<'a> {
    /// Reads one item of a content array; a string is a text block.
    pub fn from_json(json: Json<'a>) -> Self {
        if let Some(text) = json.text() {
            return Self::text(text);
        }
        let name = json.get("type").and_then(Json::text);
        match name.map(JsonText::decode).as_deref() {
            Some("text") => Self::Text(TextBlock::from_json(json)),
            Some("thinking") => Self::Thinking(ThinkingBlock::from_json(json)),
            Some("redacted_thinking") => {
                Self::RedactedThinking(RedactedThinkingBlock::from_json(json))
            }
            Some("tool_use") => Self::ToolUse(ToolUseBlock::from_json(json)),
            Some("server_tool_use") => Self::ServerToolUse(ToolUseBlock::from_json(json)),
            Some("mcp_tool_use") => Self::McpToolUse(ToolUseBlock::from_json(json)),
            Some("tool_result") => Self::ToolResult(ToolResultBlock::from_json(json)),
            Some(other) if other.ends_with("tool_result") => {
                Self::ServerToolResult(ToolResultBlock::from_json(json))
            }
            Some("image") => Self::Image(ImageBlock::from_json(json)),
            Some("document") => Self::Document(DocumentBlock::from_json(json)),
            Some("search_result") => Self::SearchResult(SearchResultBlock::from_json(json)),
            Some("tool_reference") => Self::ToolReference(ToolReferenceBlock::from_json(json)),
            Some("container_upload") => {
                Self::ContainerUpload(ContainerUploadBlock::from_json(json))
            }
            _ => Self::Unknown { name, json },
        }
    }

    fn text(text: JsonText<'a>) -> Self {
        Self::Text(TextBlock {
            json: Json::from_scanned(text.raw()),
            text: Some(text),
            citations: None,
        })
    }

    /// Returns the block in the file.
    pub fn json(self) -> Json<'a> {
        match self {
            Self::Text(block) => block.json,
            Self::Thinking(block) => block.json,
            Self::RedactedThinking(block) => block.json,
            Self::ToolUse(block) | Self::ServerToolUse(block) | Self::McpToolUse(block) => {
                block.json
            }
            Self::ToolResult(block) | Self::ServerToolResult(block) => block.json,
            Self::Image(block) => block.json,
            Self::Document(block) => block.json,
            Self::SearchResult(block) => block.json,
            Self::ToolReference(block) => block.json,
            Self::ContainerUpload(block) => block.json,
            Self::Unknown { json, .. } => json,
        }
    }
}
