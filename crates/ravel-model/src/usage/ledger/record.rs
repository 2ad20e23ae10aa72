//! The records of all requests.
//!
//! Most requests have one or two, so they stand in one list for all, and each names the one
//! before it of the same request.

/// Ids of records as hashes: they are only compared between lines of one name.
#[derive(Debug, Clone, Default)]
pub(super) struct Records {
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    hash: u64,
    before: List,
}

/// The records of one request: the place of the last one, counted from 1, or 0.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct List(u32);

/// How far to look for a record that is in a list already. Copies repeat all records of a request;
/// what is missed here costs a few bytes.
const FAR: usize = 8;

impl Records {
    /// Adds a record to a list.
    pub(super) fn add(&mut self, list: &mut List, hash: u64) {
        if self.of(*list).take(FAR).any(|known| known == hash) {
            return;
        }
        let before = *list;
        self.nodes.push(Node { hash, before });
        // Past the end of the numbers, a list stays as it is.
        *list = u32::try_from(self.nodes.len()).map_or(before, List);
    }

    /// Returns the records of a list.
    pub(super) fn of(&self, list: List) -> impl Iterator<Item = u64> + '_ {
        let node_at = |list: List| self.nodes.get((list.0 as usize).checked_sub(1)?);
        let all = std::iter::successors(node_at(list), move |node| node_at(node.before));
        all.map(|node| node.hash)
    }
}
