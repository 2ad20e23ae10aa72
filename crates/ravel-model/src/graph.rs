//! Who follows whom.
//!
//! A [`Graph`] links the entries of an outline by `uuid` and `parentUuid`. Files are written by
//! several hands: parents may come after their children, be missing, stand twice or lead in a
//! circle. All of that is linked as far as it goes and noted; none of it is an error.

use ravel_format::{Entry, Flags, Id, Outline};
use rustc_hash::FxHashSet;

use crate::groups::Groups;

#[cfg(test)]
mod tests;

/// The parent links of one file. Entries are named by their place in [`Outline::entries`].
#[derive(Debug)]
pub struct Graph<'o> {
    outline: &'o Outline,
    /// The entry that has an id, by the index of the id; the last one where it stands twice.
    holders: Vec<Option<u32>>,
    /// Linked entries in the order in which their ids first appear.
    nodes: Vec<usize>,
    parents: Vec<Option<u32>>,
    /// Whether any entry names this one as its parent, also one that was superseded.
    has_child: Vec<bool>,
    /// Children of every entry, in file order.
    children: Groups,
    duplicates: Vec<usize>,
    orphans: Vec<usize>,
    cycles: Vec<usize>,
    is_agent_file: bool,
}

impl<'o> Graph<'o> {
    /// Links the entries of an outline.
    pub fn build(outline: &'o Outline) -> Self {
        Self::build_from(outline, Entry::is_linked)
    }

    /// Links only what stands on whole lines: all that other readers see.
    pub(crate) fn build_whole(outline: &'o Outline) -> Self {
        Self::build_from(outline, |entry| entry.is_linked() && entry.fault.is_none())
    }

    fn build_from(outline: &'o Outline, admits: impl Fn(&Entry) -> bool) -> Self {
        let mut graph = Self {
            outline,
            holders: vec![None; outline.ids().len()],
            nodes: Vec::new(),
            parents: vec![None; outline.entries().len()],
            has_child: vec![false; outline.entries().len()],
            children: Groups::default(),
            duplicates: Vec::new(),
            orphans: Vec::new(),
            cycles: Vec::new(),
            is_agent_file: false,
        };
        graph.find_holders(admits);
        graph.link_parents();
        graph.find_cycles();
        let links = graph.parents.iter().enumerate();
        let links = links.filter(|(child, _)| graph.is_holder(*child));
        let links = links.filter_map(|(child, parent)| Some(((*parent)? as usize, child)));
        graph.children = Groups::build(graph.parents.len(), links);
        let mut messages = graph
            .nodes
            .iter()
            .filter_map(|&index| outline.entry(index))
            .filter(|entry| entry.kind.is_message());
        graph.is_agent_file =
            !graph.nodes.is_empty() && messages.all(|entry| entry.has(Flags::SIDECHAIN));
        graph
    }

    fn find_holders(&mut self, admits: impl Fn(&Entry) -> bool) {
        for (index, entry) in self.outline.entries().iter().enumerate() {
            let Some(uuid) = entry.uuid.filter(|_| admits(entry)) else {
                continue;
            };
            let Some(holder) = self.holders.get_mut(uuid.index()) else {
                continue;
            };
            match holder.replace(index as u32) {
                None => self.nodes.push(index),
                Some(earlier) => self.duplicates.push(earlier as usize),
            }
        }
        // The place of the first, the content of the last: as a map keeps them.
        if !self.duplicates.is_empty() {
            let (holders, entries) = (&self.holders, self.outline.entries());
            for node in &mut self.nodes {
                let uuid = entries.get(*node).and_then(|entry| entry.uuid);
                let holder = uuid.and_then(|uuid| holders.get(uuid.index()).copied().flatten());
                *node = holder.map_or(*node, |holder| holder as usize);
            }
        }
    }

    fn link_parents(&mut self) {
        for &index in self.nodes.iter().chain(&self.duplicates) {
            let Some(parent) = self.outline.entry(index).and_then(|entry| entry.parent) else {
                continue;
            };
            let holder = self.holders.get(parent.index()).copied().flatten();
            if let Some(slot) = self.parents.get_mut(index) {
                *slot = holder;
            }
            if let Some(has_child) =
                holder.and_then(|holder| self.has_child.get_mut(holder as usize))
            {
                *has_child = true;
            }
        }
        let is_orphan = |index: &usize| {
            let named = self.outline.entry(*index).and_then(|entry| entry.parent);
            named.is_some() && self.parent(*index).is_none()
        };
        self.orphans = self.nodes.iter().copied().filter(is_orphan).collect();
    }

    /// Notes, for each circle of parents, the entry in it that was written first.
    fn find_cycles(&mut self) {
        let mut seen_in = vec![0_u32; self.parents.len()];
        for (walk, &start) in self.nodes.iter().enumerate() {
            let walk = walk as u32 + 1;
            let mut current = Some(start);
            while let Some(index) = current {
                match seen_in.get_mut(index) {
                    Some(seen) if *seen == 0 => *seen = walk,
                    Some(seen) if *seen == walk => {
                        let first = circle(&self.parents, index).min();
                        self.cycles.extend(first);
                        break;
                    }
                    _ => break,
                }
                current = self
                    .parents
                    .get(index)
                    .copied()
                    .flatten()
                    .map(|parent| parent as usize);
            }
        }
    }

