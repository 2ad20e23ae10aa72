//! All strings inside a value.

use std::borrow::Cow;

use ravel_format::{Json, JsonKind, JsonText};

/// Which strings are text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaves {
    /// All but encoded bytes: what the model hands to a tool is its own choice.
    All,
    /// Not ids, names of types, signatures and the like.
    Prose,
}

/// Nobody writes text deeper than this; each level costs another look at all it holds.
const MAX_DEPTH: usize = 32;

/// Returns the strings of a value in order, each on lines of its own.
pub(super) fn text_of(json: Json<'_>, leaves: Leaves) -> Cow<'_, str> {
    let mut texts = Vec::new();
    collect(json, leaves, &mut texts);
    join(texts)
}

/// Adds the strings of a value in order.
pub(super) fn collect<'a>(json: Json<'a>, leaves: Leaves, texts: &mut Vec<Cow<'a, str>>) {
    walk(json, leaves, MAX_DEPTH, texts);
}

/// Joins texts with ends of lines; one alone is not copied.
pub(super) fn join(mut texts: Vec<Cow<'_, str>>) -> Cow<'_, str> {
    match texts.len() {
        0 | 1 => texts.pop().unwrap_or_default(),
        _ => Cow::Owned(texts.join("\n")),
    }
}

fn walk<'a>(json: Json<'a>, leaves: Leaves, depth: usize, texts: &mut Vec<Cow<'a, str>>) {
    match json.kind() {
        JsonKind::Text => texts.extend(json.str().filter(|text| !text.is_empty())),
        JsonKind::Array if depth > 0 => {
            let items = json.items();
            items.for_each(|item| walk(item, leaves, depth - 1, texts));
        }
        JsonKind::Object if depth > 0 => {
            let is_encoded = is_encoded(json);
            let entries = json.entries();
            let entries = entries.filter(|(key, _)| is_text(*key, leaves));
            entries
                .filter(|(key, _)| !(is_encoded && key.is("data")))
                .for_each(|(_, value)| walk(value, leaves, depth - 1, texts));
        }
        _ => {}
    }
}

/// Tells whether an object describes a picture or a file whose bytes are in its `data`.
fn is_encoded(json: Json<'_>) -> bool {
    json.entries().any(|(key, value)| match key.escaped() {
        b"type" => value.text().is_some_and(|kind| kind.is("base64")),
        b"media_type" | b"mediaType" | b"mimeType" => true,
        _ => false,
    })
}

fn is_text(key: JsonText<'_>, leaves: Leaves) -> bool {
    let is_machine_made = || {
        matches!(
            key.escaped(),
            b"type"
                | b"id"
                | b"uuid"
                | b"tool_use_id"
                | b"toolUseID"
                | b"source_uuid"
                | b"delivery_id"
                | b"runId"
                | b"timestamp"
                | b"media_type"
                | b"mediaType"
                | b"mimeType"
                | b"base64"
                | b"blob"
                | b"signature"
                | b"encrypted_content"
                | b"encrypted_index"
        )
    };
    leaves == Leaves::All || !is_machine_made()
}
