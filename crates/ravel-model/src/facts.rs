//! A session in numbers and names.

use ravel_format::{Flags, Kind, Timestamp, ToolRole};
use serde::Serialize;

use crate::history::Segment;
use crate::session::{Part, Session};
use crate::title::{last_value, title};
use crate::turn::turns;

/// What is known of a session as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// The session's id, as most of its records say.
    pub session_id: String,
    /// What it is called.
    pub title: String,
    /// Where the title comes from.
    pub title_source: String,
    /// The tag a person gave it.
    pub tag: Option<String>,
    /// The folder it was started in.
    pub cwd: Option<String>,
    /// The git branch, latest.
    pub git_branch: Option<String>,
    /// Client versions, in order of appearance.
    pub versions: Vec<String>,
    /// Models, in order of appearance.
    pub models: Vec<String>,
    /// The earliest time in the file, in epoch milliseconds.
    pub started: Option<i64>,
    /// The latest time in the file, in epoch milliseconds.
    pub ended: Option<i64>,
    /// Lines in the main file.
    pub n_lines: u64,
    /// Bytes of the main file.
    pub n_bytes: u64,
    /// Messages on the main thread, across compactions.
    pub n_messages: usize,
    /// Turns on the main thread, across compactions.
    pub n_turns: usize,
    /// Tool calls in the main file.
    pub n_tool_calls: usize,
    /// Sub-agents.
    pub n_agents: usize,
    /// Compactions on the main thread.
    pub n_compactions: usize,
    /// Pull requests made.
    pub pull_requests: Vec<String>,
}

/// Collects the facts of a session whose history is known.
pub fn facts(session: &Session<'_>, segments: &[Segment]) -> Facts {
    let Some(main) = session.main() else {
        return Facts::default();
    };
    let outline = main.graph.outline();
    let said = outline.said();
    let title = title(main);
    let entries = outline.entries();
    let times = || {
        entries
            .iter()
            .filter_map(|entry| entry.time)
            .map(|Timestamp(millis)| millis)
    };
    let shown = |index: &usize| {
        main.graph
            .entry(*index)
            .is_some_and(|entry| main.graph.shows(entry))
    };
    Facts {
        session_id: session_id(main),
        title: title.text,
        title_source: title.source.name().to_owned(),
        tag: last_value(main, Kind::Tag, "tag"),
        cwd: said.folders.texts().first().cloned(),
        git_branch: said.branches.latest().map(str::to_owned),
        versions: said.versions.texts().to_vec(),
        models: said.models.texts().to_vec(),
        started: times().min(),
        ended: times().max(),
        n_lines: outline.n_lines(),
        n_bytes: outline.n_bytes(),
        n_messages: segments
            .iter()
            .flat_map(|segment| &segment.thread.entries)
            .filter(|index| shown(index))
            .count(),
        n_turns: turns(&main.graph, segments)
            .iter()
            .filter(|turn| turn.prompt.is_some())
            .count(),
        n_tool_calls: entries
            .iter()
            .map(|entry| outline.tools(entry, ToolRole::Call).count())
            .sum(),
        n_agents: session.agents().len(),
        n_compactions: segments
            .iter()
            .filter(|segment| segment.compaction.is_some())
            .count(),
        pull_requests: pull_requests(main),
    }
}

/// Returns the id that the last record of the main conversation names.
///
/// Resumed sessions of old clients begin with records of other sessions.
fn session_id(main: &Part<'_>) -> String {
    let outline = main.graph.outline();
    let last = outline
        .entries()
        .iter()
        .rev()
        .find(|entry| entry.session.is_some() && !entry.has(Flags::SIDECHAIN));
    let any = || {
        outline
            .entries()
            .iter()
            .find(|entry| entry.session.is_some())
    };
    outline.text(last.or_else(any).and_then(|entry| entry.session))
}

fn pull_requests(main: &Part<'_>) -> Vec<String> {
    let links = main
        .graph
        .outline()
        .entries()
        .iter()
        .filter(|entry| entry.kind == Kind::PrLink);
    let mut urls: Vec<String> = links
        .filter_map(|entry| {
            main.read(entry, |record| {
                Some(record.get("prUrl")?.str()?.into_owned())
            })
        })
        .collect();
    urls.dedup();
    urls
}
