//! How the todo list of a session changed while it ran.
//!
//! Up to 2.1.29 the model replaces the whole list with `TodoWrite`; later it keeps numbered tasks
//! with `TaskCreate` and `TaskUpdate`. [`timeline`] reads both as the same thing: a
//! [`TodoChange`] for each call that took effect, with the items that changed and the list after.
//! A call that failed changed nothing and is left out.

use ravel_format::tool::{TaskCreateCall, TaskUpdateCall, TodoWriteCall};
use ravel_format::{ContentBlock, Entry, Flags, JsonText, Record, Timestamp, ToolCall, ToolRole};

use crate::session::Part;

#[cfg(test)]
mod tests;

/// One call that changed the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TodoChange {
    /// The entry that makes the call.
    pub entry: usize,
    /// The id of the record.
    pub uuid: String,
    /// The line of the record.
    pub line: u32,
    /// When it was written.
    pub time: Option<Timestamp>,
    /// The items that changed, in the order of the list.
    pub changes: Vec<ItemChange>,
    /// The whole list after the call.
    pub items: Vec<TodoItem>,
}

/// One item of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TodoItem {
    /// Its number, for tasks.
    pub id: Option<String>,
    /// What is to be done.
    pub text: String,
    /// How far it is.
    pub status: TodoStatus,
}

/// What happened to one item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemChange {
    /// Its number, for tasks.
    pub id: Option<String>,
    /// What is to be done.
    pub text: String,
    /// How far it was; `None` for a new item.
    pub from: Option<TodoStatus>,
    /// How far it is; `None` for an item that was taken off the list.
    pub to: Option<TodoStatus>,
}

/// How far an item is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TodoStatus {
    /// Not begun.
    Pending,
    /// Being done.
    InProgress,
    /// Done.
    Completed,
    /// What else was written.
    Other(String),
}

impl TodoStatus {
    /// Reads the name in the file; an empty one is an item that was not begun.
    pub fn from_name(name: &str) -> Self {
        match name {
            "pending" | "" => Self::Pending,
            "in_progress" => Self::InProgress,
            "completed" => Self::Completed,
            other => Self::Other(other.to_owned()),
        }
    }

    /// Returns the name in the file.
    pub fn name(&self) -> &str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Other(name) => name,
        }
    }
}

/// Returns the changes of the list in one file, oldest first.
///
/// In a main file the calls of sub-agents inside it are passed over: they have their own list.
pub fn timeline(part: &Part<'_>) -> Vec<TodoChange> {
    let mut timeline = Vec::new();
    let mut items = Vec::new();
    for &index in part.graph.nodes() {
        let Some(entry) = part.graph.entry(index).filter(|entry| calls(part, entry)) else {
            continue;
        };
        let edits = part.read(entry, |record| edits(part, index, record));
        if edits.is_empty() {
            continue;
        }
        let before = items.clone();
        for edit in edits {
            edit.apply(&mut items);
        }
        timeline.push(TodoChange {
            entry: index,
            uuid: part.graph.outline().text(entry.uuid),
            line: entry.line,
            time: entry.time,
            changes: differences(&before, &items),
            items: items.clone(),
        });
    }
    timeline
}

fn calls(part: &Part<'_>, entry: &Entry) -> bool {
    let is_elsewhere = entry.has(Flags::SIDECHAIN) && !part.graph.is_agent_file();
    let mut tools = part.graph.outline().tools(entry, ToolRole::Call);
    !is_elsewhere && tools.next().is_some()
}

/// What a call does to the list.
enum Edit {
    Replace(Vec<TodoItem>),
    Create {
        id: Option<String>,
        text: String,
    },
    Update {
        id: String,
        text: Option<String>,
        status: Option<TodoStatus>,
    },
}

impl Edit {
    fn apply(self, items: &mut Vec<TodoItem>) {
        match self {
            Self::Replace(list) => *items = list,
            Self::Create { id, text } => items.push(TodoItem {
                // Tasks are numbered from 1; a call without its result still has a number.
                id: Some(id.unwrap_or_else(|| (items.len() + 1).to_string())),
                text,
                status: TodoStatus::Pending,
            }),
            Self::Update { id, text, status } => update(items, &id, text, status),
        }
    }
}

