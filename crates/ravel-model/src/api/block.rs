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

    /// Makes a result that says why there is none; `content` is JSON.
    pub(super) fn error_result(id: &str, content: &str) -> Self {
        let quoted_id = text::quote(id);
        Self {
            json: format!(
                "{{\"type\":\"tool_result\",\"content\":{content},\"is_error\":true,\
                 \"tool_use_id\":{quoted_id}}}"
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
        is_text.then(|| {
            json.get("text")
                .and_then(Json::str)
                .unwrap_or_default()
                .into_owned()
        })
    }

    /// Returns the text of a text block as a JSON string.
    pub(super) fn into_quoted_text(self) -> String {
        let text = Json::parse(self.json.as_bytes()).ok();
        let text = text.and_then(|json| json.get("text"));
        text.map_or_else(|| "\"\"".to_owned(), text::clean)
    }

    /// Adds a line end to the text of a text block.
    pub(super) fn add_line_end(&mut self) {
        let json = Json::parse(self.json.as_bytes()).ok();
        let text = json.filter(|_| self.kind == BlockKind::Text);
        let text = text.and_then(|json| json.get("text")?.text());
        let range = text.and_then(|text| text::place(&self.json, text.raw()));
        if let Some(range) = range {
            text::add_line_end(&mut self.json, range.end);
        }
    }

    /// Adds words to the content of a tool result; `false` when that has no place for them.
    pub(super) fn fold_text(&mut self, words: &str) -> bool {
        let json = Json::parse(self.json.as_bytes()).ok();
        let Some(content) = json.and_then(|json| json.get("content")) else {
            return false;
        };
        let Some(range) = text::place(&self.json, content.raw()) else {
            return false;
        };
        let folded = match content.kind() {
            JsonKind::Text => {
                let said = content.str().unwrap_or_default();
                text::quote(format!("{}\n\n{words}", said.trim_end()).trim_start())
            }
            JsonKind::Array => fold_block(content, words),
            _ => return false,
        };
        self.json.replace_range(range, &folded);
        true
    }
}

/// Returns a list of blocks with one more.
fn fold_block(content: Json<'_>, words: &str) -> String {
    let mut blocks: Vec<ApiBlock> = content.items().filter_map(ApiBlock::from_json).collect();
    if let Some(last) = blocks.last_mut() {
        last.add_line_end();
    }
    blocks.push(ApiBlock::from_string(&text::quote(words)));
    let blocks: Vec<String> = blocks.into_iter().map(|block| block.json).collect();
    format!("[{}]", blocks.join(","))
}
