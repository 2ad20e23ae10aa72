//! Compaction: the boundary, the summary that follows it, and the smaller kind that only clears
//! tool outputs.

use serde_json::{Value, json};

use super::SessionBuilder;
use super::message::add;
use crate::version::Version;

/// What made the client compact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// The context was full.
    Auto,
    /// A person asked for it.
    Manual,
}

impl Trigger {
    fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Manual => "manual",
        }
    }
}

impl SessionBuilder {
    /// Appends a boundary and the summary; returns the uuid of the summary.
    pub fn compact(&mut self, trigger: Trigger, summary: &str) -> String {
        self.compact_keeping(trigger, summary, &[])
    }

    /// Appends a boundary that keeps some lines verbatim (2.1.325 only) and the summary.
    pub fn compact_keeping(&mut self, trigger: Trigger, summary: &str, kept: &[String]) -> String {
        let summary_uuid = self.ids.uuid();
        self.boundary(trigger, &summary_uuid, kept);
        self.summary_line(&summary_uuid, summary)
    }

    /// Appends a summary without a boundary, as some 1.0 sessions have it.
    pub fn summary_without_boundary(&mut self, summary: &str) -> String {
        let uuid = self.ids.uuid();
        self.rewind_to_start();
        self.summary_line(&uuid, summary)
    }

    fn boundary(&mut self, trigger: Trigger, summary_uuid: &str, kept: &[String]) {
        let uuid = self.ids.uuid();
        let n_tokens = 11_400 + self.n_context_bytes / 4;
        let mut metadata = json!({"trigger": trigger.name(), "preTokens": n_tokens});
        if self.version == Version::V2_1_325 {
            add(
                &mut metadata,
                json!({"postTokens": 2_640, "cumulativeDroppedTokens": n_tokens - 2_640, "durationMs": 21_400}),
            );
            add(&mut metadata, preserved(summary_uuid, kept));
        }
        let now = self.clock.iso();
        // The newest client orders the keys of an automatic boundary in its own way.
        let body = if self.version == Version::V2_1_325 && trigger == Trigger::Auto {
            json!({
                "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted",
                "level": "info", "compactMetadata": metadata, "uuid": uuid, "timestamp": now,
            })
        } else {
            json!({
                "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted",
                "isMeta": false, "timestamp": now, "uuid": uuid, "level": "info", "compactMetadata": metadata,
            })
        };
        let links = json!({"parentUuid": null, "logicalParentUuid": self.tip});
        self.close_message();
        self.append_with(links, body);
    }

    fn summary_line(&mut self, uuid: &str, summary: &str) -> String {
        self.close_message();
        let text = format!(
            "This session continues an earlier conversation that no longer fits the context. What happened so far:\n\n{summary}"
        );
        self.n_context_bytes = 0;
        let mut body = json!({
            "type": "user", "message": {"role": "user", "content": text},
            "isVisibleInTranscriptOnly": true, "isCompactSummary": true,
            "uuid": uuid, "timestamp": self.clock.iso(),
        });
        if self.version == Version::V2_1_325 {
            let position =
                json!({"promptIndex": self.prompt.index, "turnIndex": self.prompt.index});
            add(&mut body, json!({"turnPosition": position}));
        }
        self.append(body)
    }

    /// Appends the mark of cleared tool outputs.
    pub fn microcompact(&mut self, tool_ids: &[&str]) -> String {
        let uuid = self.ids.uuid();
        self.close_message();
        self.append(json!({
            "type": "system", "subtype": "microcompact_boundary", "content": "Context microcompacted",
            "isMeta": false, "timestamp": self.clock.iso(), "uuid": uuid, "level": "info",
            "microcompactMetadata": {
                "trigger": "auto", "preTokens": 58_210, "tokensSaved": 31_007,
                "compactedToolIds": tool_ids, "clearedAttachmentUUIDs": [],
            },
        }))
    }
}

fn preserved(anchor: &str, kept: &[String]) -> Value {
    let (Some(head), Some(tail)) = (kept.first(), kept.last()) else {
        return json!({});
    };
    json!({
        "preservedSegment": {"headUuid": head, "anchorUuid": anchor, "tailUuid": tail},
        "preservedMessages": {"anchorUuid": anchor, "uuids": kept, "allUuids": kept},
    })
}
