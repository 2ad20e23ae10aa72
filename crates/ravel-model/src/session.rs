//! All files of one session together.
//!
//! A session is a main file and the files of its sub-agents. A [`Transcript`] is one of them with
//! the means to read its texts; a [`Session`] links them and knows which agent ran for which call.

use ravel_format::{Entry, Outline, Record};

use rustc_hash::FxHashMap;

use crate::agent::{Agent, AgentMeta};
use crate::exchange::Exchanges;
use crate::graph::Graph;
use crate::history::{Segment, history};
use crate::thread::main_leaf;
use ravel_format::{Source, with_record};

/// One file of a session.
pub struct Transcript {
    /// Its records.
    pub outline: Outline,
    /// Its texts.
    pub source: Box<dyn Source + Send>,
    /// Whose file it is; `None` for the main file.
    pub agent: Option<AgentMeta>,
}

impl Transcript {
    /// Takes the bytes of a main file.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self {
            outline: Outline::from_bytes(&bytes),
            source: Box::new(bytes),
            agent: None,
        }
    }
}

/// One file of a session, linked.
pub struct Part<'t> {
    /// The file.
    pub transcript: &'t Transcript,
    /// Its links.
    pub graph: Graph<'t>,
    /// Its tool calls.
    pub exchanges: Exchanges,
}

impl<'t> Part<'t> {
    fn build(transcript: &'t Transcript) -> Self {
        let graph = Graph::build(&transcript.outline);
        let exchanges = Exchanges::build(&graph);
        Self {
            transcript,
            graph,
            exchanges,
        }
    }

    /// Reads the record of an entry and hands it to `view`.
    pub fn read<T>(&self, entry: &Entry, view: impl FnOnce(&Record<'_>) -> T) -> T {
        with_record(&*self.transcript.source, entry, view)
    }

    /// Reads the record at a place of the outline and hands it to `view`.
    pub fn read_at<T>(&self, index: usize, view: impl FnOnce(&Record<'_>) -> T) -> Option<T> {
        self.graph.entry(index).map(|entry| self.read(entry, view))
    }
}

/// A session: the main file first, then its agents.
pub struct Session<'t> {
    parts: Vec<Part<'t>>,
    agents: Vec<Agent>,
    /// The agents that ran for the calls of an entry, by file and entry.
    by_call: FxHashMap<(usize, usize), Vec<usize>>,
}

impl<'t> Session<'t> {
    /// Links the files of a session; the first is the main one.
    pub fn build(transcripts: &'t [Transcript]) -> Self {
        let parts: Vec<Part<'t>> = transcripts.iter().map(Part::build).collect();
        let agents = crate::agent::find_agents(&parts);
        let mut by_call: FxHashMap<(usize, usize), Vec<usize>> = FxHashMap::default();
        for (number, agent) in agents.iter().enumerate() {
            if let Some(call) = agent.call {
                by_call
                    .entry((call.part, call.entry))
                    .or_default()
                    .push(number);
            }
        }
        Self {
            parts,
            agents,
            by_call,
        }
    }

    /// Returns the main file.
    pub fn main(&self) -> Option<&Part<'t>> {
        self.parts.first()
    }

    /// Returns a file by number; 0 is the main one.
    pub fn part(&self, number: usize) -> Option<&Part<'t>> {
        self.parts.get(number)
    }

    /// Returns all files.
    pub fn parts(&self) -> &[Part<'t>] {
        &self.parts
    }

    /// Returns all sub-agents, also those that no call was found for.
    pub fn agents(&self) -> &[Agent] {
        &self.agents
    }

    /// Returns the agents that ran for a tool call, by number.
    pub fn agents_of(&self, part: usize, call: usize) -> impl Iterator<Item = (usize, &Agent)> {
        let numbers = self
            .by_call
            .get(&(part, call))
            .map(Vec::as_slice)
            .unwrap_or_default();
        numbers
            .iter()
            .filter_map(|&number| Some((number, self.agents.get(number)?)))
    }

    /// Returns the conversation of the main file across its compactions, oldest part first.
    pub fn history(&self) -> Vec<Segment> {
        let Some(main) = self.main() else {
            return Vec::new();
        };
        main_leaf(&main.graph)
            .map(|choice| history(&main.graph, choice.leaf))
            .unwrap_or_default()
    }
}
