//! `ravel ls` beside the session list of the official SDK.

use anyhow::Result;

use super::{Lab, compare, peer};
use crate::bench::measure::{Clock, Entrant};
use crate::bench::report::{Goal, Outcome};

/// Lists sessions as the SDK does; only the call is timed, not the start of Python.
const LIST_SESSIONS: &str = "\
import time
from claude_agent_sdk import list_sessions
started = time.perf_counter()
found = list_sessions()
print(len(found))
print(time.perf_counter() - started)
";

pub(super) fn run(lab: &Lab) -> Result<Outcome> {
    let home = lab.home()?;
    let ravel = lab.ravel_on(&home, "ravel", &["ls", "--json"]);
    let sdk = Entrant::new("SDK list_sessions", peer::python()?, Clock::Own)
        .args(["-c", LIST_SESSIONS])
        .env("CLAUDE_CONFIG_DIR", &home);
    let (ours, theirs) = compare(&ravel, &sdk, 5)?;
    let mut outcome = Outcome::new("ls", lab.describe(&home)?);
    outcome.rows = vec![ours.row(), theirs.row()];
    outcome.goals = vec![
        Goal::at_least(
            "times faster than the SDK",
            10.0,
            theirs.median() / ours.median(),
        ),
        Goal::at_most("MB at most", 64.0, ours.peak_mb()),
    ];
    Ok(outcome)
}
