//! The sessions there are, and those that Claude Code is about to delete.

use std::collections::HashMap;
use std::path::Path;

use ravel_archive::Archive;
use ravel_home::{Depth, Discovery, SessionFile, list_heads};
use ravel_render::amount;
use ravel_render::words::short_id;

use super::period::Period;
use super::{Check, State};
use crate::context::{Context, epoch_ms};
use crate::failure::Failure;
use crate::open::discover_all;

/// The titles of sessions by their files.
type Titles<'a> = HashMap<&'a Path, &'a str>;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// How far ahead is looked.
const AHEAD_DAYS: i64 = 7;

/// Looks at all sessions.
pub(super) fn checks(
    context: &Context,
    period: &Period,
    archive: Option<&Archive>,
) -> Result<Vec<Check>, Failure> {
    let found = discover_all(context, Depth::Agents)?;
    let listing = list_heads(&found.sessions);
    let findings: Vec<String> = found
        .findings
        .iter()
        .chain(&listing.findings)
        .map(ToString::to_string)
        .collect();
    let mut checks = vec![counted(&found)];
    if !findings.is_empty() {
        let message = format!("{} cannot be read", amount::counted(findings.len(), "file"));
        checks.push(Check::new("files", State::Problem, message).items(findings));
    }
    let titles: Titles<'_> = listing
        .items
        .iter()
        .map(|head| (head.path.as_path(), head.title.as_str()))
        .collect();
    let deadline = Deadline::new(context, period, archive)?;
    checks.extend(deadline.checks(&found.sessions, &titles));
    Ok(checks)
}

fn counted(found: &Discovery) -> Check {
    let (archived, live): (Vec<_>, Vec<_>) = found
        .sessions
        .iter()
        .partition(|session| session.is_archived);
    let mut message = amount::counted(live.len(), "session");
    if !found.agents.is_empty() {
        let agents = amount::counted(found.agents.len(), "transcript");
        message.push_str(&format!(", {agents} of agents"));
    }
    if !archived.is_empty() {
        message.push_str(&format!(", {} more only in the archive", archived.len()));
    }
    Check::new("sessions", State::Fine, message)
}

/// When sessions are deleted.
struct Deadline<'a> {
    home: &'a ravel_home::Home,
    archive: Option<&'a Archive>,
    now_ms: i64,
    period_ms: i64,
}

impl<'a> Deadline<'a> {
    fn new(
        context: &'a Context,
        period: &Period,
        archive: Option<&'a Archive>,
    ) -> Result<Self, Failure> {
        Ok(Self {
            home: context.home()?,
            archive,
            now_ms: context.now_ms(),
            period_ms: i64::try_from(period.days())
                .unwrap_or(i64::MAX)
                .saturating_mul(DAY_MS),
        })
    }

    fn checks(&self, sessions: &[SessionFile], titles: &Titles<'_>) -> Vec<Check> {
        let mut due: Vec<(i64, &SessionFile)> = sessions
            .iter()
            .filter(|session| !session.is_archived && session.size > 0)
            .map(|session| (self.left_ms(session), session))
            .filter(|(left_ms, _)| *left_ms <= AHEAD_DAYS * DAY_MS)
            .collect();
        due.sort_by_key(|(left_ms, _)| *left_ms);
        let (overdue, soon): (Vec<_>, Vec<_>) = due.into_iter().partition(|(left, _)| *left <= 0);
        let checks = [
            self.check(&overdue, titles, "at its next start"),
            self.check(&soon, titles, "within a week"),
        ];
        let mut checks: Vec<Check> = checks.into_iter().flatten().collect();
        if checks.is_empty() {
            let message = "Claude Code deletes no session within a week";
            checks.push(Check::new("deletion", State::Fine, message));
        }
        checks
    }

    /// How long a session still has.
    fn left_ms(&self, session: &SessionFile) -> i64 {
        let age_ms = self.now_ms.saturating_sub(epoch_ms(session.modified));
        self.period_ms.saturating_sub(age_ms)
    }

    fn check(&self, due: &[(i64, &SessionFile)], titles: &Titles<'_>, when: &str) -> Option<Check> {
        if due.is_empty() {
            return None;
        }
        let is_safe = |session: &SessionFile| {
            let archive = self.archive;
            archive.is_some_and(|archive| archive.is_current(self.home, session))
        };
        let unsafe_ones: Vec<_> = due
            .iter()
            .filter(|(_, session)| !is_safe(session))
            .collect();
        let sessions = amount::counted(due.len(), "session");
        let message = format!("Claude Code deletes {sessions} {when}");
        if unsafe_ones.is_empty() {
            let message = format!("{message}; the archive has them");
            return Some(Check::new("deletion", State::Fine, message));
        }
        let message = format!("{message}; {} not archived", unsafe_ones.len());
        let item = |(left_ms, session): &&(i64, &SessionFile)| {
            let title = titles
                .get(session.path.as_path())
                .copied()
                .unwrap_or_default();
            let left = match left_ms / DAY_MS {
                _ if *left_ms <= 0 => "now".to_owned(),
                0 => "in a day".to_owned(),
                days => format!("in {}", amount::counted(days + 1, "day")),
            };
            format!("{}  {left}  {title}", short_id(&session.session_id))
        };
        let check = Check::new("deletion", State::Warning, message);
        Some(
            check
                .hint("`ravel archive` keeps them")
                .items(unsafe_ones.iter().map(item)),
        )
    }
}
