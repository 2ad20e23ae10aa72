//! What a listing shows of a session, without reading the session.
//!
//! A [`SessionHead`] comes from the first and the last 64 KiB of a file, by text
//! search and not by parsing: it works on torn lines, and its cost does not grow
//! with the file. The official SDKs list sessions the same way; where they leave a
//! session out, `sdk_visible` is false and we list it all the same.
//!
//! What it says is good for a listing and not more. The text search also matches
//! inside nested objects, and a title in the middle of a large file is not seen.

mod census;
pub(crate) mod field;
mod prompt;
mod scan;
mod title;

use std::cell::RefCell;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::SystemTime;

use jiff::Timestamp;
use rayon::prelude::*;

use crate::discover::{Project, SessionFile};
use crate::finding::{Finding, Listing};
use crate::kept::StoredFile;
use crate::lossy_json::decode_text;
use field::{Key, Needle};
use ravel_format::TitleSource;
use scan::Scan;
pub use title::UNTITLED;

/// How much is read from the start of a file, and as much again from its end.
pub const HEAD_BYTES: usize = 65_536;

/// What the start and the end of a session file say about it.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionHead {
    /// The session's id, from the file name.
    pub session_id: String,
    /// The file.
    pub path: PathBuf,
    /// The project the file lies in.
    pub project: Arc<Project>,
    /// The directory the session was started in.
    pub cwd: Option<String>,
    /// The last git branch.
    pub git_branch: Option<String>,
    /// The best title there is, on one line; [`UNTITLED`] when there is none.
    pub title: String,
    /// Where the title comes from.
    pub title_source: TitleSource,
    /// The last `agent-name` record.
    pub agent_name: Option<String>,
    /// The last title set by a person.
    pub custom_title: Option<String>,
    /// The last title made by the model.
    pub ai_title: Option<String>,
    /// The last `summary` record.
    pub summary: Option<String>,
    /// The last prompt, as newer clients note it.
    pub last_prompt: Option<String>,
    /// The first thing a person wrote, on one line and cut to 200 characters.
    pub first_prompt: Option<String>,
    /// The tag, when one is set.
    pub tag: Option<String>,
    /// The model of the last reply.
    pub model: Option<String>,
    /// The last client version.
    pub version: Option<String>,
    /// The first timestamp in the file.
    pub created: Option<Timestamp>,
    /// The last timestamp in the file.
    pub last_active: Option<Timestamp>,
    /// When the file was last written.
    pub modified: SystemTime,
    /// Its size in bytes.
    pub size: u64,
    /// Whether it is gone from the home and was read from the archive.
    pub is_archived: bool,
    /// The number of user and assistant records: exact, or estimated from the density
    /// at both ends of the file.
    pub n_messages: u64,
    /// Whether `n_messages` is exact.
    pub is_exact: bool,
    /// Whether every message that was seen belongs to a sub-agent.
    pub is_sidechain_only: bool,
    /// What the official SDK would show as the session's summary.
    pub sdk_summary: Option<String>,
    /// Whether the official SDK would list the session.
    pub sdk_visible: bool,
}

/// Reads the heads of many sessions at once, the last modified first. Empty files are
/// left out.
pub fn list_heads(sessions: &[SessionFile]) -> Listing<SessionHead> {
    let outcomes: Vec<_> = sessions
        .par_iter()
        .map(|session| read_head(session).map_err(|error| Finding::new(&session.path, error)))
        .collect();
    let mut listing = Listing::default();
    for outcome in outcomes {
        listing.take(outcome);
    }
    listing.items.sort_by(|one, other| {
        let newest_first = other.modified.cmp(&one.modified);
        newest_first.then_with(|| one.path.cmp(&other.path))
    });
    listing
}

/// Reads the head of one session. `None` when the file is empty.
pub fn read_head(session: &SessionFile) -> io::Result<Option<SessionHead>> {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.resize(2 * HEAD_BYTES, 0);
        let file = StoredFile::open(&session.path)?;
        let (size, modified) = file.size_and_time()?;
        let sample = Sample::read(&file, size, buffer)?;
        Ok((!sample.head.is_empty()).then(|| assemble(session, &sample, modified)))
    })
}

thread_local! {
    /// One buffer per thread, so that a listing allocates only what it keeps.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The parts of a file that are looked at.
struct Sample<'a> {
    size: u64,
    head: &'a [u8],
    tail: &'a [u8],
    /// Everything, when head and tail together are the whole file.
    whole: Option<&'a [u8]>,
}

