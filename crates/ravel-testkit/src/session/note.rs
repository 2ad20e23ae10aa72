//! Lines outside the conversation (titles, modes, queue, costs) and system lines inside it.

use serde_json::{Value, json};

use super::SessionBuilder;
use super::message::add;
use crate::version::Version;

impl SessionBuilder {
    /// Appends a `queue-operation`; only `enqueue` has content.
    pub fn queue_operation(&mut self, operation: &str, content: Option<&str>) {
        let mut line = json!({"type": "queue-operation", "operation": operation, "timestamp": self.clock.iso(), "sessionId": self.session_id});
        if let Some(content) = content {
            add(&mut line, json!({"content": content}));
        }
        self.loose(line);
    }

    /// Appends a `last-prompt` that names the end of the chain.
    pub fn last_prompt(&mut self) {
        let leaf = self.tip.clone().unwrap_or_default();
        self.last_prompt_at(&leaf);
    }

    /// Appends a `last-prompt` that names any line.
    pub fn last_prompt_at(&mut self, leaf: &str) {
        let line = json!({"type": "last-prompt", "lastPrompt": self.prompt.text, "leafUuid": leaf, "sessionId": self.session_id});
        self.loose(line);
    }

    /// Appends the mark 2.1.325 leaves when a person rewinds to before the first prompt.
    pub fn explicit_rewind(&mut self) {
        self.loose(json!({"type": "last-prompt", "leafUuid": "00000000-0000-0000-0000-000000000000", "explicit": true, "sessionId": self.session_id}));
    }

    /// Appends a title a person gave.
    pub fn custom_title(&mut self, title: &str) {
        self.titled("custom-title", "customTitle", title);
    }

    /// Appends a title the model gave.
    pub fn ai_title(&mut self, title: &str) {
        self.titled("ai-title", "aiTitle", title);
    }

    /// Appends a name of the agent, which some versions show as the title.
    pub fn agent_name(&mut self, name: &str) {
        self.titled("agent-name", "agentName", name);
    }

    /// Appends a tag.
    pub fn tag(&mut self, tag: &str) {
        self.titled("tag", "tag", tag);
    }

    /// Appends the input mode.
    pub fn mode(&mut self, mode: &str) {
        self.titled("mode", "mode", mode);
    }

    /// Appends the permission mode.
    pub fn permission_mode(&mut self, mode: &str) {
        self.titled("permission-mode", "permissionMode", mode);
    }

    /// Appends an `atis-latch`, whose meaning is unknown.
    pub fn atis_latch(&mut self) {
        self.titled("atis-latch", "atis", "");
    }

    fn titled(&mut self, kind: &str, key: &str, text: &str) {
        self.loose(json!({"type": kind, key: text, "sessionId": self.session_id}));
    }

    /// Appends a `summary`, which is the title of the conversation that ends in `leaf`.
    pub fn summary(&mut self, title: &str, leaf: &str) {
        self.loose(json!({"type": "summary", "summary": title, "leafUuid": leaf}));
    }

    /// Appends the tools used so far.
    pub fn tools_used(&mut self, tools: &[&str]) {
        self.loose(json!({"type": "tools-used", "tools": tools, "sessionId": self.session_id}));
    }

    /// Appends a link to a pull request.
    pub fn pr_link(&mut self, number: u32, repository: &str) {
        let url = format!("https://github.com/{repository}/pull/{number}");
        self.loose(json!({
            "type": "pr-link", "sessionId": self.session_id, "prNumber": number, "prUrl": url,
            "prRepository": repository, "timestamp": self.clock.iso(),
        }));
    }

    /// Appends the running costs.
    pub fn cost_state(&mut self, cost_usd: f64) {
        let started = self.clock.epoch_ms() - 600_000;
        let used = json!({
            "inputTokens": 40, "outputTokens": 2_180, "thinkingTokens": 0, "cacheReadInputTokens": 160_400,
            "cacheCreationInputTokens": 18_900, "cacheCreationEphemeral5mInputTokens": 18_900,
            "cacheCreationEphemeral1hInputTokens": 0, "webSearchRequests": 0, "costUSD": cost_usd,
        });
        self.loose(json!({
            "type": "cost-state", "sessionId": self.session_id, "totalCostUSD": cost_usd,
            "totalAPIDuration": 41_200, "totalAPIDurationWithoutRetries": 40_900, "totalToolDuration": 3_050,
            "totalLinesAdded": 42, "totalLinesRemoved": 17, "totalDuration": 600_000, "startTime": started,
            "modelUsage": { self.model.as_str(): used }, "hasUnknownModelCost": false,
        }));
    }

