//! Writes one made-up session in the shapes of the 2.1 clients.
//!
//! Proportions follow real files: half of the lines are about a kilobyte, a few
//! tool results are tens of kilobytes, the mean is three to four.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::random::{Prose, Random};

const TOOLS: &[&str] = &["Bash", "Read", "Grep", "Edit"];
const VERSION: &str = "2.1.29";
const MODEL: &str = "claude-sonnet-4-5-20250929";

/// Who the session belongs to.
pub(super) struct Identity {
    pub(super) session: String,
    pub(super) cwd: String,
    pub(super) branch: String,
    /// Set for the file of a sub-agent.
    pub(super) agent: Option<String>,
}

/// An agent that the session started, so that its file can be written too.
pub(super) struct Spawned {
    pub(super) agent: String,
    pub(super) tool_use: String,
    pub(super) prompt: String,
}

/// Composes lines and keeps the chain between them.
pub(super) struct Composer<'a, W: Write> {
    out: W,
    random: &'a mut Random,
    prose: &'a Prose,
    identity: Identity,
    parent: Value,
    n_bytes: usize,
    /// Milliseconds since the start of the generated day.
    clock: u64,
    n_messages: u64,
}

impl<'a, W: Write> Composer<'a, W> {
    pub(super) fn new(
        out: W,
        random: &'a mut Random,
        prose: &'a Prose,
        identity: Identity,
    ) -> Self {
        let clock = random.next() % 86_000_000;
        Self {
            out,
            random,
            prose,
            identity,
            parent: Value::Null,
            n_bytes: 0,
            clock,
            n_messages: 0,
        }
    }

    /// Writes whole turns until the file has about `size` bytes, then the closing records.
    pub(super) fn session(mut self, size: usize, agents: usize) -> io::Result<Vec<Spawned>> {
        let mut spawned = Vec::new();
        self.line(&json!({"type": "permission-mode", "permissionMode": "default", "sessionId": self.identity.session}))?;
        loop {
            let prompt = self.prompt()?;
            self.turn()?;
            if spawned.len() < agents {
                spawned.push(self.agent_call()?);
            }
            self.answer()?;
            if self.n_bytes >= size {
                self.close(&prompt)?;
                self.out.flush()?;
                return Ok(spawned);
            }
        }
    }

    /// Writes the file of a sub-agent: its task, some calls, its report.
    pub(super) fn agent_file(mut self, task: &str, size: usize) -> io::Result<()> {
        self.chained("user", &json!({"role": "user", "content": task}), &[])?;
        while self.n_bytes < size {
            self.exchange()?;
        }
        self.answer()?;
        self.out.flush()
    }

    fn prompt(&mut self) -> io::Result<String> {
        let length = self.random.between(30, 400);
        let prompt = self.text(length).trim().to_owned();
        let (message, timestamp) = (self.random.uuid(), self.timestamp());
        self.line(&json!({
            "type": "file-history-snapshot", "messageId": message, "isSnapshotUpdate": false,
            "snapshot": {"messageId": message, "trackedFileBackups": {}, "timestamp": timestamp},
        }))?;
        self.chained(
            "user",
            &json!({"role": "user", "content": prompt}),
            &[("permissionMode", json!("default"))],
        )?;
        Ok(prompt)
    }

    fn turn(&mut self) -> io::Result<()> {
        for _ in 0..self.random.between(1, 6) {
            self.exchange()?;
        }
        Ok(())
    }

    /// One message with thinking, text and a tool call, and the result of the call.
    fn exchange(&mut self) -> io::Result<()> {
        let message = self.next_message();
        if self.random.chance(40) {
            let thinking = json!({"type": "thinking", "thinking": self.text_between(100, 1_200), "signature": self.signature()});
            self.assistant(&message, &thinking)?;
        }
        if self.random.chance(50) {
            let text = json!({"type": "text", "text": self.text_between(60, 600)});
            self.assistant(&message, &text)?;
        }
        let tool = self.random.pick(TOOLS);
        let id = format!("toolu_{:016x}", self.random.next());
        let input = self.tool_input(tool);
        self.assistant(
            &message,
            &json!({"type": "tool_use", "id": id, "name": tool, "input": input}),
        )?;
        let output = self.tool_output();
        let structured = structured_result(tool, &output);
        self.tool_result(&id, &json!(output), &structured)
    }

    fn agent_call(&mut self) -> io::Result<Spawned> {
        let message = self.next_message();
        let tool_use = format!("toolu_{:016x}", self.random.next());
        let agent = format!("a{:06x}", self.random.next() & 0xFF_FFFF);
        let prompt = self.text_between(80, 400);
        let input = json!({"description": "Look into it", "prompt": prompt, "subagent_type": "general-purpose"});
        self.assistant(
            &message,
            &json!({"type": "tool_use", "id": tool_use, "name": "Task", "input": input}),
        )?;
        let report = self.text_between(200, 2_000);
        let content = json!([{"type": "text", "text": report}]);
        let structured = json!({
            "status": "completed", "prompt": prompt, "agentId": agent, "content": content,
            "totalDurationMs": 1200, "totalTokens": 900, "totalToolUseCount": 3,
        });
        self.tool_result(&tool_use, &content, &structured)?;
        Ok(Spawned {
            agent,
            tool_use,
            prompt,
        })
    }

