//! Turns and their steps.

use std::io;

use ravel_format::Timestamp;
use ravel_model::step::{
    Asker, Call, CallResult, Compaction, Hook, HookState, Level, Picture, RawJson, Step, What,
    steps,
};
use ravel_model::turn::turns;
use ravel_model::{Segment, Session, Turn};

use super::stream::Stream;

/// Writes all turns across compactions.
pub(super) fn write<W: io::Write>(
    session: &Session<'_>,
    segments: &[Segment],
    out: &mut Stream<W>,
) -> io::Result<()> {
    out.open_array()?;
    if let Some(main) = session.main() {
        for (index, turn) in turns(&main.graph, segments).iter().enumerate() {
            write_turn(session, index, turn, out)?;
        }
    }
    out.close_array()
}

fn write_turn<W: io::Write>(
    session: &Session<'_>,
    index: usize,
    turn: &Turn,
    out: &mut Stream<W>,
) -> io::Result<()> {
    let steps = steps(session, 0, &turn.entries);
    out.open_object()?;
    out.field("index", &index)?;
    out.field("segment", &turn.segment)?;
    out.key("prompt")?;
    let first = steps.iter().find(|step| Some(step.entry) == turn.prompt);
    match first {
        Some(Step {
            uuid,
            what: What::Prompt(prompt),
            ..
        }) => {
            out.open_object()?;
            out.field("uuid", uuid)?;
            out.field("text", &prompt.text)?;
            out.field("asker", asker(prompt.asker))?;
            out.close_object()?;
        }
        _ => out.value(&())?,
    }
    out.key("steps")?;
    out.open_array()?;
    steps
        .iter()
        .try_for_each(|step| write_step(session, step, out))?;
    out.close_array()?;
    out.close_object()
}

fn write_step<W: io::Write>(
    session: &Session<'_>,
    step: &Step,
    out: &mut Stream<W>,
) -> io::Result<()> {
    out.open_object()?;
    out.field("kind", kind(&step.what))?;
    out.field("uuid", &step.uuid)?;
    out.field("line", &step.line)?;
    out.field("timestamp", &step.time.map(Timestamp::to_iso))?;
    write_what(session, &step.what, out)?;
    out.close_object()
}

fn write_what<W: io::Write>(
    session: &Session<'_>,
    what: &What,
    out: &mut Stream<W>,
) -> io::Result<()> {
    match what {
        What::Prompt(prompt) => {
            out.field("text", &prompt.text)?;
            out.field("asker", asker(prompt.asker))?;
            pictures(&prompt.pictures, out)
        }
        What::Reply(text)
        | What::Thinking(text)
        | What::ApiError(text)
        | What::Interruption(text)
        | What::Output(text) => out.field("text", text),
        What::Call(made) => call(session, made, out),
        What::StrayResult(answer) => {
            out.key("result")?;
            result(answer, out)
        }
        What::Picture(picture) => pictures(std::slice::from_ref(picture), out),
        What::Compaction(compacted) => compaction(compacted, out),
        What::Microcompaction {
            pre_tokens,
            tokens_saved,
            n_tools,
        } => {
            out.field("pre_tokens", pre_tokens)?;
            out.field("tokens_saved", tokens_saved)?;
            out.field("n_tools", n_tools)
        }
        What::Hook(ran) => hook(ran, out),
        What::Notice { level: how, text } => {
            out.field("level", level(*how))?;
            out.field("text", text)
        }
        What::Retry {
            attempt,
            max,
            delay_ms,
            text,
        } => {
            out.field("attempt", attempt)?;
            out.field("max", max)?;
            out.field("delay_ms", delay_ms)?;
            out.field("text", text)
        }
        What::TurnEnd { duration_ms } => out.field("duration_ms", duration_ms),
        What::Hidden { label, text } => {
            out.field("label", label)?;
            out.field("text", text)
        }
        What::Unknown { name, json } => {
            out.field("name", name)?;
            raw("record", Some(json), out)
        }
        _ => Ok(()),
    }
}

