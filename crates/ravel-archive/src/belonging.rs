//! Which files are kept, and which belong to one session.

use std::path::{Path, PathBuf};

use memchr::memmem;
use ravel_home::{Finding, HEAD_BYTES, Home, SessionFile, StoredFile, agent_session_id, is_uuid};

use crate::walk::{Item, Tree};

/// Folders of the home that are kept whole. They are small, and nothing in them is for this
/// machine only.
const WHOLE: [&str; 5] = ["todos", "tasks", "file-history", "plans", "paste-cache"];

/// A session by its place in the home.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The folder of its project, such as `projects/-srv-shop`.
    pub(crate) folder: PathBuf,
    /// Its id.
    pub(crate) session_id: String,
}

impl Place {
    /// Where a session stands, or stood. `None` when that is not in this home.
    pub(crate) fn of(home: &Home, mirror: &Path, session: &SessionFile) -> Option<Self> {
        let dir = &session.project.dir;
        let folder = dir
            .strip_prefix(home.root())
            .or_else(|_| dir.strip_prefix(mirror));
        let folder = folder.ok()?.to_path_buf();
        Some(Self {
            folder,
            session_id: session.session_id.clone(),
        })
    }

    /// The name of the main file.
    pub(crate) fn main(&self) -> PathBuf {
        self.folder.join(format!("{}.jsonl", self.session_id))
    }
}

/// Whether this is the main file of a session.
pub(crate) fn is_session(item: &Item) -> bool {
    let n_above = item.name.components().count();
    let is_project = ["projects", "conversations"]
        .iter()
        .any(|root| item.name.starts_with(root));
    is_project && n_above == 3 && stem_of(item).is_some_and(|stem| !stem.starts_with("agent-"))
}

/// The name of a transcript without its ending.
fn stem_of(item: &Item) -> Option<&str> {
    item.name.file_name()?.to_str()?.strip_suffix(".jsonl")
}

/// Every file that is kept.
pub(crate) fn everything(tree: &Tree, findings: &mut Vec<Finding>) -> Vec<Item> {
    let mut items = Vec::new();
    for root in ["projects", "conversations"] {
        for project in tree.list(Path::new(root), findings).folders {
            items.extend(of_project(tree, &project, findings));
        }
    }
    for folder in WHOLE {
        items.extend(tree.below(Path::new(folder), findings));
    }
    items.extend(tree.file(Path::new("history.jsonl")));
    items
}

fn of_project(tree: &Tree, project: &Path, findings: &mut Vec<Finding>) -> Vec<Item> {
    let folder = tree.list(project, findings);
    for item in &folder.files {
        let is_named = item
            .name
            .file_name()
            .is_some_and(|name| name.to_str().is_some());
        if !is_named {
            let message = "its name is no UTF-8, so it is not archived";
            findings.push(Finding::new(&item.path, message));
        }
    }
    let mut items: Vec<Item> = folder
        .files
        .into_iter()
        .filter(|item| stem_of(item).is_some())
        .collect();
    let has_main = |name: &str| items.iter().any(|item| stem_of(item) == Some(name));
    let is_companion = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        // The folder may have outlived the file.
        name.is_some_and(|name| is_uuid(name) || has_main(name))
    };
    let companions: Vec<PathBuf> = folder.folders.into_iter().filter(is_companion).collect();
    for companion in companions {
        items.extend(tree.below(&companion, findings));
    }
    items
}

/// The files of one session, the main one first.
pub(crate) fn of_session(tree: &Tree, place: &Place, findings: &mut Vec<Finding>) -> Vec<Item> {
    let id = &place.session_id;
    let mut items: Vec<Item> = tree.file(&place.main()).into_iter().collect();
    let plans = items.first().map(plans_named_in).unwrap_or_default();
    items.extend(tree.below(&place.folder.join(id), findings));
    items.extend(agents_beside(tree, place, findings));
    let todos = tree.list(Path::new("todos"), findings).files;
    items.extend(todos.into_iter().filter(|item| is_todo_of(item, id)));
    for folder in ["tasks", "file-history"] {
        items.extend(tree.below(&Path::new(folder).join(id), findings));
    }
    let plan_names = plans
        .iter()
        .map(|name| Path::new("plans").join(format!("{name}.md")));
    items.extend(plan_names.filter_map(|name| tree.file(&name)));
    items
}

fn is_todo_of(item: &Item, session_id: &str) -> bool {
    let name = item.name.file_name().and_then(|name| name.to_str());
    name.and_then(|name| name.strip_prefix(session_id))
        .is_some_and(|rest| rest.starts_with('-'))
}

/// The agents beside a session whose lines name it.
fn agents_beside(tree: &Tree, place: &Place, findings: &mut Vec<Finding>) -> Vec<Item> {
    let files = tree.list(&place.folder, findings).files;
    let mut agents = Vec::new();
    for item in files {
        if !stem_of(&item).is_some_and(|stem| stem.starts_with("agent-")) {
            continue;
        }
        match agent_session_id(&item.path) {
            Ok(Some(id)) if id == place.session_id => agents.push(item),
            Ok(_) => {}
            Err(error) => findings.push(Finding::new(&item.path, error)),
        }
    }
    agents
}

/// The plans that the end of a session names. What cannot be read names none.
fn plans_named_in(main: &Item) -> Vec<String> {
    const KEY: &[u8] = br#""slug":""#;
    let end = || -> std::io::Result<Vec<u8>> {
        let file = StoredFile::open(&main.path)?;
        let (size, _) = file.size_and_time()?;
        let mut bytes = vec![0; HEAD_BYTES];
        let n_read = file.read_at(&mut bytes, size.saturating_sub(HEAD_BYTES as u64))?;
        bytes.truncate(n_read);
        Ok(bytes)
    };
    let bytes = end().unwrap_or_default();
    let value_at = |at: usize| {
        bytes
            .get(at + KEY.len()..)?
            .split(|&byte| byte == b'"')
            .next()
    };
    let mut names: Vec<String> = memmem::find_iter(&bytes, KEY)
        .filter_map(value_at)
        .filter_map(|name| std::str::from_utf8(name).ok())
        // A name out of a transcript must not lead anywhere.
        .filter(|name| {
            !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0'])
        })
        .map(str::to_owned)
        .collect();
    names.sort();
    names.dedup();
    names
}
