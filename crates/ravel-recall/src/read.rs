//! `read_messages`: a range of messages of one session.

use ravel_home::SessionFile;
use ravel_model::facts::facts;
use ravel_model::step::steps;
use ravel_model::{Session, history};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::answer::{Answer, Refusal};
use crate::open::{find, open};
use crate::page::Page;
use crate::recall::Recall;

mod message;
mod thread;

use message::{Message, View};
use thread::Strand;

/// How many messages are read when only their start is named.
const N_MESSAGES: usize = 50;

/// How many messages before and after another one.
const N_BEFORE: usize = 4;
const N_AFTER: usize = 8;

/// The longest message when there are several.
const MAX_MESSAGE: usize = 4_000;

/// What to read.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadArgs {
    session: String,
    agent: Option<String>,
    from: Option<usize>,
    to: Option<usize>,
    around: Option<String>,
    before: Option<usize>,
    after: Option<usize>,
    include_tools: Option<ToolsShown>,
    include_thinking: Option<bool>,
}

/// How much of tool calls is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ToolsShown {
    /// Nothing.
    None,
    /// The start of inputs and results.
    Brief,
    /// As much as there is room for.
    Full,
}

/// Reads messages.
pub(crate) fn read(recall: &Recall, args: &ReadArgs) -> Result<Answer, Refusal> {
    let found = recall.discover();
    let file = find(recall, &found, &args.session)?;
    let transcripts = open(recall, &file)?;
    let session = Session::build(&transcripts);
    let strand = thread::choose(
        recall,
        &session,
        args.agent.as_deref(),
        args.around.as_deref(),
    )?;
    let range = wanted(args, &strand)?;
    let answer = page(recall, args, (&file, &session), (&strand, range));
    let error = transcripts.iter().find_map(|one| one.source.take_error());
    match error {
        Some(error) => {
            let error = recall.line(&error.to_string());
            Err(Refusal::new(format!("could not read the session: {error}")))
        }
        None => Ok(answer),
    }
}

/// Returns which messages are asked for, counted from 0, the end not included.
fn wanted(args: &ReadArgs, strand: &Strand) -> Result<std::ops::Range<usize>, Refusal> {
    let n_all = strand.messages.len();
    if let Some(at) = strand.around {
        let before = args.before.unwrap_or(N_BEFORE);
        let after = args.after.unwrap_or(N_AFTER);
        let end = at.saturating_add(after).saturating_add(1);
        return Ok(at.saturating_sub(before)..end.min(n_all));
    }
    let from = args.from.unwrap_or(1).max(1);
    let to = args
        .to
        .unwrap_or_else(|| from.saturating_add(N_MESSAGES - 1));
    if from > n_all && n_all > 0 {
        return Err(Refusal::new(format!("there is no message {from}"))
            .hint(format!("the messages are 1 to {n_all}")));
    }
    if to < from {
        return Err(Refusal::new(format!(
            "`to` ({to}) is before `from` ({from})"
        )));
    }
    Ok((from - 1).min(n_all)..to.min(n_all))
}

fn page(
    recall: &Recall,
    args: &ReadArgs,
    (file, session): (&SessionFile, &Session<'_>),
    (strand, range): (&Strand, std::ops::Range<usize>),
) -> Answer {
    let segments = session.history();
    let facts = facts(session, &segments);
    let n_all = strand.messages.len();
    let project = recall.line(facts.cwd.as_deref().unwrap_or(&file.project.slug));
    let name = recall.line(&file.session_id);
    let heading = format!(
        "session {name} {:?} in {project}{}: {n_all} messages",
        recall.line(&facts.title),
        strand.note,
    );
    let mut page = Page::new(recall.settings.max_bytes, &heading);
    let view = View {
        recall,
        tools: args.include_tools.unwrap_or(ToolsShown::Brief),
        thinking: args.include_thinking.unwrap_or(false),
        max_bytes: match range.len() {
            1 => page.item_room(),
            _ => page.item_room().min(MAX_MESSAGE),
        },
    };
    let mut next = range.start;
    for (index, &entry) in strand.messages.iter().enumerate() {
        if !range.contains(&index) {
            continue;
        }
        let steps = steps(session, strand.part, &[entry]);
        let message = Message::new(&view, index + 1, &steps);
        if let Some(message) = message
            && !page.add(&message.text, message.json)
        {
            break;
        }
        next = index + 1;
    }
    let note = note(args, &name, (next, range.end, n_all));
    let about = json!({
        "session": name,
        "title": recall.line(&facts.title),
        "project": project,
        "started": facts.started.map(iso),
        "ended": facts.ended.map(iso),
        "n_messages": n_all,
        "next_from": (next < n_all).then_some(next + 1),
        "agents": agents(recall, session),
        "is_archived": file.is_archived,
    });
    page.finish("messages", about, note)
}

fn note(
    args: &ReadArgs,
    session: &str,
    (next, end, n_all): (usize, usize, usize),
) -> Option<String> {
    if next >= n_all {
        return None;
    }
    let why = match next < end {
        true => "this answer is full",
        false => "there are more messages",
    };
    let agent = match &args.agent {
        Some(_) => ", the same agent",
        None => "",
    };
    Some(format!(
        "{why}: call read_messages with session {session:?}{agent} and from {} for the next ones of {n_all}",
        next + 1
    ))
}

fn agents(recall: &Recall, session: &Session<'_>) -> Vec<Value> {
    const MAX_AGENTS: usize = 20;
    let agents = session.agents().iter().take(MAX_AGENTS);
    agents
        .map(|agent| {
            let about = agent.description.as_deref().or(agent.kind.as_deref());
            json!({"agent": recall.line(&agent.id), "about": about.map(|about| recall.line(about))})
        })
        .collect()
}

fn iso(millis: i64) -> String {
    ravel_format::Timestamp(millis).to_iso()
}

/// Returns the entries of the conversation that ends at a record.
fn entries_to(graph: &ravel_model::Graph<'_>, leaf: usize) -> Vec<usize> {
    let segments = history(graph, leaf);
    let entries = segments
        .into_iter()
        .flat_map(|segment| segment.thread.entries);
    entries.collect()
}
