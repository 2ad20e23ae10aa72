//! What one record tells of the activity.

use std::sync::Arc;

use ravel_format::{Json, JsonText, Kind, Record, Timestamp};

/// The longest name of a tool that is told apart from others.
const LONGEST_NAME: usize = 200;

/// The few facts of a record that count.
#[derive(Default)]
pub(super) struct Told<'a> {
    pub(super) is_message: bool,
    pub(super) is_sidechain: bool,
    pub(super) time: Option<Timestamp>,
    pub(super) folder: Option<JsonText<'a>>,
    content: Option<Json<'a>>,
}

impl<'a> Told<'a> {
    /// Takes them in one walk; `None` for a line that is no record.
    pub(super) fn read(record: &Record<'a>) -> Option<Self> {
        let mut told = Self::default();
        let mut message = None;
        let mut kind = Kind::None;
        for (key, value) in record.json?.entries() {
            match key.escaped() {
                b"type" => kind = value.text().map_or(Kind::None, kind_of),
                b"timestamp" => told.time = Timestamp::from_json(value),
                b"isSidechain" => told.is_sidechain = value.bool() == Some(true),
                b"cwd" => told.folder = value.text(),
                b"message" => message = Some(value),
                _ => {}
            }
        }
        told.is_message = kind.is_message();
        // A call is the model's; what stands in a user's line is a result.
        told.content = message
            .filter(|_| kind == Kind::Assistant)
            .and_then(|message| message.get("content"));
        Some(told)
    }

    /// Returns the tools that are called, once for each call.
    pub(super) fn tools(&self) -> impl Iterator<Item = Arc<str>> + use<'a> {
        let blocks = self.content.into_iter().flat_map(Json::items);
        blocks.filter_map(|block| called(block))
    }
}

/// Returns the tool that a content block calls.
fn called(block: Json<'_>) -> Option<Arc<str>> {
    let mut is_call = false;
    let mut name = None;
    for (key, value) in block.entries() {
        match key.escaped() {
            b"type" => is_call = value.text().is_some_and(|kind| kind.is("tool_use")),
            b"name" => name = value.text(),
            _ => {}
        }
    }
    let name = is_call.then(|| name.map_or_else(Default::default, JsonText::decode))?;
    let end = name.floor_char_boundary(LONGEST_NAME);
    Some(name.get(..end).unwrap_or_default().into())
}

fn kind_of(text: JsonText<'_>) -> Kind {
    Kind::from_name(text.decode().as_bytes())
}
