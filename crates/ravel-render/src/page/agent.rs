//! Sub-agents: conversations inside a call.

use maud::{PreEscaped, html};
use ravel_model::step::{Call, Step};

use super::call;
use super::flow::{self, At};
use super::paper::Paper;
use crate::amount::counted;
use crate::html::{self, AgentCard, Markup, State};
use crate::tool_line::{Body, Detail, ToolLine};

/// Agents inside agents on the page. Deeper ones stand at its end, which also keeps a hostile
/// file from using up the stack.
const MAX_DEPTH: usize = 40;

/// Renders a call with the agents that ran for it.
pub(super) fn call(paper: &Paper<'_, '_>, at: At, id: &str, step: &Step, call: &Call) -> Markup {
    let may_nest = at.depth < MAX_DEPTH;
    let agents: Vec<usize> = call
        .agents
        .iter()
        .copied()
        .filter(|&number| may_nest && paper.place_agent(number))
        .collect();
    if agents.is_empty() {
        return call::call(paper, id, step, call).markup;
    }
    let line = ToolLine::of(call, step.time, paper.folder);
    let time = call::took(step, call);
    let report = report(paper, call);
    html! {
        @for (place, number) in agents.iter().enumerate() {
            @let id = if place == 0 { id } else { "" };
            @let report = (place == 0).then_some(&report);
            (card(paper, at, *number, &Frame { id, state: call::state(line.state), time: &time, report }))
        }
    }
}

/// Renders an agent that stands by itself.
pub(super) fn alone(paper: &Paper<'_, '_>, number: usize) -> Markup {
    let frame = Frame {
        id: "",
        state: State::Done,
        time: "",
        report: None,
    };
    let at = At { part: 0, depth: 0 };
    card(paper, at, number, &frame)
}

/// What the call adds to the card of an agent.
struct Frame<'f> {
    id: &'f str,
    state: State,
    time: &'f str,
    report: Option<&'f Markup>,
}

fn card(paper: &Paper<'_, '_>, at: At, number: usize, frame: &Frame<'_>) -> Markup {
    let Some(agent) = paper.session.agents().get(number) else {
        return Markup::default();
    };
    let n_messages = counted(n_messages(paper, number), "message");
    let note = match frame.time {
        "" => n_messages,
        time => format!("{n_messages} · {time}"),
    };
    let kind = match agent.kind.as_deref() {
        None | Some("") => "Sub-agent".to_owned(),
        Some(kind) => format!("Sub-agent {kind}"),
    };
    let card = AgentCard {
        kind: &kind,
        description: agent.description.as_deref().unwrap_or_default(),
        state: frame.state,
        note: &note,
    };
    let inside = At {
        part: agent.part,
        depth: at.depth + 1,
    };
    let entries = flow::entries(paper, inside, &agent.entries);
    let body = html! { (PreEscaped(entries)) @if let Some(report) = frame.report { (report) } };
    html::agent(frame.id, &card, &body)
}

/// Returns the messages of an agent that a person sees.
fn n_messages(paper: &Paper<'_, '_>, number: usize) -> usize {
    let agent = paper.session.agents().get(number);
    let entries = agent.into_iter().flat_map(|agent| &agent.entries);
    let part = agent.and_then(|agent| paper.session.part(agent.part));
    let is_message = |&&index: &&usize| {
        part.and_then(|part| part.graph.entry(index))
            .is_some_and(|entry| entry.kind.is_message())
    };
    entries.filter(is_message).count()
}

/// Returns what the caller got, folded: mostly it is the last reply of the agent again.
fn report(paper: &Paper<'_, '_>, call: &Call) -> Markup {
    let target = call
        .result
        .as_ref()
        .map(|result| html::target(&result.uuid));
    let detail = Detail::of(call);
    let text = match detail.body {
        Body::Prose(text) | Body::Output(text) => text,
        _ => String::new(),
    };
    html! {
        @if let Some(target) = target { (target) }
        @if !text.trim().is_empty() {
            (html::details("Report to the caller", &super::step::prose(paper, &text), false))
        }
        @if !detail.error.is_empty() { (super::step::plain(paper, &detail.error)) }
    }
}
