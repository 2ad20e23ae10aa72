//! One message, as text and for programs.

use ravel_model::step::{Asker, Call, CallResult, Prompt, RawJson, Step, What};
use serde_json::{Value, json};

use super::ToolsShown;
use crate::clean::cut_middle;
use crate::recall::Recall;

/// How much of the input and of the result of a tool call is shown in brief.
const BRIEF: usize = 400;

/// The least that is shown of a part, even when others were long.
const LEAST: usize = 200;

/// The most parts of a message; one record rarely has more than two.
const MAX_PARTS: usize = 30;

/// What is shown of messages.
pub(super) struct View<'r> {
    pub(super) recall: &'r Recall,
    pub(super) tools: ToolsShown,
    pub(super) thinking: bool,
    /// How long a message may be.
    pub(super) max_bytes: usize,
}

/// A message, cut and cleaned.
pub(super) struct Message {
    pub(super) text: String,
    pub(super) json: Value,
}

/// A part of a message before it is cut: its role, its facts, its texts by name.
struct Part {
    role: &'static str,
    label: String,
    facts: Value,
    texts: Vec<(&'static str, String, usize)>,
}

impl Message {
    /// Makes a message of its steps; `None` when none of them is shown.
    pub(super) fn new(view: &View<'_>, number: usize, steps: &[Step]) -> Option<Self> {
        let first = steps.first()?;
        let mut parts = steps.iter().filter_map(|step| part(view, &step.what));
        let shown: Vec<Part> = parts.by_ref().take(MAX_PARTS).collect();
        let n_more = parts.count();
        let time = first.time.map(ravel_format::Timestamp::to_iso);
        let role = shown.first()?.role;
        let uuid = view.recall.line(&first.uuid);
        let when = time.as_deref().unwrap_or("no time");
        let mut text = format!("\n[{number}] {role} · {when} · {uuid}\n");
        let mut room = view.max_bytes;
        let mut items: Vec<Value> = Vec::new();
        for part in shown {
            items.push(part.finish(&mut text, &mut room));
        }
        if n_more > 0 {
            text.push_str(&format!("… and {n_more} more parts\n"));
        }
        let json = json!({
            "number": number, "uuid": uuid, "time": time, "role": role,
            "parts": items, "n_parts_left_out": n_more,
        });
        Some(Self { text, json })
    }
}

impl Part {
    fn new(role: &'static str, label: impl Into<String>) -> Self {
        Self {
            role,
            label: label.into(),
            facts: json!({}),
            texts: Vec::new(),
        }
    }

    fn text(mut self, name: &'static str, text: String, max_bytes: usize) -> Self {
        if !text.is_empty() {
            self.texts.push((name, text, max_bytes));
        }
        self
    }

    fn fact(mut self, name: &str, value: impl Into<Value>) -> Self {
        if let Some(facts) = self.facts.as_object_mut() {
            facts.insert(name.into(), value.into());
        }
        self
    }

    /// Cuts the texts to the room there is and writes them.
    fn finish(self, out: &mut String, room: &mut usize) -> Value {
        let label = self.label.clone();
        let mut item = self.fact("type", label);
        out.push_str(&match item.label.as_str() {
            "text" => String::new(),
            label => format!("({label})\n"),
        });
        for (name, text, max_bytes) in std::mem::take(&mut item.texts) {
            let cut = cut_middle(&text, max_bytes.min((*room).max(LEAST)));
            *room = room.saturating_sub(cut.len());
            let lead = match name {
                "text" => String::new(),
                name => format!("{name}: "),
            };
            out.push_str(&format!("{lead}{cut}\n"));
            let is_cut = cut.len() < text.len();
            item = item.fact(name, cut);
            if is_cut {
                item = item.fact(&format!("n_{name}_bytes"), text.len());
            }
        }
        item.facts
    }
}

fn part(view: &View<'_>, what: &What) -> Option<Part> {
    let clean = |text: &str| view.recall.text(text);
    let whole = view.max_bytes;
    let said = |role, label: &str, text: &str| {
        (!text.trim().is_empty()).then(|| Part::new(role, label).text("text", clean(text), whole))
    };
    match what {
        What::Prompt(prompt) => prompt_part(view, prompt),
        What::Reply(text) => said("assistant", "text", text),
        What::Thinking(text) if view.thinking => said("assistant", "thinking", text),
        What::Call(call) => call_part(view, call),
        What::StrayResult(result) => {
            let part = Part::new("user", "tool result");
            (view.tools != ToolsShown::None).then(|| with_result(view, part, result))
        }
        What::Picture(picture) => {
            let media = view.recall.line(&picture.media_type);
            Some(Part::new("user", "picture").fact("media_type", media))
        }
        What::Compaction(compaction) => {
            let summary = clean(compaction.summary.as_deref().unwrap_or_default());
            Some(Part::new("system", "compaction").text("summary", summary, whole))
        }
        What::Notice { text, .. } => said("system", "notice", text),
        What::ApiError(text) => said("system", "error", text),
        What::Interruption(text) => said("user", "interruption", text),
        What::Output(text) => said("user", "output", text),
        What::Hook(hook) => said("system", "hook", &hook.output),
        _ => None,
    }
}

fn prompt_part(view: &View<'_>, prompt: &Prompt) -> Option<Part> {
    let label = match prompt.asker {
        Asker::Words => "text",
        Asker::Command => "command",
        Asker::Shell => "shell",
        Asker::Task => "task",
        Asker::Summary => "summary",
    };
    let text = view.recall.text(&prompt.text);
    if text.trim().is_empty() && prompt.pictures.is_empty() {
        return None;
    }
    let part = Part::new("user", label).text("text", text, view.max_bytes);
    Some(match prompt.pictures.len() {
        0 => part,
        n_pictures => part.fact("n_pictures", n_pictures),
    })
}

fn call_part(view: &View<'_>, call: &Call) -> Option<Part> {
    let name = view.recall.line(&call.name);
    let max_bytes = match view.tools {
        ToolsShown::None => return None,
        ToolsShown::Brief => BRIEF,
        ToolsShown::Full => view.max_bytes,
    };
    let input = call.input.as_ref().map(RawJson::text).unwrap_or_default();
    let part = Part::new("assistant", format!("tool call {name}"))
        .fact("tool", name)
        .text("input", view.recall.text(&input), max_bytes);
    Some(match &call.result {
        Some(result) => with_result(view, part, result),
        None => part.fact("is_unanswered", true),
    })
}

fn with_result(view: &View<'_>, part: Part, result: &CallResult) -> Part {
    let max_bytes = match view.tools {
        ToolsShown::Full => view.max_bytes,
        _ => BRIEF,
    };
    let name = if result.is_error { "error" } else { "result" };
    part.text(name, view.recall.text(&result.text), max_bytes)
}
