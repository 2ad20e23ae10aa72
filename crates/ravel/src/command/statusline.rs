//! `ravel statusline`: one line for Claude Code's `statusLine` setting.
//!
//! Claude Code runs the command again and again while a person works, so it looks at few files: with
//! an index, at those that are being written now; without one, at those of the last day.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use clap::Args;
use ravel_format::Timestamp;
use ravel_home::Home;
use ravel_index::{
    Detail, Index, IndexError, Library, Patience, SourceFile, recent_usage, scan_usage,
    session_usage,
};
use ravel_model::price::{Book, Nanos, total};
use ravel_model::usage::{Request, blocks};
use ravel_render::style::{Line, Role};
use serde_json::Value;

use crate::context::{Context, display_path};
use crate::failure::Failure;
use crate::folders;
use crate::open::read_stdin;
use crate::price_book::PriceBook;
use crate::zone::Zone;

mod branch;
mod input;
#[cfg(test)]
mod tests;

use input::Input;

/// Print a status line for Claude Code: model, folder, branch, cost, time left, context used
///
/// Claude Code gives the command a JSON document on standard input and shows what it prints. With
/// an index (`ravel index`) it takes a few milliseconds.
#[derive(Debug, Args)]
#[command(
    after_help = "In ~/.claude/settings.json:\n  {\"statusLine\": {\"type\": \"command\", \"command\": \"ravel statusline\"}}\n\nExamples:\n  echo '{\"session_id\":\"3f2a...\"}' | ravel statusline\n  ravel statusline --color always < status.json"
)]
pub(crate) struct StatuslineArgs {}

/// How far back the five-hour blocks are followed.
const BLOCKS: Duration = Duration::from_secs(4 * 86_400);
/// Which files may be written again soon; any other one has its own status line, which names it.
const RECENT: Duration = Duration::from_secs(12 * 3_600);
/// Which files are read where there is no index.
const TODAY: Duration = Duration::from_secs(86_400);

/// Prints the line. Whatever goes wrong costs a part of it, never all.
pub(crate) fn run(context: &Context, _args: &StatuslineArgs) -> Result<ExitCode, Failure> {
    let bytes = read_stdin().map_err(|error| Failure::io("read standard input", &error))?;
    let document: Value = serde_json::from_slice(&bytes).map_err(|error| {
        Failure::request(format!("standard input is no JSON: {error}")).hint(
            "Claude Code gives a status line its state as JSON; see `ravel statusline --help`",
        )
    })?;
    let input = Input::read(&document);
    let now = SystemTime::now();
    // A mistake in a person's prices costs them their prices, not the line.
    let book = PriceBook::load().map_or_else(|_| Book::bundled(), |prices| prices.book);
    // Without a home there is still something to say.
    let used = context
        .home()
        .ok()
        .map(|home| Used::find(context, home, &input, now))
        .unwrap_or_default();
    let facts = Facts::new(&used, &book, Timestamp(context.now_ms()));
    context.print_lines(&[line(&input, &used, &facts)])?;
    Ok(ExitCode::SUCCESS)
}

/// The requests that matter now.
#[derive(Default)]
struct Used {
    /// Those of the last days.
    lately: Vec<Request>,
    /// Those of the session.
    session: Vec<Request>,
}

impl Used {
    fn find(context: &Context, home: &Home, input: &Input, now: SystemTime) -> Self {
        let indexed = folders::index_file(context)
            .ok()
            .and_then(|path| Self::indexed(home, &path, input, now).ok().flatten());
        indexed.unwrap_or_else(|| Self::scanned(home, input, now))
    }

    fn indexed(
        home: &Home,
        path: &Path,
        input: &Input,
        now: SystemTime,
    ) -> Result<Option<Self>, IndexError> {
        let Some(mut index) = Index::open(path)? else {
            return Ok(None);
        };
        let recent = index.recent(home, input.transcript.as_deref(), now - RECENT)?;
        let Some(recent) = recent else {
            return Ok(None);
        };
        match index.update_some(&recent, Patience::None) {
            // What another process is adding just now is there the next time.
            Ok(_) | Err(IndexError::Busy) => {}
            Err(error) => return Err(error),
        }
        let since = Timestamp(crate::context::epoch_ms(now - BLOCKS));
        let tally = recent_usage(&recent, &index, (Some(since), None))?;
        let file = input.file_in(&recent);
        let session = file.map(|file| session_usage(&index, file)).transpose()?;
        Ok(Some(Self {
            lately: tally.account.requests,
            session: session.unwrap_or_default(),
        }))
    }

