//! What the API would refuse: blank texts, lone thinking, calls and results without each other.

use ravel_format::{Flags, Kind};
use rustc_hash::FxHashSet;

use crate::graph::Graph;

use super::block::{ApiBlock, BlockKind};
use super::line::{Line, Origin};
use super::{ApiContent, ApiMessage, DropReason, Dropped, Role, text};

/// Stands for a reply, so that a message that nobody answered does not run into the next prompt.
const NO_REPLY: &str = "No response requested.";

/// Stands for what a user message said when all of it had to go.
const NO_CONTENT: &str = "(no content)";

/// The result of a call that was running when the session stopped.
const INTERRUPTED: &str = "[Tool call interrupted: the session ended while it was running. \
     It may or may not have taken effect.]";

/// The result of a call whose recorded result is out of place.
const MISPLACED: &str = "[Tool result missing: it is not recorded where the call was made.]";

/// How the lines of a local command start. Such a command is no question to the model.
const COMMAND_MARKS: [&str; 4] = [
    "<command-name>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
];

/// Drops lines that say nothing and replies of nothing but thinking.
pub(super) fn drop_unsendable(lines: Vec<Line>, dropped: &mut Vec<Dropped>) -> Vec<Line> {
    let lines = retain(lines, dropped, blank_reason);
    let speaking: FxHashSet<_> = lines
        .iter()
        .filter(|line| !line.is_all(BlockKind::Thinking))
        .filter_map(|line| line.message)
        .collect();
    retain(lines, dropped, |line| {
        let is_alone = !line
            .message
            .is_some_and(|message| speaking.contains(&message));
        let is_thinking = line.role == Role::Assistant && line.is_all(BlockKind::Thinking);
        (is_thinking && is_alone).then_some(DropReason::ThinkingOnly)
    })
}

fn retain(
    mut lines: Vec<Line>,
    dropped: &mut Vec<Dropped>,
    mut reason: impl FnMut(&mut Line) -> Option<DropReason>,
) -> Vec<Line> {
    lines.retain_mut(|line| {
        let reason = reason(line);
        let entry = line.entry;
        dropped.extend(reason.map(|reason| Dropped { entry, reason }));
        reason.is_none()
    });
    lines
}

/// Says why a line is dropped; takes blank texts out of a line that stays.
fn blank_reason(line: &mut Line) -> Option<DropReason> {
    let is_blank = |block: &ApiBlock| block.text().is_some_and(|text| text.trim().is_empty());
    if line.blocks.is_empty() {
        return Some(DropReason::Empty);
    }
    if line.role == Role::Assistant {
        let all_blank = line.blocks.iter().all(is_blank);
        return all_blank.then_some(DropReason::BlankText);
    }
    if line.is_bare {
        let text = line.blocks.first().and_then(ApiBlock::text);
        return text
            .is_some_and(|text| text.is_empty())
            .then_some(DropReason::Empty);
    }
    line.blocks.retain(|block| !is_blank(block));
    if line.blocks.is_empty() {
        line.blocks.push(made_up_text(NO_CONTENT));
    }
    None
}

fn made_up_text(words: &str) -> ApiBlock {
    ApiBlock::from_string(&text::quote(words))
}

/// Leaves only calls that are followed by their results, and results that follow their calls.
pub(super) fn pair_tools(lines: Vec<Line>, dropped: &mut Vec<Dropped>) -> Vec<Line> {
    let results = ids(&lines, Role::User, BlockKind::ToolResult);
    let mut pairing = Pairing {
        answered_anywhere: results.map(str::to_owned).collect(),
        called: FxHashSet::default(),
        answered: FxHashSet::default(),
        dropped,
    };
    let mut paired = Vec::with_capacity(lines.len());
    let mut rest = lines.into_iter().peekable();
    while rest.peek().is_some() {
        let mut take = |role: Role| {
            std::iter::from_fn(|| rest.next_if(|line| line.role == role)).collect::<Vec<_>>()
        };
        let (calls, answers) = (take(Role::Assistant), take(Role::User));
        let is_end = rest.peek().is_none();
        paired.extend(pairing.pair(calls, answers, is_end));
    }
    paired
}

fn ids(lines: &[Line], role: Role, kind: BlockKind) -> impl Iterator<Item = &str> {
    lines
        .iter()
        .filter(move |line| line.role == role)
        .flat_map(|line| &line.blocks)
        .filter(move |block| block.kind() == kind)
        .filter_map(ApiBlock::tool_id)
}

