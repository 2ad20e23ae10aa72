//! A conversation as an outline.
//!
//! Turns are the trunk; below a turn stand the agents it started and the branches that go off
//! from it. What belongs nowhere stands at the end: other roots and agents without a call.

use std::collections::BTreeMap;

use ravel_model::branch::Origin;
use ravel_model::step::{Compaction, What};
use ravel_model::turn::turns;
use ravel_model::{Agent, Branch, Segment, Session, Turn, steps};

use super::agent::{n_messages, prompt_words};
use crate::amount::counted;
use crate::style::{Line, Role};
use crate::words::{self, first_words, short_id};
use crate::wrap::truncate;

/// Agents inside agents are followed this far: each level takes a piece of the stack.
const DEEPEST: usize = 64;

/// One line of the outline and what is below it.
struct Node {
    /// What it is; cut when there is no room.
    line: Line,
    /// How much it is; never cut.
    note: String,
    children: Vec<Node>,
}

pub(super) fn tree(
    session: &Session<'_>,
    segments: &[Segment],
    branches: &[Branch],
    width: usize,
) -> Vec<Line> {
    let Some(main) = session.main() else {
        return Vec::new();
    };
    let outline = Outline {
        session,
        branches,
        agents: agents_by_call(session.agents()),
        forks: forks_by_entry(branches),
        width,
    };
    let mut nodes = Vec::new();
    let all = turns(&main.graph, segments);
    let mut number = 0;
    for turn in &all {
        number += usize::from(turn.prompt.is_some());
        nodes.extend(outline.turn(turn, number));
    }
    nodes.extend(outline.other_roots());
    nodes.extend(outline.unlinked());
    let mut lines = Vec::new();
    render(&nodes, &mut String::new(), width, &mut lines);
    lines
}

/// Agents by the file and entry of the call that started them.
type AgentsByCall = BTreeMap<(usize, usize), Vec<usize>>;

struct Outline<'a, 's, 't> {
    session: &'s Session<'t>,
    branches: &'a [Branch],
    agents: AgentsByCall,
    forks: BTreeMap<usize, Vec<usize>>,
    width: usize,
}

fn agents_by_call(agents: &[Agent]) -> AgentsByCall {
    let mut by_call = AgentsByCall::new();
    for (number, agent) in agents.iter().enumerate() {
        if let Some(call) = agent.call {
            let place = (call.part, call.entry);
            by_call.entry(place).or_default().push(number);
        }
    }
    by_call
}

fn forks_by_entry(branches: &[Branch]) -> BTreeMap<usize, Vec<usize>> {
    let mut forks: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, branch) in branches.iter().enumerate() {
        if let Some(fork) = branch.fork {
            forks.entry(fork).or_default().push(number);
        }
    }
    forks
}

