//! A tool call in one line, and what there is to show below it.
//!
//! Every renderer says the same about a call: a verb, an object, a few notes and how it went
//! ([`ToolLine`]); and below, when there is room, a diff, a command with its output, a checklist
//! and so on ([`Detail`]). Both are plain data and as hostile as the transcript: whoever shows
//! them escapes them.

mod change;
mod detail;
mod note;
mod object;
mod read;

use ravel_format::Timestamp;
use ravel_model::step::{Call, Picture};

pub use detail::{Answer, Body, Detail, Link, Progress, TodoItem};

use crate::amount;
use read::Reading;

/// A tool call in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolLine {
    /// What was done: the name of the tool.
    pub verb: String,
    /// What it was done to: a path, a command, a pattern; empty when there is nothing to say.
    pub object: String,
    /// Lines added and removed, for a call that changed a file.
    pub change: Option<(usize, usize)>,
    /// What came of it, in a few words each: `80 lines`, `exit 1`, `2.3 s`.
    pub notes: Vec<String>,
    /// How it went.
    pub state: CallState,
    /// Whether the tool only looks, so that a run of such calls says little.
    pub is_read_only: bool,
}

/// How a call went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallState {
    /// It was answered.
    Done,
    /// The tool failed.
    Failed,
    /// A person, a rule or a hook said no.
    Denied,
    /// There is no answer in the file: it still runs, or it was cut off.
    Unanswered,
}

impl CallState {
    /// Returns a word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Denied => "denied",
            Self::Unanswered => "no result",
        }
    }
}

impl ToolLine {
    /// Words a call that was made at `called_at` in a session that works in `cwd`.
    pub fn of(call: &Call, called_at: Option<Timestamp>, cwd: Option<&str>) -> Self {
        let reading = Reading::of(call);
        let state = state_of(call);
        // What was refused says what it would have changed; what failed changed nothing.
        let change = change::change(&reading).filter(|_| state != CallState::Failed);
        Self {
            verb: object::verb(&reading),
            object: object::object(&reading, cwd),
            change,
            notes: note::notes(&reading, called_at, state),
            state,
            is_read_only: object::is_read_only(&call.name),
        }
    }

    /// Tells whether a call may be left out of a short account: it only looked, and all went well.
    pub fn is_dull(call: &Call) -> bool {
        let pictures = call.result.iter().flat_map(|result| &result.pictures);
        object::is_read_only(&call.name)
            && call.agents.is_empty()
            && pictures.count() == 0
            && state_of(call) == CallState::Done
    }

    /// Returns the line without any style, such as `Edit src/cart.rs +12 −3 · 1.4 s`.
    pub fn text(&self) -> String {
        let mut text = self.verb.clone();
        if !self.object.is_empty() {
            text.push(' ');
            text.push_str(&self.object);
        }
        if let Some((added, removed)) = self.change {
            text.push_str(&format!(" +{added} −{removed}"));
        }
        for note in &self.notes {
            text.push_str(" · ");
            text.push_str(note);
        }
        text
    }
}

impl Detail {
    /// Returns what there is to show below a call.
    pub fn of(call: &Call) -> Self {
        detail::detail(call, &Reading::of(call), state_of(call))
    }
}

/// Returns `path` as seen from `cwd` when it is inside; `.` is the folder itself.
pub fn relative<'p>(path: &'p str, cwd: Option<&str>) -> &'p str {
    let inside = || {
        let cwd = cwd?.trim_end_matches(['/', '\\']);
        let rest = path.strip_prefix(cwd).filter(|_| !cwd.is_empty())?;
        match rest {
            "" | "/" | "\\" => Some("."),
            _ => rest.strip_prefix(['/', '\\']),
        }
    };
    inside().unwrap_or(path)
}

/// Returns a picture in words: `[image png 12 kB]`.
pub fn picture_label(picture: &Picture) -> String {
    let (class, kind) = picture
        .media_type
        .split_once('/')
        .unwrap_or(("image", &picture.media_type));
    let class = if class == "application" {
        "document"
    } else {
        class
    };
    // Four characters of base64 are three bytes.
    let size = picture.base64.len() as u64 / 4 * 3;
    let size = if size > 0 {
        amount::bytes(size)
    } else {
        String::new()
    };
    let name = picture.name.as_deref().unwrap_or_default();
    let words = [class, kind, &size, name];
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    format!("[{}]", words.join(" "))
}

/// Phrases by which clients say that a call was not allowed.
const REFUSALS: &[&str] = &[
    "user doesn't want to",
    "you haven't granted it",
    "has been denied",
    "was blocked",
    "hook error",
    "user rejected",
    "interrupted by user for tool use",
];

/// Only the start is searched: a long answer may quote anything.
const REFUSAL_REACH: usize = 400;

fn state_of(call: &Call) -> CallState {
    let Some(result) = &call.result else {
        return CallState::Unanswered;
    };
    if !result.is_error {
        return CallState::Done;
    }
    let reach = result.text.floor_char_boundary(REFUSAL_REACH);
    let start = result.text.get(..reach).unwrap_or_default();
    if REFUSALS.iter().any(|phrase| start.contains(phrase)) {
        CallState::Denied
    } else {
        CallState::Failed
    }
}

#[cfg(test)]
mod tests;
