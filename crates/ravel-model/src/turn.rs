//! A conversation in turns: what was asked, and all that came of it.

use ravel_format::{Entry, Facet, Voice};

use crate::graph::Graph;
use crate::history::Segment;
use crate::thread::is_prompt;

#[cfg(test)]
mod tests;

/// A prompt and what followed, up to the next prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The prompt; `None` for what comes before the first one.
    pub prompt: Option<usize>,
    /// Everything in the turn in reading order, the prompt first.
    pub entries: Vec<usize>,
    /// Which segment of the history the turn is in.
    pub segment: usize,
}

/// Cuts segments into turns.
pub fn turns(graph: &Graph<'_>, segments: &[Segment]) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    for (segment, part) in segments.iter().enumerate() {
        for &index in &part.thread.entries {
            let Some(entry) = graph.entry(index) else {
                continue;
            };
            let starts = opens_turn(graph, entry);
            let continues = turns
                .last()
                .is_some_and(|turn| turn.segment == segment && !starts);
            if !continues {
                let prompt = starts.then_some(index);
                turns.push(Turn {
                    prompt,
                    entries: Vec::new(),
                    segment,
                });
            }
            if let Some(turn) = turns.last_mut() {
                turn.entries.push(index);
            }
        }
    }
    turns
}

/// Tells whether something new is asked of the model here.
///
/// What a command printed, an interruption, and the client's notes belong to the turn before.
fn opens_turn(graph: &Graph<'_>, entry: &Entry) -> bool {
    let asks = matches!(
        entry.voice,
        Voice::Words | Voice::Command | Voice::ShellInput | Voice::TaskNotification
    );
    is_prompt(entry) && graph.shows(entry) && asks && entry.facet == Facet::Plain
}
