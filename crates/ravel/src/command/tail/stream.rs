//! New messages on the screen.
//!
//! A call is shown when it is made and again when its result is there, but only what the result
//! adds. The messages of several files are put in the order of their times.

use std::collections::HashMap;
use std::io;

use ravel_format::{Entry, Facet, Fault, Flags, Timestamp, ToolRole};
use ravel_model::{Part, Session};
use ravel_render::style::{Line, Painter, Role, Span};
use ravel_render::terminal::{Renderer, TerminalOptions};

use super::follow::{Following, News};
use crate::failure::Failure;

/// The columns an agent's rail takes.
const RAIL: usize = 4;

/// Shows messages, each once.
pub(crate) struct Stream {
    painter: Painter,
    main: Renderer,
    agent: Renderer,
    /// Whether what is meant for the model is shown, too.
    has_meta: bool,
    /// Calls that wait for a result, with the lines they were shown as.
    open: HashMap<(usize, usize), Vec<Line>>,
    /// What was shown last.
    last: Option<Last>,
}

/// What was shown last, and of which file.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Last {
    part: usize,
    /// The entry, when it makes a call.
    call: Option<usize>,
}

/// One entry to show.
struct Item {
    part: usize,
    entry: usize,
    /// Its time, or that of the entry before it in its file.
    time: i64,
}

/// What an entry adds to the screen.
struct Shown {
    lines: Vec<Line>,
    /// The call that the lines are of.
    call: Option<usize>,
}

impl Stream {
    pub(crate) fn new(options: &TerminalOptions) -> Self {
        let mut narrow = options.clone();
        narrow.width = narrow.width.saturating_sub(RAIL);
        let main = Renderer::new(options);
        Self {
            painter: main.painter(),
            main,
            agent: Renderer::new(&narrow),
            has_meta: options.everything,
            open: HashMap::new(),
            last: None,
        }
    }

    /// Shows what is new.
    pub(crate) fn show(
        &mut self,
        following: &mut Following,
        news: &[News],
        out: &mut impl io::Write,
    ) -> Result<(), Failure> {
        if news.is_empty() {
            return Ok(());
        }
        for reset in news.iter().filter(|news| news.is_reset) {
            self.forget(reset.part, out)?;
        }
        let session = Session::build(&following.transcripts);
        for item in self.in_order(&session, news) {
            let shown = self.render(&session, news, &item);
            self.put(&session, item.part, shown, out)?;
        }
        Ok(())
    }

    /// Returns what is shown of the news, in the order of time, each file in its own order.
    fn in_order(&self, session: &Session<'_>, news: &[News]) -> Vec<Item> {
        let mut items = Vec::new();
        for one in news {
            let mut visible = visible(session, one, self.has_meta);
            let surplus = self.surplus(session, &visible, one.n_shown);
            items.extend(visible.drain(surplus..));
        }
        items.sort_by_key(|item| item.time);
        items
    }

    /// Returns how many items to leave out so that `n_shown` messages are left. Results are shown
    /// with their calls and do not count, nor does what shows nothing.
    fn surplus(&self, session: &Session<'_>, items: &[Item], n_shown: usize) -> usize {
        let mut left = n_shown;
        if items.len() <= left {
            return 0;
        }
        for (place, item) in items.iter().enumerate().rev() {
            if !self.lines(session, item.part, item.entry).is_empty() {
                match left.checked_sub(1) {
                    Some(rest) => left = rest,
                    None => return place + 1,
                }
            }
        }
        0
    }

    /// Says that a file starts over.
    fn forget(&mut self, part: usize, out: &mut impl io::Write) -> io::Result<()> {
        self.open.retain(|(of, _), _| *of != part);
        self.last = None;
        let note = "── the file was cut or replaced; starting over ──";
        self.painter
            .write(&[Line::default(), Line::of(note, Role::Warning)], out)
    }

    fn render(&mut self, session: &Session<'_>, news: &[News], item: &Item) -> Shown {
        let nothing = Shown {
            lines: Vec::new(),
            call: None,
        };
        let Some(part) = session.part(item.part) else {
            return nothing;
        };
        if let Some(call) = part.exchanges.call_of(&part.graph, item.entry) {
            let is_new = news
                .iter()
                .any(|news| news.part == item.part && news.entries.contains(&call));
            // A call of this batch was shown with its result.
            return match is_new {
                true => nothing,
                false => self.result(session, item.part, call),
            };
        }
        if is_joined_summary(part, item.entry) {
            return nothing;
        }
        let mut lines = self.lines(session, item.part, item.entry);
        let call = makes_call(part, item.entry).then_some(item.entry);
        if call.is_some() && waits(part, item.entry) {
            lines = lines.iter().map(as_running).collect();
            self.open.insert((item.part, item.entry), lines.clone());
        }
        Shown { lines, call }
    }

    /// Returns what a result adds to its call; the whole call when other things came between.
    fn result(&mut self, session: &Session<'_>, number: usize, call: usize) -> Shown {
        let mut lines = self.lines(session, number, call);
        let before = self.open.remove(&(number, call)).unwrap_or_default();
        if session.part(number).is_some_and(|part| waits(part, call)) {
            self.open.insert((number, call), lines.clone());
        }
        let own = Last {
            part: number,
            call: Some(call),
        };
        if self.last == Some(own) {
            lines = additions(&before, lines);
        }
        Shown {
            lines,
            call: Some(call),
        }
    }

