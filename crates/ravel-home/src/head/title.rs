//! The title of a session, out of the many places that can hold one.
//!
//! The order is: name of the agent, title set by a person, title made by the model,
//! summary, last prompt, first prompt. The official SDKs know no agent name, prefer
//! the last prompt to a summary, and drop a session that has none of these.

use super::prompt::{self, Prompt};
use super::{HEAD_BYTES, KEYS, Sample};
use crate::discover::SessionFile;
use crate::head::field::{self, Needle};
use crate::lossy_json::decode_text;
use crate::sidecar;

/// The title of a session that has none.
pub const UNTITLED: &str = "Untitled";

/// Where a title comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TitleSource {
    /// The last `agent-name` record.
    AgentName,
    /// The last `custom-title` record, or the file `custom-title.json`.
    CustomTitle,
    /// The last `ai-title` record.
    AiTitle,
    /// The last `summary` record.
    Summary,
    /// The last `last-prompt` record.
    LastPrompt,
    /// The first thing a person wrote.
    FirstPrompt,
    /// There is no title.
    Nothing,
}

/// Every title of a session.
pub(super) struct Titles {
    pub(super) agent_name: Option<String>,
    pub(super) custom_title: Option<String>,
    pub(super) ai_title: Option<String>,
    pub(super) summary: Option<String>,
    pub(super) last_prompt: Option<String>,
    first_prompt: Option<String>,
    /// What the SDKs take for a title: a record, never the file beside the session.
    recorded: Option<String>,
}

impl Titles {
    pub(super) fn search(
        session: &SessionFile,
        sample: &Sample<'_>,
        prompt: Option<&Prompt>,
    ) -> Self {
        let recorded_custom = sample.last(&KEYS.custom_title);
        let ai_title = sample.last(&KEYS.ai_title);
        Self {
            agent_name: ends(sample).find_map(agent_name),
            recorded: recorded_custom.clone().or_else(|| ai_title.clone()),
            custom_title: recorded_custom.or_else(|| sidecar::custom_title(session)),
            ai_title,
            summary: ends(sample).find_map(summary),
            last_prompt: sample.last_in_tail(&KEYS.last_prompt),
            first_prompt: prompt.map(|prompt| prompt.text.clone()),
        }
    }

    /// The title to show, on one line.
    pub(super) fn best(&self) -> (String, TitleSource) {
        let candidates = [
            (&self.agent_name, TitleSource::AgentName),
            (&self.custom_title, TitleSource::CustomTitle),
            (&self.ai_title, TitleSource::AiTitle),
            (&self.summary, TitleSource::Summary),
            (&self.last_prompt, TitleSource::LastPrompt),
            (&self.first_prompt, TitleSource::FirstPrompt),
        ];
        candidates
            .into_iter()
            .find_map(|(text, source)| Some((one_line(text.as_deref()?)?, source)))
            .unwrap_or_else(|| (UNTITLED.to_owned(), TitleSource::Nothing))
    }

    /// What the official SDKs show. They search for `summary` anywhere in the tail.
    pub(super) fn sdk_summary(
        &self,
        sample: &Sample<'_>,
        prompt: Option<&Prompt>,
    ) -> Option<String> {
        let official = prompt.filter(|prompt| prompt.is_official);
        self.recorded
            .clone()
            .or_else(|| self.last_prompt.clone())
            .or_else(|| sample.last_in_tail(&KEYS.summary))
            .or_else(|| official.map(|prompt| prompt.text.clone()))
    }
}

/// The parts to search for records that are repeated: the tail, then the head.
fn ends<'a>(sample: &Sample<'a>) -> impl Iterator<Item = &'a [u8]> {
    let head = (sample.tail.len() == HEAD_BYTES).then_some(sample.head);
    [Some(sample.tail), head].into_iter().flatten()
}

fn agent_name(text: &[u8]) -> Option<String> {
    let name = last_record(text, &KEYS.agent_name_type, |line| {
        KEYS.agent_name.last(line)
    })?;
    Some(decode_text(name)).filter(|name| !name.is_empty())
}

fn summary(text: &[u8]) -> Option<String> {
    let summary = last_record(text, &KEYS.summary_type, |line| KEYS.summary.last(line))?;
    Some(decode_text(summary)).filter(|summary| !summary.is_empty())
}

/// The outcome of the last line whose `type` the needle names. Other lines may have a
/// key of the same name, such as the `agentName` on every line of a team session.
fn last_record<'t>(
    text: &'t [u8],
    name: &Needle,
    read: impl Fn(&'t [u8]) -> Option<&'t [u8]>,
) -> Option<&'t [u8]> {
    name.last_in(text, |at| {
        let before = text.get(..at)?.trim_ascii_end();
        before
            .ends_with(b"\"type\":")
            .then(|| read(field::line_around(text, at)))
            .flatten()
    })
}

fn one_line(text: &str) -> Option<String> {
    let words: Vec<_> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| prompt::shorten(&words.join(" ")))
}
