//! Attachments of 2.1.325: every injected context, with the text the model was given.
//!
//! The texts are ours; only the types, keys and roles are the client's.

use serde_json::{Value, json};

use super::SessionBuilder;
use super::message::add;

impl SessionBuilder {
    /// Appends an attachment; each text becomes one rendered reminder with the role `system`.
    pub fn attachment(&mut self, data: &Value, texts: &[String]) -> String {
        self.attachment_as("system", data, texts)
    }

    fn attachment_as(&mut self, role: &str, data: &Value, texts: &[String]) -> String {
        let uuid = self.ids.uuid();
        let mut body = json!({"attachment": data, "type": "attachment", "uuid": uuid, "timestamp": self.clock.iso()});
        if !texts.is_empty() {
            let rendered: Vec<Value> = texts.iter().map(|text| reminder(text)).collect();
            add(
                &mut body,
                json!({"rendered": rendered, "renderedRole": role}),
            );
        }
        self.close_message();
        self.append(body)
    }

    /// Appends what the client says about itself after the first prompt of a session.
    pub fn opening_attachments(&mut self) {
        let snapshot = json!({
            "workingDirectory": self.cwd, "isWorktree": false, "isGitRepo": true,
            "additionalWorkingDirectories": [], "platform": "linux", "shell": "bash", "osVersion": "Linux 6.12",
        });
        let text = format!("The working directory is {}.", self.cwd);
        self.attachment(
            &json!({"type": "environment", "snapshot": snapshot}),
            &[text],
        );
        let text = format!("The model is {}.", self.model);
        let identity = json!({"modelId": self.model, "marketingName": "Opus 5.5", "knowledgeCutoff": "June 2026"});
        self.attachment(
            &json!({"type": "model", "identity": identity, "text": text}),
            std::slice::from_ref(&text),
        );
        self.tool_attachments();
        let status = format!("On branch {}, nothing to commit.", self.branch);
        let text = format!("Git says: {status}");
        self.attachment_as(
            "user",
            &json!({"type": "session_context", "context": {"gitStatus": status}}),
            &[text],
        );
        let date = self.clock.iso().chars().take(10).collect::<String>();
        let text = format!("Today is {date}.");
        self.attachment(&json!({"type": "date", "date": date}), &[text]);
        let prompt = json!(["You help with the project.", "Be brief."]);
        self.attachment(&json!({"type": "prompt_snapshot", "systemPrompt": prompt, "reminderFold": false, "echoWireToolInputs": false, "contextRendering": "announced"}), &[]);
    }

    fn tool_attachments(&mut self) {
        let names = json!(["CronList", "WebSearch"]);
        let data = json!({
            "type": "deferred_tools_delta", "addedNames": names, "addedLines": names, "removedNames": [],
            "wireHiddenNames": [], "readdedNames": [], "pendingMcpServers": [],
            "needsAuthMcpServers": [], "failedMcpServers": [],
        });
        self.attachment(&data, &["More tools: CronList, WebSearch.".to_owned()]);
        let lines = json!(["- general-purpose: takes any task."]);
        let data = json!({
            "type": "agent_listing_delta", "addedTypes": ["general-purpose"], "addedLines": lines,
            "builtInTypes": ["general-purpose"], "builtInPluginTypes": [], "removedTypes": [],
            "isInitial": true, "showConcurrencyNote": true,
        });
        self.attachment(
            &data,
            &["Agents: general-purpose takes any task.".to_owned()],
        );
        let data = json!({
            "type": "skill_listing", "content": "- release-notes: writes release notes.", "skillCount": 1,
            "isInitial": true, "names": ["release-notes"], "digests": ["3fa9c2d17e6b0845"],
        });
        self.attachment(
            &data,
            &["Skills: release-notes writes release notes.".to_owned()],
        );
    }

    /// Appends the project's instruction file.
    pub fn instructions(&mut self, path: &str, content: &str) -> String {
        let files = json!([{"path": path, "type": "Project", "content": content}]);
        let text = format!("Instructions from {path}:\n{content}");
        self.attachment_as(
            "user",
            &json!({"type": "instructions", "files": files}),
            &[text],
        )
    }

    /// Appends a file that was mentioned with `@`.
    pub fn mentioned_file(&mut self, path: &str, content: &str) -> String {
        let n_lines = content.split('\n').count();
        let file = json!({"filePath": path, "content": content, "numLines": n_lines, "startLine": 1, "totalLines": n_lines});
        let shown = path.strip_prefix(&format!("{}/", self.cwd)).unwrap_or(path);
        let data = json!({
            "type": "file", "filename": path, "content": {"type": "text", "file": file},
            "displayPath": shown, "savedCopyFraming": {"enveloped": false},
        });
        self.attachment_as("user", &data, &[format!("The file {shown}:\n{content}")])
    }

    pub(super) fn queued_command(&mut self, text: &str, command: &str, delivery: &str) -> String {
        let data = json!({
            "type": "queued_command", "prompt": text, "source_uuid": command, "delivery_id": delivery,
            "commandMode": "task-notification",
            "origin": {"kind": "task-notification", "producer": "session-task"},
            "timestamp": self.clock.iso(),
        });
        self.attachment(&data, &[format!("News of a background task:\n{text}")])
    }

    /// Appends the start of plan mode.
    pub fn plan_mode(&mut self, plan_path: &str) -> String {
        let data = json!({"type": "plan_mode", "reminderType": "full", "isSubAgent": false, "planFilePath": plan_path, "planExists": false});
        self.attachment(&data, &["Plan first; change nothing yet.".to_owned()])
    }

    /// Appends the end of plan mode.
    pub fn plan_mode_exit(&mut self, plan_path: &str) -> String {
        let data = json!({"type": "plan_mode_exit", "planFilePath": plan_path, "planExists": true});
        self.attachment(
            &data,
            &["The plan was approved; changes are allowed.".to_owned()],
        )
    }
}

fn reminder(text: &str) -> Value {
    json!({"content": format!("<system-reminder>\n{text}\n</system-reminder>")})
}
