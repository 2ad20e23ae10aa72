//! What every dialect says about a record, whatever its body.
//!
//! The keys are those of the client, their snake_case names on standard output, and the few that
//! only the paper dialects (seeds 001 and 004) have.

use crate::json::{Json, JsonText};
use crate::record::Record;
use crate::timestamp::Timestamp;
use crate::view::{absent, view};

#[cfg(test)]
mod tests;

view! {
    /// The shared keys of a record.
    Envelope<'a> {
        uuid: JsonText<'a> = "uuid",
        /// `None` for a root, which says `null`.
        parent_uuid: JsonText<'a> = "parentUuid" | "parent_uuid",
        /// The record before a compaction that this one goes on from.
        logical_parent_uuid: JsonText<'a> = "logicalParentUuid" | "logical_parent_uuid",
        session_id: JsonText<'a> = "sessionId" | "session_id",
        timestamp: Timestamp = "timestamp",
        /// See [`Record::kind`].
        type_text: JsonText<'a> = "type",
        subtype: JsonText<'a> = "subtype",
        /// The record belongs to a sub-agent.
        is_sidechain: bool = "isSidechain",
        /// The record is for the model, not for the person.
        is_meta: bool = "isMeta",
        is_compact_summary: bool = "isCompactSummary",
        is_visible_in_transcript_only: bool = "isVisibleInTranscriptOnly",
        is_api_error_message: bool = "isApiErrorMessage" | "is_api_error_message",
        user_type: JsonText<'a> = "userType",
        cwd: JsonText<'a> = "cwd",
        /// The version of the client that wrote the record.
        version: JsonText<'a> = "version",
        git_branch: JsonText<'a> = "gitBranch",
        /// The name of the session's plan file; starts in the middle of a session.
        slug: JsonText<'a> = "slug",
        agent_id: JsonText<'a> = "agentId" | "agent_id",
        team_name: JsonText<'a> = "teamName",
        request_id: JsonText<'a> = "requestId" | "request_id",
        prompt_id: JsonText<'a> = "promptId",
        permission_mode: JsonText<'a> = "permissionMode",
        /// The assistant record whose tool call this record answers.
        source_tool_assistant_uuid: JsonText<'a> = "sourceToolAssistantUUID",
        source_tool_use_id: JsonText<'a> = "sourceToolUseID",
        parent_tool_use_id: JsonText<'a> = "parent_tool_use_id" | "parentToolUseId" | "parentToolUseID",
        tool_use_id: JsonText<'a> = "toolUseID" | "tool_use_id",
        /// How the client was started: `cli`, `sdk-cli` and others.
        entrypoint: JsonText<'a> = "entrypoint",
        forked_from: ForkedFrom<'a> = "forkedFrom",
        level: JsonText<'a> = "level",
        /// A word on assistant records, an object on `system/api_error`.
        error: Json<'a> = "error",
        /// The structured outcome of a tool; see [`ToolOutcome`](crate::ToolOutcome).
        tool_use_result: Json<'a> = "toolUseResult" | "tool_use_result",
        /// Paper dialects only.
        is_deleted: bool = "isDeleted",
        /// Paper dialects only.
        is_aborted: bool = "isAborted",
        /// Paper dialects only.
        is_error: bool = "isError",
        /// Paper dialects only: the branch in use.
        is_active: bool = "is_active",
        /// Paper dialects only.
        tool_name: JsonText<'a> = "toolName",
        /// Paper dialects only.
        tool_arguments: Json<'a> = "toolArguments",
    }

    /// Where a forked record was copied from.
    ForkedFrom<'a> {
        session_id: JsonText<'a> = "sessionId",
        message_uuid: JsonText<'a> = "messageUuid",
    }
}

impl<'a> Record<'a> {
    /// Returns the keys that every dialect shares; all `None` for a damaged record.
    pub fn envelope(&self) -> Envelope<'a> {
        Envelope::from_json(self.json.unwrap_or_else(absent))
    }
}
