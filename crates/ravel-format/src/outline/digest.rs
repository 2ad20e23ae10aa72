//! One walk over the bytes of a record, picking up what linking needs.
//!
//! This is the hot loop of everything that reads whole files, so it touches each byte once and
//! builds nothing. Keys are compared as written: no client escapes letters in its own keys.

use crate::json::{Cursor, Json, JsonText, Malformed, Reason};
use crate::kind::Kind;
use crate::timestamp::Timestamp;

use super::said::Distinct;
use super::{Entry, Facet, Flags, Outline, ToolEdge, ToolRole, Voice};

impl Outline {
    /// Adds the record in `bytes`, or leaves the outline as it was when they are not one object.
    pub(super) fn digest(&mut self, bytes: &[u8], mut entry: Entry) -> Result<(), Malformed> {
        let first_edge = self.edges.len();
        let mut cursor = Cursor::new(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes));
        let walked = self
            .walk(&mut cursor, &mut entry)
            .and_then(|()| match cursor.peek() {
                None => Ok(()),
                Some(_) => cursor.error(Reason::Trailing),
            });
        if walked.is_err() {
            self.edges.truncate(first_edge);
            return walked;
        }
        self.dedup_edges(first_edge);
        entry.first_edge = first_edge as u32;
        entry.n_edges = (self.edges.len() - first_edge) as u32;
        self.entries.push(entry);
        Ok(())
    }

    fn walk(&mut self, cursor: &mut Cursor<'_>, entry: &mut Entry) -> Result<(), Malformed> {
        cursor.object(|cursor, key| match key.escaped() {
            b"message" => self.walk_message(cursor, entry),
            b"toolUseResult" | b"tool_use_result" => self.walk_inner(cursor, entry, Inner::Outcome),
            b"data" => self.walk_inner(cursor, entry, Inner::Progress),
            b"attachment" => self.walk_inner(cursor, entry, Inner::Attachment),
            name => {
                let value = Json::from_scanned(cursor.value()?);
                self.take(entry, name, value);
                Ok(())
            }
        })
    }

    /// Takes in a top-level value.
    fn take(&mut self, entry: &mut Entry, key: &[u8], value: Json<'_>) {
        match key {
            b"type" => entry.kind = value.text().map_or(Kind::None, Kind::from_text),
            b"subtype" => set_facet(entry, value.text()),
            b"uuid" => entry.uuid = self.id(value),
            b"parentUuid" => {
                entry.flags.set(Flags::HAS_PARENT_KEY, true);
                entry.parent = self.id(value).filter(|_| value.is_truthy());
            }
            b"logicalParentUuid" => entry.logical_parent = self.id(value),
            b"sessionId" | b"session_id" => {
                entry.session = self.session_id(value).or(entry.session);
            }
            b"agentId" => entry.agent = self.id(value),
            b"sourceToolAssistantUUID" | b"leafUuid" => entry.refers_to = self.id(value),
            b"timestamp" => {
                entry.time = Timestamp::from_json(value);
                entry.flags.set(Flags::BAD_TIME, entry.time.is_none());
            }
            b"toolUseID" | b"parentToolUseID" => self.edge(value.text(), ToolRole::Progress),
            b"content" => entry.flags.set(Flags::CONTENT, value.is_truthy()),
            b"version" => note(&mut self.said.versions, value),
            b"cwd" => note(&mut self.said.folders, value),
            b"gitBranch" => note(&mut self.said.branches, value),
            _ => take_flag(entry, key, value),
        }
    }

    /// Nearly all records of a file name the same session.
    fn session_id(&mut self, value: Json<'_>) -> Option<crate::id::Id> {
        if let Some((text, id)) = &self.latest_session
            && **text == *value.raw()
        {
            return Some(*id);
        }
        let id = self.id(value)?;
        self.latest_session = Some((value.raw().into(), id));
        Some(id)
    }

    fn id(&mut self, value: Json<'_>) -> Option<crate::id::Id> {
        value.text().and_then(|text| self.ids.intern_json(text))
    }

    fn edge(&mut self, id: Option<JsonText<'_>>, role: ToolRole) {
        let id = id
            .filter(|id| !id.is_empty())
            .and_then(|id| self.ids.intern_json(id));
        self.edges.extend(id.map(|id| ToolEdge { id, role }));
    }

    /// Progress names its call twice, as `toolUseID` and `parentToolUseID`.
    fn dedup_edges(&mut self, first_edge: usize) {
        if self.edges.len() > first_edge + 1 {
            let mut own = self.edges.split_off(first_edge);
            own.dedup();
            self.edges.append(&mut own);
        }
    }

    fn walk_message(
        &mut self,
        cursor: &mut Cursor<'_>,
        entry: &mut Entry,
    ) -> Result<(), Malformed> {
        entry.flags.set(Flags::HAS_MESSAGE, true);
        if cursor.peek() != Some(b'{') {
            // Seed 001: the message is its text.
            let value = Json::from_scanned(cursor.value()?);
            if let Some(text) = value.text() {
                entry.flags.set(Flags::CONTENT, !text.is_empty());
                set_facet(
                    entry,
                    Some(text).filter(|_| text.is("conversation_compacted")),
                );
            }
            return Ok(());
        }
        cursor.object(|cursor, key| match key.escaped() {
            b"id" => {
                let id = Json::from_scanned(cursor.value()?)
                    .text()
                    .filter(|id| !id.is_empty());
                entry.message = id.and_then(|id| self.ids.intern_json(id));
                Ok(())
            }
            b"model" => {
                let model = Json::from_scanned(cursor.value()?);
                let is_synthetic = model.raw() == b"\"<synthetic>\"";
                entry.flags.set(Flags::SYNTHETIC, is_synthetic);
                if !is_synthetic {
                    note(&mut self.said.models, model);
                }
                Ok(())
            }
            b"content" if cursor.peek() == Some(b'[') => {
                cursor.array(|cursor| self.walk_block(cursor, entry))
            }
            b"content" => {
                let value = Json::from_scanned(cursor.value()?);
                entry.flags.set(Flags::CONTENT, value.is_truthy());
                entry.voice = value
                    .text()
                    .map_or(Voice::Words, |text| Voice::of(text.escaped()));
                Ok(())
            }
            _ => cursor.skip_value(),
        })
    }

    fn walk_block(&mut self, cursor: &mut Cursor<'_>, entry: &mut Entry) -> Result<(), Malformed> {
        if cursor.peek() != Some(b'{') {
            entry.flags.set(Flags::CONTENT, true);
            return cursor.skip_value();
        }
        let mut block = Block::default();
        cursor.object(|cursor, key| {
            let slot = match key.escaped() {
                b"type" => &mut block.kind,
                b"id" => &mut block.id,
                b"tool_use_id" => &mut block.tool_use_id,
                b"name" => &mut block.name,
                b"text" => &mut block.text,
                _ => return cursor.skip_value(),
            };
            *slot = Json::from_scanned(cursor.value()?).text();
            Ok(())
        })?;
        self.take_block(entry, &block);
        Ok(())
    }

    fn take_block(&mut self, entry: &mut Entry, block: &Block<'_>) {
        match block.kind.map(JsonText::escaped) {
            Some(b"tool_use") => {
                self.edge(block.id, ToolRole::Call);
                if matches!(block.name.map(JsonText::escaped), Some(b"Task" | b"Agent")) {
                    entry.flags.set(Flags::AGENT_CALL, true);
                }
            }
            Some(b"tool_result") => self.edge(block.tool_use_id, ToolRole::Result),
            Some(b"thinking" | b"redacted_thinking") => entry.flags.set(Flags::THINKING, true),
            _ => {
                if !entry.has(Flags::CONTENT) {
                    entry.voice = block
                        .text
                        .map_or(Voice::Words, |text| Voice::of(text.escaped()));
                }
                entry.flags.set(Flags::CONTENT, true);
            }
        }
    }

    /// Takes the type and the agent out of an inner object, or passes anything else.
    fn walk_inner(
        &mut self,
        cursor: &mut Cursor<'_>,
        entry: &mut Entry,
        inner: Inner,
    ) -> Result<(), Malformed> {
        if cursor.peek() != Some(b'{') {
            return cursor.skip_value();
        }
        cursor.object(|cursor, key| match key.escaped() {
            b"agentId" if inner != Inner::Attachment => {
                let agent = Json::from_scanned(cursor.value()?).text();
                self.edge(agent, ToolRole::Launch);
                Ok(())
            }
            b"type" if inner != Inner::Outcome => {
                set_facet(entry, Json::from_scanned(cursor.value()?).text());
                Ok(())
            }
            _ => cursor.skip_value(),
        })
    }
}

