//! Sub-agents in all three layouts: inside the main file (1.0), beside it (2.0), below it (2.1).
//!
//! An agent is written by a builder of its own that shares session, project and clock with its
//! parent. Agents of agents end up flat in the same folder, known by their `.meta.json`.

use serde_json::{Value, json};

use super::message::{ToolCall, add};
use super::{Entry, SessionBuilder};
use crate::clock::Ids;
use crate::outcome::Outcome;
use crate::tree::FileTree;
use crate::version::Version;

/// What an agent is asked to do.
#[derive(Debug, Clone)]
pub struct AgentTask {
    /// A few words for people.
    pub description: String,
    /// The full task.
    pub prompt: String,
    /// The type of agent.
    pub kind: String,
}

impl AgentTask {
    /// Makes a task for the general agent.
    pub fn new(description: &str, prompt: &str) -> Self {
        Self {
            description: description.into(),
            prompt: prompt.into(),
            kind: "general-purpose".into(),
        }
    }

    /// Chooses another type of agent.
    #[must_use]
    pub fn of_kind(mut self, kind: &str) -> Self {
        kind.clone_into(&mut self.kind);
        self
    }
}

/// What an agent did.
#[derive(Debug, Clone)]
pub struct AgentRun {
    /// The id of the agent; its file is named after it.
    pub id: String,
    /// Its last words.
    pub report: String,
    n_tool_calls: usize,
    duration_ms: i64,
    tools: Vec<String>,
}

/// Who the lines of a sidechain belong to.
#[derive(Debug, Clone)]
pub(crate) struct AgentIdentity {
    pub(crate) id: String,
    pub(crate) kind: String,
    depth: usize,
}

/// The file of one agent.
#[derive(Debug, Clone)]
pub(crate) struct AgentFile {
    id: String,
    bytes: Vec<u8>,
    meta: Option<Value>,
}

impl AgentFile {
    pub(super) fn insert_into(&self, tree: &mut FileTree, version: Version, session_id: &str) {
        let name = format!("agent-{}", self.id);
        if version == Version::V2_0_77 {
            tree.insert(format!("{name}.jsonl"), self.bytes.clone());
            return;
        }
        tree.insert(
            format!("{session_id}/subagents/{name}.jsonl"),
            self.bytes.clone(),
        );
        if let Some(meta) = &self.meta {
            tree.insert(
                format!("{session_id}/subagents/{name}.meta.json"),
                meta.to_string(),
            );
        }
    }
}

impl SessionBuilder {
    /// Appends a whole delegation: the call, the agent's own lines, the result.
    pub fn agent(&mut self, task: &AgentTask, work: impl FnOnce(&mut Self)) -> AgentRun {
        let call = self.agent_call(task);
        let run = self.run_agent(&call, task, work);
        self.agent_result(&call, task, &run);
        run
    }

    /// Appends the call that starts an agent.
    pub fn agent_call(&mut self, task: &AgentTask) -> ToolCall {
        let mut input = json!({"description": task.description, "prompt": task.prompt, "subagent_type": task.kind});
        if self.version == Version::V2_1_325 {
            add(&mut input, json!({"run_in_background": false}));
        }
        self.tool_use(self.version.agent_tool(), input)
    }

    /// Writes the agent's own lines.
    pub fn run_agent(
        &mut self,
        call: &ToolCall,
        task: &AgentTask,
        work: impl FnOnce(&mut Self),
    ) -> AgentRun {
        let id = self.agent_id();
        let meta = self.agent_meta(call, task, "foreground");
        self.write_agent(id, task, meta, work)
    }

    /// Writes an agent that goes on in the background: the call, the answer that it was started,
    /// and its own lines. The notification is for the caller to write when it arrives.
    pub fn background_agent(
        &mut self,
        task: &AgentTask,
        work: impl FnOnce(&mut Self),
    ) -> (ToolCall, AgentRun) {
        let mut input = json!({"description": task.description, "prompt": task.prompt, "subagent_type": task.kind});
        add(&mut input, json!({"run_in_background": true}));
        let call = self.tool_use(self.version.agent_tool(), input);
        let meta = self.agent_meta(&call, task, "background");
        let id = self.agent_id();
        let outcome = self.async_launched(task, &id);
        self.tool_result(&call, &outcome);
        let tip = self.tip.clone();
        let run = self.write_agent(id, task, meta, work);
        self.tip = tip;
        (call, run)
    }

