//! `ravel search`, scanned beside ripgrep and from the index.

mod query;

use std::path::Path;

use anyhow::Result;

use super::{Lab, Runs, compare, peer};
use crate::bench::measure::Sample;
use crate::bench::report::{Goal, Outcome};
use crate::bench::vocabulary::Vocabulary;
use query::Kind;

/// Queries of each kind that the index answers; there are five kinds.
const QUERIES_OF_A_KIND: usize = 40;

pub(super) fn run(lab: &Lab) -> Result<Outcome> {
    let home = lab.home()?;
    let vocabulary = Vocabulary::new();
    let mut outcome = Outcome::new("search", lab.describe(&home)?);
    for (how, word) in [
        ("rare", vocabulary.rare(7)),
        ("middling", vocabulary.middling(7)),
        ("absent", "zzyqwoxv"),
    ] {
        scan(lab, &home, (how, word), &mut outcome)?;
    }

    let large = lab.home_of_large_sessions()?;
    let all = ask_all(lab, &large, &vocabulary, &mut outcome)?;
    outcome.goals.push(Goal::at_most(
        &format!(
            "ms for 95 % of {} queries, with index, {}",
            all.samples.len(),
            lab.describe(&large)?
        ),
        20.0,
        all.percentile(95) * 1_000.0,
    ));
    // Each file costs a look before the index can be trusted.
    let many = ask_all(
        lab,
        &home,
        &vocabulary,
        &mut Outcome::new("search", String::new()),
    )?;
    outcome.notes.push(format!(
        "with index, {}: 95 % within {:.1} ms",
        lab.describe(&home)?,
        many.percentile(95) * 1_000.0
    ));
    Ok(outcome)
}

/// Asks the index of a home queries of all kinds.
fn ask_all(lab: &Lab, home: &Path, vocabulary: &Vocabulary, outcome: &mut Outcome) -> Result<Runs> {
    lab.index(home)?;
    let mut all = Runs {
        name: "all".to_owned(),
        samples: Vec::new(),
    };
    for kind in Kind::ALL {
        let queries = query::queries(*kind, vocabulary, home, QUERIES_OF_A_KIND)?;
        let runs = ask_index(lab, home, (*kind, &queries))?;
        outcome.rows.push(runs.row());
        outcome.notes.push(format!(
            "{}: 95 % within {:.1} ms",
            kind.name(),
            runs.percentile(95) * 1_000.0
        ));
        all.samples.extend(runs.samples);
    }
    Ok(all)
}

/// Lets Ravel and ripgrep look for one word in all files.
fn scan(lab: &Lab, home: &Path, (how, word): (&str, &str), outcome: &mut Outcome) -> Result<()> {
    let ravel = lab.ravel_on(
        home,
        &format!("ravel --no-index, {how} word"),
        &["search", word, "--json", "--no-index"],
    );
    let Some(ripgrep) = peer::if_possible(peer::count_lines(&lab.folder, home, word)) else {
        return Ok(());
    };
    let (ours, theirs) = compare(&ravel, &ripgrep, 5)?;
    outcome.rows.extend([ours.row(), theirs.row()]);
    outcome.goals.push(Goal::at_most(
        &format!("times the time of ripgrep, {how} word"),
        2.0,
        ours.median() / theirs.median(),
    ));
    Ok(())
}

/// Asks every query once, each in a fresh process, after a first one that nobody counts.
fn ask_index(lab: &Lab, home: &Path, (kind, queries): (Kind, &[String])) -> Result<Runs> {
    let entrant =
        |query: &str| lab.ravel_on(home, "ravel search", &["search", "--json", "--", query]);
    if let Some(first) = queries.first() {
        entrant(first).run_once()?;
    }
    let samples: Result<Vec<Sample>> = queries
        .iter()
        .map(|query| entrant(query).run_once())
        .collect();
    Ok(Runs {
        name: format!("ravel, index, {}", kind.name()),
        samples: samples?,
    })
}
