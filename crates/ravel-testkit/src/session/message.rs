//! Assistant messages, one line per content block, and the tool results that answer them.
//!
//! What a line says about its whole message (`stop_reason`, output tokens) is only known when the
//! last block is there, so it is filled in when the file is written, by the rule of each version.

use serde_json::{Map, Value, json};

use super::{Entry, SessionBuilder, Totals};
use crate::outcome::Outcome;
use crate::version::Version;

/// What the client sends before the first prompt, in tokens; a believable constant.
const SYSTEM_TOKENS: usize = 11_400;

/// A tool call that was written.
#[derive(Debug, Clone)]
pub struct ToolCall {
    /// The id of the call, which the result repeats.
    pub id: String,
    /// The uuid of the line that holds the call.
    pub line: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments.
    pub input: Value,
}

/// The assistant message that lines are being added to.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    id: String,
    request_id: String,
    request_ref: String,
    n_blocks: usize,
    n_cached: usize,
    n_new: usize,
}

/// What only the whole message knows.
#[derive(Debug, Clone, Default)]
pub(super) struct Total {
    uses_tools: bool,
    n_output_bytes: usize,
    first_line: String,
    n_lines: usize,
}

/// Replies.
impl SessionBuilder {
    /// Appends a text block.
    pub fn reply(&mut self, text: &str) -> String {
        text.clone_into(&mut self.last_text);
        self.block(&json!({"type": "text", "text": text}))
    }

    /// Appends a thinking block.
    pub fn thinking(&mut self, text: &str) -> String {
        let signature = self.ids.prefixed("c2lnbmF0dXJl");
        self.block(&json!({"type": "thinking", "thinking": text, "signature": signature}))
    }

    /// Appends a thinking block that cannot be read.
    pub fn redacted_thinking(&mut self) -> String {
        self.block(&json!({"type": "redacted_thinking", "data": "c2VhbGVk"}))
    }

    /// Appends a tool call.
    pub fn tool_use(&mut self, name: &str, input: Value) -> ToolCall {
        let id = self.ids.prefixed("toolu_01");
        let line = self.block(&json!({"type": "tool_use", "id": id, "name": name, "input": input}));
        ToolCall {
            id,
            line,
            name: name.to_owned(),
            input,
        }
    }

    /// Appends any block, in the open message or in a new one.
    pub fn block(&mut self, block: &Value) -> String {
        self.assistant_line(&json!([block]))
    }

    /// Appends an assistant line with several blocks, as clients before 1.0 did.
    pub fn blocks(&mut self, blocks: &Value) -> String {
        self.assistant_line(blocks)
    }

    /// Ends the open message; the next block starts another.
    pub fn close_message(&mut self) {
        self.message_is_open = false;
    }

    /// Lets the next block continue the last message, as when a fast tool's result was written
    /// between two blocks.
    pub fn reopen_message(&mut self) {
        self.message_is_open = self.message.is_some();
    }

    fn assistant_line(&mut self, content: &Value) -> String {
        let message = self.current_message();
        let uuid = self.ids.uuid();
        let body = self.assistant_body(&message, content, &uuid);
        self.append(body)
    }

    fn current_message(&mut self) -> Message {
        let mut message = match self.message.take() {
            Some(message) if self.message_is_open => message,
            earlier => self.new_message(earlier.as_ref()),
        };
        message.n_blocks += 1;
        self.message_is_open = true;
        self.message = Some(message.clone());
        message
    }

    fn new_message(&mut self, earlier: Option<&Message>) -> Message {
        let n_tokens = SYSTEM_TOKENS + self.n_context_bytes / 4;
        let n_cached = earlier
            .map_or(0, |message| message.n_cached + message.n_new)
            .min(n_tokens);
        Message {
            id: self.ids.prefixed("msg_01"),
            request_id: self.ids.prefixed("req_011C"),
            request_ref: self.ids.uuid(),
            n_blocks: 0,
            n_cached,
            n_new: n_tokens - n_cached,
        }
    }