    /// Appends how long the turn took.
    pub fn turn_duration(&mut self, duration_ms: u64) -> String {
        let uuid = self.ids.uuid();
        self.close_message();
        let mut body =
            json!({"type": "system", "subtype": "turn_duration", "durationMs": duration_ms});
        if self.version == Version::V2_1_325 {
            add(&mut body, json!({"messageCount": self.entries.len()}));
        }
        add(
            &mut body,
            json!({"timestamp": self.clock.iso(), "uuid": uuid, "isMeta": false}),
        );
        self.append(body)
    }

    /// Appends a notice to the person.
    pub fn informational(&mut self, text: &str) -> String {
        let uuid = self.ids.uuid();
        self.close_message();
        self.append(json!({
            "type": "system", "subtype": "informational", "content": text, "isMeta": false,
            "timestamp": self.clock.iso(), "uuid": uuid, "level": "notice",
        }))
    }

    /// Appends one failed try of a request.
    pub fn api_retry(&mut self, status: u16, reason: &str, attempt: u32) -> String {
        let uuid = self.ids.uuid();
        self.close_message();
        let error = if self.version == Version::V2_1_325 {
            json!({
                "message": format!("{status} {reason}"), "status": status, "formatted": format!("{status} {reason}"),
                "connection": null, "isNetworkDown": false, "rateLimits": null, "noResponse": null,
            })
        } else {
            json!({"status": status, "error": {"type": "error", "error": {"type": "overloaded_error", "message": reason}}})
        };
        let delay_ms = 500_u64 << attempt.min(8);
        let mut body = json!({
            "type": "system", "subtype": "api_error", "level": "error", "error": error,
            "retryInMs": delay_ms, "retryAttempt": attempt, "maxRetries": 10,
        });
        if self.version == Version::V2_1_325 {
            add(&mut body, json!({"source": "request_retry"}));
        }
        add(
            &mut body,
            json!({"timestamp": self.clock.iso(), "uuid": uuid}),
        );
        self.append(body)
    }

    /// Appends the reply the client makes up when a request failed for good.
    pub fn api_error(&mut self, text: &str, error: &str) -> String {
        let mut tail = json!({});
        if self.version > Version::V1_0_128 {
            add(&mut tail, json!({"error": error}));
        }
        add(&mut tail, json!({"isApiErrorMessage": true}));
        if self.version == Version::V2_1_325 {
            add(
                &mut tail,
                json!({"apiErrorStatus": 529, "apiErrorType": "overloaded_error", "madeBy": "client"}),
            );
        }
        self.synthetic(text, tail)
    }

    /// Appends the reply the client makes up when a session that ends with a prompt is resumed.
    pub fn no_response_requested(&mut self) -> String {
        let tail = if self.version > Version::V1_0_128 {
            json!({"isApiErrorMessage": false})
        } else {
            json!({})
        };
        self.synthetic("No response requested.", tail)
    }

    fn synthetic(&mut self, text: &str, tail: Value) -> String {
        self.close_message();
        let (uuid, message_id, now) = (self.ids.uuid(), self.ids.uuid(), self.clock.iso());
        let usage = json!({
            "input_tokens": 0, "output_tokens": 0, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
            "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0}, "service_tier": null,
            "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 0},
        });
        let message = json!({
            "id": message_id, "container": null, "model": "<synthetic>", "role": "assistant",
            "stop_reason": "stop_sequence", "stop_sequence": "", "type": "message", "usage": usage,
            "content": [{"type": "text", "text": text}], "context_management": null,
        });
        let mut body = if self.version == Version::V1_0_128 {
            json!({"type": "assistant", "message": message, "uuid": uuid, "timestamp": now})
        } else {
            json!({"type": "assistant", "uuid": uuid, "timestamp": now, "message": message})
        };
        add(&mut body, tail);
        self.append(body)
    }
}