/// What the walk picks up from a content block.
#[derive(Default)]
struct Block<'a> {
    kind: Option<JsonText<'a>>,
    id: Option<JsonText<'a>>,
    tool_use_id: Option<JsonText<'a>>,
    name: Option<JsonText<'a>>,
    text: Option<JsonText<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inner {
    Outcome,
    Progress,
    Attachment,
}

fn note(list: &mut Distinct, value: Json<'_>) {
    if let Some(text) = value.text() {
        list.add(text);
    }
}

fn take_flag(entry: &mut Entry, key: &[u8], value: Json<'_>) {
    match key {
        b"isSidechain" => {
            entry.flags.set(Flags::HAS_SIDECHAIN_KEY, true);
            entry.flags.set(Flags::SIDECHAIN, value.is_truthy());
        }
        b"isMeta" => entry.flags.set(Flags::META, value.is_truthy()),
        b"teamName" => entry.flags.set(Flags::TEAM, value.is_truthy()),
        b"isCompactSummary" => entry.flags.set(Flags::COMPACT_SUMMARY, value.is_truthy()),
        b"isApiErrorMessage" => entry.flags.set(Flags::API_ERROR, value.is_truthy()),
        b"explicit" => entry.flags.set(Flags::EXPLICIT, value.is_truthy()),
        _ => entry
            .flags
            .set(Flags::EXTERNAL_USER, value.raw() == b"\"external\""),
    }
}

/// Notes a subtype, a progress type or an attachment type that changes how records link.
fn set_facet(entry: &mut Entry, name: Option<JsonText<'_>>) {
    let Some(name) = name.and_then(JsonText::plain) else {
        return;
    };
    entry.facet = match name {
        b"compact_boundary" | b"conversation_compacted" => Facet::CompactBoundary,
        b"microcompact_boundary" => Facet::MicrocompactBoundary,
        b"local_command" => Facet::LocalCommand,
        b"api_error" => Facet::ApiError,
        b"turn_duration" => Facet::TurnDuration,
        b"agent_progress" => Facet::AgentProgress,
        b"hook_progress" | b"stop_hook_summary" => Facet::Hook,
        name if name.starts_with(b"hook_") => Facet::Hook,
        _ => return,
    };
}