    fn answer(&mut self) -> io::Result<()> {
        let message = self.next_message();
        let text = json!({"type": "text", "text": self.text_between(100, 2_500)});
        self.assistant(&message, &text)
    }

    fn close(&mut self, prompt: &str) -> io::Result<()> {
        let leaf = self.parent.clone();
        self.line(&json!({"type": "last-prompt", "lastPrompt": prompt, "leafUuid": leaf, "sessionId": self.identity.session}))
    }

    fn assistant(&mut self, message: &str, block: &Value) -> io::Result<()> {
        let usage = json!({
            "input_tokens": 12, "cache_creation_input_tokens": self.random.between(0, 4_000),
            "cache_read_input_tokens": self.random.between(0, 90_000),
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
            "output_tokens": self.random.between(1, 900), "service_tier": "standard",
        });
        let message = json!({
            "id": message, "type": "message", "role": "assistant", "model": MODEL, "content": [block],
            "stop_reason": null, "stop_sequence": null, "usage": usage,
        });
        let request = format!("req_{:016x}", self.n_messages);
        self.chained("assistant", &message, &[("requestId", json!(request))])
    }

    fn tool_result(&mut self, id: &str, content: &Value, structured: &Value) -> io::Result<()> {
        let source = self.parent.clone();
        let block = json!({"tool_use_id": id, "type": "tool_result", "content": content});
        self.chained(
            "user",
            &json!({"role": "user", "content": [block]}),
            &[
                ("toolUseResult", structured.clone()),
                ("sourceToolAssistantUUID", source),
            ],
        )
    }

    /// Writes a line of the conversation, child of the line before it.
    fn chained(&mut self, kind: &str, message: &Value, extra: &[(&str, Value)]) -> io::Result<()> {
        let uuid = self.random.uuid();
        let mut record = json!({
            "parentUuid": self.parent, "isSidechain": self.identity.agent.is_some(),
            "userType": "external", "cwd": self.identity.cwd, "sessionId": self.identity.session,
            "version": VERSION, "gitBranch": self.identity.branch, "type": kind, "message": message,
            "uuid": uuid, "timestamp": self.timestamp(),
        });
        if let Some(fields) = record.as_object_mut() {
            if let Some(agent) = &self.identity.agent {
                fields.insert("agentId".to_owned(), json!(agent));
            }
            fields.extend(
                extra
                    .iter()
                    .map(|(key, value)| ((*key).to_owned(), value.clone())),
            );
        }
        self.parent = json!(uuid);
        self.line(&record)
    }

    fn line(&mut self, record: &Value) -> io::Result<()> {
        let mut text = record.to_string();
        text.push('\n');
        self.n_bytes += text.len();
        self.out.write_all(text.as_bytes())
    }

    fn next_message(&mut self) -> String {
        self.n_messages += 1;
        format!("msg_{:020x}", self.random.next())
    }

    fn signature(&mut self) -> String {
        (0..10)
            .map(|_| format!("{:016x}", self.random.next()))
            .collect()
    }

    fn tool_input(&mut self, tool: &str) -> Value {
        let file = format!(
            "{}/src/part_{}.rs",
            self.identity.cwd,
            self.random.between(0, 60)
        );
        match tool {
            "Read" => json!({"file_path": file}),
            "Grep" => json!({"pattern": self.text(20).trim(), "path": self.identity.cwd}),
            "Edit" => json!({
                "file_path": file,
                "old_string": self.text_between(40, 500),
                "new_string": self.text_between(40, 700),
            }),
            _ => json!({"command": self.text_between(10, 120), "description": "Run it"}),
        }
    }

    /// Most outputs are short; one in fifty is huge.
    fn tool_output(&mut self) -> String {
        let (low, high) = match self.random.between(0, 200) {
            0..=3 => (40_000, 120_000),
            4..=20 => (10_000, 30_000),
            21..=60 => (2_000, 8_000),
            61..=125 => (500, 2_000),
            _ => (20, 500),
        };
        self.text_between(low, high)
    }

    fn text(&mut self, length: usize) -> &str {
        self.prose.cut(self.random, length)
    }

    fn text_between(&mut self, low: usize, high: usize) -> String {
        let length = self.random.between(low, high);
        self.text(length).to_owned()
    }

    /// Time moves on by up to eight seconds a line and starts over after a day.
    fn timestamp(&mut self) -> String {
        self.clock += self.random.next() % 8_000;
        let (day, rest) = (self.clock / 86_400_000, self.clock % 86_400_000);
        let (hours, minutes) = (rest / 3_600_000, rest / 60_000 % 60);
        let (seconds, millis) = (rest / 1_000 % 60, rest % 1_000);
        let (month, day) = (1 + day / 28 % 12, 1 + day % 28);
        format!("2026-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{millis:03}Z")
    }
}

fn structured_result(tool: &str, output: &str) -> Value {
    match tool {
        "Read" => json!({"type": "text", "file": {
            "filePath": "src/lib.rs", "content": output, "numLines": 40, "startLine": 1, "totalLines": 40,
        }}),
        "Grep" => json!({"mode": "files_with_matches", "filenames": [], "numFiles": 0}),
        "Edit" => json!({
            "filePath": "src/lib.rs", "oldString": "a", "newString": "b", "originalFile": output,
            "structuredPatch": [], "userModified": false, "replaceAll": false,
        }),
        _ => json!({"stdout": output, "stderr": "", "interrupted": false, "isImage": false}),
    }
}