    fn lines(&self, session: &Session<'_>, part: usize, entry: usize) -> Vec<Line> {
        let renderer = if part == 0 { &self.main } else { &self.agent };
        renderer.entries(session, part, &[entry])
    }

    fn put(
        &mut self,
        session: &Session<'_>,
        part: usize,
        shown: Shown,
        out: &mut impl io::Write,
    ) -> io::Result<()> {
        if shown.lines.iter().all(Line::is_blank) {
            return Ok(());
        }
        let is_same_file = self.last.is_some_and(|last| last.part == part);
        let follows_call = self.last.is_some_and(|last| last.call.is_some());
        let is_close = is_same_file && follows_call && shown.call.is_some();
        let mut lines = Vec::new();
        if !is_close {
            lines.push(Line::default());
        }
        if part > 0 && !is_same_file {
            lines.push(Line::of(
                &format!("  ┌ {}", agent_name(session, part)),
                Role::Muted,
            ));
        }
        let text = shown.lines.into_iter().skip_while(Line::is_blank);
        lines.extend(text.map(|line| if part > 0 { beside_rail(&line) } else { line }));
        self.last = Some(Last {
            part,
            call: shown.call,
        });
        self.painter.write(&lines, out)
    }
}

/// Returns the entries of one file that a person may see.
fn visible(session: &Session<'_>, news: &News, has_meta: bool) -> Vec<Item> {
    let Some(part) = session.part(news.part) else {
        return Vec::new();
    };
    let mut latest = i64::MIN;
    let item = |&entry: &usize| {
        let found = part.graph.entry(entry);
        let found = found.filter(|entry| is_visible(part, entry, has_meta))?;
        latest = latest.max(found.time.map_or(i64::MIN, |Timestamp(millis)| millis));
        Some(Item {
            part: news.part,
            entry,
            time: latest,
        })
    };
    news.entries.iter().filter_map(item).collect()
}

fn is_visible(part: &Part<'_>, entry: &Entry, has_meta: bool) -> bool {
    let is_elsewhere = entry.has(Flags::SIDECHAIN) && !part.graph.is_agent_file();
    let is_damaged = entry.fault.is_some_and(|fault| fault != Fault::Blank);
    (entry.is_linked() && (has_meta || !entry.has(Flags::META)) && !is_elsewhere) || is_damaged
}

/// Returns a line of a call that runs: it has no result, but nobody expects one yet.
fn as_running(line: &Line) -> Line {
    let (last, rest) = match line.spans().split_last() {
        Some((last, rest)) if last.text().ends_with("· no result") => (last, rest),
        _ => return line.clone(),
    };
    let kept = last.text().trim_end_matches("· no result").trim_end();
    let mut running = Line::from(rest.to_vec());
    running.push(Span::new(kept, last.style()));
    running
}

/// Returns what `lines` say beyond `before`, which is on the screen already.
fn additions(before: &[Line], lines: Vec<Line>) -> Vec<Line> {
    // The mark in front tells how the call went; the rest of the line is what it is.
    let said = |line: &Line| {
        line.text()
            .trim_start_matches(['○', '●'])
            .trim_end()
            .to_owned()
    };
    let pairs = before.iter().zip(&lines);
    let n_same = pairs
        .take_while(|(one, other)| said(one) == said(other))
        .count();
    let mut added: Vec<Line> = lines.into_iter().skip(n_same).collect();
    let grown = before.get(n_same).zip(added.first());
    let ending = grown.and_then(|(old, new)| {
        let text = said(new);
        Some(text.strip_prefix(&said(old))?.trim_start().to_owned())
    });
    if let (Some(ending), Some(first)) = (ending, added.first_mut()) {
        *first = Line::of(&format!("    {ending}"), Role::Muted);
    }
    added
}

/// Tells whether an entry is the summary of the boundary before it, which is one thing to see.
fn is_joined_summary(part: &Part<'_>, entry: usize) -> bool {
    let graph = &part.graph;
    let is_summary = |entry: &Entry| entry.has(Flags::COMPACT_SUMMARY);
    let is_boundary = |parent: usize| {
        let parent = graph.entry(parent);
        parent.is_some_and(|parent| parent.facet == Facet::CompactBoundary)
    };
    graph.entry(entry).is_some_and(is_summary) && graph.parent(entry).is_some_and(is_boundary)
}

fn makes_call(part: &Part<'_>, entry: usize) -> bool {
    let outline = part.graph.outline();
    let entry = part.graph.entry(entry);
    entry.is_some_and(|entry| outline.tools(entry, ToolRole::Call).next().is_some())
}

/// Tells whether a call of the entry has no result yet.
fn waits(part: &Part<'_>, entry: usize) -> bool {
    let outline = part.graph.outline();
    part.graph.entry(entry).is_some_and(|entry| {
        let mut calls = outline.tools(entry, ToolRole::Call);
        calls.any(|id| part.exchanges.results(id).len() == 0)
    })
}

fn agent_name(session: &Session<'_>, part: usize) -> String {
    let meta = session
        .part(part)
        .and_then(|part| part.transcript.agent.as_ref());
    let Some(meta) = meta else {
        return "agent".into();
    };
    let about = meta.description.as_ref().or(meta.kind.as_ref());
    match about {
        Some(about) => format!("agent {} · {about}", meta.id),
        None => format!("agent {}", meta.id),
    }
}

fn beside_rail(line: &Line) -> Line {
    let mut railed = Line::of("  │ ", Role::Muted);
    railed.extend(line.spans().iter().map(Span::clone));
    railed
}
