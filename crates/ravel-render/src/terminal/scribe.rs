//! Steps into blocks of lines.

use std::io;

use ravel_format::Timestamp;
use ravel_model::Session;
use ravel_model::step::{
    Asker, Compaction, Hook, HookState, Level, Picture, Prompt, RawJson, Step, What,
};

use super::call::Run;
use super::excerpt::{Excerpt, Extent, fit, indented, tinted};
use super::page::{Page, Spacing};
use super::{Sink, TerminalOptions, Thinking, Tools, WIDEST_PROSE};
use crate::ansi;
use crate::markdown;
use crate::steps;
use crate::style::{Line, Role, Span, Style};
use crate::tool_line::picture_label;
use crate::when;
use crate::words::{self, first_words};
use crate::wrap::{Margin, truncate, wrap};

/// Lines of a prompt that are shown in brief: more is pasted, not written.
const LONGEST_PROMPT: usize = 60;

/// Lines of an agent's task that are shown in brief.
const LONGEST_TASK: usize = 4;

/// Lines that a command of the client shows in brief.
const LONGEST_OUTPUT: usize = 12;

/// Narrower pages are filled as if they were this wide; the terminal breaks the lines.
const NARROWEST: usize = 20;

/// Writes a conversation onto a page.
pub(super) struct Scribe<'o, 's, 't> {
    pub(super) options: &'o TerminalOptions,
    pub(super) session: &'s Session<'t>,
    pub(super) cwd: Option<String>,
    pub(super) page: Page<'o>,
    /// The agents whose conversations this one is inside of.
    pub(super) above: Vec<usize>,
}

impl<'o, 's, 't> Scribe<'o, 's, 't> {
    pub(super) fn new(
        options: &'o TerminalOptions,
        session: &'s Session<'t>,
        sink: &'o mut Sink<'o>,
    ) -> Self {
        Self {
            options,
            session,
            cwd: steps::folder(session),
            page: Page::new(sink),
            above: Vec::new(),
        }
    }

    /// Writes some entries of one file.
    pub(super) fn conversation(&mut self, part: usize, entries: &[usize]) -> io::Result<()> {
        let session = self.session;
        let mut run = Run::default();
        for step in steps::stream(session, part, entries) {
            match self.folded_call(&step) {
                Some(line) => run.lines.push(line),
                None if self.is_silent(&step.what) => {}
                None if run.takes(&step.what) => run.n_hooks += 1,
                None => {
                    self.end_run(&mut run)?;
                    self.step(&step)?;
                }
            }
        }
        self.end_run(&mut run)
    }

    fn end_run(&mut self, run: &mut Run) -> io::Result<()> {
        let lines = self.run_lines(run);
        *run = Run::default();
        self.page.block(Spacing::Close, lines)
    }

    /// Tells whether a step shows nothing here.
    fn is_silent(&self, what: &What) -> bool {
        match what {
            What::Hidden { .. } => !self.options.everything,
            What::Thinking(text) => match self.options.thinking {
                Thinking::Hidden => true,
                Thinking::Folded => text.trim().is_empty(),
                Thinking::Shown => false,
            },
            What::Call(_) | What::StrayResult(_) => self.options.tools == Tools::None,
            What::Output(text) => text.trim().is_empty(),
            _ => false,
        }
    }

    fn step(&mut self, step: &Step) -> io::Result<()> {
        match &step.what {
            What::Prompt(prompt) => self.apart(self.prompt(prompt, step.time)),
            What::Reply(text) => self.apart(self.prose(text, Style::PLAIN)),
            What::Thinking(text) => self.thinking(text),
            What::Call(call) => self.call(call, step.time),
            What::StrayResult(result) => self.stray(result),
            What::Picture(picture) => {
                self.close(vec![truncate(&picture_line(picture), self.width())])
            }
            What::Compaction(compaction) => self.compaction(compaction),
            What::Microcompaction {
                tokens_saved,
                n_tools,
                ..
            } => {
                let words = words::microcompaction(*tokens_saved, *n_tools);
                self.close(vec![self.divider(&words, Style::of(Role::Muted))])
            }
            What::Hook(hook) if is_of_call(hook) => self.page.attached(self.hook(hook)),
            What::Hook(hook) => self.close(self.hook(hook)),
            What::Notice { level, text } => self.close(self.notice(*level, text)),
            What::Retry { .. } => {
                self.close(self.marked("↻", Role::Warning, &words::retry(&step.what)))
            }
            What::ApiError(text) => self.apart(self.marked("✗", Role::Error, text)),
            What::Interruption(marker) => {
                self.apart(self.marked("⊘", Role::Warning, words::interruption(marker)))
            }
            What::Output(text) => self.close(self.output(text)),
            What::TurnEnd { duration_ms } => self.close(turn_end(*duration_ms)),
            What::Hidden { label, text } => self.close(self.hidden(label, text)),
            What::Unknown { name, json } => self.close(self.unknown(name, json)),
            _ => Ok(()),
        }
    }

