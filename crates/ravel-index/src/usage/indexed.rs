//! What all sessions used, from the index.
//!
//! The index has the requests of all whole lines. A line that has not ended yet is read here, and
//! the requests it belongs to are settled anew, without writing.

use ravel_format::Timestamp;
use ravel_home::SessionBytes;
use ravel_model::usage::{Account, Ledger, Request};
use rustc_hash::FxHashMap;

use super::{Detail, Projects, Tally, piece};
use crate::library::{Library, SourceFile};
use crate::skipped::Skipped;
use crate::store::usage::{Names, TimeRange, all_lines, lines_named, requests, session_requests};
use crate::store::{FewTexts, Index, IndexError};
use crate::update::Plan;

/// Counts requests with the index, if it is up to date; `None` if it is not.
///
/// `since` and `until` only say what need not be looked at; both moments are included.
pub fn indexed_usage(
    library: &Library,
    index: &Index,
    detail: Detail,
    (since, until): (Option<Timestamp>, Option<Timestamp>),
) -> Result<Option<Tally>, IndexError> {
    let _snapshot = index.snapshot()?;
    let plan = index.plan(library)?;
    match plan.is_done() {
        true => count(index, &plan, detail, (since, until)).map(Some),
        false => Ok(None),
    }
}

/// Counts requests with the index as it is, of which only some files were brought up to date: see
/// [`Index::recent`].
pub fn recent_usage(
    recent: &Library,
    index: &Index,
    (since, until): (Option<Timestamp>, Option<Timestamp>),
) -> Result<Tally, IndexError> {
    let _snapshot = index.snapshot()?;
    let plan = index.plan_some(recent)?;
    count(index, &plan, Detail::Sums, (since, until))
}

/// Returns the requests of one session and its sub-agents, as far as their lines stand in its own
/// files.
pub fn session_usage(index: &Index, session: &SourceFile) -> Result<Vec<Request>, IndexError> {
    let found = session_requests(&index.connection, &session.name, &session.session);
    found.map_err(|error| index.error(error))
}

fn count(
    index: &Index,
    plan: &Plan<'_>,
    detail: Detail,
    (since, until): (Option<Timestamp>, Option<Timestamp>),
) -> Result<Tally, IndexError> {
    let (tails, skipped) = unfinished(plan);
    let n_known: u64 = plan.current.values().map(|(_, row)| row.n_requests).sum();
    let n_lines = n_known + tails.len() as u64;
    let account = match detail {
        Detail::Copies => explained(index, tails),
        Detail::Sums => summed(index, tails, TimeRange::between(since, until)),
    };
    let mut account = account.map_err(|error| index.error(error))?;
    // Settled requests have forgotten their copies.
    account.n_lines = n_lines;
    let mut projects = Projects::default();
    for (file, row) in plan.current.values() {
        projects.add(file, Some(row.project_of(file)));
    }
    projects.assign(&mut account);
    Ok(Tally {
        account,
        skipped: skipped.sorted(),
    })
}

/// Reads the lines that have not ended.
fn unfinished(plan: &Plan<'_>) -> (Vec<Request>, Skipped) {
    let mut requests = Vec::new();
    let mut skipped = Skipped::default();
    for (file, row) in plan.current.values() {
        let mut n_damaged = row.n_damaged;
        if row.n_read < file.size {
            let origin = piece::origin(file, row.project_of(file).clone());
            let mut tail = super::Harvest::default();
            tail.n_lines = row.n_lines;
            let read = SessionBytes::open(&file.path).and_then(|bytes| {
                bytes.scan_part(
                    row.n_read..u64::MAX,
                    |piece, offset| piece::read(piece, offset, &origin),
                    |piece| tail.append(piece),
                )
            });
            n_damaged += tail.n_damaged;
            requests.extend(tail.into_requests());
            if let Err(error) = read {
                skipped.absorb(Skipped::file(&file.path, &error));
            }
        }
        skipped.absorb(Skipped::lines(&file.path, n_damaged));
    }
    (requests, skipped)
}

fn explained(index: &Index, tails: Vec<Request>) -> rusqlite::Result<Account> {
    let mut ledger = Ledger::explaining();
    for request in all_lines(&index.connection)?.into_iter().chain(tails) {
        ledger.add(request);
    }
    Ok(ledger.settle())
}

fn summed(index: &Index, tails: Vec<Request>, times: TimeRange) -> rusqlite::Result<Account> {
    let mut affected: FxHashMap<i64, Ledger> = FxHashMap::default();
    let texts = FewTexts::new(&index.connection);
    for request in tails {
        let name = request.name_hash() as i64;
        let ledger = match affected.entry(name) {
            std::collections::hash_map::Entry::Occupied(place) => place.into_mut(),
            std::collections::hash_map::Entry::Vacant(place) => {
                let mut ledger = Ledger::default();
                for line in lines_named(&index.connection, name, &texts)? {
                    ledger.add(line);
                }
                place.insert(ledger)
            }
        };
        ledger.add(request);
    }
    let names: Names = affected.keys().copied().collect();
    let mut all = requests(&index.connection, times, &names)?;
    for ledger in affected.into_values() {
        all.extend(ledger.settle().requests);
    }
    Ok(Account::of_settled(all))
}
