//! A line into a request.
//!
//! Only assistant records are looked at, and only their own `message.usage`: the copies inside
//! `progress` records and the totals in `toolUseResult` repeat what other lines say.

use std::cell::RefCell;
use std::sync::{Arc, LazyLock};

use memchr::memmem;
use ravel_format::{FromJson as _, Json, JsonText, Line, Record, Timestamp, Usage};

use super::ledger::{Entry, Ids};
use super::{Geo, Request, Speed, Tier, Tokens};

#[cfg(test)]
mod tests;
mod walk;

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
    let mut top = Top::default();
    for (key, value) in record.json?.entries() {
        match key.escaped() {
            b"message" => top.message = Some(Message::read(value)),
            _ => top.take(key, value),
        }
    }
    let found = Found::of(top)?;
    let mut request = found.request(origin, record.line, record.span.start);
    request.message = found.message.id.and_then(id);
    request.request = found.top.request.and_then(id);
    request.record = found.record().and_then(id);
    Some(request)
}

/// A line that has to be parsed to know what it says. See [`read_entry`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unusual;

/// Reads a line that is one record, written without spaces as the client does, in a single walk.
///
/// The answer is that of [`read_request`] for its record. Any other line is [`Unusual`], damaged
/// ones among them.
pub fn read_entry(line: &Line<'_>, origin: &Origin) -> Result<Option<Entry>, Unusual> {
    let top = walk::read(line.bytes).ok_or(Unusual)?;
    Ok(Found::of(top).map(|found| found.entry(line, origin)))
}

/// The keys of a record that counting needs.
#[derive(Default)]
struct Top<'a> {
    is_assistant: bool,
    message: Option<Message<'a>>,
    session: Option<JsonText<'a>>,
    request: Option<JsonText<'a>>,
    uuid: Option<JsonText<'a>>,
    source: Option<JsonText<'a>>,
    time: Option<Json<'a>>,
    is_sidechain: bool,
    is_fork: bool,
}

impl<'a> Top<'a> {
    fn take(&mut self, key: JsonText<'a>, value: Json<'a>) {
        match key.escaped() {
            b"type" => self.is_assistant = value.text().is_some_and(|kind| kind.is("assistant")),
            b"sessionId" | b"session_id" => self.session = value.text().or(self.session),
            b"requestId" | b"request_id" => self.request = value.text().or(self.request),
            b"uuid" => self.uuid = value.text(),
            b"timestamp" => self.time = Some(value),
            b"isSidechain" => self.is_sidechain = value.bool() == Some(true),
            b"sessionKind" => self.is_fork |= value.text().is_some_and(|kind| kind.is("bg")),
            b"forkedFrom" => {
                self.source = value.get("messageUuid").and_then(Json::text);
                self.is_fork |= value.is_truthy();
            }
            _ => {}
        }
    }
}

/// The keys of a message that counting needs.
#[derive(Default)]
struct Message<'a> {
    id: Option<JsonText<'a>>,
    model: Option<JsonText<'a>>,
    usage: Option<Json<'a>>,
}

impl<'a> Message<'a> {
    fn read(json: Json<'a>) -> Self {
        let mut message = Self::default();
        for (key, value) in json.entries() {
            message.take(key, value);
        }
        message
    }

    fn take(&mut self, key: JsonText<'a>, value: Json<'a>) {
        match key.escaped() {
            b"id" => self.id = value.text(),
            b"model" => self.model = value.text(),
            b"usage" => self.usage = Some(value),
            _ => {}
        }
    }
}

/// A record that counts.
struct Found<'a> {
    top: Top<'a>,
    message: Message<'a>,
    usage: Usage<'a>,
}

impl<'a> Found<'a> {
    fn of(mut top: Top<'a>) -> Option<Self> {
        let message = top.message.take().filter(|_| top.is_assistant)?;
        let usage = Usage::read(message.usage?)?;
        let is_synthetic = message.model.is_some_and(|model| model.is("<synthetic>"));
        (!is_synthetic).then_some(Self {
            top,
            message,
            usage,
        })
    }

    /// The id of the record, or of the one it says it was copied from.
    fn record(&self) -> Option<JsonText<'a>> {
        self.top.source.or(self.top.uuid)
    }

    /// Makes an entry: its ids are looked at where they stand.
    fn entry(&self, line: &Line<'_>, origin: &Origin) -> Entry {
        let request = self.request(origin, line.number, line.span.start);
        let message = word(self.message.id);
        let id = word(self.top.request);
        let record = word(self.record());
        let ids = Ids {
            message: message.as_deref(),
            request: id.as_deref(),
            record: record.as_deref(),
            session: &Arc::clone(&request.session),
            file: &origin.file,
            offset: request.offset,
        };
        Entry::new(request, &ids)
    }

    /// Makes the request without its ids.
    fn request(&self, origin: &Origin, line: u64, offset: u64) -> Request {
        let (top, usage) = (&self.top, &self.usage);
        let session = top.session.filter(|session| !session.is_empty());
        Request {
            session: session.map_or_else(|| Arc::clone(&origin.session), |id| shared(id, origin)),
            project: Arc::clone(&origin.project),
            message: None,
            request: None,
            record: None,
            model: self.message.model.map_or_else(Arc::default, model),
            time: top.time.and_then(Timestamp::from_json),
            tokens: tokens(usage),
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
            line,
            offset,
        }
    }
}

/// Nearly all records in a row are of the same model.
fn model(name: JsonText<'_>) -> Arc<str> {
    thread_local! {
        static LAST: RefCell<Arc<str>> = RefCell::default();
    }
    LAST.with_borrow_mut(|last| {
        if !name.is(last) {
            *last = name.decode().into();
        }
        Arc::clone(last)
    })
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
