//! Todo lists and tasks as one kind of list.

use std::cmp::Reverse;
use std::fs;
use std::path::PathBuf;

use ravel_format::Timestamp;
use ravel_home::{Depth, Home, Listing, StoredFile, list_tasks, list_todos, read_head};
use ravel_model::todo::TodoStatus;
use ravel_render::style::{Line, Role, Span, Style};
use ravel_render::when;
use ravel_render::words::short_id;
use ravel_render::wrap::{Margin, wrap};
use serde_json::{Value, json};

use super::{mark, progress};
use crate::context::{Context, display_path, epoch_ms};
use crate::open::discover_all;

/// A list of one agent of a session.
pub(crate) struct Checklist {
    /// The session.
    pub(crate) session_id: String,
    /// What the session is called.
    pub(crate) title: Option<String>,
    /// The folder of the session.
    pub(crate) project: Option<String>,
    /// What the list was read from.
    pub(crate) origin: Origin,
    /// The file or folder it was read from.
    pub(crate) path: Option<PathBuf>,
    /// When it last changed.
    pub(crate) modified_ms: Option<i64>,
    /// What is to be done.
    pub(crate) items: Vec<Item>,
}

/// What a list was read from.
#[derive(PartialEq, Eq)]
pub(crate) enum Origin {
    /// A todo list; of an agent, or of the main thread.
    Todos { agent_id: Option<String> },
    /// Tasks.
    Tasks,
    /// The calls in the session itself; of an agent, or of the main thread.
    Transcript { agent_id: Option<String> },
}

/// One thing to do.
pub(crate) struct Item {
    pub(crate) id: Option<String>,
    pub(crate) text: String,
    pub(crate) status: TodoStatus,
    pub(crate) active_form: Option<String>,
    pub(crate) blocked_by: Vec<String>,
}

impl Origin {
    fn name(&self) -> &'static str {
        match self {
            Self::Todos { .. } => "todos",
            Self::Tasks => "tasks",
            Self::Transcript { .. } => "transcript",
        }
    }

    fn agent_id(&self) -> Option<&String> {
        match self {
            Self::Todos { agent_id } | Self::Transcript { agent_id } => agent_id.as_ref(),
            Self::Tasks => None,
        }
    }
}

/// Returns all lists of a home, the last changed first.
pub(crate) fn all(home: &Home) -> Listing<Checklist> {
    let mut found = todos(home, None);
    let folders = fs::read_dir(home.tasks()).into_iter().flatten().flatten();
    for folder in folders.filter(|entry| entry.path().is_dir()) {
        let session_id = folder.file_name().to_string_lossy().into_owned();
        tasks(home, &session_id, &mut found);
    }
    sort(&mut found.items);
    found
}

/// Returns the lists of one session, the last changed first.
pub(crate) fn of_session(home: &Home, session_id: &str) -> Listing<Checklist> {
    let mut found = todos(home, Some(session_id));
    tasks(home, session_id, &mut found);
    sort(&mut found.items);
    found
}

/// Looks up what the sessions are called.
pub(crate) fn add_titles(context: &Context, lists: &mut [Checklist]) {
    if lists.is_empty() {
        return;
    }
    let found = discover_all(context, Depth::Sessions).unwrap_or_default();
    for list in lists {
        let session = found.session(&list.session_id);
        let head = session.and_then(|session| read_head(session).ok().flatten());
        list.title = head.as_ref().map(|head| head.title.clone());
        list.project = head.and_then(|head| head.cwd);
    }
}

fn sort(lists: &mut [Checklist]) {
    lists.sort_by(|one, other| {
        let newest = Reverse(one.modified_ms).cmp(&Reverse(other.modified_ms));
        newest.then_with(|| one.session_id.cmp(&other.session_id))
    });
}

fn todos(home: &Home, session_id: Option<&str>) -> Listing<Checklist> {
    let found = list_todos(home, session_id);
    let lists = found.items.into_iter().map(|list| {
        let agent_id = (!list.is_main()).then(|| list.agent_id.clone());
        let items = list.todos.into_iter().map(|todo| Item {
            id: None,
            text: todo.content,
            status: TodoStatus::from_name(&todo.status),
            active_form: todo.active_form,
            blocked_by: Vec::new(),
        });
        Checklist {
            origin: Origin::Todos { agent_id },
            title: None,
            project: None,
            modified_ms: modified_ms(&list.path),
            items: items.collect(),
            path: Some(list.path),
            session_id: list.session_id,
        }
    });
    Listing {
        items: lists.collect(),
        findings: found.findings,
    }
}