    fn scanned(home: &Home, input: &Input, now: SystemTime) -> Self {
        let library = Library::open(home, None);
        let session = input.file_in(&library).map(|file| file.session.clone());
        let is_wanted = |file: &SourceFile| {
            file.modified >= now - TODAY || Some(&file.session) == session.as_ref()
        };
        let library = library.only(is_wanted);
        let lately = scan_usage(&library, Detail::Sums, &()).account.requests;
        let of_session = |request: &&Request| Some(&request.session) == session.as_ref();
        Self {
            session: lately.iter().filter(of_session).cloned().collect(),
            lately,
        }
    }

    /// Returns the prompt of the last request of the conversation itself, with its answer: what
    /// the context holds now.
    fn context_tokens(&self) -> Option<u64> {
        let own = self.session.iter().filter(|request| !request.is_sidechain);
        let last = own.max_by_key(|request| request.time)?;
        Some(last.tokens.total())
    }
}

/// What the line says of money and time.
struct Facts {
    session: Option<Nanos>,
    today: Nanos,
    block_left: Option<u64>,
}

impl Facts {
    fn new(used: &Used, book: &Book, now: Timestamp) -> Self {
        let zone = Zone::system();
        let cost = |requests: &mut dyn Iterator<Item = &Request>| {
            let priced = requests.filter_map(|request| total(request, book).ok());
            priced.fold(Nanos::default(), Nanos::plus)
        };
        let today = zone.day(now);
        let is_today = |request: &&Request| request.time.map(|time| zone.day(time)) == Some(today);
        let blocks = blocks(&used.lately, book);
        let active = blocks.iter().find(|block| block.is_active(now));
        Self {
            session: (!used.session.is_empty()).then(|| cost(&mut used.session.iter())),
            today: cost(&mut used.lately.iter().filter(is_today)),
            block_left: active.map(|block| {
                let left_ms = block.end.0.saturating_sub(now.0);
                u64::try_from(left_ms).unwrap_or(0)
            }),
        }
    }
}

fn line(input: &Input, used: &Used, facts: &Facts) -> Line {
    let mut parts: Vec<(String, Role)> = Vec::new();
    let mut add = |text: Option<String>, role: Role| {
        parts.extend(
            text.filter(|text| !text.is_empty())
                .map(|text| (text, role)),
        );
    };
    add(input.model.clone(), Role::Accent);
    let folder = input.folder.as_deref();
    add(folder.map(display_path), Role::Plain);
    add(folder.and_then(branch::branch_of), Role::Success);
    let session = facts.session.map(dollars).or_else(|| input.cost.clone());
    add(session.map(|cost| format!("{cost} session")), Role::Plain);
    add(Some(format!("{} today", dollars(facts.today))), Role::Plain);
    let left = facts.block_left.map(left);
    add(left.map(|left| format!("{left} left")), Role::Muted);
    let percent = input.context_percent(used.context_tokens());
    let role = match percent {
        Some(80..) => Role::Warning,
        _ => Role::Muted,
    };
    add(percent.map(|percent| format!("{percent}% context")), role);
    let mut line = Line::default();
    for (number, (text, role)) in parts.iter().enumerate() {
        if number > 0 {
            line = line.with(" · ", Role::Muted);
        }
        line = line.with(text, *role);
    }
    line
}

/// Writes money with two digits after the point.
fn dollars(nanos: Nanos) -> String {
    format!("{nanos:.2}")
}

/// Writes hours and minutes.
fn left(millis: u64) -> String {
    let minutes = millis / 60_000;
    match minutes / 60 {
        0 => format!("{minutes}m"),
        hours => format!("{hours}h {:02}m", minutes % 60),
    }
}

impl Input {
    /// Finds the file of the session among some.
    fn file_in<'l>(&self, library: &'l Library) -> Option<&'l SourceFile> {
        let mut own = library.files().iter().filter(|file| file.agent.is_none());
        let is_transcript = |file: &&SourceFile| self.transcript.as_ref() == Some(&file.path);
        let by_path = own.clone().find(is_transcript);
        by_path.or_else(|| own.find(|file| self.session.as_deref() == Some(&*file.session)))
    }
}
