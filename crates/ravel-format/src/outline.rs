//! A whole file in a few bytes a record.
//!
//! An [`Outline`] is made in one pass over the bytes and holds what linking needs: ids, parents,
//! flags, times, tool calls and where each record stands. Texts stay in the file; they are read
//! by [`Entry::span`] when someone looks at them, so a session of gigabytes needs memory for its
//! records, not for its contents.
//!
//! Outlines of neighboring pieces of a file can be made in parallel and joined with
//! [`Outline::append`].

use crate::id::{Id, IdTable};
use crate::kind::Kind;
use crate::line::{Line, Place, Span, lines_from};
use crate::record::{Damage, Record, parse_line};
use crate::timestamp::Timestamp;

mod digest;
mod said;
#[cfg(test)]
mod tests;

pub use said::{Distinct, Said, Voice};

/// The records of a file, without their texts.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    entries: Vec<Entry>,
    edges: Vec<ToolEdge>,
    ids: IdTable,
    said: Said,
    /// The session that the last record named, as written.
    latest_session: Option<(Box<[u8]>, Id)>,
    n_lines: u64,
    n_bytes: u64,
    is_open_ended: bool,
}

/// What linking needs to know of one record.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Where the record stands in the file.
    pub span: Span,
    /// The line it stands on, counted from 1.
    pub line: u32,
    /// What it is.
    pub kind: Kind,
    /// What it is, more closely.
    pub facet: Facet,
    /// Whose words its text is.
    pub voice: Voice,
    /// What is wrong with its bytes.
    pub fault: Option<Fault>,
    /// Yes-or-no facts.
    pub flags: Flags,
    /// Its own id.
    pub uuid: Option<Id>,
    /// The record it follows.
    pub parent: Option<Id>,
    /// The record it follows across a compaction.
    pub logical_parent: Option<Id>,
    /// The record it points to: the call of a tool result, the leaf of a `last-prompt` or `summary`.
    pub refers_to: Option<Id>,
    /// The reply it is a part of: `message.id`.
    pub message: Option<Id>,
    /// The sub-agent that wrote it.
    pub agent: Option<Id>,
    /// The session it says it belongs to.
    pub session: Option<Id>,
    /// When it was written.
    pub time: Option<Timestamp>,
    first_edge: u32,
    n_edges: u32,
}

/// The few subtypes that change how records link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Facet {
    /// Anything else.
    Plain,
    /// `system/compact_boundary`, or a `compact_system` that says the conversation was compacted.
    CompactBoundary,
    /// `system/microcompact_boundary`.
    MicrocompactBoundary,
    /// `system/local_command`.
    LocalCommand,
    /// `system/api_error`: a request that will be retried.
    ApiError,
    /// `system/turn_duration`.
    TurnDuration,
    /// `progress/agent_progress`.
    AgentProgress,
    /// `progress/hook_progress`, `attachment/hook_*`, `system/stop_hook_summary`.
    Hook,
}

/// What is wrong with the bytes of a record, without the details. See [`Damage`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants are those of Damage")]
pub enum Fault {
    Blank,
    Nul,
    Torn,
    Malformed,
    NotAnObject,
    Glued,
}

impl From<Damage> for Fault {
    fn from(damage: Damage) -> Self {
        match damage {
            Damage::Blank => Self::Blank,
            Damage::Nul => Self::Nul,
            Damage::Torn(_) => Self::Torn,
            Damage::Malformed(_) => Self::Malformed,
            Damage::NotAnObject(_) => Self::NotAnObject,
            Damage::Glued => Self::Glued,
        }
    }
}

/// Yes-or-no facts about a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(u16);

impl Flags {
    /// `isSidechain`: a sub-agent wrote it.
    pub const SIDECHAIN: Self = Self(1);
    /// `isMeta`: for the model, hidden from people.
    pub const META: Self = Self(1 << 1);
    /// `teamName`: another member of a team wrote it.
    pub const TEAM: Self = Self(1 << 2);
    /// `isCompactSummary`: what was said before a compaction.
    pub const COMPACT_SUMMARY: Self = Self(1 << 3);
    /// `isApiErrorMessage`: an error in the shape of a reply.
    pub const API_ERROR: Self = Self(1 << 4);
    /// Has text, an image or a document of its own.
    pub const CONTENT: Self = Self(1 << 5);
    /// The model is `<synthetic>`: the client wrote it.
    pub const SYNTHETIC: Self = Self(1 << 6);
    /// Has a `timestamp` that is no time.
    pub const BAD_TIME: Self = Self(1 << 7);
    /// Has a `parentUuid`, perhaps `null`.
    pub const HAS_PARENT_KEY: Self = Self(1 << 8);
    /// Has a `message`.
    pub const HAS_MESSAGE: Self = Self(1 << 9);
    /// Seed 001: `userType` is `external`.
    pub const EXTERNAL_USER: Self = Self(1 << 10);
    /// Has `isSidechain`, true or false.
    pub const HAS_SIDECHAIN_KEY: Self = Self(1 << 11);
    /// `explicit` on a `last-prompt`.
    pub const EXPLICIT: Self = Self(1 << 12);
    /// Calls a sub-agent: the tool is `Task` or `Agent`.
    pub const AGENT_CALL: Self = Self(1 << 13);
    /// Has thinking.
    pub const THINKING: Self = Self(1 << 14);

    /// Tells whether all of `flags` are set.
    pub fn has(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }

    pub(crate) fn set(&mut self, flags: Self, value: bool) {
        if value {
            self.0 |= flags.0;
        } else {
            self.0 &= !flags.0;
        }
    }
}

/// A record's part in a tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolEdge {
    /// The id of the call, or of the agent for [`ToolRole::Launch`].
    pub id: Id,
    /// What the record does in it.
    pub role: ToolRole,
}

