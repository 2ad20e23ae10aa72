//! One content block, kept as the bytes that will be sent.

use ravel_format::{Json, JsonKind};

use super::text;

/// One content block of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiBlock {
    json: String,
    kind: BlockKind,
    tool: Option<String>,
}

/// The kinds of block that decide what is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// `text`.
    Text,
    /// `thinking` or `redacted_thinking`.
    Thinking,
    /// `tool_use`.
    ToolUse,
    /// `tool_result`.
    ToolResult,
    /// Anything else: images, documents, what the server's own tools say.
    Other,
}

impl ApiBlock {
    /// Takes over a block of the file; `None` when it is neither an object nor a string.
    pub(super) fn from_json(json: Json<'_>) -> Option<Self> {
        match json.kind() {
            JsonKind::Object => Some(Self::from_object(json)),
            JsonKind::Text => Some(Self::from_string(&text::clean(json))),
            _ => None,
        }
    }

    fn from_object(json: Json<'_>) -> Self {
        let name = json.get("type").and_then(Json::str);
        let (kind, tool_key) = match name.as_deref() {
            Some("text") => (BlockKind::Text, None),
            Some("thinking" | "redacted_thinking") => (BlockKind::Thinking, None),
            Some("tool_use") => (BlockKind::ToolUse, Some("id")),
            Some("tool_result") => (BlockKind::ToolResult, Some("tool_use_id")),
            _ => (BlockKind::Other, None),
        };
        let tool = tool_key.map(|key| {
            let id = json.get(key).and_then(Json::str);
            id.unwrap_or_default().into_owned()
        });
        Self {
            json: text::clean(json),
            kind,
            tool,
        }
    }

    /// Makes a text block of a JSON string.
    pub(super) fn from_string(quoted: &str) -> Self {
        Self {
            json: format!("{{\"type\":\"text\",\"text\":{quoted}}}"),
            kind: BlockKind::Text,
            tool: None,
        }
    }

    /// Makes a call of a tool; `input` is JSON.
    pub(super) fn call(id: &str, name: &str, input: &str) -> Self {
        let (quoted_id, name) = (text::quote(id), text::quote(name));
        Self {
            json: format!(
                "{{\"type\":\"tool_use\",\"id\":{quoted_id},\"name\":{name},\"input\":{input}}}"
            ),
            kind: BlockKind::ToolUse,
            tool: Some(id.to_owned()),
        }
    }

    /// Makes a result of a tool; `content` is JSON.
    pub(super) fn result(id: &str, content: &str) -> Self {
        let quoted_id = text::quote(id);
        Self {
            json: format!(
                "{{\"type\":\"tool_result\",\"tool_use_id\":{quoted_id},\"content\":{content}}}"
            ),
            kind: BlockKind::ToolResult,
            tool: Some(id.to_owned()),
        }
    }

    /// Returns the block as JSON.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Returns what decides about sending it.
    pub fn kind(&self) -> BlockKind {
        self.kind
    }

    /// Returns the id of the call that the block makes or answers.
    pub fn tool_id(&self) -> Option<&str> {
        self.tool.as_deref()
    }

    /// Returns what a text block says, decoded.
    pub fn text(&self) -> Option<String> {
        let json = Json::parse(self.json.as_bytes()).ok()?;
        let is_text = self.kind == BlockKind::Text;
        is_text.then(|| json.get("text").and_then(Json::str).unwrap_or_default().into_owned())
    }

    /// Adds a line end to the text of a text block.
    pub(super) fn add_line_end(&mut self) {
        let end = Json::parse(self.json.as_bytes()).ok().and_then(|json| {
            let raw = json.get("text")?.text()?.raw();
            let start = (raw.as_ptr() as usize).checked_sub(self.json.as_ptr() as usize)?;
            Some(start + raw.len())
        });
        if let Some(end) = end {
            text::add_line_end(&mut self.json, end);
        }
    }
}