    fn apart(&mut self, lines: Vec<Line>) -> io::Result<()> {
        self.page.block(Spacing::Apart, lines)
    }

    pub(super) fn close(&mut self, lines: Vec<Line>) -> io::Result<()> {
        self.page.block(Spacing::Close, lines)
    }

    /// Returns the columns there are between the rails and the edge.
    pub(super) fn width(&self) -> usize {
        let width = self.options.width.saturating_sub(self.page.margin());
        width.max(NARROWEST)
    }

    pub(super) fn is_full(&self) -> bool {
        self.options.tools == Tools::Full
    }

    /// Returns how many lines to show where brief shows `brief`.
    pub(super) fn limit(&self, brief: usize) -> Option<usize> {
        let own = (!self.is_full()).then_some(brief);
        self.options.max_lines_per_result.or(own)
    }

    /// Returns Markdown at the text column.
    pub(super) fn prose(&self, text: &str, base: Style) -> Vec<Line> {
        let width = self.width().min(WIDEST_PROSE).saturating_sub(2);
        let options = markdown::Options {
            width,
            hyperlinks: self.options.hyperlinks,
            base,
        };
        indented(markdown::render(text, &options), 2)
    }

    fn prompt(&self, prompt: &Prompt, time: Option<Timestamp>) -> Vec<Line> {
        let role = match prompt.asker {
            Asker::Task | Asker::Summary => Role::Accent,
            _ => Role::Prompt,
        };
        let brief = if self.page.rails() > 0 {
            LONGEST_TASK
        } else {
            LONGEST_PROMPT
        };
        let limit = if self.is_full() { None } else { Some(brief) };
        let text = match prompt.asker {
            Asker::Shell => format!("! {}", prompt.text.trim()),
            _ => prompt.text.trim().to_owned(),
        };
        let bar = || vec![Span::new("▌ ", role)];
        let margin = Margin {
            first: bar(),
            rest: bar(),
        };
        let width = self.width().min(WIDEST_PROSE);
        let excerpt = Excerpt::head(&text, limit);
        let words = Span::new(&excerpt.head.join("\n"), Style::of(role).bold());
        let mut lines = wrap(&[words], width, &margin);
        let barred = |text: &str| {
            let mut line = Line::from(bar());
            line.push(Span::line(text, Role::Muted));
            truncate(&line, width)
        };
        lines.extend(excerpt.remark().map(|remark| barred(&remark.text())));
        let labels = prompt.pictures.iter().map(picture_label);
        lines.extend(labels.map(|label| barred(&label)));
        for line in &mut lines {
            if line.text() == "▌ " {
                *line = Line::of("▌", role);
            }
        }
        self.add_time(&mut lines, time, width);
        lines
    }

    /// Puts the time at the end of the first line, where there is room.
    fn add_time(&self, lines: &mut [Line], time: Option<Timestamp>, width: usize) {
        let (Some(first), Some(Timestamp(ms))) = (lines.first_mut(), time) else {
            return;
        };
        let moment = when::moment(ms, &self.options.timezone);
        let Some((_, clock)) = moment.split_once(' ') else {
            return;
        };
        let used = first.width() + clock.len();
        if used + 2 <= width {
            let gap = " ".repeat(width - used);
            first.push(Span::new(&gap, Role::Plain));
            first.push(Span::new(clock, Role::Muted));
        }
    }

    fn thinking(&mut self, text: &str) -> io::Result<()> {
        let muted = Style::of(Role::Muted).italic();
        if self.options.thinking == Thinking::Folded {
            let words = first_words(text, self.width());
            let line = Line::of("∴ Thought  ", Style::of(Role::Muted)).with(&words, muted);
            return self.close(vec![truncate(&line, self.width().min(WIDEST_PROSE))]);
        }
        let mut lines = vec![Line::of("∴ Thought", Style::of(Role::Muted))];
        if text.trim().is_empty() {
            lines = vec![Line::of("∴ Thought, not kept in the file", Role::Muted)];
        } else {
            lines.extend(self.prose(text, muted));
        }
        self.apart(lines)
    }