    /// Writes an agent that no call of the main file started, such as the warm-up agents of 2.0.
    pub fn unlinked_agent(&mut self, prompt: &str, work: impl FnOnce(&mut Self)) -> AgentRun {
        let id = self.agent_id();
        self.write_agent(id, &AgentTask::new("", prompt), None, work)
    }

    /// Appends the result of an agent below its call.
    pub fn agent_result(&mut self, call: &ToolCall, task: &AgentTask, run: &AgentRun) -> String {
        let outcome = self.agent_outcome(task, run);
        self.tool_result(call, &outcome)
    }

    /// Appends the news that a background task ended.
    pub fn task_notification(
        &mut self,
        call: &ToolCall,
        task: &AgentTask,
        run: &AgentRun,
    ) -> String {
        let text = format!(
            "<task-notification>\n<task-id>{}</task-id>\n<tool-use-id>{}</tool-use-id>\n<status>completed</status>\n<summary>Agent \"{}\" completed</summary>\n<result>{}</result>\n</task-notification>",
            run.id, call.id, task.description, run.report
        );
        let now = self.clock.iso();
        let session_id = self.session_id.clone();
        self.loose(json!({"type": "queue-operation", "operation": "enqueue", "timestamp": now, "sessionId": session_id, "content": text}));
        if self.version < Version::V2_1_325 {
            self.loose(json!({"type": "queue-operation", "operation": "dequeue", "timestamp": now, "sessionId": session_id}));
            return self.user_text(&text);
        }
        let (command, delivery) = (self.ids.uuid(), self.ids.uuid());
        self.loose(json!({
            "type": "queue-operation", "operation": "remove", "timestamp": now, "sessionId": session_id,
            "content": text, "reason": "absorbed_mid_turn", "commandUuid": command, "deliveryId": delivery,
        }));
        self.queued_command(&text, &command, &delivery)
    }

    fn agent_id(&mut self) -> String {
        let length = if self.version == Version::V2_1_325 {
            16
        } else {
            6
        };
        format!("a{}", self.ids.digits(length))
    }

    fn agent_meta(&self, call: &ToolCall, task: &AgentTask, shape: &str) -> Option<Value> {
        let is_newest = self.version == Version::V2_1_325;
        let depth = self.agent.as_ref().map_or(1, |agent| agent.depth + 1);
        let mut meta = json!({
            "agentType": task.kind, "isBuiltIn": true, "description": task.description,
            "toolUseId": call.id, "spawnDepth": depth, "requestShape": shape,
            "requestNonInteractive": !self.interactive, "finished": true,
        });
        if let Some(agent) = &self.agent {
            add(&mut meta, json!({"parentAgentId": agent.id}));
        }
        is_newest.then_some(meta)
    }

    fn write_agent(
        &mut self,
        id: String,
        task: &AgentTask,
        meta: Option<Value>,
        work: impl FnOnce(&mut Self),
    ) -> AgentRun {
        let started = self.clock.epoch_ms();
        let mut child = self.agent_builder(&id, &task.kind);
        child.user_text(&task.prompt);
        work(&mut child);
        let run = AgentRun {
            id: id.clone(),
            report: child.last_text.clone(),
            n_tool_calls: child.tool_names().len(),
            duration_ms: child.clock.epoch_ms() - started,
            tools: child.tool_names(),
        };
        self.clock = child.clock.clone();
        self.workspace = child.workspace.clone();
        if self.version == Version::V1_0_128 {
            self.entries.append(&mut child.entries);
        } else {
            self.agents.push(AgentFile {
                id,
                bytes: child.to_bytes(),
                meta,
            });
            self.agents.append(&mut child.agents);
        }
        run
    }

