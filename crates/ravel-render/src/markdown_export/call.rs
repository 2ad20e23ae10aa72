//! Tool calls as Markdown.

use std::io;

use ravel_format::Timestamp;
use ravel_model::step::Call;

use super::mark::{code_span, fenced, plain, prose};
use super::quill::Quill;
use crate::amount::counted;
use crate::diff::Diff;
use crate::sanitize::strip_escapes;
use crate::terminal::Tools;
use crate::tool_line::{Answer, Body, CallState, Detail, Link, Progress, TodoItem, ToolLine};

/// Lines of one result in a brief file.
const BRIEF: usize = 20;

impl Quill<'_, '_, '_> {
    /// Writes a call with what is below it and what its agents did.
    pub(super) fn call(&mut self, call: &Call, time: Option<Timestamp>) -> io::Result<()> {
        if self.options.tools == Tools::None {
            return Ok(());
        }
        let line = ToolLine::of(call, time, self.cwd.as_deref());
        let detail = Detail::of(call);
        self.block(&call_line(&line))?;
        let shows_agents = self.options.agents && !call.agents.is_empty();
        if !shows_agents && (self.is_full() || !detail.is_receipt) {
            self.body(&detail.body, &line)?;
        }
        if !detail.error.trim().is_empty() {
            let error = self.cut(&detail.error);
            self.block(&fenced(&strip_escapes(&error), "text"))?;
        }
        for label in &detail.pictures {
            self.block(&plain(label))?;
        }
        if shows_agents {
            call.agents
                .iter()
                .try_for_each(|&number| self.agent(number))?;
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.options.tools == Tools::Full
    }

    fn body(&mut self, body: &Body, line: &ToolLine) -> io::Result<()> {
        let is_brief = !self.is_full();
        match body {
            Body::Change { diff, .. } => self.fence(&diff_text(diff), "diff"),
            Body::Source { .. } | Body::Output(_) if is_brief && line.is_read_only => Ok(()),
            Body::NewFile { path, text } | Body::Source { path, text, .. } => {
                self.fence(text, extension(path))
            }
            Body::Command { command, output } => self.command(command, output, line),
            Body::Todos(todos) => self.block(&todo_list(todos)),
            Body::Answers(answers) => self.block(&answer_list(answers)),
            Body::Plan(text) | Body::Prose(text) => self.quoted(text),
            Body::Links(links) => self.block(&link_list(links)),
            Body::Output(text) => self.fence(text, "text"),
            Body::Arguments { json, output } => {
                if !is_brief && !json.is_empty() && json != "{}" {
                    self.fence(json, "json")?;
                }
                self.fence(output, "text")
            }
            Body::Nothing => Ok(()),
        }
    }

    /// Writes a code block; nothing for nothing.
    fn fence(&mut self, text: &str, language: &str) -> io::Result<()> {
        if text.trim().is_empty() {
            return Ok(());
        }
        let text = self.cut(text);
        self.block(&fenced(&strip_escapes(&text), language))
    }

    /// Writes words of a tool or an agent, apart from the conversation.
    fn quoted(&mut self, text: &str) -> io::Result<()> {
        let text = prose(text);
        let quoted: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
        self.block(&quoted.join("\n"))
    }

    fn command(&mut self, command: &str, output: &str, line: &ToolLine) -> io::Result<()> {
        if line.object != command.trim() {
            self.fence(command, "bash")?;
        }
        self.fence(output, "text")
    }

    /// Returns a result cut to what a brief file shows.
    fn cut(&self, text: &str) -> String {
        let n_lines = text.lines().count();
        if self.is_full() || n_lines <= BRIEF + 1 {
            return text.to_owned();
        }
        let head: Vec<&str> = text.lines().take(BRIEF).collect();
        let rest = counted(n_lines - BRIEF, "more line");
        format!("{}\n… {rest}", head.join("\n"))
    }
}

fn call_line(line: &ToolLine) -> String {
    let mut text = format!("- **{}** {}", plain(&line.verb), code_span(&line.object));
    if let Some((added, removed)) = line.change {
        text.push_str(&format!(" +{added} −{removed}"));
    }
    for note in &line.notes {
        text.push_str(&format!(" · {}", plain(note)));
    }
    let text = text.trim_end();
    match line.state {
        CallState::Done => text.to_owned(),
        _ => format!("{text} ⚠"),
    }
}

fn diff_text(diff: &Diff) -> String {
    let mut lines = Vec::new();
    for hunk in &diff.hunks {
        lines.push(format!("@@ -{} +{} @@", hunk.old_start, hunk.new_start));
        let shown = hunk.lines.iter();
        lines.extend(shown.map(|line| format!("{}{}", line.kind.sign(), line.text())));
    }
    lines.join("\n")
}

/// Returns the extension of a file where it can be the name of a language.
fn extension(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_name = extension.chars().all(|c| c.is_ascii_alphanumeric()) && extension.len() <= 12;
    if is_name { extension } else { "" }
}

fn todo_list(todos: &[TodoItem]) -> String {
    let items = todos.iter().map(|todo| {
        let mark = match todo.progress {
            Progress::Done => "[x]",
            Progress::Active | Progress::Pending => "[ ]",
        };
        let text = plain(&todo.text);
        match todo.progress {
            Progress::Active => format!("  - {mark} **{text}**"),
            _ => format!("  - {mark} {text}"),
        }
    });
    items.collect::<Vec<_>>().join("\n")
}

fn answer_list(answers: &[Answer]) -> String {
    let items = answers.iter().map(|answer| {
        let given = if answer.answer.is_empty() {
            "no answer".to_owned()
        } else {
            format!("**{}**", plain(&answer.answer))
        };
        format!("  - {} → {given}", plain(&answer.question))
    });
    items.collect::<Vec<_>>().join("\n")
}

fn link_list(links: &[Link]) -> String {
    let items = links.iter().map(|link| {
        let is_web = link.url.starts_with("https://") || link.url.starts_with("http://");
        let is_safe = link
            .url
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !b"()<>[]\\`".contains(&byte));
        if is_web && is_safe {
            format!("  - [{}]({})", plain(&link.title), link.url)
        } else {
            format!("  - {} {}", plain(&link.title), code_span(&link.url))
        }
    });
    items.collect::<Vec<_>>().join("\n")
}