fn tasks(home: &Home, session_id: &str, found: &mut Listing<Checklist>) {
    let listing = list_tasks(home, session_id);
    found.findings.extend(listing.findings);
    if listing.items.is_empty() {
        return;
    }
    let times = listing.items.iter();
    let modified_ms = times.filter_map(|task| modified_ms(&task.path)).max();
    let items = listing.items.into_iter().map(|task| Item {
        id: Some(task.id),
        text: task.subject,
        status: TodoStatus::from_name(&task.status),
        active_form: task.active_form,
        blocked_by: task.blocked_by,
    });
    found.items.push(Checklist {
        session_id: session_id.to_owned(),
        title: None,
        project: None,
        origin: Origin::Tasks,
        path: Some(home.tasks().join(session_id)),
        modified_ms,
        items: items.collect(),
    });
}

fn modified_ms(path: &std::path::Path) -> Option<i64> {
    let (_, modified) = StoredFile::facts(path).ok()?;
    Some(epoch_ms(modified))
}

impl Checklist {
    /// Returns the list with its heading.
    pub(crate) fn render(&self, width: usize, now_ms: i64) -> Vec<Line> {
        let mut lines = vec![self.heading(now_ms)];
        let numbers = self.items.iter().filter_map(|item| item.id.as_deref());
        let number_width = numbers.map(str::len).max().unwrap_or(0);
        for item in &self.items {
            lines.extend(item.render(width, number_width));
        }
        lines
    }

    fn heading(&self, now_ms: i64) -> Line {
        let (done, all) = progress(self.items.iter().map(|item| &item.status));
        let id = short_id(&self.session_id);
        let mut line = Line::of(id, Role::Accent);
        if let Some(title) = &self.title {
            line = line.with(&format!("  {title}"), Style::PLAIN.bold());
        }
        if let Some(agent_id) = self.origin.agent_id() {
            line = line.with(&format!("  agent {agent_id}"), Role::Muted);
        }
        let style = if done == all {
            Role::Success
        } else {
            Role::Plain
        };
        line = line.with(&format!("  {done} of {all}"), style);
        if let Some(project) = &self.project {
            let project = display_path(std::path::Path::new(project));
            line = line.with(&format!("  {project}"), Role::Muted);
        }
        match self.modified_ms {
            Some(time) => line.with(&format!("  {}", when::age(time, now_ms)), Role::Muted),
            None => line,
        }
    }

    /// Returns the list for programs.
    pub(crate) fn json(&self) -> Value {
        let (done, all) = progress(self.items.iter().map(|item| &item.status));
        json!({
            "session_id": self.session_id,
            "title": self.title,
            "project": self.project,
            "agent_id": self.origin.agent_id(),
            "kind": self.origin.name(),
            "path": self.path.as_ref().map(|path| path.to_string_lossy()),
            "modified": self.modified_ms.map(|time| Timestamp(time).to_iso()),
            "done": done,
            "total": all,
            "items": self.items.iter().map(Item::json).collect::<Vec<_>>(),
        })
    }
}

impl Item {
    fn render(&self, width: usize, number_width: usize) -> Vec<Line> {
        let (mark, role) = mark(&self.status);
        let mut first = vec![Span::new(&format!("  {mark} "), role)];
        if number_width > 0 {
            let id = self.id.as_deref().unwrap_or_default();
            first.push(Span::line(&format!("{id:>number_width$}. "), Role::Muted));
        }
        let indent = first.iter().map(Span::width).sum::<usize>();
        let margin = Margin {
            first,
            rest: vec![Span::new(&" ".repeat(indent), Role::Plain)],
        };
        let (text, style) = match (&self.status, &self.active_form) {
            (TodoStatus::InProgress, Some(doing)) => (doing, Style::of(role)),
            (TodoStatus::Completed, _) => (&self.text, Style::of(Role::Muted)),
            _ => (&self.text, Style::PLAIN),
        };
        let mut spans = vec![Span::line(text, style)];
        if !self.blocked_by.is_empty() {
            let note = format!("  (waits for {})", self.blocked_by.join(", "));
            spans.push(Span::line(&note, Role::Muted));
        }
        if let TodoStatus::Other(name) = &self.status {
            spans.push(Span::line(&format!("  ({name})"), Role::Muted));
        }
        wrap(&spans, width, &margin)
    }

    fn json(&self) -> Value {
        json!({
            "id": self.id,
            "text": self.text,
            "status": self.status.name(),
            "active_form": self.active_form,
            "blocked_by": self.blocked_by,
        })
    }
}