/// Tells whether a line says nothing of its own beside tool results.
fn is_only_results(line: &Line) -> bool {
    line.origin == Origin::Reminder || line.is_all(BlockKind::ToolResult)
}

struct Pairing<'a> {
    /// Calls that have a result somewhere, in place or not.
    answered_anywhere: FxHashSet<String>,
    called: FxHashSet<String>,
    answered: FxHashSet<String>,
    dropped: &'a mut Vec<Dropped>,
}

impl Pairing<'_> {
    /// Pairs what the model says in a row with what the user's side says right after it.
    fn pair(&mut self, mut calls: Vec<Line>, mut answers: Vec<Line>, is_end: bool) -> Vec<Line> {
        let answered_here: FxHashSet<String> = ids(&answers, Role::User, BlockKind::ToolResult)
            .map(str::to_owned)
            .collect();
        let is_open = is_end && answers.iter().all(is_only_results);
        let (mut made_up, mut waiting) = (Vec::new(), FxHashSet::default());
        self.retain_blocks(&mut calls, BlockKind::ToolUse, |pairing, id| {
            if !pairing.called.insert(id.to_owned()) {
                return Some(DropReason::Repeated);
            }
            if answered_here.contains(id) {
                waiting.insert(id.to_owned());
            } else if is_open {
                made_up.push(ApiBlock::error_result(id, &text::quote(INTERRUPTED)));
            } else if pairing.answered_anywhere.contains(id) {
                made_up.push(ApiBlock::error_result(id, &text::quote(MISPLACED)));
            } else {
                return Some(DropReason::CallWithoutResult);
            }
            None
        });
        self.retain_blocks(&mut answers, BlockKind::ToolResult, |pairing, id| {
            if waiting.remove(id) {
                pairing.answered.insert(id.to_owned());
                return None;
            }
            Some(if pairing.answered.contains(id) {
                DropReason::Repeated
            } else {
                DropReason::ResultWithoutCall
            })
        });
        if let Some(caller) = calls.last().filter(|_| !made_up.is_empty()) {
            answers.push(Line::new(caller.entry, Role::User, made_up));
        }
        calls.append(&mut answers);
        calls
    }

    /// Drops blocks of one kind that `reason` speaks against, and lines that are empty after it.
    fn retain_blocks(
        &mut self,
        lines: &mut Vec<Line>,
        kind: BlockKind,
        mut reason: impl FnMut(&mut Self, &str) -> Option<DropReason>,
    ) {
        for line in lines.iter_mut() {
            let (entry, had_some) = (line.entry, !line.blocks.is_empty());
            let mut last_reason = None;
            line.blocks.retain(|block| {
                let id = block.tool_id().filter(|_| block.kind() == kind);
                let Some(reason) = id.and_then(|id| reason(self, id)) else {
                    return true;
                };
                self.dropped.push(Dropped { entry, reason });
                last_reason = Some(reason);
                false
            });
            let is_emptied = had_some && line.blocks.is_empty();
            if is_emptied && last_reason == Some(DropReason::ResultWithoutCall) {
                line.blocks.push(made_up_text(NO_CONTENT));
                line.is_bare = true;
            }
        }
        lines.retain(|line| !line.blocks.is_empty());
    }
}

/// Tells whether the conversation ends with something that the model was to answer.
pub(super) fn is_question(graph: &Graph<'_>, entries: &[usize], lines: &[Line]) -> bool {
    let mut messages = entries.iter().rev().filter_map(|&index| graph.entry(index));
    let last = messages.find(|entry| entry.kind.is_message());
    let is_answered =
        last.is_some_and(|entry| entry.kind == Kind::Assistant && entry.has(Flags::API_ERROR));
    let last_line = lines.iter().rev().find(|line| line.origin == Origin::Said);
    let words = last_line
        .and_then(|line| line.blocks.first())
        .and_then(ApiBlock::text);
    let is_command =
        words.is_some_and(|words| COMMAND_MARKS.iter().any(|mark| words.starts_with(mark)));
    !is_answered && !is_command
}

/// Ends the conversation with the model's turn.
pub(super) fn close(messages: &mut Vec<ApiMessage>) {
    if messages.last().is_some_and(|last| last.role == Role::User) {
        messages.push(ApiMessage {
            role: Role::Assistant,
            content: ApiContent::Blocks(vec![made_up_text(NO_REPLY)]),
            entries: Vec::new(),
        });
    }
}
