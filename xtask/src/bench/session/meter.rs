//! What a message cost, as each of its lines says it.
//!
//! All lines of a message repeat its usage; only the tokens put out grow. What went
//! in is read from the cache the next time, until the context is full.

use serde_json::{Value, json};

use crate::bench::random::Random;

/// Tokens after which a client compacts.
const FULL: usize = 160_000;

const MODELS: &[Model] = &[
    Model("claude-sonnet-4-5-20250929"),
    Model("claude-opus-4-5-20251101"),
    Model("claude-opus-4-7"),
    Model("claude-opus-5"),
    Model("claude-sonnet-4-20250514"),
];
const HELPER: Model = Model("claude-haiku-4-5-20251001");

/// The name of a model.
#[derive(Clone, Copy)]
pub(crate) struct Model(&'static str);

/// Draws the model of a session.
pub(crate) fn pick_model(random: &mut Random) -> Model {
    let place = random.between(0, MODELS.len());
    MODELS.get(place).copied().unwrap_or(HELPER)
}

impl Model {
    /// Returns the model of an agent that a session with this model starts.
    pub(crate) fn of_agent(self, random: &mut Random) -> Self {
        if random.chance(60) { HELPER } else { self }
    }
}

/// The message that is being written and the context so far.
pub(super) struct Meter {
    model: Model,
    keeps_for_an_hour: bool,
    context: usize,
    written: usize,
    input: usize,
    output: usize,
    message: String,
    request: String,
}

impl Meter {
    pub(super) fn new(random: &mut Random, model: Model) -> Self {
        Self {
            model,
            keeps_for_an_hour: random.chance(30),
            context: random.between(12_000, 22_000),
            written: 0,
            input: 0,
            output: 0,
            message: String::new(),
            request: String::new(),
        }
    }

    /// Begins another message, of another request.
    pub(super) fn next_message(&mut self, random: &mut Random) {
        self.context += self.written;
        if self.context > FULL {
            self.context = random.between(18_000, 30_000);
        }
        self.written = random.between(60, 3_600);
        self.input = random.between(1, 14);
        self.output = random.between(0, 6);
        self.message = random.id("msg_01");
        self.request = random.id("req_01");
    }

    /// Returns the message with one of its blocks, and the id of its request.
    pub(super) fn line(&mut self, block: &Value) -> (Value, &str) {
        self.output += n_tokens(block);
        let (short, long) = if self.keeps_for_an_hour {
            (0, self.written)
        } else {
            (self.written, 0)
        };
        let usage = json!({
            "input_tokens": self.input, "cache_creation_input_tokens": self.written,
            "cache_read_input_tokens": self.context, "output_tokens": self.output,
            "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
            "service_tier": "standard",
            "cache_creation": {"ephemeral_1h_input_tokens": long, "ephemeral_5m_input_tokens": short},
            "inference_geo": "global",
        });
        let message = json!({
            "model": self.model.0, "id": self.message, "type": "message", "role": "assistant",
            "content": [block], "stop_reason": null, "stop_sequence": null, "usage": usage,
        });
        (message, &self.request)
    }
}

/// About four bytes are a token.
fn n_tokens(block: &Value) -> usize {
    match block {
        Value::String(text) => text.len() / 4 + 1,
        Value::Array(items) => items.iter().map(n_tokens).sum(),
        Value::Object(fields) => fields.values().map(n_tokens).sum(),
        _ => 1,
    }
}
