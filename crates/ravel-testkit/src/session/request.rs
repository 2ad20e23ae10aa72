//! The request log of 2.1.325: what was sent, by hash.

use serde_json::{Map, Value, json};

use super::SessionBuilder;
use crate::clock::hex_digest;

impl SessionBuilder {
    /// Appends the lines of one request: its shape, its new messages, and the request itself.
    pub fn api_request(&mut self, messages: &[Value]) -> String {
        let shape = json!({
            "system": [{"type": "text", "text": "You help with the project."}],
            "tools": [{"name": "Read", "description": "Reads a file.", "input_schema": {"type": "object"}}],
        });
        let shape_hash = hash(&shape);
        let now = self.clock.iso();
        let session_id = self.session_id.clone();
        self.loose(json!({"type": "api-request-shape", "sessionId": session_id, "shapeHash": shape_hash, "timestamp": now, "version": self.version.name(), "shape": shape}));
        let mut tail = Vec::new();
        for message in messages {
            let hash = hash(message);
            self.loose(json!({"type": "api-request-blob", "sessionId": session_id, "hash": hash, "message": message}));
            tail.push(hash);
        }
        let id = self.ids.uuid();
        let params = json!({
            "model": self.model, "betas": ["claude-code-20250219"], "max_tokens": 128_000,
            "thinking": {"type": "adaptive", "display": "updates"}, "output_config": {"effort": "medium"},
        });
        self.loose(json!({
            "type": "api-request", "sessionId": session_id, "id": id, "timestamp": now,
            "version": self.version.name(), "querySource": "sdk", "shapeHash": shape_hash, "params": params,
            "keep": 0, "tail": tail, "cacheControl": [{"path": ["system", 0], "value": {"type": "ephemeral"}}],
            "requestDigest": hex_digest(id.as_bytes()),
        }));
        id
    }
}

/// The client hashes compact JSON with sorted keys.
fn hash(value: &Value) -> String {
    hex_digest(sorted(value).to_string().as_bytes())
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort();
            let pairs = keys
                .into_iter()
                .filter_map(|key| Some((key.clone(), sorted(map.get(key)?))));
            Value::Object(pairs.collect::<Map<_, _>>())
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        other => other.clone(),
    }
}
