//! The texts of a record.
//!
//! Everything that a person or the model wrote, what tools were asked and answered, and what the
//! client put in between is text. Left out is what repeats other records: `toolUseResult`,
//! `progress`, `last-prompt` and the request log; and what nobody reads: ids, pictures,
//! signatures, settings.
//!
//! **Invariant:** a text is made of decoded JSON strings of the record, whole or cut, with ends of
//! lines between them and nothing else. The prefilter stands on it.

use std::borrow::Cow;

use ravel_format::{Json, Kind, Record, Voice};

use super::Role;
use super::leaf::{self, Leaves};
use super::message;

/// A text of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage<'a> {
    /// Who or what it is from.
    pub role: Role,
    /// The text, decoded.
    pub text: Cow<'a, str>,
    /// Which content block of the record it is in.
    pub block: usize,
    /// The tool that is called.
    pub tool: Option<Cow<'a, str>>,
    /// The id of the call, for calls and results.
    pub call: Option<Cow<'a, str>>,
    /// The file that the tool touches, as far as the record says.
    pub path: Option<Cow<'a, str>>,
    /// The model that wrote the record.
    pub model: Option<Cow<'a, str>>,
}

impl<'a> Passage<'a> {
    pub(super) fn new(role: Role, text: Cow<'a, str>) -> Self {
        Self {
            role,
            text,
            block: 0,
            tool: None,
            call: None,
            path: None,
            model: None,
        }
    }
}

/// Returns the texts of a record in order, without empty ones; none for a damaged record.
pub fn passages<'a>(record: &Record<'a>) -> Vec<Passage<'a>> {
    let kind = record.kind();
    let mut passages = match kind {
        Kind::Assistant => message::replied(record),
        kind if kind.is_user() => message::said(record, kind),
        kind => reported(record, kind).into_iter().collect(),
    };
    passages.retain(|passage| !passage.text.is_empty());
    passages
}

/// Returns what the client reports, under the keys that have words.
fn reported<'a>(record: &Record<'a>, kind: Kind) -> Option<Passage<'a>> {
    let keys: &[&str] = match kind {
        Kind::Progress
        | Kind::LastPrompt
        | Kind::ApiRequest
        | Kind::ApiRequestShape
        | Kind::ApiRequestBlob
        | Kind::StreamEvent
        | Kind::TranscriptMirror => &[],
        Kind::CustomTitle => &["customTitle"],
        Kind::AiTitle => &["aiTitle"],
        Kind::Summary => &["summary"],
        Kind::AgentName => &["agentName"],
        Kind::Tag => &["tag"],
        Kind::PrLink => &["prUrl", "prRepository"],
        Kind::Attachment => return attached(record),
        Kind::System => &[
            "content",
            "text",
            "message",
            "error",
            "hookInfos",
            "hookErrors",
            "hookAdditionalContext",
            "stopReason",
        ],
        _ => &["content", "message"],
    };
    let passage = under(record.json?, keys);
    match Voice::of(passage.text.as_bytes()) {
        Voice::Command if kind == Kind::System => {
            let text = message::without_tags(&passage.text);
            Some(Passage::new(Role::Prompt, text.into()))
        }
        Voice::CommandOutput => Some(Passage {
            text: message::without_tags(&passage.text).into(),
            ..passage
        }),
        _ => Some(passage),
    }
}

/// Returns injected context, except the system prompt and the tools, which are the same everywhere.
fn attached<'a>(record: &Record<'a>) -> Option<Passage<'a>> {
    let attachment = record.get("attachment")?;
    let name = attachment.get("type").and_then(Json::text);
    let is_snapshot = name.is_some_and(|name| name.is("prompt_snapshot"));
    let text = || leaf::text_of(attachment, Leaves::Prose);
    (!is_snapshot).then(|| Passage::new(Role::Other, text()))
}

fn under<'a>(json: Json<'a>, keys: &[&str]) -> Passage<'a> {
    let mut texts = Vec::new();
    for (key, value) in json.entries() {
        if keys.iter().any(|wanted| key.is(wanted)) {
            leaf::collect(value, Leaves::Prose, &mut texts);
        }
    }
    Passage::new(Role::Other, leaf::join(texts))
}