fn call<W: io::Write>(session: &Session<'_>, call: &Call, out: &mut Stream<W>) -> io::Result<()> {
    out.key("tool")?;
    out.open_object()?;
    out.field("id", &call.id)?;
    out.field("name", &call.name)?;
    raw("input", call.input.as_ref(), out)?;
    out.key("result")?;
    match &call.result {
        Some(answer) => result(answer, out)?,
        None => out.value(&())?,
    }
    let agents = call.agents.iter();
    let ids: Vec<&str> = agents
        .filter_map(|&number| Some(session.agents().get(number)?.id.as_str()))
        .collect();
    out.field("agents", &ids)?;
    out.close_object()
}

fn result<W: io::Write>(result: &CallResult, out: &mut Stream<W>) -> io::Result<()> {
    out.open_object()?;
    out.field("uuid", &result.uuid)?;
    out.field("timestamp", &result.time.map(Timestamp::to_iso))?;
    out.field("is_error", &result.is_error)?;
    out.field("text", &result.text)?;
    pictures(&result.pictures, out)?;
    raw("outcome", result.outcome.as_ref(), out)?;
    out.close_object()
}

fn raw<W: io::Write>(key: &str, json: Option<&RawJson>, out: &mut Stream<W>) -> io::Result<()> {
    out.key(key)?;
    match json.and_then(RawJson::json) {
        Some(json) => out.raw(json.raw()),
        None => out.value(&()),
    }
}

/// Writes what pictures there are; their bytes are in the raw parts.
fn pictures<W: io::Write>(pictures: &[Picture], out: &mut Stream<W>) -> io::Result<()> {
    if pictures.is_empty() {
        return Ok(());
    }
    out.key("pictures")?;
    out.open_array()?;
    for picture in pictures {
        out.open_object()?;
        out.field("media_type", &picture.media_type)?;
        out.field("name", &picture.name)?;
        out.field("n_base64", &picture.base64.len())?;
        out.close_object()?;
    }
    out.close_array()
}

fn compaction<W: io::Write>(compaction: &Compaction, out: &mut Stream<W>) -> io::Result<()> {
    out.field("trigger", &compaction.trigger)?;
    out.field("pre_tokens", &compaction.pre_tokens)?;
    out.field("post_tokens", &compaction.post_tokens)?;
    out.field("text", &compaction.summary)
}

fn hook<W: io::Write>(hook: &Hook, out: &mut Stream<W>) -> io::Result<()> {
    let state = match hook.state {
        HookState::Started => "started",
        HookState::Done => "done",
        HookState::Failed => "failed",
        HookState::Blocked => "blocked",
    };
    out.field("event", &hook.event)?;
    out.field("name", &hook.name)?;
    out.field("command", &hook.command)?;
    out.field("state", state)?;
    out.field("text", &hook.output)?;
    out.field("duration_ms", &hook.duration_ms)?;
    out.field("tool_use_id", &hook.tool_use_id)
}

fn kind(what: &What) -> &'static str {
    match what {
        What::Prompt(_) => "prompt",
        What::Reply(_) => "reply",
        What::Thinking(_) => "thinking",
        What::Call(_) => "tool",
        What::StrayResult(_) => "stray_result",
        What::Picture(_) => "picture",
        What::Compaction(_) => "compaction",
        What::Microcompaction { .. } => "microcompaction",
        What::Hook(_) => "hook",
        What::Notice { .. } => "notice",
        What::Retry { .. } => "retry",
        What::ApiError(_) => "api_error",
        What::Interruption(_) => "interruption",
        What::Output(_) => "output",
        What::TurnEnd { .. } => "turn_end",
        What::Hidden { .. } => "hidden",
        _ => "unknown",
    }
}

fn asker(asker: Asker) -> &'static str {
    match asker {
        Asker::Words => "words",
        Asker::Command => "command",
        Asker::Shell => "shell",
        Asker::Task => "task",
        Asker::Summary => "summary",
    }
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Info => "info",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}
