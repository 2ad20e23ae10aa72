//! Writes one made-up session in the shapes of the 2.1 clients.
//!
//! Proportions follow real files: half of the lines are about a kilobyte, a few
//! tool results are tens of kilobytes, the mean is about three. A quarter of the
//! bytes is text that people and models read; copies of tool results, usage,
//! signatures and envelopes are the rest.

mod meter;
mod tool;

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use self::meter::Meter;
pub(super) use self::meter::{Model, pick_model};
use super::moment::Moment;
use super::random::Random;
use super::vocabulary::{Topic, Vocabulary};

/// Clients of two generations; they order the keys of a line differently.
pub(super) const VERSIONS: &[&str] = &[OLDER, "2.1.222"];
const OLDER: &str = "2.1.29";

/// Who the session belongs to, and when.
#[derive(Clone)]
pub(super) struct Identity {
    pub(super) session: String,
    pub(super) cwd: String,
    pub(super) branch: String,
    pub(super) version: &'static str,
    pub(super) model: Model,
    pub(super) started: Moment,
    /// Set for the file of a sub-agent.
    pub(super) agent: Option<String>,
}

/// An agent that the session started, so that its file can be written too.
pub(super) struct Spawned {
    pub(super) agent: String,
    pub(super) tool_use: String,
    pub(super) prompt: String,
    pub(super) started: Moment,
}

/// What became of a session.
pub(super) struct Written {
    pub(super) spawned: Vec<Spawned>,
    pub(super) ended: Moment,
}

/// Composes lines and keeps the chain between them.
pub(super) struct Composer<'a, W: Write> {
    out: W,
    random: &'a mut Random,
    vocabulary: &'a Vocabulary,
    topic: Topic,
    identity: Identity,
    parent: Value,
    n_bytes: usize,
    clock: Moment,
    meter: Meter,
}

impl<'a, W: Write> Composer<'a, W> {
    pub(super) fn new(
        out: W,
        random: &'a mut Random,
        vocabulary: &'a Vocabulary,
        identity: Identity,
    ) -> Self {
        let topic = vocabulary.topic(random);
        let meter = Meter::new(random, identity.model);
        Self {
            out,
            random,
            vocabulary,
            topic,
            clock: identity.started,
            identity,
            parent: Value::Null,
            n_bytes: 0,
            meter,
        }
    }

    /// Writes what another session wrote so far and goes on from its last line.
    pub(super) fn copy(mut self, lines: &str, last: &str) -> io::Result<Self> {
        self.parent = json!(last);
        self.out.write_all(lines.as_bytes())?;
        Ok(self)
    }

    /// Writes whole turns until the file has about `size` bytes, then the closing records.
    pub(super) fn session(mut self, size: usize, agents: usize) -> io::Result<Written> {
        let mut spawned = Vec::new();
        self.line(&json!({"type": "permission-mode", "permissionMode": "default", "sessionId": self.identity.session}))?;
        loop {
            let prompt = self.prompt()?;
            self.turn(size)?;
            if spawned.len() < agents {
                spawned.push(self.agent_call()?);
            }
            self.answer()?;
            if self.n_bytes >= size {
                self.close(&prompt)?;
                self.out.flush()?;
                return Ok(Written {
                    spawned,
                    ended: self.clock,
                });
            }
        }
    }

    /// Writes the file of a sub-agent: its task, some calls, its report.
    pub(super) fn agent_file(mut self, task: &str, size: usize) -> io::Result<Moment> {
        self.chained("user", json!({"role": "user", "content": task}), vec![])?;
        while self.n_bytes < size {
            self.exchange()?;
        }
        self.answer()?;
        self.out.flush()?;
        Ok(self.clock)
    }

    fn prompt(&mut self) -> io::Result<String> {
        // People think for a while.
        self.clock = self.clock.later(self.random.next() % 120_000);
        let prompt = self.text_between(30, 400);
        let (message, timestamp) = (self.random.uuid(), self.timestamp());
        self.line(&json!({
            "type": "file-history-snapshot", "messageId": message, "isSnapshotUpdate": false,
            "snapshot": {"messageId": message, "trackedFileBackups": {}, "timestamp": timestamp},
        }))?;
        let more = vec![("permissionMode", json!("default"))];
        self.chained("user", json!({"role": "user", "content": prompt}), more)?;
        Ok(prompt)
    }

    /// Some exchanges; fewer when the session is as long as it should be.
    fn turn(&mut self, size: usize) -> io::Result<()> {
        for _ in 0..self.random.between(1, 9) {
            self.exchange()?;
            if self.n_bytes >= size {
                break;
            }
        }
        Ok(())
    }

    /// One message with thinking, text and a tool call, and the result of the call.
    fn exchange(&mut self) -> io::Result<()> {
        self.meter.next_message(self.random);
        if self.random.chance(35) {
            let thinking = json!({"type": "thinking", "thinking": self.text_between(100, 1_200), "signature": self.signature()});
            self.assistant(&thinking)?;
        }
        if self.random.chance(45) {
            let text = json!({"type": "text", "text": self.text_between(60, 600)});
            self.assistant(&text)?;
        }
        let id = self.random.id("toolu_01");
        let call = tool::Call::draw(self);
        self.assistant(
            &json!({"type": "tool_use", "id": id, "name": call.tool, "input": call.input}),
        )?;
        if self.identity.version == OLDER && self.random.chance(25) {
            self.progress(&id, call.tool)?;
        }
        self.tool_result(&id, &json!(call.output), call.structured)
    }

