//! What is below the line of a call.

use super::excerpt::{Excerpt, Extent, fit, indented, more_lines};
use super::scribe::Scribe;
use super::{Tools, WIDEST_PROSE};
use crate::code::{self, Language};
use crate::diff::{self, Diff};
use crate::markdown;
use crate::style::{Line, Role, Span, Style};
use crate::tool_line::{Answer, Body, CallState, Detail, Link, Progress, TodoItem, ToolLine};
use crate::wrap::{Margin, fold, truncate, wrap};

/// Where what is below a call begins.
const INDENT: usize = 4;

/// Lines shown in brief, by what they are.
const DIFF: usize = 20;
const NEW_FILE: usize = 8;
const OUTPUT: usize = 6;
const COMMAND: usize = 6;
const ERROR: usize = 10;
const REPORT: usize = 6;
const TODOS: usize = 15;
const LINKS: usize = 5;
const PLAN: usize = 60;

impl Scribe<'_, '_, '_> {
    /// Returns what is below the line of a call.
    pub(super) fn detail_lines(&self, detail: &Detail, line: &ToolLine) -> Vec<Line> {
        let failed = line.state == CallState::Failed;
        let mut lines = Vec::new();
        // A command that failed is told by its error; what was refused is still worth a look.
        let is_telling = !failed || matches!(detail.body, Body::Command { .. });
        if self.is_full() || is_telling && !detail.is_receipt {
            lines = self.body_lines(&detail.body, line);
        }
        let role = if failed { Role::Error } else { Role::Warning };
        lines.extend(self.plain(&detail.error, ERROR, role));
        let pictures = detail.pictures.iter();
        let label = |label: &String| Line::of(&format!("    {label}"), Role::Muted);
        lines.extend(pictures.map(|picture| truncate(&label(picture), self.width())));
        lines
    }

    fn body_lines(&self, body: &Body, line: &ToolLine) -> Vec<Line> {
        let is_brief = self.options.tools == Tools::Brief;
        match body {
            Body::Change { diff, .. } => self.diff_lines(diff),
            Body::NewFile { path, text } => self.code_lines(path, text, 1, NEW_FILE),
            // Brief says how much was read, not what.
            Body::Source { .. } if is_brief => Vec::new(),
            Body::Output(_) if is_brief && line.is_read_only => Vec::new(),
            Body::Source {
                path,
                text,
                first_line,
            } => self.code_lines(path, text, *first_line, NEW_FILE),
            Body::Command { command, output } => self.command_lines(command, output, line),
            Body::Todos(todos) => self.todo_lines(todos),
            Body::Answers(answers) => self.answer_lines(answers),
            Body::Plan(plan) => self.prose_lines(plan, PLAN, Style::PLAIN),
            Body::Links(links) => self.link_lines(links),
            Body::Prose(text) => self.prose_lines(text, REPORT, Style::of(Role::Muted)),
            Body::Output(text) => self.plain(text, OUTPUT, Role::Muted),
            Body::Arguments { json, output } => self.argument_lines(json, output),
            Body::Nothing => Vec::new(),
        }
    }

    fn room(&self) -> usize {
        self.width().saturating_sub(INDENT)
    }

    fn diff_lines(&self, diff: &Diff) -> Vec<Line> {
        let options = diff::Options::new(self.room());
        let options = match self.limit(DIFF) {
            Some(limit) => options.with_max_lines(limit),
            None => options,
        };
        indented(diff::render(diff, &options), INDENT)
    }

    /// Returns source code with line numbers.
    fn code_lines(&self, path: &str, text: &str, first_line: usize, brief: usize) -> Vec<Line> {
        let limit = self.limit(brief);
        let excerpt = Excerpt::head(text, limit);
        let last = first_line.saturating_add(excerpt.head.len().saturating_sub(1));
        let digits = last.to_string().len();
        let width = self.room();
        let shown = code::render(&excerpt.head.join("\n"), Language::OfPath(path));
        let mut lines = Vec::new();
        for (offset, line) in shown.iter().enumerate() {
            let number = first_line.saturating_add(offset);
            let margin = Margin {
                first: vec![Span::new(&format!("{number:>digits$}  "), Role::Muted)],
                rest: vec![Span::new(&" ".repeat(digits + 2), Role::Plain)],
            };
            let mut folded = fold(line.spans(), width, &margin);
            if limit.is_some() {
                folded.truncate(2);
            }
            lines.extend(folded);
        }
        lines.extend(excerpt.remark());
        indented(lines, INDENT)
    }

    /// Returns the command, where the line could not show all of it, and what it printed.
    fn command_lines(&self, command: &str, output: &str, line: &ToolLine) -> Vec<Line> {
        let mut lines = Vec::new();
        let command = command.trim();
        let is_cut = line.object != command || self.call_line(line).text().contains('…');
        if is_cut && !command.is_empty() {
            let limit = self.limit(COMMAND);
            let excerpt = Excerpt::head(command, limit);
            let shown = code::render(&excerpt.head.join("\n"), Language::Named("bash"));
            for (number, line) in shown.iter().enumerate() {
                let mark = if number == 0 { "$ " } else { "  " };
                let margin = Margin {
                    first: vec![Span::new(mark, Role::Muted)],
                    rest: vec![Span::new("    ", Role::Plain)],
                };
                let mut folded = fold(line.spans(), self.room(), &margin);
                if limit.is_some() {
                    folded.truncate(COMMAND);
                }
                lines.extend(folded);
            }
            lines.extend(excerpt.remark());
        }
        let mut lines = indented(lines, INDENT);
        lines.extend(self.plain(output, OUTPUT, Role::Muted));
        lines
    }

    fn todo_lines(&self, todos: &[TodoItem]) -> Vec<Line> {
        let limit = self.limit(TODOS).unwrap_or(usize::MAX);
        let mut lines = Vec::new();
        for todo in todos.iter().take(limit) {
            let (mark, text) = match todo.progress {
                Progress::Done => (Role::Success, Style::of(Role::Muted)),
                Progress::Active => (Role::Warning, Style::PLAIN.bold()),
                Progress::Pending => (Role::Muted, Style::PLAIN),
            };
            let margin = Margin {
                first: vec![Span::new(&format!("{} ", todo.progress.mark()), mark)],
                rest: vec![Span::new("  ", Role::Plain)],
            };
            lines.extend(wrap(&[Span::line(&todo.text, text)], self.room(), &margin));
        }
        if todos.len() > limit {
            lines.push(Line::of(&more_lines(todos.len() - limit), Role::Muted));
        }
        indented(lines, INDENT)
    }

    fn answer_lines(&self, answers: &[Answer]) -> Vec<Line> {
        let mut lines = Vec::new();
        let behind = |mark: &str, text: &str, style: Style| {
            let margin = Margin {
                first: vec![Span::new(mark, Role::Muted)],
                rest: vec![Span::new("  ", Role::Plain)],
            };
            wrap(&[Span::new(text, style)], self.room(), &margin)
        };
        for answer in answers {
            lines.extend(behind("? ", &answer.question, Style::PLAIN));
            if self.is_full() || answer.answer.is_empty() {
                let options = answer.options.join(" / ");
                lines.extend(behind("  ", &options, Style::of(Role::Muted)));
            }
            if !answer.answer.is_empty() {
                let style = Style::of(Role::Prompt);
                lines.extend(behind("❯ ", &answer.answer, style));
            }
        }
        indented(lines, INDENT)
    }

    fn prose_lines(&self, text: &str, brief: usize, base: Style) -> Vec<Line> {
        let options = markdown::Options {
            width: self.room().min(WIDEST_PROSE),
            hyperlinks: self.options.hyperlinks,
            base,
        };
        let limit = self.limit(brief);
        // A paragraph can be one long line: twice the lines before, the rest after rendering.
        let excerpt = Excerpt::head(text, limit.map(|limit| limit.saturating_mul(2)));
        let mut lines = markdown::render(&excerpt.head.join("\n"), &options);
        let shown = limit.unwrap_or(usize::MAX);
        let n_more = lines.len().saturating_sub(shown);
        let n_hidden = excerpt.n_hidden + if n_more > 1 { n_more } else { 0 };
        if n_hidden > 0 {
            lines.truncate(shown);
            lines.push(Line::of(&more_lines(n_hidden), Role::Muted));
        }
        indented(lines, INDENT)
    }

    fn link_lines(&self, links: &[Link]) -> Vec<Line> {
        let limit = self.limit(LINKS).unwrap_or(usize::MAX);
        let shown = links.iter().take(limit).map(|link| {
            let mut line = Line::of("· ", Role::Muted);
            if self.options.hyperlinks {
                line.push(Span::line(&link.title, Role::Link).linked(&link.url));
            } else {
                line.push(Span::line(&link.title, Role::Plain));
                line.push(Span::line(&format!("  {}", link.url), Role::Link));
            }
            truncate(&line, self.room())
        });
        let mut lines: Vec<Line> = shown.collect();
        if links.len() > limit {
            lines.push(Line::of(&more_lines(links.len() - limit), Role::Muted));
        }
        indented(lines, INDENT)
    }

    /// Returns the arguments, in full only, and the answer.
    fn argument_lines(&self, json: &str, output: &str) -> Vec<Line> {
        let mut lines = Vec::new();
        if self.is_full() && !json.is_empty() && json != "{}" {
            let extent = Extent {
                width: self.room(),
                limit: self.limit(OUTPUT),
            };
            let pretty = pretty(json);
            let excerpt = Excerpt::head(&pretty, extent.limit);
            let named = Language::Named("json");
            lines = indented(
                excerpt.render(|text| fit(&code::render(text, named), extent)),
                INDENT,
            );
        }
        lines.extend(self.plain(output, OUTPUT, Role::Muted));
        lines
    }
}

/// Returns JSON with line breaks; as it is when it cannot be read.
pub(super) fn pretty(json: &str) -> String {
    serde_json::from_str::<serde_json::Value>(json)
        .and_then(|value| serde_json::to_string_pretty(&value))
        .unwrap_or_else(|_| json.to_owned())
}
