//! Writes sessions line by line, as one of the recorded versions would have.
//!
//! A [`SessionBuilder`] is a small imitation of the client's side of the log: it keeps the end of
//! the parent chain, the open assistant message, the files of an imagined project and a clock, and
//! every call appends the lines the client would append. Nothing is hidden: [`SessionBuilder::raw_line`]
//! and [`SessionBuilder::append`] write whatever a damaged or future file may hold.

pub(crate) mod agent;
pub(crate) mod attachment;
pub(crate) mod compact;
pub(crate) mod hook;
pub(crate) mod message;
pub(crate) mod note;
pub(crate) mod prompt;
pub(crate) mod request;
pub(crate) mod workspace;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::clock::{Clock, Ids};
use crate::tree::FileTree;
use crate::version::Version;
use agent::{AgentFile, AgentIdentity};
use message::Message;
use prompt::PromptState;
use workspace::Workspace;

/// How long a line takes unless told otherwise; keeps timestamps distinct and in order.
const TICK_MS: i64 = 850;

/// A session being written. See the module for how it works.
#[derive(Debug, Clone)]
pub struct SessionBuilder {
    version: Version,
    seed: String,
    session_id: String,
    cwd: String,
    branch: String,
    slug: Option<String>,
    model: String,
    interactive: bool,
    permission_mode: String,
    agent: Option<AgentIdentity>,
    ids: Ids,
    clock: Clock,
    entries: Vec<Entry>,
    tip: Option<String>,
    message: Option<Message>,
    message_is_open: bool,
    n_context_bytes: usize,
    prompt: PromptState,
    typed: Vec<(i64, String)>,
    last_text: String,
    workspace: Workspace,
    agents: Vec<AgentFile>,
    todos: Value,
}

#[derive(Debug, Clone)]
enum Entry {
    Json(Map<String, Value>),
    Raw(Vec<u8>),
}

/// Setting up.
impl SessionBuilder {
    /// Starts a session; the seed decides all ids.
    pub fn new(version: Version, seed: &str) -> Self {
        let mut ids = Ids::new(seed);
        let session_id = ids.uuid();
        Self {
            version,
            seed: seed.to_owned(),
            session_id,
            cwd: "/home/robin/kiln".to_owned(),
            branch: "main".to_owned(),
            slug: None,
            model: version.default_model().to_owned(),
            interactive: false,
            permission_mode: "default".to_owned(),
            agent: None,
            ids,
            clock: Clock::starting_at("2026-01-20T09:00:00.000Z"),
            entries: Vec::new(),
            tip: None,
            message: None,
            message_is_open: false,
            n_context_bytes: 0,
            prompt: PromptState::default(),
            typed: Vec::new(),
            last_text: String::new(),
            workspace: Workspace::default(),
            agents: Vec::new(),
            todos: json!([]),
        }
    }

    /// Sets the working directory.
    #[must_use]
    pub fn in_folder(mut self, cwd: &str) -> Self {
        cwd.clone_into(&mut self.cwd);
        self
    }

    /// Sets the git branch.
    #[must_use]
    pub fn on_branch(mut self, branch: &str) -> Self {
        branch.clone_into(&mut self.branch);
        self
    }

    /// Sets the moment of the first line.
    #[must_use]
    pub fn starting_at(mut self, moment: &str) -> Self {
        self.clock = Clock::starting_at(moment);
        self
    }

    /// Sets the three-word slug that lines carry once the client needed it.
    #[must_use]
    pub fn with_slug(mut self, slug: &str) -> Self {
        self.slug = Some(slug.to_owned());
        self
    }

    /// Sets the model of the replies.
    #[must_use]
    pub fn with_model(mut self, model: &str) -> Self {
        model.clone_into(&mut self.model);
        self
    }

    /// Sets the session id, for copies and for agents of another session.
    #[must_use]
    pub fn with_session_id(mut self, session_id: &str) -> Self {
        session_id.clone_into(&mut self.session_id);
        self
    }

    /// Writes as the full-screen client does: snapshots before prompts, edits that are tracked.
    #[must_use]
    pub fn interactive(mut self) -> Self {
        self.interactive = true;
        self
    }

    /// Sets the permission mode of the coming prompts.
    pub fn set_permission_mode(&mut self, mode: &str) {
        mode.clone_into(&mut self.permission_mode);
    }

    /// Changes the working directory of the coming lines, as `cd` in a command does.
    pub fn change_folder(&mut self, cwd: &str) {
        cwd.clone_into(&mut self.cwd);
    }

    /// Changes the slug of the coming lines.
    pub fn set_slug(&mut self, slug: &str) {
        self.slug = Some(slug.to_owned());
    }
}

/// Looking at it.
impl SessionBuilder {
    /// Returns the version it writes.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Returns the session id.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// Returns the working directory.
    pub fn folder(&self) -> &str {
        &self.cwd
    }

    /// Returns the uuid that the next line will hang off.
    pub fn tip(&self) -> Option<&str> {
        self.tip.as_deref()
    }

    /// Returns the current moment as the client writes it.
    pub fn now(&self) -> String {
        self.clock.iso()
    }

    /// Returns the current moment in milliseconds.
    pub fn now_ms(&self) -> i64 {
        self.clock.epoch_ms()
    }

    /// Returns what was typed and when, in milliseconds: the entries of `history.jsonl`.
    pub fn typed(&self) -> &[(i64, String)] {
        &self.typed
    }

    /// Returns the next deterministic UUID.
    pub fn uuid(&mut self) -> String {
        self.ids.uuid()
    }