    fn agent_call(&mut self) -> io::Result<Spawned> {
        self.meter.next_message(self.random);
        let tool_use = self.random.id("toolu_01");
        let agent = format!("a{:06x}", self.random.next() & 0xFF_FFFF);
        let prompt = self.text_between(80, 400);
        let input = json!({"description": "Look into it", "prompt": prompt, "subagent_type": "general-purpose"});
        self.assistant(
            &json!({"type": "tool_use", "id": tool_use, "name": "Task", "input": input}),
        )?;
        let started = self.clock;
        let report = self.text_between(200, 2_000);
        let content = json!([{"type": "text", "text": report}]);
        let structured = json!({
            "status": "completed", "prompt": prompt, "agentId": agent, "content": content,
            "totalDurationMs": 1200, "totalTokens": 900, "totalToolUseCount": 3,
        });
        self.tool_result(&tool_use, &content, structured)?;
        Ok(Spawned {
            agent,
            tool_use,
            prompt,
            started,
        })
    }

    fn answer(&mut self) -> io::Result<()> {
        self.meter.next_message(self.random);
        let text = json!({"type": "text", "text": self.text_between(100, 2_500)});
        self.assistant(&text)
    }

    fn close(&mut self, prompt: &str) -> io::Result<()> {
        let leaf = self.parent.clone();
        self.line(&json!({"type": "last-prompt", "lastPrompt": prompt, "leafUuid": leaf, "sessionId": self.identity.session}))
    }

    fn assistant(&mut self, block: &Value) -> io::Result<()> {
        let (message, request) = self.meter.line(block);
        let more = vec![("requestId", json!(request))];
        self.chained("assistant", message, more)
    }

    /// A hook ran after the call.
    fn progress(&mut self, id: &str, tool: &str) -> io::Result<()> {
        let data = json!({"type": "hook_progress", "hookEvent": "PostToolUse", "hookName": format!("PostToolUse:{tool}"), "command": "callback"});
        let more = vec![
            ("data", data),
            ("parentToolUseID", json!(id)),
            ("toolUseID", json!(id)),
        ];
        self.chained("progress", Value::Null, more)
    }

    fn tool_result(&mut self, id: &str, content: &Value, structured: Value) -> io::Result<()> {
        let source = self.parent.clone();
        let block = json!({"tool_use_id": id, "type": "tool_result", "content": content});
        let more = vec![
            ("toolUseResult", structured),
            ("sourceToolAssistantUUID", source),
        ];
        self.chained("user", json!({"role": "user", "content": [block]}), more)
    }

    /// Writes a line of the conversation, child of the line before it.
    fn chained(&mut self, kind: &str, message: Value, more: Vec<(&str, Value)>) -> io::Result<()> {
        let uuid = self.random.uuid();
        let mut fields = vec![
            ("parentUuid", self.parent.clone()),
            ("isSidechain", json!(self.identity.agent.is_some())),
        ];
        let is_older = self.identity.version == OLDER;
        if is_older {
            fields.extend(self.owner());
            fields.push(("type", json!(kind)));
        }
        if !message.is_null() {
            fields.push(("message", message));
        }
        fields.extend(more);
        if !is_older {
            fields.push(("type", json!(kind)));
        }
        fields.push(("uuid", json!(uuid)));
        fields.push(("timestamp", json!(self.timestamp())));
        if !is_older {
            fields.extend(self.owner());
        }
        let fields = fields
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value));
        let record: Map<String, Value> = fields.collect();
        self.parent = json!(uuid);
        self.line(&Value::Object(record))
    }

    /// The keys that every line of a conversation repeats.
    fn owner(&self) -> Vec<(&'static str, Value)> {
        let identity = &self.identity;
        let mut owner = vec![
            ("userType", json!("external")),
            ("cwd", json!(identity.cwd)),
            ("sessionId", json!(identity.session)),
            ("version", json!(identity.version)),
            ("gitBranch", json!(identity.branch)),
        ];
        owner.extend(identity.agent.iter().map(|agent| ("agentId", json!(agent))));
        owner
    }

    fn line(&mut self, record: &Value) -> io::Result<()> {
        let mut text = record.to_string();
        text.push('\n');
        self.n_bytes += text.len();
        self.out.write_all(text.as_bytes())
    }

    fn signature(&mut self) -> String {
        (0..self.random.between(60, 400))
            .map(|_| format!("{:016x}", self.random.next()))
            .collect()
    }

    fn text_between(&mut self, low: usize, high: usize) -> String {
        let length = self.random.between(low, high);
        self.vocabulary.compose(self.random, &self.topic, length)
    }

    /// Time moves on by up to eight seconds a line.
    fn timestamp(&mut self) -> String {
        self.clock = self.clock.later(self.random.next() % 8_000);
        self.clock.to_string()
    }
}