impl<'a> Sample<'a> {
    fn read(file: &StoredFile, size: u64, buffer: &'a mut [u8]) -> io::Result<Self> {
        if size <= buffer.len() as u64 {
            let n_read = file.read_at(buffer, 0)?;
            let whole = buffer.get(..n_read).unwrap_or_default();
            return Ok(Self {
                size: n_read as u64,
                head: whole.get(..HEAD_BYTES).unwrap_or(whole),
                tail: whole
                    .get(n_read.saturating_sub(HEAD_BYTES)..)
                    .unwrap_or_default(),
                whole: Some(whole),
            });
        }
        let (head, tail) = buffer.split_at_mut(HEAD_BYTES);
        let n_head = file.read_at(head, 0)?;
        let n_tail = file.read_at(tail, size - HEAD_BYTES as u64)?;
        Ok(Self {
            size,
            head: head.get(..n_head).unwrap_or_default(),
            tail: tail.get(..n_tail).unwrap_or_default(),
            whole: None,
        })
    }

    /// Searches everything that was read, once.
    fn scan(&self) -> Scan<'a> {
        let mut scan = Scan::default();
        match self.whole {
            Some(whole) => scan.add(whole, whole.len() - self.tail.len()),
            None => {
                scan.add(self.head, usize::MAX);
                scan.add(self.tail, 0);
            }
        }
        scan
    }

    /// The last value of a key, and nothing when that is empty.
    fn last_in_tail(&self, key: &Key) -> Option<String> {
        key.last(self.tail)
            .map(decode_text)
            .filter(|text| !text.is_empty())
    }

    fn last(&self, key: &Key) -> Option<String> {
        self.last_in_tail(key).or_else(|| {
            // For a small file the tail is the head.
            let other = self.tail.len() == HEAD_BYTES;
            let value = other.then(|| key.last(self.head)).flatten();
            value.map(decode_text).filter(|text| !text.is_empty())
        })
    }

    fn first_in_head(&self, key: &Key) -> Option<String> {
        key.first(self.head)
            .map(decode_text)
            .filter(|text| !text.is_empty())
    }
}

/// Everything that is searched for, prepared once.
struct Keys {
    agent_name: Key,
    summary: Key,
    git_branch: Key,
    cwd: Key,
    version: Key,
    model: Key,
    tag: Key,
    timestamp: Key,
    assistant_type: Needle,
}

static KEYS: LazyLock<Keys> = LazyLock::new(|| Keys {
    agent_name: Key::new("agentName"),
    summary: Key::new("summary"),
    git_branch: Key::new("gitBranch"),
    cwd: Key::new("cwd"),
    version: Key::new("version"),
    model: Key::new("model"),
    tag: Key::new("tag"),
    timestamp: Key::new("timestamp"),
    assistant_type: Needle::new("\"assistant\""),
});

fn assemble(session: &SessionFile, sample: &Sample<'_>, modified: SystemTime) -> SessionHead {
    let keys = &*KEYS;
    let scan = sample.scan();
    let prompt = prompt::first_prompt(sample.head);
    let titles = title::Titles::search(session, &scan, prompt.as_ref());
    let (title, title_source) = titles.best();
    let sdk_summary = titles.sdk_summary(&scan, prompt.as_ref());
    let starts_aside = census::is_sidechain(
        sample
            .head
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default(),
    );
    SessionHead {
        session_id: session.session_id.clone(),
        path: session.path.clone(),
        project: Arc::clone(&session.project),
        // Newer clients write it after the message, which may be longer than the head.
        cwd: sample
            .first_in_head(&keys.cwd)
            .or_else(|| sample.last_in_tail(&keys.cwd)),
        git_branch: sample
            .last_in_tail(&keys.git_branch)
            .or_else(|| sample.first_in_head(&keys.git_branch)),
        title,
        title_source,
        tag: tag(&scan),
        model: model(sample.tail).or_else(|| model(sample.head)),
        version: sample.last(&keys.version),
        created: keys.timestamp.first_time(sample.head),
        last_active: keys.timestamp.last_time(sample.tail),
        modified,
        size: sample.size,
        is_archived: session.is_archived,
        n_messages: scan.census.estimate(sample.size),
        is_exact: sample.whole.is_some(),
        is_sidechain_only: scan.census.is_sidechain_only(),
        sdk_visible: session.has_uuid_name && !starts_aside && sdk_summary.is_some(),
        sdk_summary,
        first_prompt: prompt.map(|prompt| prompt.text),
        agent_name: titles.agent_name,
        custom_title: titles.custom_title,
        ai_title: titles.ai_title,
        summary: titles.summary,
        last_prompt: titles.last_prompt,
    }
}

fn tag(scan: &Scan<'_>) -> Option<String> {
    let tag = KEYS.tag.last(scan.tag_line.in_tail()?).map(decode_text);
    tag.filter(|tag| !tag.is_empty())
}

/// The model of the last reply that a model wrote.
fn model(text: &[u8]) -> Option<String> {
    let model = KEYS.assistant_type.last_in(text, |at| {
        let line = field::line_around(text, at);
        // The first `model` of the line is the message's own; later ones are inputs.
        KEYS.model
            .first(line)
            .filter(|model| model != b"<synthetic>")
    })?;
    Some(decode_text(model))
}

#[cfg(test)]
mod tests;