    /// Returns the lines written so far, agents inside the file included.
    pub fn to_bytes(&self) -> Vec<u8> {
        let totals = message::totals(&self.entries);
        let mut bytes = Vec::new();
        for entry in &self.entries {
            match entry {
                Entry::Raw(raw) => bytes.extend_from_slice(raw),
                Entry::Json(map) => {
                    let line = message::complete(self.version, map, &totals);
                    bytes.extend_from_slice(Value::Object(line).to_string().as_bytes());
                    bytes.push(b'\n');
                }
            }
        }
        bytes
    }

    /// Returns the session file and the files of its agents, as they lie in the project's folder.
    pub fn files(&self) -> FileTree {
        let mut tree = FileTree::new();
        tree.insert(format!("{}.jsonl", self.session_id), self.to_bytes());
        for agent in &self.agents {
            agent.insert_into(&mut tree, self.version, &self.session_id);
        }
        tree
    }

    /// Returns the file backups, as they lie in `file-history/`.
    pub fn file_history(&self) -> FileTree {
        let mut tree = FileTree::new();
        for (name, text) in self.workspace.backups() {
            tree.insert(format!("{}/{name}", self.session_id), text);
        }
        tree
    }
}

/// Moving about.
impl SessionBuilder {
    /// Lets time pass.
    pub fn wait_ms(&mut self, ms: i64) {
        self.clock.advance(ms);
    }

    /// Lets minutes pass.
    pub fn wait_minutes(&mut self, minutes: i64) {
        self.clock.advance(minutes * 60_000);
    }

    /// Makes the next line a child of an earlier one; what followed it becomes another branch.
    pub fn branch_at(&mut self, uuid: &str) {
        self.tip = Some(uuid.to_owned());
        self.close_message();
    }

    /// Makes the next line a root, as a rewind to before the first prompt does.
    pub fn rewind_to_start(&mut self) {
        self.tip = None;
        self.close_message();
    }
}

/// Writing any line.
impl SessionBuilder {
    /// Appends bytes as they are; the caller adds the line end.
    pub fn raw_line(&mut self, bytes: impl Into<Vec<u8>>) {
        self.entries.push(Entry::Raw(bytes.into()));
    }

    /// Appends an object without envelope and outside the chain.
    pub fn loose(&mut self, line: Value) {
        if let Value::Object(map) = line {
            self.entries.push(Entry::Json(map));
        }
    }

    /// Appends a line of the chain: the body with the envelope around it. The body holds its own
    /// `uuid`, which becomes the end of the chain.
    pub fn append(&mut self, body: Value) -> String {
        let parent = self.tip.clone();
        self.append_below(parent.as_deref(), body)
    }

    /// Appends a line below a given parent.
    pub fn append_below(&mut self, parent: Option<&str>, body: Value) -> String {
        self.append_with(json!({"parentUuid": parent}), body)
    }

    fn append_with(&mut self, links: Value, body: Value) -> String {
        let uuid = body
            .get("uuid")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        self.n_context_bytes += content_size(&body);
        let line = self.enveloped(links, body);
        self.entries.push(Entry::Json(line));
        self.tip = Some(uuid.clone());
        self.clock.advance(TICK_MS);
        uuid
    }

    fn enveloped(&self, links: Value, body: Value) -> Map<String, Value> {
        let mut line = Map::new();
        extend(&mut line, links);
        line.insert("isSidechain".into(), json!(self.agent.is_some()));
        if self.version.envelope_last() {
            self.add_prompt_id(&mut line, &body);
            self.add_agent_id(&mut line);
            extend(&mut line, body);
            self.add_envelope(&mut line);
            self.add_slug(&mut line);
        } else {
            self.add_envelope(&mut line);
            self.add_agent_id(&mut line);
            self.add_slug(&mut line);
            extend(&mut line, body);
        }
        line
    }

    fn add_envelope(&self, line: &mut Map<String, Value>) {
        line.insert("userType".into(), json!("external"));
        if self.version.envelope_last() {
            let entrypoint = if self.interactive { "cli" } else { "sdk-cli" };
            line.insert("entrypoint".into(), json!(entrypoint));
        }
        line.insert("cwd".into(), json!(self.cwd));
        line.insert("sessionId".into(), json!(self.session_id));
        line.insert("version".into(), json!(self.version.name()));
        line.insert("gitBranch".into(), json!(self.branch));
    }

    /// Only user lines carry the prompt's id.
    fn add_prompt_id(&self, line: &mut Map<String, Value>, body: &Value) {
        if body.get("type").and_then(Value::as_str) == Some("user") {
            line.insert("promptId".into(), json!(self.prompt.id));
        }
    }

    /// 1.0 agents have no id: their lines are known by `isSidechain` alone.
    fn add_agent_id(&self, line: &mut Map<String, Value>) {
        if let Some(agent) = &self.agent
            && self.version > Version::V1_0_128
        {
            line.insert("agentId".into(), json!(agent.id));
        }
    }

    fn add_slug(&self, line: &mut Map<String, Value>) {
        if let Some(slug) = &self.slug {
            line.insert("slug".into(), json!(slug));
        }
    }
}

/// Returns the folder name below `projects/` for a working directory.
pub fn project_slug(cwd: &str) -> String {
    let units = cwd.encode_utf16();
    units
        .map(|unit| match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
            _ => '-',
        })
        .collect()
}

fn extend(line: &mut Map<String, Value>, more: Value) {
    if let Value::Object(map) = more {
        line.extend(map);
    }
}

/// The part of a line that counts as context, for believable token numbers.
fn content_size(body: &Value) -> usize {
    body.get("message")
        .map_or(0, |message| message.to_string().len())
}

/// Grouped totals of the assistant messages, by `message.id`.
type Totals = BTreeMap<String, message::Total>;

#[cfg(test)]
mod tests;