    fn agent_builder(&self, id: &str, kind: &str) -> Self {
        let depth = self.agent.as_ref().map_or(1, |agent| agent.depth + 1);
        let mut child = self.clone();
        child.agent = Some(AgentIdentity {
            id: id.to_owned(),
            kind: kind.to_owned(),
            depth,
        });
        child.ids = Ids::new(&format!("{} {id}", self.seed));
        child.entries = Vec::new();
        child.agents = Vec::new();
        child.tip = None;
        child.message = None;
        child.n_context_bytes = 0;
        child.last_text = String::new();
        child
    }

    fn tool_names(&self) -> Vec<String> {
        let lines = self.entries.iter().filter_map(|entry| match entry {
            Entry::Json(line) => line.get("message")?.pointer("/content/0"),
            Entry::Raw(_) => None,
        });
        let calls =
            lines.filter(|block| block.get("type").and_then(Value::as_str) == Some("tool_use"));
        calls
            .filter_map(|block| Some(block.get("name")?.as_str()?.to_owned()))
            .collect()
    }

    fn agent_outcome(&self, task: &AgentTask, run: &AgentRun) -> Outcome {
        let report = json!({"type": "text", "text": run.report});
        let usage = json!({"input_tokens": 4, "cache_creation_input_tokens": 310, "cache_read_input_tokens": 12_800, "output_tokens": 96});
        let totals = json!({"totalDurationMs": run.duration_ms, "totalTokens": 13_210, "totalToolUseCount": run.n_tool_calls, "usage": usage});
        let (content, mut result) = match self.version {
            Version::V1_0_128 => (json!([report]), json!({"content": [report]})),
            Version::V2_0_77 | Version::V2_1_29 => {
                let note = format!("agentId: {} (can be resumed)", run.id);
                let head = json!({"status": "completed", "prompt": task.prompt, "agentId": run.id, "content": [report]});
                (json!([report, {"type": "text", "text": note}]), head)
            }
            Version::V2_1_325 => newest_result(task, run, &self.model),
        };
        add(&mut result, totals);
        if self.version == Version::V2_1_325 {
            add(&mut result, json!({"canContinueAgent": true}));
        }
        let block = json!({"tool_use_id": null, "type": "tool_result", "content": content});
        Outcome::Custom {
            block,
            result: Some(result),
            extra: Vec::new(),
        }
    }

    fn async_launched(&self, task: &AgentTask, id: &str) -> Outcome {
        let output = format!("/tmp/agents/{id}.output");
        let text =
            format!("Async agent launched successfully.\nagentId: {id}\noutput_file: {output}");
        let block = json!({"tool_use_id": null, "type": "tool_result", "content": [{"type": "text", "text": text}]});
        let mut result = json!({"isAsync": true, "status": "async_launched", "agentId": id, "description": task.description});
        if self.version == Version::V2_1_325 {
            add(&mut result, json!({"resolvedModel": self.model}));
        }
        add(
            &mut result,
            json!({"prompt": task.prompt, "outputFile": output}),
        );
        if self.version == Version::V2_1_325 {
            add(
                &mut result,
                json!({"canReadOutputFile": true, "canContinueAgent": true}),
            );
        }
        Outcome::Custom {
            block,
            result: Some(result),
            extra: Vec::new(),
        }
    }
}

fn newest_result(task: &AgentTask, run: &AgentRun, model: &str) -> (Value, Value) {
    let used = format!(
        "<tools-used-before-summary>{}</tools-used-before-summary>\n",
        run.tools.join(",")
    );
    let text = format!(
        "  {used}  \n[Subagent hand-back] The report follows:\n  {}",
        run.report.replace('\n', "\n  ")
    );
    let parts = json!([{"type": "text", "text": used}, {"type": "text", "text": run.report}]);
    let result = json!({
        "status": "completed", "prompt": task.prompt, "agentId": run.id, "agentType": task.kind,
        "toolsUsed": run.tools, "harnessNoteCount": 1, "harnessTailCount": 0,
        "harnessSectionHash": "5d0c6a1be2f48793", "content": parts, "resolvedModel": model,
    });
    (json!([{"type": "text", "text": text}]), result)
}
