//! Content in every shape becomes blocks, and no block loses its bytes.

use super::{Content, ContentBlock, ImageSource};
use crate::json::{Json, JsonText};

fn decoded(text: Option<JsonText<'_>>) -> String {
    text.map_or_else(|| "-".to_owned(), |text| text.decode().into_owned())
}

fn describe(block: ContentBlock<'_>) -> String {
    match block {
        ContentBlock::Text(block) => format!("text {}", decoded(block.text)),
        ContentBlock::Thinking(block) => format!("thinking {}", decoded(block.thinking)),
        ContentBlock::RedactedThinking(block) => format!("redacted {}", decoded(block.data)),
        ContentBlock::ToolUse(block) => {
            format!("use {} {}", decoded(block.name), decoded(block.id))
        }
        ContentBlock::ServerToolUse(block) => format!("server {}", decoded(block.name)),
        ContentBlock::McpToolUse(block) => format!("mcp {}", decoded(block.server_name)),
        ContentBlock::ToolResult(block) => {
            let inner: Vec<_> = block.content.blocks().map(describe).collect();
            format!(
                "result {} {:?} {inner:?}",
                decoded(block.tool_use_id),
                block.is_error
            )
        }
        ContentBlock::ServerToolResult(block) => format!("answer {}", decoded(block.type_text)),
        ContentBlock::Image(block) => format!("image {}", source(block.source)),
        ContentBlock::Document(block) => format!("document {}", source(block.source)),
        ContentBlock::SearchResult(block) => format!("found {}", decoded(block.title)),
        ContentBlock::ToolReference(block) => format!("tool {}", decoded(block.tool_name)),
        ContentBlock::ContainerUpload(block) => format!("upload {}", decoded(block.file_id)),
        ContentBlock::Unknown { name, json } => format!("unknown {} {json:?}", decoded(name)),
    }
}

fn source(source: Option<ImageSource<'_>>) -> String {
    match source {
        Some(ImageSource::Base64 { media_type, data }) => {
            format!("{} {}", decoded(media_type), decoded(data))
        }
        Some(ImageSource::Url(url)) => decoded(Some(url)),
        Some(ImageSource::File(id)) => format!("file {}", decoded(Some(id))),
        Some(ImageSource::Text(text)) => format!("text {}", decoded(Some(text))),
        Some(ImageSource::Content(json) | ImageSource::Other(json)) => format!("{json:?}"),
        None => "-".to_owned(),
    }
}

fn check(content: &str, expect: &[&str]) {
    let json = Json::parse(content.as_bytes()).unwrap();
    let blocks: Vec<_> = Content::from_json(json).blocks().map(describe).collect();
    assert_eq!(blocks, expect, "{content}");
}

#[test]
fn every_shape_of_content_has_blocks() {
    check(r#""hi\n""#, &["text hi\n"]);
    check("[]", &[]);
    check("null", &[]);
    check(r#"["a",{"type":"text","text":"b"}]"#, &["text a", "text b"]);
    check(r#"{"type":"text","text":"alone"}"#, &["text alone"]);
    check("17", &["unknown - 17"]);
}

#[test]
fn every_block_type_has_a_view() {
    check(
        r#"[{"type":"thinking","thinking":"","signature":"sig"},{"type":"redacted_thinking","data":"x"},
        {"type":"tool_use","id":"t1","name":"Read","input":{}},{"type":"tool_use","input":"text"},
        {"type":"server_tool_use","name":"web_search"},{"type":"mcp_tool_use","server_name":"calc"},
        {"type":"web_search_tool_result","tool_use_id":"t2","content":[]},
        {"type":"search_result","title":"found"},{"type":"tool_reference","tool_name":"Grep"},
        {"type":"container_upload","file_id":"f1"},{"type":"hologram","x":1},{"text":"no type"}]"#,
        &[
            "thinking ",
            "redacted x",
            "use Read t1",
            "use - -",
            "server web_search",
            "mcp calc",
            "answer web_search_tool_result",
            "found found",
            "tool Grep",
            "upload f1",
            r#"unknown hologram {"type":"hologram","x":1}"#,
            r#"unknown - {"text":"no type"}"#,
        ],
    );
}

#[test]
fn results_hold_text_blocks_images_or_anything() {
    check(
        r#"[{"tool_use_id":"t1","type":"tool_result","content":"done","is_error":false},
        {"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QQ=="}}]},
        {"type":"tool_result","content":null,"is_error":"odd"},{"type":"tool_result","content":{"k":1}}]"#,
        &[
            r#"result t1 Some(false) ["text done"]"#,
            r#"result t2 None ["text a", "image image/png QQ=="]"#,
            "result - None []",
            r#"result - None ["unknown - {\"k\":1}"]"#,
        ],
    );
}

#[test]
fn sources_say_where_the_bytes_are() {
    check(
        r#"[{"type":"image","source":{"type":"url","url":"https://example.test/a.png"}},
        {"type":"image","source":{"type":"file","file_id":"f1"}},{"type":"image","source":{"type":"moon"}},
        {"type":"image"},{"type":"document","source":{"type":"text","data":"plain"}}]"#,
        &[
            "image https://example.test/a.png",
            "image file f1",
            r#"image {"type":"moon"}"#,
            "image -",
            "document text plain",
        ],
    );
}
