//! The file as a whole.

use ravel_format::{Entry, Flags, Id, with_record};
use rustc_hash::FxHashMap;

use crate::diagnostic::{Code, Place};

use super::Subject;
use super::finding::Findings;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    if subject.outline().n_bytes() == 0 {
        let place = Place::default();
        return findings.add(Code::EmptyFile, place, || {
            "there are no bytes in it".to_owned()
        });
    }
    if !subject.has_messages() {
        findings.add(Code::NoMessages, Place::default(), || {
            format!(
                "none of its {} lines is a message",
                subject.outline().n_lines()
            )
        });
    }
    check_sessions(subject, findings);
    check_versions(subject, findings);
    check_sidechain_marks(subject, findings);
}

/// Returns the session that most linked records say they belong to.
pub(crate) fn main_session(entries: &[Entry]) -> Option<Id> {
    let mut counts: FxHashMap<Id, usize> = FxHashMap::default();
    for session in entries
        .iter()
        .filter(|entry| entry.is_linked())
        .filter_map(|entry| entry.session)
    {
        *counts.entry(session).or_default() += 1;
    }
    let most = counts
        .into_iter()
        .max_by_key(|&(session, count)| (count, std::cmp::Reverse(session)));
    most.map(|(session, _)| session)
}

fn check_sessions(subject: &Subject<'_>, findings: &mut Findings) {
    let entries = subject.outline().entries();
    let Some(main) = main_session(entries) else {
        return;
    };
    let mut foreign = entries
        .iter()
        .filter(|entry| entry.is_linked() && entry.session.is_some_and(|session| session != main));
    if let Some(first) = foreign.next() {
        let n_more = foreign.count();
        findings.add(
            Code::ForeignSessionId,
            Place::within(first, "/sessionId"),
            || {
                let session = subject.outline().text(first.session);
                format!(
                    "this record is of session {session}, and {n_more} more are not of the main one"
                )
            },
        );
    }
}

/// Compares only the ends of the file: a look at every record would cost a pass of its own.
fn check_versions(subject: &Subject<'_>, findings: &mut Findings) {
    let entries = subject.outline().entries();
    let version = |entry: &Entry| {
        with_record(subject.source, entry, |record| {
            let version = record.envelope().version;
            version.map(|version| version.decode().into_owned())
        })
    };
    let mut linked = entries.iter().filter(|entry| entry.is_linked());
    let ends = linked.next().zip(linked.next_back());
    let Some((first, last)) = ends else { return };
    if let Some((old, new)) = version(first)
        .zip(version(last))
        .filter(|(old, new)| old != new)
    {
        findings.add(Code::MixedVersions, Place::within(last, "/version"), || {
            format!("the first record is by {old:?}, the last one by {new:?}")
        });
    }
}

fn check_sidechain_marks(subject: &Subject<'_>, findings: &mut Findings) {
    for entry in subject.outline().entries() {
        if entry.kind.is_message() && entry.agent.is_some() && !entry.has(Flags::SIDECHAIN) {
            findings.add(
                Code::SidechainMarkMissing,
                Place::within(entry, "/isSidechain"),
                || {
                    format!(
                        "agent {} wrote this record",
                        subject.outline().text(entry.agent)
                    )
                },
            );
        }
    }
}
