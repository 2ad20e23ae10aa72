//! A line into a request.
//!
//! Only assistant records are looked at, and only their own `message.usage`: the copies inside
//! `progress` records and the totals in `toolUseResult` repeat what other lines say.

use std::sync::{Arc, LazyLock};

use memchr::memmem;
use ravel_format::{FromJson as _, Json, JsonText, Record, Timestamp, Usage};

use super::{Geo, Request, Speed, Tier, Tokens};

#[cfg(test)]
mod tests;

/// What every line with usage has in it, for those who look for it in a whole file.
pub const MARK: &[u8] = b"\"usage\"";

/// Where records are from, as far as they do not say it themselves.
#[derive(Debug, Clone)]
pub struct Origin {
    /// The name of the file.
    pub file: Arc<str>,
    /// The session of records that name none.
    pub session: Arc<str>,
    /// The name of the project.
    pub project: Arc<str>,
}

/// Tells from its bytes whether a line can be one with usage, so that others need no parsing.
pub fn may_hold_usage(line: &[u8]) -> bool {
    static FINDER: LazyLock<memmem::Finder<'_>> = LazyLock::new(|| memmem::Finder::new(MARK));
    FINDER.find(line).is_some()
}

/// Reads the request that an assistant record belongs to.
///
/// There is none in other records, in those without usage, and in those that the client wrote
/// without the model (`<synthetic>`).
pub fn read_request(record: &Record<'_>, origin: &Origin) -> Option<Request> {
    let top = Top::read(record.json?)?;
    let message = Message::read(top.message?)?;
    let usage = message.usage?;
    let session = top.session.filter(|session| !session.is_empty());
    Some(Request {
        session: session.map_or_else(|| Arc::clone(&origin.session), |id| shared(id, origin)),
        project: Arc::clone(&origin.project),
        message: message.id.and_then(id),
        request: top.request.and_then(id),
        record: top.source.or(top.uuid).and_then(id),
        model: message
            .model
            .map_or("".into(), |model| model.decode().into()),
        time: top.time,
        tokens: tokens(&usage),
        web_searches: usage
            .server_tool_use
            .and_then(|tools| tools.web_search_requests)
            .unwrap_or(0),
        speed: word(usage.speed).map(|word| Speed::from_word(&word)),
        tier: word(usage.service_tier).map(|word| Tier::from_word(&word)),
        geo: word(usage.inference_geo).map(|word| Geo::from_word(&word)),
        is_sidechain: top.is_sidechain,
        is_fork: top.is_fork,
        file: Arc::clone(&origin.file),
        line: record.line,
        offset: record.span.start,
    })
}

/// The keys of an assistant record that counting needs.
#[derive(Default)]
struct Top<'a> {
    message: Option<Json<'a>>,
    session: Option<JsonText<'a>>,
    request: Option<JsonText<'a>>,
    uuid: Option<JsonText<'a>>,
    source: Option<JsonText<'a>>,
    time: Option<Timestamp>,
    is_sidechain: bool,
    is_fork: bool,
}

impl<'a> Top<'a> {
    /// Takes the keys in one walk; `None` for a record that is not the assistant's.
    fn read(json: Json<'a>) -> Option<Self> {
        let mut top = Self::default();
        let mut is_assistant = false;
        for (key, value) in json.entries() {
            match key.escaped() {
                b"type" => is_assistant = value.text().is_some_and(|kind| kind.is("assistant")),
                b"message" => top.message = Some(value),
                b"sessionId" | b"session_id" => top.session = value.text().or(top.session),
                b"requestId" | b"request_id" => top.request = value.text().or(top.request),
                b"uuid" => top.uuid = value.text(),
                b"timestamp" => top.time = Timestamp::from_json(value),
                b"isSidechain" => top.is_sidechain = value.bool() == Some(true),
                b"sessionKind" => top.is_fork |= value.text().is_some_and(|kind| kind.is("bg")),
                b"forkedFrom" => {
                    top.source = value.get("messageUuid").and_then(Json::text);
                    top.is_fork |= value.is_truthy();
                }
                _ => {}
            }
        }
        is_assistant.then_some(top)
    }
}

/// The keys of a message that counting needs.
#[derive(Default)]
struct Message<'a> {
    id: Option<JsonText<'a>>,
    model: Option<JsonText<'a>>,
    usage: Option<Usage<'a>>,
}

impl<'a> Message<'a> {
    fn read(json: Json<'a>) -> Option<Self> {
        let mut message = Self::default();
        for (key, value) in json.entries() {
            match key.escaped() {
                b"id" => message.id = value.text(),
                b"model" => message.model = value.text(),
                b"usage" => message.usage = Usage::read(value),
                _ => {}
            }
        }
        let is_synthetic = message.model.is_some_and(|model| model.is("<synthetic>"));
        (!is_synthetic).then_some(message)
    }
}

/// Nearly all records of a file name the session that the file is for.
fn shared(session: JsonText<'_>, origin: &Origin) -> Arc<str> {
    match session.is(&origin.session) {
        true => Arc::clone(&origin.session),
        false => session.decode().into(),
    }
}

fn id(text: JsonText<'_>) -> Option<Box<str>> {
    (!text.is_empty()).then(|| text.decode().into())
}

fn word(text: Option<JsonText<'_>>) -> Option<std::borrow::Cow<'_, str>> {
    text.filter(|text| !text.is_empty()).map(JsonText::decode)
}

/// Cache writes without a lifetime are of five minutes, which was the only one once.
fn tokens(usage: &Usage<'_>) -> Tokens {
    let parts = usage.cache_creation;
    let written_5m = parts.and_then(|parts| parts.ephemeral_5m_input_tokens);
    let written_1h = parts.and_then(|parts| parts.ephemeral_1h_input_tokens);
    let cache_write_1h = written_1h.unwrap_or(0);
    let rest = usage
        .cache_creation_input_tokens
        .unwrap_or(0)
        .saturating_sub(cache_write_1h);
    Tokens {
        input: usage.input_tokens.unwrap_or(0),
        output: usage.output_tokens.unwrap_or(0),
        cache_write_5m: rest.max(written_5m.unwrap_or(0)),
        cache_write_1h,
        cache_read: usage.cache_read_input_tokens.unwrap_or(0),
    }
}
