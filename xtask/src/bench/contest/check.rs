//! `ravel check` beside ripgrep, which reads the same bytes and understands nothing.

use anyhow::Result;

use super::{Lab, compare, peer};
use crate::bench::report::{Goal, Outcome};

pub(super) fn run(lab: &Lab) -> Result<Outcome> {
    let home = lab.home()?;
    let ravel = lab.ravel_on(&home, "ravel", &["check", "--all"]);
    let ripgrep = peer::count_lines(&lab.folder, &home, "\"type\"")?;
    let (ours, theirs) = compare(&ravel, &ripgrep, 5)?;
    let mut outcome = Outcome::new("check", lab.describe(&home)?);
    outcome.rows = vec![ours.row(), theirs.row()];
    outcome.goals = vec![
        Goal::at_most(
            "times the time of ripgrep",
            3.0,
            ours.median() / theirs.median(),
        ),
        Goal::at_most("MB at most", 200.0, ours.peak_mb()),
    ];
    Ok(outcome)
}
