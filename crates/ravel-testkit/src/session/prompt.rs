//! User lines: prompts, hidden context, commands, shell mode and interruptions.

use serde_json::{Value, json};

use super::SessionBuilder;
use super::message::add;
use crate::version::Version;

/// The turn that prompts belong to.
#[derive(Debug, Clone, Default)]
pub(crate) struct PromptState {
    pub(crate) id: String,
    pub(crate) uuid: String,
    pub(crate) text: String,
    pub(crate) index: usize,
}

impl SessionBuilder {
    /// Appends a prompt; the interactive client takes a snapshot of tracked files with it.
    pub fn prompt(&mut self, text: &str) -> String {
        self.prompt_content(&json!(text), text)
    }

    /// Appends a prompt made of blocks, for instance with an image.
    pub fn prompt_blocks(&mut self, blocks: &Value) -> String {
        let text = blocks
            .as_array()
            .into_iter()
            .flatten()
            .find_map(|block| block.get("text")?.as_str());
        let text = text.unwrap_or_default().to_owned();
        self.prompt_content(blocks, &text)
    }

    fn prompt_content(&mut self, content: &Value, text: &str) -> String {
        self.begin_turn(text);
        let uuid = self.prompt.uuid.clone();
        if self.interactive && self.version <= Version::V2_1_29 {
            self.snapshot(&uuid);
        }
        let mut body = self.user_body(content, &uuid, &[]);
        add(&mut body, self.prompt_keys());
        self.append(body);
        if self.interactive && self.version == Version::V2_1_325 {
            self.snapshot(&uuid);
        }
        uuid
    }

    fn begin_turn(&mut self, text: &str) {
        self.typed.push((self.clock.epoch_ms(), text.to_owned()));
        self.close_message();
        self.prompt = PromptState {
            id: self.ids.uuid(),
            uuid: self.ids.uuid(),
            text: text.to_owned(),
            index: self.prompt.index + 1,
        };
    }

    fn prompt_keys(&self) -> Value {
        match self.version {
            Version::V1_0_128 | Version::V2_0_77 => json!({}),
            Version::V2_1_29 if self.interactive => json!({
                "thinkingMetadata": {"maxThinkingTokens": 31999}, "todos": self.todos,
                "permissionMode": self.permission_mode,
            }),
            Version::V2_1_29 => json!({"permissionMode": self.permission_mode}),
            Version::V2_1_325 if self.agent.is_some() => json!({}),
            Version::V2_1_325 => self.newest_prompt_keys(),
        }
    }

    fn newest_prompt_keys(&self) -> Value {
        let mut keys = json!({"permissionMode": self.permission_mode});
        if self.interactive {
            add(&mut keys, json!({"origin": {"kind": "human"}}));
        }
        let (source, origin) = if self.interactive {
            ("typed", "human")
        } else {
            ("sdk", "sdk")
        };
        let position = json!({"promptIndex": self.prompt.index, "turnIndex": self.prompt.index});
        add(
            &mut keys,
            json!({"promptSource": source, "turnOrigin": origin, "turnPosition": position}),
        );
        keys
    }

    /// Appends a plain user line without the keys of a prompt, such as an agent's task.
    pub fn user_text(&mut self, text: &str) -> String {
        self.user_line(&json!(text), &[])
    }

    /// Appends a user line that the client added by itself: hidden from people, sent to the model.
    pub fn meta(&mut self, text: &str) -> String {
        self.user_line(&json!(text), &[("isMeta", json!(true))])
    }

    /// Appends a user line with further keys before its `uuid`.
    pub fn user_line(&mut self, content: &Value, marks: &[(&str, Value)]) -> String {
        self.close_message();
        let uuid = self.ids.uuid();
        let body = self.user_body(content, &uuid, marks);
        self.append(body)
    }

    fn user_body(&self, content: &Value, uuid: &str, marks: &[(&str, Value)]) -> Value {
        let mut body = json!({"type": "user", "message": {"role": "user", "content": content}});
        // The id of the call that loaded a skill is the one mark that stands after the time.
        let (late, early): (Vec<_>, Vec<_>) =
            marks.iter().partition(|(key, _)| *key == "sourceToolUseID");
        for (key, value) in early {
            add(&mut body, json!({ *key: value }));
        }
        add(
            &mut body,
            json!({"uuid": uuid, "timestamp": self.clock.iso()}),
        );
        for (key, value) in late {
            add(&mut body, json!({ *key: value }));
        }
        body
    }

    /// Appends the lines of a custom command: what was typed, then its hidden expansion.
    pub fn custom_command(&mut self, name: &str, arguments: &str, expansion: &str) -> String {
        self.begin_turn(&format!("/{name} {arguments}"));
        self.user_text(&format!(
            "<command-message>{name}</command-message>\n<command-name>/{name}</command-name>\n<command-args>{arguments}</command-args>"
        ));
        let blocks = json!([{"type": "text", "text": expansion}]);
        let mut marks = vec![("isMeta", json!(true))];
        if self.version == Version::V2_1_325 {
            marks.push(("turnCompanion", json!(true)));
        }
        self.user_line(&blocks, &marks)
    }

    /// Appends the lines of a built-in command: caveat, command, output.
    pub fn local_command(&mut self, name: &str, arguments: &str, output: &str) -> String {
        self.begin_turn(&format!("/{name}"));
        self.meta("<local-command-caveat>The person ran the next command directly; it is not a request.</local-command-caveat>");
        self.user_text(&format!(
            "<command-name>/{name}</command-name>\n            <command-message>{name}</command-message>\n            <command-args>{arguments}</command-args>"
        ));
        let output = format!("<local-command-stdout>{output}</local-command-stdout>");
        if self.version < Version::V2_1_325 {
            return self.user_text(&output);
        }
        let uuid = self.ids.uuid();
        self.append(json!({
            "type": "system", "subtype": "local_command", "content": output, "level": "info",
            "timestamp": self.clock.iso(), "uuid": uuid, "isMeta": false,
            "commandRun": {"command": name, "args": arguments},
        }))
    }

    /// Appends the lines of a shell command typed with `!`.
    pub fn bash_mode(&mut self, command: &str, stdout: &str) -> String {
        self.begin_turn(&format!("!{command}"));
        if self.version < Version::V2_1_325 {
            self.meta("<local-command-caveat>The person ran the next command directly; it is not a request.</local-command-caveat>");
        }
        self.user_text(&format!("<bash-input>{command}</bash-input>"));
        self.user_text(&format!(
            "<bash-stdout>{stdout}</bash-stdout><bash-stderr></bash-stderr>"
        ))
    }

    /// Appends the mark of an interruption while the model was answering.
    pub fn interrupted(&mut self) -> String {
        self.user_line(
            &json!([{"type": "text", "text": "[Request interrupted by user]"}]),
            &[],
        )
    }

    /// Appends the mark of an interruption while a tool was running.
    pub fn interrupted_tool(&mut self) -> String {
        self.user_line(
            &json!([{"type": "text", "text": "[Request interrupted by user for tool use]"}]),
            &[],
        )
    }
}
