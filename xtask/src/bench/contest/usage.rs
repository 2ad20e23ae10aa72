//! `ravel usage daily`, scanned and from the index, beside ccusage and ripgrep.

use std::path::Path;

use anyhow::Result;

use super::{Lab, Runs, peer, race};
use crate::bench::measure::Entrant;
use crate::bench::report::{Goal, Outcome};

pub(super) fn run(lab: &Lab) -> Result<Outcome> {
    let home = lab.home()?;
    let scanned = lab.ravel_on(
        &home,
        "ravel --no-index",
        &["usage", "daily", "--json", "--no-index"],
    );
    let ccusage = peer::if_possible(ccusage(lab, &home));
    let ripgrep = peer::if_possible(peer::count_lines(&lab.folder, &home, "\"usage\""));
    lab.index(&home)?;
    let indexed = lab.ravel_on(&home, "ravel, warm index", &["usage", "daily", "--json"]);

    let entrants: Vec<&Entrant> = [&scanned, &indexed]
        .into_iter()
        .chain(&ccusage)
        .chain(&ripgrep)
        .collect();
    let all = race(&entrants, 5)?;
    let runs = |entrant: &Entrant| all.iter().find(|runs| runs.name == entrant.name);
    let mut outcome = Outcome::new("usage", lab.describe(&home)?);
    outcome.rows = all.iter().map(Runs::row).collect();
    if let (Some(scanned), Some(indexed)) = (runs(&scanned), runs(&indexed)) {
        if let Some(theirs) = ccusage.as_ref().and_then(runs) {
            outcome.goals.extend(beat(theirs, scanned, indexed));
        }
        if let Some(theirs) = ripgrep.as_ref().and_then(runs) {
            outcome.goals.push(Goal::at_most(
                "times the time of ripgrep",
                2.0,
                scanned.median() / theirs.median(),
            ));
        }
    }
    Ok(outcome)
}

fn ccusage(lab: &Lab, home: &Path) -> Result<Entrant> {
    Ok(peer::ccusage(&lab.folder)?
        .args(["daily", "--offline", "--json"])
        .env("CLAUDE_CONFIG_DIR", home))
}

fn beat(ccusage: &Runs, scanned: &Runs, indexed: &Runs) -> [Goal; 3] {
    [
        Goal::at_least(
            "times faster than ccusage",
            5.0,
            ccusage.median() / scanned.median(),
        ),
        Goal::at_least(
            "times less memory than ccusage",
            4.0,
            ccusage.peak_mb() / scanned.peak_mb(),
        ),
        Goal::at_least(
            "times faster than ccusage with a warm index",
            50.0,
            ccusage.median() / indexed.median(),
        ),
    ]
}
