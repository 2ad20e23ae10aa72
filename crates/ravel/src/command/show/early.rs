//! The first turns of a long session, before the rest of it is read.
//!
//! Which branch of a file is the conversation is known only at its end, and reading a gigabyte
//! takes longer than a person likes to look at nothing. But nearly every session still begins as
//! its file does. So the turns at the start of the file are shown at once; when the whole file is
//! read and its conversation turns out to begin otherwise, that is said and it is shown from its
//! own start.

use std::io;

use ravel_format::{Flags, Outline, ToolRole};
use ravel_home::{SessionFile, StoredFile, read_head};
use ravel_model::turn::turns;
use ravel_model::{Facts, Part, Session, Transcript, Turn};
use ravel_render::style::{Line, Role};
use ravel_render::terminal::Renderer;

use crate::context::epoch_ms;
use crate::failure::Failure;
use crate::screen::Screen;

/// Sessions below this size are read before a person would notice.
const LONG: u64 = 32 << 20;

/// How much of the start of a file is looked at. A screen is a few kilobytes.
const START: usize = 1 << 20;

/// What was shown of a session before it was read.
pub(super) struct Early {
    turns: Vec<Turn>,
}

/// Shows the first turns of a long session; nothing when it is short.
pub(super) fn show(
    session: &SessionFile,
    renderer: &Renderer,
    screen: &mut Screen,
) -> Result<Option<Early>, Failure> {
    if session.size < LONG {
        return Ok(None);
    }
    // Whatever cannot be read here is reported when the whole file is read.
    let Some((transcripts, facts)) = start_of(session).ok().flatten() else {
        return Ok(None);
    };
    let start = Session::build(&transcripts);
    let turns = whole_turns(&start);
    if turns.is_empty() {
        return Ok(None);
    }
    renderer.painter().write(&renderer.header(&facts), screen)?;
    for turn in &turns {
        renderer.write_entries(&start, (0, &turn.entries), screen)?;
    }
    io::Write::flush(screen)?;
    Ok(Some(Early { turns }))
}

impl Early {
    /// Returns how many of the turns have been shown, and says so when they do not belong.
    pub(super) fn n_shown(
        &self,
        turns: &[Turn],
        renderer: &Renderer,
        screen: &mut Screen,
    ) -> Result<usize, Failure> {
        let is_same = |(one, other): (&Turn, &Turn)| one.entries == other.entries;
        if turns.len() >= self.turns.len() && self.turns.iter().zip(turns).all(is_same) {
            return Ok(self.turns.len());
        }
        let note = "── the turns above were taken back; the conversation goes like this ──";
        renderer
            .painter()
            .write(&[Line::default(), Line::of(note, Role::Warning)], screen)?;
        Ok(0)
    }
}

/// Reads the first lines of a file, and what both its ends say about it.
fn start_of(session: &SessionFile) -> io::Result<Option<(Vec<Transcript>, Facts)>> {
    let mut bytes = vec![0; START];
    let n_read = StoredFile::open(&session.path)?.read_at(&mut bytes, 0)?;
    bytes.truncate(n_read);
    let Some(end) = memchr::memrchr(b'\n', &bytes) else {
        return Ok(None);
    };
    bytes.truncate(end + 1);
    let Some(head) = read_head(session)? else {
        return Ok(None);
    };
    let outline = Outline::from_bytes(&bytes);
    let facts = Facts {
        session_id: head.session_id,
        title: head.title,
        title_source: head.title_source.name().to_owned(),
        tag: head.tag,
        cwd: head.cwd,
        git_branch: head.git_branch,
        versions: head.version.into_iter().collect(),
        models: head.model.into_iter().collect(),
        started: head.created.map(jiff::Timestamp::as_millisecond),
        ended: head
            .last_active
            .map(jiff::Timestamp::as_millisecond)
            .or(Some(epoch_ms(head.modified))),
        n_bytes: head.size,
        ..Facts::default()
    };
    Ok(Some((
        vec![Transcript {
            outline,
            source: Box::new(bytes),
            agent: None,
        }],
        facts,
    )))
}

/// Returns the turns that later lines cannot add to: all but the last, up to the first one that
/// calls an agent or still waits for a result.
fn whole_turns(start: &Session<'_>) -> Vec<Turn> {
    let Some(main) = start.main() else {
        return Vec::new();
    };
    let mut all = turns(&main.graph, &start.history());
    all.pop();
    let n_whole = all
        .iter()
        .take_while(|turn| turn.entries.iter().all(|&index| is_whole(main, index)))
        .count();
    all.truncate(n_whole);
    all
}

fn is_whole(main: &Part<'_>, index: usize) -> bool {
    let outline = main.graph.outline();
    main.graph.entry(index).is_some_and(|entry| {
        let mut calls = outline.tools(entry, ToolRole::Call);
        !entry.has(Flags::AGENT_CALL) && calls.all(|call| main.exchanges.results(call).len() > 0)
    })
}