impl Outline<'_, '_, '_> {
    /// Returns a turn, before it the compaction it starts with.
    fn turn(&self, turn: &Turn, number: usize) -> Vec<Node> {
        let children = self.below(0, &turn.entries, 0);
        let compaction = self.compaction(turn).map(|compaction| Node {
            line: Line::of(
                &format!("── {}", words::compaction(&compaction)),
                Role::Accent,
            ),
            note: String::new(),
            children: Vec::new(),
        });
        let is_compaction = compaction.is_some();
        let mut nodes = Vec::from_iter(compaction);
        let prompt = turn
            .prompt
            .and_then(|_| prompt_words(self.session, 0, &turn.entries));
        let line = match prompt {
            Some(prompt) => {
                let prompt = first_words(&prompt, self.width);
                Line::of(&format!("{number} "), Role::Muted).with(&prompt, Role::Prompt)
            }
            None if children.is_empty() && (is_compaction || !self.says_something(turn)) => {
                return nodes;
            }
            None if is_compaction => Line::of("after the compaction", Role::Muted),
            None => Line::of("before the first prompt", Role::Muted),
        };
        nodes.push(Node {
            line,
            note: counted(self.n_shown(&turn.entries), "message"),
            children,
        });
        nodes
    }

    fn compaction(&self, turn: &Turn) -> Option<Compaction> {
        let start = turn.entries.get(..turn.entries.len().min(2))?;
        let first = steps(self.session, 0, start).into_iter().next()?;
        match first.what {
            What::Compaction(compaction) => Some(compaction),
            _ => None,
        }
    }

    fn says_something(&self, turn: &Turn) -> bool {
        self.n_shown(&turn.entries) > 0
    }

    fn n_shown(&self, entries: &[usize]) -> usize {
        let Some(main) = self.session.main() else {
            return 0;
        };
        let is_shown = |index: &&usize| {
            let entry = main.graph.entry(**index);
            entry.is_some_and(|entry| main.graph.shows(entry))
        };
        entries.iter().filter(is_shown).count()
    }

    /// Returns what goes off from some entries: agents and branches, in order.
    fn below(&self, part: usize, entries: &[usize], depth: usize) -> Vec<Node> {
        let mut nodes = Vec::new();
        if depth > DEEPEST {
            return nodes;
        }
        for &entry in entries {
            let agents = self.agents.get(&(part, entry)).into_iter().flatten();
            nodes.extend(agents.filter_map(|&number| self.agent(number, depth)));
            let forks = self.forks.get(&entry).filter(|_| part == 0);
            let forks = forks.into_iter().flatten();
            nodes.extend(forks.filter_map(|&number| self.branch(number, depth)));
        }
        nodes
    }

    fn agent(&self, number: usize, depth: usize) -> Option<Node> {
        let agent = self.session.agents().get(number)?;
        let words = agent.description.clone().filter(|words| !words.is_empty());
        let words = words.or_else(|| prompt_words(self.session, agent.part, &agent.entries));
        let words = first_words(&words.unwrap_or_default(), self.width);
        let kind = agent.kind.as_deref().unwrap_or("agent");
        let n_messages = counted(n_messages(self.session, agent), "message");
        Some(Node {
            line: Line::of(&format!("◇ {kind}"), Role::Accent)
                .with(&format!(" {words}"), Role::Plain),
            note: format!("{n_messages} · {}", short_id(&agent.id)),
            children: self.below(agent.part, &agent.entries, depth + 1),
        })
    }

    fn branch(&self, number: usize, depth: usize) -> Option<Node> {
        let branch = self.branches.get(number)?;
        let origin = match branch.origin {
            Origin::Rewind => "rewind",
            Origin::Retry => "retry",
            Origin::OtherRoot => "other root",
        };
        let words = first_words(&self.branch_words(branch), self.width);
        let n_messages = counted(self.n_shown(&branch.entries), "message");
        let graph = &self.session.main()?.graph;
        let leaf = graph.outline().text(graph.entry(branch.leaf)?.uuid);
        Some(Node {
            line: Line::of(&format!("⑂ {} {origin}", number + 1), Role::Warning)
                .with(&format!(" {words}"), Role::Plain),
            note: format!("{n_messages} · {}", short_id(&leaf)),
            children: self.below(0, &branch.entries, depth + 1),
        })
    }

    /// Returns the first prompt of a branch, or what the model said on it.
    fn branch_words(&self, branch: &Branch) -> String {
        let mut steps = crate::steps::stream(self.session, 0, &branch.entries).take(16);
        steps
            .find_map(|step| match step.what {
                What::Prompt(prompt) => Some(prompt.text),
                What::Reply(text) => Some(text),
                What::Call(call) => Some(call.name),
                _ => None,
            })
            .unwrap_or_default()
    }

    /// Returns the branches that no turn or branch has the fork of.
    fn other_roots(&self) -> Vec<Node> {
        let rootless = self.branches.iter().enumerate();
        rootless
            .filter(|(_, branch)| branch.fork.is_none())
            .filter_map(|(number, _)| self.branch(number, 0))
            .collect()
    }

    fn unlinked(&self) -> Option<Node> {
        let agents = self.session.agents().iter().enumerate();
        let unlinked = agents.filter(|(_, agent)| agent.call.is_none());
        let children: Vec<Node> = unlinked
            .filter_map(|(number, _)| self.agent(number, 0))
            .collect();
        let title = format!("{} without a call", counted(children.len(), "agent"));
        (!children.is_empty()).then(|| Node {
            line: Line::of(&title, Role::Muted),
            note: String::new(),
            children,
        })
    }
}

/// Draws nodes below each other; `rails` is what stands to their left.
fn render(nodes: &[Node], rails: &mut String, width: usize, lines: &mut Vec<Line>) {
    let n_last = nodes.len().saturating_sub(1);
    for (number, node) in nodes.iter().enumerate() {
        let (corner, rail) = if number == n_last {
            ("└─ ", "   ")
        } else {
            ("├─ ", "│  ")
        };
        let mut line = Line::of(&format!("{rails}{corner}"), Role::Muted);
        line.extend(node.line.spans().iter().cloned());
        let note = Line::of(&format!("  {}", node.note), Role::Muted);
        let mut line = truncate(&line, width.saturating_sub(note.width()));
        if !note.is_blank() {
            line.extend(note.spans().iter().cloned());
        }
        lines.push(truncate(&line, width));
        let kept = rails.len();
        rails.push_str(rail);
        render(&node.children, rails, width, lines);
        rails.truncate(kept);
    }
}