    /// Returns the outline that was linked.
    pub fn outline(&self) -> &'o Outline {
        self.outline
    }

    /// Returns an entry of the outline.
    pub fn entry(&self, index: usize) -> Option<&'o Entry> {
        self.outline.entry(index)
    }

    /// Returns the linked entries, one for each id, in the order in which the ids first appear.
    pub fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// Returns the entry that has an id.
    pub fn holder(&self, id: Id) -> Option<usize> {
        self.holders
            .get(id.index())
            .copied()
            .flatten()
            .map(|index| index as usize)
    }

    /// Tells whether an entry is the one that its id stands for.
    fn is_holder(&self, index: usize) -> bool {
        let uuid = self.entry(index).and_then(|entry| entry.uuid);
        uuid.and_then(|uuid| self.holder(uuid)) == Some(index)
    }

    /// Tells whether nothing follows an entry.
    pub fn is_end(&self, index: usize) -> bool {
        !self.has_child.get(index).copied().unwrap_or(false)
    }

    /// Returns the entry that has an id given as text.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.holder(self.outline.ids().find(id)?)
    }

    /// Returns the parent of an entry when it is in the file.
    pub fn parent(&self, index: usize) -> Option<usize> {
        self.parents
            .get(index)
            .copied()
            .flatten()
            .map(|parent| parent as usize)
    }

    /// Returns the entries that name this one as their parent, in file order.
    pub fn children(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        self.children.of(index)
    }

    /// Returns an entry and its ancestors, nearest first; a circle is walked once.
    pub fn ancestors(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        // Only a file with a circle pays for remembering where the walk has been.
        let mut seen = (!self.cycles.is_empty()).then(FxHashSet::default);
        std::iter::successors(Some(index), |&index| self.parent(index))
            .take_while(move |&index| seen.as_mut().is_none_or(|seen| seen.insert(index)))
    }

    /// Returns, for each entry, the nearest message at or above it.
    ///
    /// Each link is followed once, however many chains share it.
    pub(crate) fn messages_above(&self) -> Vec<Option<usize>> {
        let mut known: Vec<Option<Option<usize>>> = vec![None; self.parents.len()];
        let mut path = Vec::new();
        for &start in &self.nodes {
            let mut current = Some(start);
            let mut found = None;
            while let Some(index) = current {
                let Some(slot) = known.get_mut(index) else {
                    break;
                };
                if let Some(answer) = *slot {
                    found = answer;
                    break;
                }
                // What leads back to here in a circle finds nothing.
                *slot = Some(None);
                path.push(index);
                if self
                    .entry(index)
                    .is_some_and(|entry| entry.kind.is_message())
                {
                    found = Some(index);
                    break;
                }
                current = self.parent(index);
            }
            for index in path.drain(..) {
                if let Some(slot) = known.get_mut(index) {
                    *slot = Some(found);
                }
            }
        }
        known.into_iter().map(Option::flatten).collect()
    }

    /// Returns an entry and everything below it.
    pub fn descendants(&self, index: usize) -> Vec<usize> {
        let mut found = vec![index];
        let mut seen: FxHashSet<usize> = FxHashSet::from_iter([index]);
        let mut next = 0;
        while let Some(&parent) = found.get(next) {
            found.extend(self.children(parent).filter(|&child| seen.insert(child)));
            next += 1;
        }
        found
    }

    /// Tells whether a person sees the entry as a message of this file.
    ///
    /// In a file that a sub-agent wrote, its own messages are what there is to see.
    pub fn shows(&self, entry: &Entry) -> bool {
        let is_hidden = entry.has(Flags::META) || entry.has(Flags::TEAM);
        let is_elsewhere = entry.has(Flags::SIDECHAIN) && !self.is_agent_file;
        entry.kind.is_message() && !is_hidden && !is_elsewhere
    }

    /// Tells whether every message of the file is a sub-agent's.
    pub fn is_agent_file(&self) -> bool {
        self.is_agent_file
    }

    /// Returns linked entries that come before another one with the same id.
    pub fn duplicates(&self) -> &[usize] {
        &self.duplicates
    }

    /// Returns entries whose parent is not in the file.
    pub fn orphans(&self) -> &[usize] {
        &self.orphans
    }

    /// Returns one entry of each circle of parents.
    pub fn cycles(&self) -> &[usize] {
        &self.cycles
    }
}

/// Walks the circle that `start` is known to be on, once.
fn circle(parents: &[Option<u32>], start: usize) -> impl Iterator<Item = usize> + '_ {
    let mut current = Some(start);
    std::iter::from_fn(move || {
        let index = current?;
        let next = parents
            .get(index)
            .copied()
            .flatten()
            .map(|parent| parent as usize);
        current = next.filter(|&next| next != start);
        Some(index)
    })
}
