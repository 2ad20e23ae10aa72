//! `ravel export --format html` beside claude-code-log.

use anyhow::Result;

use super::{Lab, compare, peer, size_of};
use crate::bench::home;
use crate::bench::measure::{Clock, Entrant};
use crate::bench::report::{Goal, Outcome};

pub(super) fn run(lab: &Lab) -> Result<Outcome> {
    let session = home::ensure_session(&lab.folder, 20)?;
    let ravel = lab
        .ravel(Clock::End)
        .args(["export", "--format", "html"])
        .args([&session]);
    let page = lab.folder.join("claude-code-log.html");
    let program = peer::venv()?.program("claude-code-log");
    let peer = Entrant::new("claude-code-log 1.7.0", program, Clock::End).args([
        session.as_os_str(),
        "--no-cache".as_ref(),
        "--output".as_ref(),
        page.as_os_str(),
    ]);
    let (ours, theirs) = compare(&ravel, &peer, 3)?;
    let mut outcome = Outcome::new("html", format!("one session, {}", size_of(&session)?));
    outcome.rows = vec![ours.row(), theirs.row()];
    outcome.goals = vec![Goal::at_least(
        "times faster than claude-code-log",
        10.0,
        theirs.median() / ours.median(),
    )];
    Ok(outcome)
}
