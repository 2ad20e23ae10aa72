//! Hooks: progress lines in 2.1.29, attachments and a summary in 2.1.325.

use serde_json::{Value, json};

use super::SessionBuilder;
use super::message::ToolCall;
use crate::version::Version;

impl SessionBuilder {
    /// Appends the run of a hook at the start of a session.
    pub fn session_start_hook(&mut self, command: &str, output: &str) -> String {
        let id = self.ids.uuid();
        self.hook(
            "SessionStart",
            "SessionStart:startup",
            &id,
            (command, output),
        )
    }

    /// Appends the run of a hook around a tool call; `event` is `PreToolUse` or `PostToolUse`.
    pub fn tool_hook(
        &mut self,
        event: &str,
        call: &ToolCall,
        command: &str,
        output: &str,
    ) -> String {
        let name = format!("{event}:{}", call.name);
        self.hook(event, &name, &call.id, (command, output))
    }

    fn hook(
        &mut self,
        event: &str,
        name: &str,
        tool_use_id: &str,
        (command, output): (&str, &str),
    ) -> String {
        if self.version < Version::V2_1_325 {
            let data = json!({"type": "hook_progress", "hookEvent": event, "hookName": name, "command": command});
            return self.progress(&data, tool_use_id, tool_use_id);
        }
        let data = json!({
            "type": "hook_success", "hookName": name, "toolUseID": tool_use_id, "hookEvent": event,
            "content": output.trim_end(), "stdout": output, "stderr": "", "exitCode": 0,
            "command": command, "durationMs": 24,
        });
        self.attachment(
            &data,
            &[format!("{name} hook success: {}", output.trim_end())],
        )
    }

    /// Appends a progress line of any kind.
    pub fn progress(
        &mut self,
        data: &Value,
        tool_use_id: &str,
        parent_tool_use_id: &str,
    ) -> String {
        let uuid = self.ids.uuid();
        self.append(json!({
            "type": "progress", "data": data, "parentToolUseID": parent_tool_use_id,
            "toolUseID": tool_use_id, "timestamp": self.clock.iso(), "uuid": uuid,
        }))
    }

    /// Appends the context a hook added (2.1.325).
    pub fn hook_context(&mut self, call: &ToolCall, context: &str) -> String {
        let name = format!("PostToolUse:{}", call.name);
        let data = json!({"type": "hook_additional_context", "content": [context], "hookName": name, "toolUseID": call.id, "hookEvent": "PostToolUse"});
        self.attachment(
            &data,
            &[format!("{name} hook additional context: {context}")],
        )
    }

    /// Appends the summary of the hooks that ran when the turn ended.
    pub fn stop_hook_summary(&mut self, command: &str) -> String {
        let (uuid, id) = (self.ids.uuid(), self.ids.uuid());
        self.close_message();
        self.append(json!({
            "type": "system", "subtype": "stop_hook_summary", "hookCount": 1,
            "hookInfos": [{"command": command, "durationMs": 20}], "hookErrors": [],
            "preventedContinuation": false, "stopReason": "", "hasOutput": true, "level": "suggestion",
            "timestamp": self.clock.iso(), "uuid": uuid, "toolUseID": id,
        }))
    }
}
