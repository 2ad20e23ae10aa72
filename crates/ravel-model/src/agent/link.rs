//! From agents to the calls they ran for.

use ravel_format::{ContentBlock, Facet, Flags, Id, JsonText, Record, ToolRole};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::session::Part;
use crate::title::prompt_text;

use super::{Agent, AgentCall, Link};

/// Links agents to calls, by every way there is, surest first.
pub(super) fn link(parts: &[Part<'_>], agents: &mut [Agent]) {
    let named = named_calls(parts);
    for agent in agents.iter_mut() {
        let by_result = named
            .by_result
            .get(&agent.id)
            .map(|&call| (call, Link::Result));
        let by_sidecar = || sidecar_call(parts, agent).map(|call| (call, Link::Sidecar));
        let by_progress = || {
            named
                .by_progress
                .get(&agent.id)
                .map(|&call| (call, Link::Progress))
        };
        let found = by_result.or_else(by_sidecar).or_else(by_progress);
        if let Some((call, link)) =
            found.filter(|(call, _)| call.part != agent.part || agent.part == 0)
        {
            (agent.call, agent.link) = (Some(call), link);
        }
    }
    link_by_prompt(parts, agents);
    link_by_parent(parts, agents);
    describe(parts, agents);
    set_callers(agents);
}

#[derive(Default)]
struct NamedCalls {
    by_result: FxHashMap<String, AgentCall>,
    by_progress: FxHashMap<String, AgentCall>,
}

/// Collects the agents that results and progress lines name, in all files.
fn named_calls(parts: &[Part<'_>]) -> NamedCalls {
    let mut named = NamedCalls::default();
    for (number, part) in parts.iter().enumerate() {
        let outline = part.graph.outline();
        for entry in outline.entries() {
            let Some(agent) = outline.tools(entry, ToolRole::Launch).next() else {
                continue;
            };
            let role = if entry.facet == Facet::AgentProgress {
                ToolRole::Progress
            } else {
                ToolRole::Result
            };
            let call = outline
                .tools(entry, role)
                .find_map(|id| call_in(parts, number, id));
            let Some(call) = call else { continue };
            let side = match role {
                ToolRole::Progress => &mut named.by_progress,
                _ => &mut named.by_result,
            };
            side.entry(outline.ids().text(agent)).or_insert(call);
        }
    }
    named
}

fn call_in(parts: &[Part<'_>], number: usize, id: Id) -> Option<AgentCall> {
    let entry = parts.get(number)?.exchanges.calls(id).next_back()?;
    Some(AgentCall {
        part: number,
        entry,
        tool_use: Some(id),
    })
}

/// Finds the call that an agent's sidecar names, in any file.
fn sidecar_call(parts: &[Part<'_>], agent: &Agent) -> Option<AgentCall> {
    let meta = parts.get(agent.part)?.transcript.agent.as_ref()?;
    let name = meta.tool_use_id.as_deref()?;
    parts
        .iter()
        .enumerate()
        .filter(|(number, _)| *number != agent.part)
        .find_map(|(number, part)| call_in(parts, number, part.graph.outline().ids().find(name)?))
}

/// Links by the prompt: what the call asks is what the agent is told first.
fn link_by_prompt(parts: &[Part<'_>], agents: &mut [Agent]) {
    if agents.iter().all(|agent| agent.call.is_some()) {
        return;
    }
    let mut free = free_calls(parts, agents);
    for agent in agents.iter_mut().filter(|agent| agent.call.is_none()) {
        let Some(part) = parts.get(agent.part) else {
            continue;
        };
        let first = agent
            .entries
            .first()
            .and_then(|&first| part.read_at(first, prompt_text))
            .flatten();
        let Some(calls) = first.and_then(|text| free.get_mut(text.trim())) else {
            continue;
        };
        // Two agents may be told the same; each call is answered by one, in order.
        let place = calls
            .iter()
            .position(|call| call.part != agent.part || agent.part == 0);
        if let Some(place) = place {
            (agent.call, agent.link) = (Some(calls.remove(place)), Link::Prompt);
        }
    }
}

/// Returns the agent calls that no agent is linked to yet, by their prompts.
fn free_calls(parts: &[Part<'_>], agents: &[Agent]) -> FxHashMap<String, Vec<AgentCall>> {
    let key = |call: AgentCall| (call.part, call.entry, call.tool_use);
    let taken: FxHashSet<_> = agents
        .iter()
        .filter_map(|agent| agent.call.map(key))
        .collect();
    let mut free: FxHashMap<String, Vec<AgentCall>> = FxHashMap::default();
    for (number, part) in parts.iter().enumerate() {
        for (index, entry) in part.graph.outline().entries().iter().enumerate() {
            if !entry.has(Flags::AGENT_CALL) {
                continue;
            }
            for (id, prompt) in part.read(entry, agent_prompts) {
                let tool_use = part.graph.outline().ids().find(&id);
                let call = AgentCall {
                    part: number,
                    entry: index,
                    tool_use,
                };
                if !taken.contains(&key(call)) {
                    free.entry(prompt.trim().to_owned()).or_default().push(call);
                }
            }
        }
    }
    free
}

fn agent_prompts(record: &Record<'_>) -> Vec<(String, String)> {
    let blocks = record.blocks();
    blocks
        .filter_map(|block| match block {
            ContentBlock::ToolUse(call) => {
                let prompt = call.input?.get("prompt")?.str()?;
                Some((call.id?.decode().into_owned(), prompt.into_owned()))
            }
            _ => None,
        })
        .collect()
}

/// Links what is left by the parent of its first line, as seed 001 has it.
fn link_by_parent(parts: &[Part<'_>], agents: &mut [Agent]) {
    for agent in agents.iter_mut().filter(|agent| agent.call.is_none()) {
        let Some(part) = parts.get(agent.part) else {
            continue;
        };
        let parent = agent
            .entries
            .first()
            .and_then(|&first| part.graph.parent(first));
        if let Some(entry) = parent {
            agent.call = Some(AgentCall {
                part: agent.part,
                entry,
                tool_use: None,
            });
            agent.link = Link::Parent;
        }
    }
}

/// Fills in kind and description from the call where no sidecar had them.
fn describe(parts: &[Part<'_>], agents: &mut [Agent]) {
    for agent in agents
        .iter_mut()
        .filter(|agent| agent.kind.is_none() || agent.description.is_none())
    {
        let Some(AgentCall {
            part,
            entry,
            tool_use: Some(id),
        }) = agent.call
        else {
            continue;
        };
        let Some(part) = parts.get(part) else {
            continue;
        };
        let id = part.graph.outline().ids().text(id);
        let (kind, description) = part
            .read_at(entry, |record| call_words(record, &id))
            .unwrap_or_default();
        agent.kind = agent.kind.take().or(kind);
        agent.description = agent.description.take().or(description);
    }
}

fn call_words(record: &Record<'_>, id: &str) -> (Option<String>, Option<String>) {
    let blocks = record.blocks();
    let input = blocks
        .filter_map(|block| match block {
            ContentBlock::ToolUse(call) if call.id.is_some_and(|own: JsonText<'_>| own.is(id)) => {
                call.input
            }
            _ => None,
        })
        .next();
    let word = |key: &str| input?.get(key)?.str().map(std::borrow::Cow::into_owned);
    (word("subagent_type"), word("description"))
}

/// Finds the agent that made each call and counts those above; a circle of damaged links ends it.
fn set_callers(agents: &mut [Agent]) {
    // An agent's file is its own; in the main file only its lines are.
    let mut by_file: FxHashMap<usize, usize> = FxHashMap::default();
    let mut by_line: FxHashMap<usize, usize> = FxHashMap::default();
    for (number, agent) in agents.iter().enumerate() {
        if agent.part == 0 {
            by_line.extend(agent.entries.iter().map(|&entry| (entry, number)));
        } else {
            by_file.insert(agent.part, number);
        }
    }
    for (number, agent) in agents.iter_mut().enumerate() {
        let made_by = |call: AgentCall| match call.part {
            0 => by_line.get(&call.entry),
            part => by_file.get(&part),
        };
        agent.caller = agent
            .call
            .and_then(made_by)
            .copied()
            .filter(|&caller| caller != number);
    }
    let callers: Vec<Option<usize>> = agents.iter().map(|agent| agent.caller).collect();
    for agent in agents.iter_mut() {
        let chain =
            std::iter::successors(agent.caller, |&other| callers.get(other).copied().flatten());
        agent.depth = chain.take(MAX_DEPTH).count();
    }
}

/// Clients nest agents a few levels deep; what claims to be deeper is a circle or a joke.
const MAX_DEPTH: usize = 1_000;
