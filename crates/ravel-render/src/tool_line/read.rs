//! A call with its input and outcome decoded.

use ravel_format::tool::McpCall;
use ravel_format::{Json, JsonKind, JsonText, Outcome, ToolCall, ToolOutcome};
use ravel_model::step::{Call, CallResult, RawJson};

/// A call, decoded.
pub(super) struct Reading<'c> {
    pub(super) name: &'c str,
    pub(super) input: Option<Json<'c>>,
    pub(super) call: Option<ToolCall<'c>>,
    pub(super) result: Option<&'c CallResult>,
    pub(super) outcome: Option<ToolOutcome<'c>>,
}

impl<'c> Reading<'c> {
    pub(super) fn of(call: &'c Call) -> Self {
        let input = call.input.as_ref().and_then(RawJson::json);
        let result = call.result.as_ref();
        let outcome = result
            .and_then(|result| result.outcome.as_ref())
            .and_then(RawJson::json);
        Self {
            name: &call.name,
            input,
            call: input.and_then(|input| read_call(&call.name, input)),
            result,
            outcome: outcome.map(|outcome| read_outcome(&call.name, outcome)),
        }
    }

    /// Returns the outcome where it has structure.
    pub(super) fn outcome(&self) -> Option<Outcome<'c>> {
        match self.outcome {
            Some(ToolOutcome::Structured(outcome)) => Some(outcome),
            _ => None,
        }
    }

    /// Returns the answer as the model got it.
    pub(super) fn answer(&self) -> &'c str {
        self.result.map_or("", |result| result.text.as_str())
    }
}

fn read_call<'c>(name: &'c str, input: Json<'c>) -> Option<ToolCall<'c>> {
    let mcp = name
        .strip_prefix("mcp__")
        .and_then(|rest| rest.split_once("__"));
    if let Some((server, tool)) = mcp {
        return Some(ToolCall::Mcp(McpCall {
            json: input,
            server: Some(server),
            tool: Some(tool),
        }));
    }
    ToolCall::from_known_name(name, input)
}

fn read_outcome<'c>(name: &str, outcome: Json<'c>) -> ToolOutcome<'c> {
    let known = if name.starts_with("mcp__") {
        "mcp__"
    } else {
        name
    };
    match Outcome::from_known_name(known, outcome) {
        Some(named) if outcome.kind() == JsonKind::Object => ToolOutcome::Structured(named),
        _ => ToolOutcome::from_json(outcome, None),
    }
}

/// Returns a text of the file, decoded; empty where there is none.
pub(super) fn decoded(text: Option<JsonText<'_>>) -> String {
    text.map(|text| text.decode().into_owned())
        .unwrap_or_default()
}