fn update(items: &mut Vec<TodoItem>, id: &str, text: Option<String>, status: Option<TodoStatus>) {
    if status == Some(TodoStatus::Other("deleted".into())) {
        items.retain(|item| item.id.as_deref() != Some(id));
        return;
    }
    let known = items
        .iter()
        .position(|item| item.id.as_deref() == Some(id))
        .and_then(|place| items.get_mut(place));
    match known {
        Some(item) => {
            item.text = text.unwrap_or_else(|| std::mem::take(&mut item.text));
            item.status = status.unwrap_or_else(|| item.status.clone());
        }
        // The task was created in another file: a session that was continued.
        None => items.push(TodoItem {
            id: Some(id.to_owned()),
            text: text.unwrap_or_else(|| format!("task {id}")),
            status: status.unwrap_or(TodoStatus::Pending),
        }),
    }
}

fn edits(part: &Part<'_>, index: usize, record: &Record<'_>) -> Vec<Edit> {
    let blocks = record.blocks();
    blocks
        .filter_map(|block| match block {
            ContentBlock::ToolUse(call) => {
                let edit = match ToolCall::from_block(call) {
                    ToolCall::TodoWrite(call) => replace(call),
                    ToolCall::TaskCreate(call) => Some(create(call)),
                    ToolCall::TaskUpdate(call) => change(call),
                    _ => None,
                }?;
                with_result(part, index, call.id, edit)
            }
            _ => None,
        })
        .collect()
}

fn replace(call: TodoWriteCall<'_>) -> Option<Edit> {
    let items = call.todos?.iter().map(|todo| TodoItem {
        id: None,
        text: decoded(todo.content),
        status: TodoStatus::from_name(&decoded(todo.status)),
    });
    Some(Edit::Replace(items.collect()))
}

fn create(call: TaskCreateCall<'_>) -> Edit {
    Edit::Create {
        id: None,
        text: decoded(call.subject),
    }
}

fn change(call: TaskUpdateCall<'_>) -> Option<Edit> {
    Some(Edit::Update {
        id: call.task_id?.decode().into_owned(),
        text: call.subject.map(|subject| subject.decode().into_owned()),
        status: call
            .status
            .map(|status| TodoStatus::from_name(&status.decode())),
    })
}

/// Drops an edit that failed, and gives a new task the number its result names.
fn with_result(part: &Part<'_>, call: usize, id: Option<JsonText<'_>>, edit: Edit) -> Option<Edit> {
    let id = decoded(id);
    let known = part.graph.outline().ids().find(&id);
    let result = known.and_then(|known| part.exchanges.result_for(&part.graph, call, known));
    let Some(result) = result else {
        return Some(edit);
    };
    let (failed, number) = part
        .read_at(result, |record| outcome(record, &id))
        .unwrap_or_default();
    match edit {
        _ if failed => None,
        Edit::Create { text, .. } => Some(Edit::Create { id: number, text }),
        edit => Some(edit),
    }
}

fn outcome(record: &Record<'_>, id: &str) -> (bool, Option<String>) {
    let mut blocks = record.blocks();
    let failed = blocks.any(|block| match block {
        ContentBlock::ToolResult(result) => {
            result.is_error == Some(true) && result.tool_use_id.is_some_and(|own| own.is(id))
        }
        _ => false,
    });
    let kept = record
        .get("toolUseResult")
        .or_else(|| record.get("tool_use_result"));
    let number = kept.and_then(|kept| kept.at(&["task", "id"])?.str());
    (failed, number.map(std::borrow::Cow::into_owned))
}

fn decoded(text: Option<JsonText<'_>>) -> String {
    text.map(|text| text.decode().into_owned())
        .unwrap_or_default()
}

/// Tells two lists apart: by number where items have one, else by their text.
fn differences(before: &[TodoItem], after: &[TodoItem]) -> Vec<ItemChange> {
    let mut left: Vec<Option<&TodoItem>> = before.iter().map(Some).collect();
    let mut changes = Vec::new();
    for item in after {
        let is_same = |other: &Option<&TodoItem>| other.is_some_and(|other| is_same(other, item));
        let place = left.iter().position(is_same);
        let earlier = place.and_then(|place| left.get_mut(place)?.take());
        let is_changed = earlier
            .is_none_or(|earlier| earlier.status != item.status || earlier.text != item.text);
        if is_changed {
            changes.push(ItemChange {
                id: item.id.clone(),
                text: item.text.clone(),
                from: earlier.map(|earlier| earlier.status.clone()),
                to: Some(item.status.clone()),
            });
        }
    }
    let gone = left.into_iter().flatten().map(|item| ItemChange {
        id: item.id.clone(),
        text: item.text.clone(),
        from: Some(item.status.clone()),
        to: None,
    });
    changes.extend(gone);
    changes
}

fn is_same(one: &TodoItem, other: &TodoItem) -> bool {
    match (&one.id, &other.id) {
        (None, None) => one.text == other.text,
        (one, other) => one == other,
    }
}
