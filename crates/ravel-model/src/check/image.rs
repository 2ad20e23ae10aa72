//! Images that the API would refuse.

use ravel_format::{Json, JsonText};

/// How deep contents are looked into: messages hold blocks, and tool results hold blocks again.
const MAX_DEPTH: usize = 3;

/// Returns JSON pointers to the images of a record that are not base64 of a known type.
pub(super) fn bad_images(line: &[u8]) -> Vec<String> {
    let Ok(record) = Json::parse(line) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    if let Some(content) = record.at(&["message", "content"]) {
        look_into(content, "/message/content", MAX_DEPTH, &mut found);
    }
    found
}

fn look_into(content: Json<'_>, pointer: &str, depth: usize, found: &mut Vec<String>) {
    for (index, block) in content.items().enumerate() {
        let is = |name: &str| {
            block
                .get("type")
                .and_then(Json::text)
                .is_some_and(|text| text.is(name))
        };
        let pointer = format!("{pointer}/{index}");
        if is("image") {
            if block.get("source").is_some_and(is_bad_source) {
                found.push(format!("{pointer}/source"));
            }
        } else if let Some(inner) = block.get("content").filter(|_| depth > 0) {
            look_into(inner, &format!("{pointer}/content"), depth - 1, found);
        }
    }
}

fn is_bad_source(source: Json<'_>) -> bool {
    let text = |key| source.get(key).and_then(Json::text);
    if !text("type").is_some_and(|name| name.is("base64")) {
        // Images by address or file id hold no data to check.
        return false;
    }
    let is_known = |name: JsonText<'_>| {
        ["image/png", "image/jpeg", "image/gif", "image/webp"]
            .iter()
            .any(|known| name.is(known))
    };
    !text("media_type").is_some_and(is_known) || !text("data").is_some_and(is_base64)
}

fn is_base64(data: JsonText<'_>) -> bool {
    let Some(plain) = data.plain() else {
        return false;
    };
    let body = plain
        .strip_suffix(b"==")
        .or(plain.strip_suffix(b"="))
        .unwrap_or(plain);
    !body.is_empty() && body.len() % 4 != 1 && body.chunks(4096).all(are_digits)
}

/// Looks at every byte without stopping early, which compiles to a vector loop.
fn are_digits(chunk: &[u8]) -> bool {
    let is_digit = |byte: u8| {
        let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        let number = byte.wrapping_sub(b'0') < 10;
        letter | number | (byte == b'+') | (byte == b'/')
    };
    chunk.iter().fold(true, |good, &byte| good & is_digit(byte))
}
