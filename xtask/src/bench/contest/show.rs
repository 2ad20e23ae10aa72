//! The first screen of `ravel show`, on a session that no one would want to read whole.

use anyhow::Result;

use super::{Lab, repeat, size_of};
use crate::bench::home;
use crate::bench::measure::Clock;
use crate::bench::report::{Goal, Outcome};

pub(super) fn run(lab: &Lab) -> Result<Outcome> {
    let session = home::ensure_session(&lab.folder, 1_000)?;
    let ravel = lab
        .ravel(Clock::Lines(50))
        .args(["show", "--color", "always"])
        .args([&session]);
    let ours = repeat(&ravel, 5)?;
    let mut outcome = Outcome::new("show", format!("one session, {}", size_of(&session)?));
    outcome.rows = vec![ours.row()];
    outcome.goals = vec![
        Goal::at_most(
            "ms until 50 lines are there",
            300.0,
            ours.median() * 1_000.0,
        ),
        Goal::at_most("MB at most", 150.0, ours.peak_mb()),
    ];
    Ok(outcome)
}