    fn assistant_body(&self, message: &Message, content: &Value, uuid: &str) -> Value {
        let kind = content
            .pointer("/0/type")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        let body = self.api_message(message, content);
        if !self.version.envelope_last() {
            return json!({
                "message": body, "requestId": message.request_id, "type": "assistant",
                "uuid": uuid, "timestamp": self.clock.iso(),
            });
        }
        let mut line = json!({"message": body});
        add(&mut line, timing_keys(&kind));
        add(
            &mut line,
            json!({
                "apiBlockIndex": message.n_blocks - 1, "requestId": message.request_id,
                "requestRef": message.request_ref, "requestedModel": self.model,
                "promptCacheRequested": "5m",
            }),
        );
        if let Some(agent) = &self.agent {
            add(&mut line, json!({"attributionAgent": agent.kind}));
        }
        let tail = json!({
            "type": "assistant", "uuid": uuid, "timestamp": self.clock.iso(),
            "effort": "medium", "perTurnEffort": "medium", "madeBy": "model",
        });
        add(&mut line, tail);
        line
    }

    fn api_message(&self, message: &Message, content: &Value) -> Value {
        let usage = if self.version.envelope_last() {
            newest_usage(message)
        } else {
            json!({
                "input_tokens": 4, "cache_creation_input_tokens": message.n_new,
                "cache_read_input_tokens": message.n_cached,
                "cache_creation": {"ephemeral_5m_input_tokens": message.n_new, "ephemeral_1h_input_tokens": 0},
                "output_tokens": 1, "service_tier": "standard",
            })
        };
        let mut body =
            json!({"id": message.id, "type": "message", "role": "assistant", "model": self.model});
        add(
            &mut body,
            json!({"content": content, "stop_reason": null, "stop_sequence": null, "usage": usage}),
        );
        if self.version.envelope_last() {
            add(&mut body, json!({"stop_details": null}));
        }
        body
    }
}

/// Tool results.
impl SessionBuilder {
    /// Appends the result of a call below the line that holds the call, as 2.x does.
    pub fn tool_result(&mut self, call: &ToolCall, outcome: &Outcome) -> String {
        let line = call.line.clone();
        self.result_below(Some(&line), call, outcome)
    }

    /// Appends the result of a call at the end of the chain, as 1.0 does.
    pub fn chained_result(&mut self, call: &ToolCall, outcome: &Outcome) -> String {
        let tip = self.tip.clone();
        self.result_below(tip.as_deref(), call, outcome)
    }

    /// Appends a call and its result.
    pub fn call(&mut self, name: &str, input: Value, outcome: &Outcome) -> ToolCall {
        let call = self.tool_use(name, input);
        self.tool_result(&call, outcome);
        call
    }

    /// Appends several calls of one message and then their results in the same order: below their
    /// own lines in 2.x, one after another in 1.0.
    pub fn parallel_tools(&mut self, calls: Vec<(&str, Value, Outcome)>) -> Vec<ToolCall> {
        let mut written = Vec::new();
        for (name, input, outcome) in calls {
            written.push((self.tool_use(name, input), outcome));
        }
        for (call, outcome) in &written {
            if self.version == Version::V1_0_128 {
                self.chained_result(call, outcome);
            } else {
                self.tool_result(call, outcome);
            }
        }
        written.into_iter().map(|(call, _)| call).collect()
    }

    /// Appends a result below any line; the call need not exist.
    pub fn result_below(
        &mut self,
        parent: Option<&str>,
        call: &ToolCall,
        outcome: &Outcome,
    ) -> String {
        let rendered = outcome.render(self.version);
        let mut block = rendered.block;
        add(&mut block, json!({"tool_use_id": call.id}));
        let is_error = block
            .get("is_error")
            .and_then(Value::as_bool)
            .unwrap_or_default();
        let uuid = self.ids.uuid();
        let mut body = json!({
            "type": "user", "message": {"role": "user", "content": [block]},
            "uuid": uuid, "timestamp": self.clock.iso(),
        });
        // From 2.1 on, an agent's own successes are written without the structured result.
        let is_bare = self.agent.is_some() && self.version >= Version::V2_1_29 && !is_error;
        if let Some(result) = rendered.result.filter(|_| !is_bare) {
            add(&mut body, json!({"toolUseResult": result}));
        }
        add(
            &mut body,
            Value::Object(rendered.extra.into_iter().collect()),
        );
        if self.version > Version::V1_0_128 && !call.line.is_empty() {
            add(&mut body, json!({"sourceToolAssistantUUID": call.line}));
        }
        if self.version.envelope_last() {
            let decision = json!({"decision": "accept", "source": "config", "reasonType": "mode"});
            add(&mut body, json!({"permissionDecision": decision}));
        }
        self.close_message();
        self.append_below(parent, body)
    }
}

