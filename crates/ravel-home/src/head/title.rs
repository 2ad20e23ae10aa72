//! The title of a session, out of the many places that can hold one.
//!
//! The order is: name of the agent, title set by a person, title made by the model,
//! summary, last prompt, first prompt. The official SDKs know no agent name, prefer
//! the last prompt to a summary, and drop a session that has none of these.

use super::prompt::{self, Prompt};
use super::scan::Scan;
use crate::discover::SessionFile;
use ravel_format::TitleSource;

use crate::lossy_json::decode_text;
use crate::sidecar;

/// The title of a session that has none.
pub const UNTITLED: &str = "Untitled";

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
    pub(super) fn search(session: &SessionFile, scan: &Scan<'_>, prompt: Option<&Prompt>) -> Self {
        let recorded_custom = decoded(scan.custom_title.latest());
        let ai_title = decoded(scan.ai_title.latest());
        Self {
            agent_name: decoded(scan.agent_name.latest()),
            recorded: recorded_custom.clone().or_else(|| ai_title.clone()),
            custom_title: recorded_custom.or_else(|| sidecar::custom_title(session)),
            ai_title,
            summary: decoded(scan.summary.latest()),
            last_prompt: decoded(scan.last_prompt.in_tail()),
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
    pub(super) fn sdk_summary(&self, scan: &Scan<'_>, prompt: Option<&Prompt>) -> Option<String> {
        let official = prompt.filter(|prompt| prompt.is_official);
        self.recorded
            .clone()
            .or_else(|| self.last_prompt.clone())
            .or_else(|| decoded(scan.any_summary.in_tail()))
            .or_else(|| official.map(|prompt| prompt.text.clone()))
    }
}

/// The decoded text of a value that was found.
fn decoded(value: Option<&[u8]>) -> Option<String> {
    value.map(decode_text)
}

fn one_line(text: &str) -> Option<String> {
    let words: Vec<_> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| prompt::shorten(&words.join(" ")))
}
