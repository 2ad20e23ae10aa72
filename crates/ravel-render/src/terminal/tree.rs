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
use super::excerpt::first_words;
use crate::amount::{count, counted};
use crate::style::{Line, Role, Span, Style};
use crate::wrap::truncate;

/// Agents inside agents are followed this far: each level takes a piece of the stack.
const DEEPEST: usize = 64;

/// Characters of an id that are enough to find it again.
const SHORT_ID: usize = 8;

/// One line of the outline and what is below it.
struct Node {
    line: Line,
    children: Vec<Node>,
}

impl Node {
    fn new(line: Line) -> Self {
        Self {
            line,
            children: Vec::new(),
        }
    }
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
        let mut nodes = Vec::new();
        let children = self.below(0, &turn.entries, 0);
        let words = prompt_words(self.session, 0, &turn.entries);
        let compaction = self.compaction(turn);
        let is_compaction = compaction.is_some();
        nodes.extend(compaction.map(|compaction| Node::new(compaction_line(&compaction))));
        let line = match words.filter(|_| turn.prompt.is_some()) {
            Some(words) => Line::of(&format!("{number} "), Role::Muted)
                .with(&first_words(&words, self.width), Style::of(Role::Prompt)),
            None if is_compaction && children.is_empty() => return nodes,
            None if is_compaction => Line::of("after the compaction", Role::Muted),
            None if children.is_empty() && !self.says_something(turn) => return nodes,
            None => Line::of("before the first prompt", Role::Muted),
        };
        let n_messages = self.n_shown(&turn.entries);
        let line = line.with(
            &format!("  {}", counted(n_messages, "message")),
            Role::Muted,
        );
        nodes.push(Node { line, children });
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
        let children = self.below(agent.part, &agent.entries, depth + 1);
        let line = self.agent_line(agent);
        Some(Node { line, children })
    }

    fn agent_line(&self, agent: &Agent) -> Line {
        let words = agent.description.clone().filter(|words| !words.is_empty());
        let words = words.or_else(|| prompt_words(self.session, agent.part, &agent.entries));
        let words = first_words(&words.unwrap_or_default(), 60);
        let kind = agent.kind.as_deref().unwrap_or("agent");
        let n_messages = counted(n_messages(self.session, agent), "message");
        Line::of("◇ ", Role::Accent)
            .with(kind, Style::of(Role::Accent))
            .with(&format!(" {words}"), Role::Plain)
            .with(&format!("  {n_messages} · {}", agent.id), Role::Muted)
    }

    fn branch(&self, number: usize, depth: usize) -> Option<Node> {
        let branch = self.branches.get(number)?;
        let children = self.below(0, &branch.entries, depth + 1);
        let line = self.branch_line(branch);
        Some(Node { line, children })
    }

    fn branch_line(&self, branch: &Branch) -> Line {
        let origin = match branch.origin {
            Origin::Rewind => "rewind",
            Origin::Retry => "retry",
            Origin::OtherRoot => "other root",
        };
        let words = first_words(&self.branch_words(branch), 60);
        let n_messages = counted(self.n_shown(&branch.entries), "message");
        let id = self.session.main().and_then(|main| {
            let entry = main.graph.entry(branch.leaf)?;
            Some(main.graph.outline().text(entry.uuid))
        });
        let id: String = id.unwrap_or_default().chars().take(SHORT_ID).collect();
        Line::of("⑂ ", Role::Warning)
            .with(origin, Role::Warning)
            .with(&format!(" {words}"), Role::Plain)
            .with(&format!("  {n_messages} · {id}"), Role::Muted)
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
        let line = Line::of(&title, Role::Muted);
        (!children.is_empty()).then_some(Node { line, children })
    }
}

fn compaction_line(compaction: &Compaction) -> Line {
    let mut words = "── Compacted".to_owned();
    if let Some(trigger) = &compaction.trigger {
        words.push_str(&format!(" ({trigger})"));
    }
    match (compaction.pre_tokens, compaction.post_tokens) {
        (Some(pre), Some(post)) => {
            words.push_str(&format!(" · {} → {} tokens", count(pre), count(post)));
        }
        (Some(pre), None) => words.push_str(&format!(" · {} tokens", count(pre))),
        _ => {}
    }
    Line::of(&words, Role::Accent)
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
        line.extend(node.line.spans().iter().cloned().map(|span: Span| span));
        lines.push(truncate(&line, width));
        let kept = rails.len();
        rails.push_str(rail);
        render(&node.children, rails, width, lines);
        rails.truncate(kept);
    }
}