/// Adds the keys of one object to another; an existing key keeps its place.
pub(super) fn add(value: &mut Value, more: Value) {
    if let (Some(map), Value::Object(more)) = (value.as_object_mut(), more) {
        map.extend(more);
    }
}

fn timing_keys(kind: &str) -> Value {
    match kind {
        "thinking" => json!({"thinkingDurationMs": 1200, "thinkingDisplay": "updates"}),
        "tool_use" => json!({"toolInputStreamMs": 40}),
        _ => json!({}),
    }
}

fn newest_usage(message: &Message) -> Value {
    json!({
        "input_tokens": 4, "cache_creation_input_tokens": message.n_new,
        "cache_read_input_tokens": message.n_cached, "output_tokens": 1,
        "output_tokens_details": {"thinking_tokens": 0},
        "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
        "service_tier": "standard",
        "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": message.n_new},
        "inference_geo": "", "iterations": [], "speed": "standard", "fallback_credit": null,
    })
}

/// Sums up every assistant message of a file.
pub(super) fn totals(entries: &[Entry]) -> Totals {
    let mut totals = Totals::new();
    for entry in entries {
        let Entry::Json(line) = entry else { continue };
        let Some(id) = message_id(line) else { continue };
        let content = line
            .get("message")
            .and_then(|message| message.get("content"));
        let total = totals.entry(id).or_default();
        total.n_lines += 1;
        if total.first_line.is_empty() {
            total.first_line = line_uuid(line);
        }
        for block in content.and_then(Value::as_array).into_iter().flatten() {
            total.uses_tools |= block.get("type").and_then(Value::as_str) == Some("tool_use");
            total.n_output_bytes += block.to_string().len();
        }
    }
    totals
}

/// Returns the line with what its whole message knows.
pub(super) fn complete(
    version: Version,
    line: &Map<String, Value>,
    totals: &Totals,
) -> Map<String, Value> {
    let mut line = line.clone();
    let Some(total) = message_id(&line).and_then(|id| totals.get(&id)) else {
        return line;
    };
    let is_first_of_many = total.n_lines > 1 && line_uuid(&line) == total.first_line;
    let aborted = line.contains_key("isAbortedMidStream");
    let Some(message) = line.get_mut("message") else {
        return line;
    };
    if aborted || version == Version::V2_1_29 {
        return line;
    }
    let reason = if total.uses_tools {
        "tool_use"
    } else {
        "end_turn"
    };
    if version == Version::V2_1_325 || !is_first_of_many {
        add(message, json!({"stop_reason": reason}));
    }
    if let Some(usage) = message.get_mut("usage") {
        add(
            usage,
            json!({"output_tokens": total.n_output_bytes / 4 + 1}),
        );
    }
    line
}

/// Returns the id of a message the model made; synthetic and hand-made lines stay as written.
fn message_id(line: &Map<String, Value>) -> Option<String> {
    let is_made = line.contains_key("requestId") && line.get("type")?.as_str() == Some("assistant");
    let message = line.get("message").filter(|_| is_made)?;
    let is_synthetic = message.get("model").and_then(Value::as_str) == Some("<synthetic>");
    message
        .get("id")?
        .as_str()
        .filter(|_| !is_synthetic)
        .map(str::to_owned)
}

fn line_uuid(line: &Map<String, Value>) -> String {
    line.get("uuid")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}