/// What a record does in a tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolRole {
    /// Makes the call.
    Call,
    /// Holds the result.
    Result,
    /// Reports while it runs (`toolUseID` or `parentToolUseID`).
    Progress,
    /// Says which agent ran for it (`toolUseResult.agentId`, `data.agentId`).
    Launch,
}

impl Outline {
    /// Outlines the bytes of a whole file.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self::from_piece(bytes, 0)
    }

    /// Outlines a piece of a file that starts at a line and at `offset`.
    ///
    /// Lines are counted from 1 in each piece; [`Outline::append`] counts them on.
    pub fn from_piece(bytes: &[u8], offset: u64) -> Self {
        let mut outline = Self::default();
        for line in lines_from(bytes, Place { offset, line: 1 }) {
            outline.add_line(&line);
        }
        outline.of_piece(bytes.len())
    }

    /// Makes an outline of lines that were added one by one that of a piece of `length` bytes.
    #[must_use]
    pub fn of_piece(mut self, length: usize) -> Self {
        self.n_bytes = length as u64;
        self
    }

    /// Adds the records of one more line.
    pub fn add_line(&mut self, line: &Line<'_>) {
        self.n_lines += 1;
        self.n_bytes = line.span.end() + line.ending.bytes().len() as u64;
        self.is_open_ended = line.ending.bytes().is_empty();
        if self
            .digest(line.bytes, Entry::new(line.span, line.number))
            .is_ok()
        {
            return;
        }
        for record in parse_line(line) {
            self.add_record(&record);
        }
    }

    fn add_record(&mut self, record: &Record<'_>) {
        let mut entry = Entry::new(record.span, record.line);
        entry.fault = record.damage.map(Into::into);
        let read = record
            .json
            .is_some_and(|json| self.digest(json.raw(), entry).is_ok());
        if !read {
            self.entries.push(entry);
        }
    }

    /// Joins the outline of the piece that follows in the file.
    pub fn append(&mut self, next: Self) {
        let first_edge = self.edges.len() as u32;
        let n_lines = u32::try_from(self.n_lines).unwrap_or(u32::MAX);
        let keys = next.ids.into_keys();
        let new_ids: Vec<Option<Id>> = keys.into_iter().map(|key| self.ids.intern(key)).collect();
        let renamed = |id: Option<Id>| id.and_then(|id| *new_ids.get(id.index())?);
        self.edges.extend(next.edges.iter().filter_map(|edge| {
            Some(ToolEdge {
                id: renamed(Some(edge.id))?,
                role: edge.role,
            })
        }));
        self.entries
            .extend(next.entries.into_iter().map(|mut entry| {
                for id in entry.ids_mut() {
                    *id = renamed(*id);
                }
                entry.first_edge += first_edge;
                entry.line = entry.line.saturating_add(n_lines);
                entry
            }));
        self.said.append(next.said);
        self.latest_session = None;
        self.n_lines += next.n_lines;
        self.n_bytes += next.n_bytes;
        self.is_open_ended = next.is_open_ended;
    }

    /// Returns all records in file order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns one record by its place in [`Outline::entries`].
    pub fn entry(&self, index: usize) -> Option<&Entry> {
        self.entries.get(index)
    }

    /// Returns the ids that the records name.
    pub fn ids(&self) -> &IdTable {
        &self.ids
    }

    /// Returns what the records say of the session as a whole.
    pub fn said(&self) -> &Said {
        &self.said
    }

    /// Returns a record's parts in tool calls.
    pub fn edges(&self, entry: &Entry) -> &[ToolEdge] {
        let start = entry.first_edge as usize;
        self.edges
            .get(start..start + entry.n_edges as usize)
            .unwrap_or_default()
    }

    /// Returns the ids of `entry` with one role.
    pub fn tools(
        &self,
        entry: &Entry,
        role: ToolRole,
    ) -> impl Iterator<Item = Id> + Clone + use<'_> {
        self.edges(entry)
            .iter()
            .filter(move |edge| edge.role == role)
            .map(|edge| edge.id)
    }

    /// Returns an id as text, empty for none.
    pub fn text(&self, id: Option<Id>) -> String {
        id.map(|id| self.ids.text(id)).unwrap_or_default()
    }

    /// Returns the number of lines.
    pub fn n_lines(&self) -> u64 {
        self.n_lines
    }

    /// Returns the number of bytes.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// Tells whether the last line has no line end: it may still be growing, or was torn.
    pub fn is_open_ended(&self) -> bool {
        self.is_open_ended
    }
}

impl Entry {
    fn new(span: Span, line: u64) -> Self {
        Self {
            span,
            line: u32::try_from(line).unwrap_or(u32::MAX),
            kind: Kind::None,
            facet: Facet::Plain,
            voice: Voice::Words,
            fault: None,
            flags: Flags::default(),
            uuid: None,
            parent: None,
            logical_parent: None,
            refers_to: None,
            message: None,
            agent: None,
            session: None,
            time: None,
            first_edge: 0,
            n_edges: 0,
        }
    }

    fn ids_mut(&mut self) -> [&mut Option<Id>; 7] {
        let Self {
            uuid,
            parent,
            logical_parent,
            refers_to,
            message,
            agent,
            session,
            ..
        } = self;
        [
            uuid,
            parent,
            logical_parent,
            refers_to,
            message,
            agent,
            session,
        ]
    }

    /// Tells whether all of `flags` are set.
    pub fn has(&self, flags: Flags) -> bool {
        self.flags.has(flags)
    }

    /// Tells whether the record hangs in the parent chain: a linked kind with an id.
    pub fn is_linked(&self) -> bool {
        self.kind.is_linked() && self.uuid.is_some()
    }
}
