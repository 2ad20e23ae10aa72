//! Tool calls and their results.

use ravel_format::{Entry, Id, ToolRole};
use rustc_hash::FxHashMap;

use crate::diagnostic::{Code, Place};

use super::Subject;
use super::finding::Findings;

/// One tool call, as far as the file tells.
#[derive(Default, Clone, Copy)]
struct Call {
    caller: Option<usize>,
    result: Option<usize>,
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    let calls = pair(subject, findings);
    let graph = subject.graph;
    let last_reply = last_reply(subject);
    let mut ids: Vec<(Id, Call)> = calls.into_iter().collect();
    ids.sort_unstable_by_key(|(_, call)| call.caller.or(call.result));
    for (id, call) in ids {
        let entry = call
            .caller
            .or(call.result)
            .and_then(|index| graph.entry(index));
        let Some(entry) = entry else { continue };
        let name = || subject.outline().text(Some(id));
        let place = Place::within(entry, "/message/content");
        match (call.caller, call.result) {
            (None, Some(_)) => findings.add(Code::ToolResultWithoutCall, place, || {
                format!("no call {} is in the file", name())
            }),
            (Some(_), None) => {
                let is_open = entry.message.is_some() && entry.message == last_reply
                    || is_end(subject, call.caller);
                let code = if is_open {
                    Code::ToolCallOpen
                } else {
                    Code::ToolCallWithoutResult
                };
                findings.add(code, place, || {
                    format!("no result for {} is in the file", name())
                });
            }
            _ => {}
        }
    }
}

/// Pairs calls with results; notes calls and results that stand twice.
fn pair(subject: &Subject<'_>, findings: &mut Findings) -> FxHashMap<Id, Call> {
    let graph = subject.graph;
    let outline = subject.outline();
    let mut calls: FxHashMap<Id, Call> = FxHashMap::default();
    for &index in graph.nodes() {
        let Some(entry) = graph.entry(index) else {
            continue;
        };
        for id in outline.tools(entry, ToolRole::Call) {
            let call = calls.entry(id).or_default();
            let other = call.caller.and_then(|caller| graph.entry(caller));
            if let Some(other) = other.filter(|other| !is_same_reply(entry, other)) {
                twice(findings, Code::DuplicateToolCall, entry, other);
            }
            call.caller = Some(index);
        }
        for id in outline.tools(entry, ToolRole::Result) {
            let call = calls.entry(id).or_default();
            let other = call.result.and_then(|result| graph.entry(result));
            // An edited or retried prompt repeats results on another branch.
            let is_repeat = |other: &&Entry| on_same_branch(subject, index, other);
            if let Some(other) = other.filter(is_repeat) {
                twice(findings, Code::DuplicateToolResult, entry, other);
            }
            call.result = Some(index);
        }
    }
    calls
}

fn is_same_reply(one: &Entry, other: &Entry) -> bool {
    one.message.is_some() && one.message == other.message
}

/// Looks up from a later result for the earlier one, as far as parallel results reach.
fn on_same_branch(subject: &Subject<'_>, later: usize, earlier: &Entry) -> bool {
    let holder = earlier.uuid.and_then(|uuid| subject.graph.holder(uuid));
    subject
        .graph
        .ancestors(later)
        .take(64)
        .any(|index| Some(index) == holder)
}

fn twice(findings: &mut Findings, code: Code, entry: &Entry, other: &Entry) {
    findings.add(code, Place::within(entry, "/message/content"), || {
        format!("line {} has the same id", other.line)
    });
}

/// Returns the reply that the main thread ends with.
fn last_reply(subject: &Subject<'_>) -> Option<Id> {
    let entries = subject.thread.entries.iter().rev();
    entries
        .filter_map(|&index| subject.graph.entry(index))
        .find_map(|entry| entry.message)
}

/// Tells whether no message follows the caller: a branch or a sub-agent that ended there.
fn is_end(subject: &Subject<'_>, caller: Option<usize>) -> bool {
    let is_message = |index: usize| {
        let entry = subject.graph.entry(index);
        entry.is_some_and(|entry| entry.kind.is_message())
    };
    caller.is_some_and(|caller| !subject.graph.children(caller).any(is_message))
}