    fn compaction(&mut self, compaction: &Compaction) -> io::Result<()> {
        let words = words::compaction(compaction);
        self.apart(vec![self.divider(&words, Style::of(Role::Accent))])?;
        let summary = compaction.summary.as_deref().unwrap_or_default();
        if !summary.trim().is_empty() && (self.is_full() || self.options.everything) {
            self.apart(self.prose(summary, Style::of(Role::Muted)))?;
        }
        Ok(())
    }

    fn divider(&self, words: &str, style: Style) -> Line {
        let width = self.width().min(WIDEST_PROSE);
        let line = Line::of("── ", style).with(words, style);
        let rest = width.saturating_sub(line.width() + 1);
        truncate(&line.with(&format!(" {}", "─".repeat(rest)), style), width)
    }

    fn hook(&self, hook: &Hook) -> Vec<Line> {
        let role = match hook.state {
            HookState::Started | HookState::Done => Role::Muted,
            HookState::Failed => Role::Warning,
            HookState::Blocked => Role::Error,
        };
        let line = Line::of("⚙ ", role).with(&words::hook(hook), role);
        let mut lines = vec![truncate(&line, self.width())];
        if role != Role::Muted || self.is_full() {
            lines.extend(self.plain(&hook.output, 6, role));
        }
        lines
    }

    fn notice(&self, level: Level, text: &str) -> Vec<Line> {
        match level {
            Level::Info => self.marked("·", Role::Muted, text),
            Level::Warning => self.marked("!", Role::Warning, text),
            Level::Error => self.marked("✗", Role::Error, text),
        }
    }

    /// Returns what a command of the client printed.
    fn output(&self, text: &str) -> Vec<Line> {
        self.plain(text, LONGEST_OUTPUT, Role::Plain)
    }

    fn hidden(&self, label: &str, text: &str) -> Vec<Line> {
        let mut lines = vec![truncate(
            &Line::of(&format!("· {label}"), Style::of(Role::Muted)),
            self.width(),
        )];
        lines.extend(self.plain(text, 6, Role::Muted));
        lines
    }

    fn unknown(&self, name: &str, json: &RawJson) -> Vec<Line> {
        let mut label = Line::of(&format!("? {name}"), Style::of(Role::Muted));
        if !self.options.everything {
            let raw = first_words(&json.text(), self.width());
            label = label.with(&format!("  {raw}"), Style::of(Role::Muted).dim());
            return vec![truncate(&label, self.width())];
        }
        let mut lines = vec![truncate(&label, self.width())];
        lines.extend(self.plain(&json.text(), 6, Role::Muted));
        lines
    }

    /// Returns a text behind a mark, wrapped.
    pub(super) fn marked(&self, mark: &str, role: Role, text: &str) -> Vec<Line> {
        let margin = Margin {
            first: vec![Span::new(&format!("{mark} "), role)],
            rest: vec![Span::new("  ", Role::Plain)],
        };
        let width = self.width().min(WIDEST_PROSE);
        let excerpt = Excerpt::head(text.trim(), self.limit(10));
        let words = Span::new(&excerpt.head.join("\n"), role);
        let mut lines = wrap(&[words], width, &margin);
        lines.extend(indented(excerpt.remark().into_iter().collect(), 2));
        lines
    }

    /// Returns recorded output below a mark, cut to some lines unless all is wanted.
    pub(super) fn plain(&self, text: &str, brief: usize, role: Role) -> Vec<Line> {
        if text.trim().is_empty() {
            return Vec::new();
        }
        let extent = Extent {
            width: self.width().saturating_sub(4),
            limit: self.limit(brief),
        };
        let excerpt = Excerpt::both_ends(text, extent.limit);
        let lines = excerpt.render(|text| tinted(fit(&ansi::lines(text), extent), role));
        indented(lines, 4)
    }
}

/// Tells whether a hook ran for a tool call, which is shown above it.
pub(super) fn is_of_call(hook: &Hook) -> bool {
    hook.event.ends_with("ToolUse") || hook.event.ends_with("ToolUseFailure")
}

fn picture_line(picture: &Picture) -> Line {
    Line::of(&format!("  {}", picture_label(picture)), Role::Muted)
}

fn turn_end(duration_ms: Option<u64>) -> Vec<Line> {
    let words = duration_ms.map(|ms| format!("  took {}", when::duration(ms)));
    let style = Style::of(Role::Muted).dim();
    words
        .map(|words| Line::of(&words, style))
        .into_iter()
        .collect()
}
