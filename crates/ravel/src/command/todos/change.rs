//! How lists changed while a session ran.

use jiff::tz::TimeZone;
use ravel_format::Timestamp;
use ravel_model::todo::{ItemChange, TodoChange, TodoStatus, timeline};
use ravel_model::{Part, Session};
use ravel_render::style::{Line, Role, Span, Style};
use ravel_render::when;
use ravel_render::wrap::{Margin, wrap};
use serde_json::{Value, json};

use super::list::{Checklist, Item, Origin};
use super::{mark, progress};

/// A change and the agent whose list it is.
pub(crate) struct Named {
    agent_id: Option<String>,
    change: TodoChange,
}

/// Returns the changes of all lists of a session, in the order of time.
pub(crate) fn changes(session: &Session<'_>) -> Vec<Named> {
    let mut changes: Vec<Named> = session
        .parts()
        .iter()
        .flat_map(|part| {
            timeline(part).into_iter().map(|change| Named {
                agent_id: agent_id(part),
                change,
            })
        })
        .collect();
    changes.sort_by_key(|named| named.change.time.map(|Timestamp(millis)| millis));
    changes
}

/// Returns the lists as the last calls left them.
pub(crate) fn last_states(session: &Session<'_>) -> Vec<Checklist> {
    let ends = session
        .parts()
        .iter()
        .filter_map(|part| Some((part, timeline(part).pop()?)));
    ends.map(|(part, last)| Checklist {
        session_id: session_id(part, &last),
        title: None,
        project: part.graph.outline().said().folders.texts().first().cloned(),
        origin: Origin::Transcript {
            agent_id: agent_id(part),
        },
        path: None,
        modified_ms: last.time.map(|Timestamp(millis)| millis),
        items: last
            .items
            .into_iter()
            .map(|item| Item {
                id: item.id,
                text: item.text,
                status: item.status,
                active_form: None,
                blocked_by: Vec::new(),
            })
            .collect(),
    })
    .collect()
}

fn session_id(part: &Part<'_>, last: &TodoChange) -> String {
    let entry = part.graph.entry(last.entry);
    part.graph
        .outline()
        .text(entry.and_then(|entry| entry.session))
}

fn agent_id(part: &Part<'_>) -> Option<String> {
    Some(part.transcript.agent.as_ref()?.id.clone())
}

/// Returns the changes, a heading for each call.
pub(crate) fn render(width: usize, changes: &[Named]) -> Vec<Line> {
    if changes.is_empty() {
        return vec![Line::of("no todos in this session", Role::Plain)];
    }
    let zone = TimeZone::system();
    let mut lines = Vec::new();
    for named in changes {
        lines.push(heading(named, &zone));
        for item in &named.change.changes {
            lines.extend(item_lines(item, width));
        }
        if named.change.changes.is_empty() {
            lines.push(Line::of("  nothing changed", Role::Muted));
        }
    }
    lines
}

fn heading(named: &Named, zone: &TimeZone) -> Line {
    let Named { agent_id, change } = named;
    let (done, all) = progress(change.items.iter().map(|item| &item.status));
    let time = change.time.map(|Timestamp(millis)| {
        let (day, clock) = (when::moment(millis, zone), when::clock(millis, zone));
        format!("{} {clock}", day.split(' ').next().unwrap_or_default())
    });
    let mut line = Line::of(&time.unwrap_or_else(|| "at some time".into()), Role::Accent);
    line = line.with(&format!("  {done} of {all}"), Style::PLAIN.bold());
    if let Some(agent_id) = agent_id {
        line = line.with(&format!("  agent {agent_id}"), Role::Muted);
    }
    line.with(&format!("  line {}", change.line), Role::Muted)
}

fn item_lines(item: &ItemChange, width: usize) -> Vec<Line> {
    let sign = |status: &Option<TodoStatus>| status.as_ref().map_or((" ", Role::Muted), mark);
    let ((from, from_role), (to, to_role)) = (sign(&item.from), sign(&item.to));
    let (to, to_role) = match item.to {
        Some(_) => (to, to_role),
        None => ("✗", Role::Removed),
    };
    let arrow = if item.from.is_some() { "→" } else { "+" };
    let mut first = vec![
        Span::new(&format!("  {from} "), from_role),
        Span::new(&format!("{arrow} "), Role::Muted),
        Span::new(&format!("{to} "), to_role),
    ];
    if let Some(id) = &item.id {
        first.push(Span::line(&format!("{id}. "), Role::Muted));
    }
    let indent = first.iter().map(Span::width).sum::<usize>();
    let margin = Margin {
        first,
        rest: vec![Span::new(&" ".repeat(indent), Role::Plain)],
    };
    wrap(&[Span::line(&item.text, Role::Plain)], width, &margin)
}

impl Named {
    /// Returns the change for programs.
    pub(crate) fn json(&self) -> Value {
        let Self { agent_id, change } = self;
        let status = |status: &Option<TodoStatus>| status.as_ref().map(|it| it.name().to_owned());
        let changes = change.changes.iter().map(|item| {
            json!({"id": item.id, "text": item.text, "from": status(&item.from), "to": status(&item.to)})
        });
        let items = change
            .items
            .iter()
            .map(|item| json!({"id": item.id, "text": item.text, "status": item.status.name()}));
        json!({
            "time": change.time.map(Timestamp::to_iso),
            "agent_id": agent_id,
            "uuid": change.uuid,
            "line": change.line,
            "changes": changes.collect::<Vec<_>>(),
            "items": items.collect::<Vec<_>>(),
        })
    }
}
