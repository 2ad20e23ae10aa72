//! What stands after the conversation: other branches, agents without a call, other records.

use std::io;

use maud::{PreEscaped, html};
use ravel_format::Kind;
use ravel_model::branch::Origin;
use ravel_model::placement::{Placement, placements};
use ravel_model::{Branch, Part, Segment};
use rayon::prelude::*;

use super::agent;
use super::flow::{self, At};
use super::paper::Paper;
use super::step::{json, plain};
use crate::amount::counted;
use crate::html::{self, Markup, PageWriter, anchor};

/// Records that are rendered before anything is written.
const BATCH: usize = 512;

/// Writes the end of a page.
pub(super) fn write<W: io::Write>(
    paper: &Paper<'_, '_>,
    segments: &[Segment],
    branches: &[Branch],
    page: &mut PageWriter<W>,
) -> io::Result<()> {
    let Some(main) = paper.session.main() else {
        return Ok(());
    };
    write_branches(paper, main, branches, page)?;
    write_records(
        paper,
        main,
        &placements(&main.graph, segments, branches),
        page,
    )?;
    // Last, since only now it is known which agents have no place above.
    write_agents(paper, page)
}

fn write_branches<W: io::Write>(
    paper: &Paper<'_, '_>,
    main: &Part<'_>,
    branches: &[Branch],
    page: &mut PageWriter<W>,
) -> io::Result<()> {
    if branches.is_empty() {
        return Ok(());
    }
    page.section(&opening("Other branches"))?;
    for batch in branches.chunks(BATCH) {
        let sections: Vec<Markup> = batch
            .par_iter()
            .map(|branch| rendered_branch(paper, main, branch))
            .collect();
        sections
            .iter()
            .try_for_each(|section| page.section(section))?;
    }
    page.section(&PreEscaped("</section>".to_owned()))
}

fn rendered_branch(paper: &Paper<'_, '_>, main: &Part<'_>, branch: &Branch) -> Markup {
    let why = match branch.origin {
        Origin::Rewind => "Asked differently",
        Origin::Retry => "Answered differently",
        Origin::OtherRoot => "From another start",
    };
    let is_message = |&&index: &&usize| {
        let entry = main.graph.entry(index);
        entry.is_some_and(|entry| main.graph.shows(entry))
    };
    let n_messages = branch.entries.iter().filter(is_message).count();
    let label = format!("{why} · {}", counted(n_messages, "message"));
    let fork = branch
        .fork
        .and_then(|fork| main.graph.entry(fork))
        .and_then(|entry| anchor(&main.graph.outline().text(entry.uuid)));
    let at = At { part: 0, depth: 0 };
    let entries = flow::entries(paper, at, &branch.entries);
    html::details(
        &label,
        &html! {
            @if let Some(fork) = fork { p.fork { a href=(format!("#{fork}")) { "Goes off here" } } }
            (PreEscaped(entries))
        },
        false,
    )
}

fn write_agents<W: io::Write>(paper: &Paper<'_, '_>, page: &mut PageWriter<W>) -> io::Result<()> {
    let mut is_first = true;
    // Agents of an agent without a call are below it: those nearest to the top go first.
    let mut numbers: Vec<usize> = (0..paper.session.agents().len()).collect();
    let depth = |number: &usize| paper.session.agents().get(*number).map(|agent| agent.depth);
    numbers.sort_by_key(depth);
    for number in numbers {
        if paper.has_agent(number) || !paper.place_agent(number) {
            continue;
        }
        if std::mem::take(&mut is_first) {
            page.section(&opening("Sub-agents without a call"))?;
        }
        page.section(&agent::alone(paper, number))?;
    }
    if is_first {
        return Ok(());
    }
    page.section(&PreEscaped("</section>".to_owned()))
}

fn write_records<W: io::Write>(
    paper: &Paper<'_, '_>,
    main: &Part<'_>,
    places: &[Placement],
    page: &mut PageWriter<W>,
) -> io::Result<()> {
    let is_other = |place: &Placement| {
        matches!(
            place,
            Placement::Aside | Placement::Superseded | Placement::Loose | Placement::Damaged
        )
    };
    let others: Vec<usize> = places
        .iter()
        .enumerate()
        .filter(|(_, place)| is_other(place))
        .map(|(index, _)| index)
        .collect();
    if others.is_empty() {
        return Ok(());
    }
    page.section(&opening("Other records"))?;
    for batch in others.chunks(BATCH) {
        let lines: Vec<Markup> = batch
            .par_iter()
            .filter_map(|&index| record(paper, main, index))
            .collect();
        lines.iter().try_for_each(|line| page.section(line))?;
    }
    page.section(&PreEscaped("</section>".to_owned()))
}

/// Renders a record as itself. What nobody knows is in sight, the client's own notes are not.
fn record(paper: &Paper<'_, '_>, main: &Part<'_>, index: usize) -> Option<Markup> {
    let entry = main.graph.entry(index)?;
    let text = main.read(entry, |record| {
        (!record.raw.is_empty()).then(|| String::from_utf8_lossy(record.raw).into_owned())
    })?;
    let line = entry.line;
    Some(match entry.kind {
        _ if entry.fault.is_some() => {
            let label = format!("damaged line {line}");
            html::unknown("", &label, &plain(paper, &text))
        }
        Kind::Unknown | Kind::None => {
            let label = format!("unknown record in line {line}");
            html::unknown("", &label, &json(paper, &text))
        }
        kind => html::aside(
            "",
            &format!("{} in line {line}", kind.name()),
            &plain(paper, &text),
        ),
    })
}

/// Opens a section of the end; the writer closes it.
fn opening(title: &str) -> Markup {
    html! { (PreEscaped("<section class=\"turn ending\">")) h2 { (title) } }
}
