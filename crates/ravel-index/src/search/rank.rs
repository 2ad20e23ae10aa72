//! Which hits come first.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::Found;
use crate::library::Library;

/// A message, wherever it stands.
#[derive(Debug)]
pub(super) struct Ranked {
    /// The one to show.
    pub(super) found: Found,
    /// The files of its copies, by their places in the library.
    pub(super) copies: Vec<usize>,
}

/// Puts copies together and the best first: by score, then the newest, then by place, so that
/// the order never depends on who was found first.
pub(super) fn rank(library: &Library, found: Vec<Found>) -> Vec<Ranked> {
    let mut by_key: FxHashMap<_, Ranked> = FxHashMap::default();
    for found in found {
        match by_key.entry(found.key) {
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(Ranked {
                    found,
                    copies: Vec::new(),
                });
            }
            std::collections::hash_map::Entry::Occupied(mut place) => {
                place.get_mut().absorb(library, found);
            }
        }
    }
    let mut ranked: Vec<Ranked> = by_key.into_values().collect();
    for one in &mut ranked {
        one.copies.sort_unstable();
        one.copies.dedup();
        let own = one.found.file;
        one.copies.retain(|&file| file != own);
    }
    // Files are sorted by name, so their places are as good as their names.
    ranked.sort_unstable_by_key(|one| {
        let found = &one.found;
        (
            Reverse(found.score),
            Reverse(found.time),
            found.file,
            found.span,
        )
    });
    ranked
}

impl Ranked {
    fn absorb(&mut self, library: &Library, mut other: Found) {
        let originality = |found: &Found| {
            let file = library.files().get(found.file);
            let is_archived = file.is_some_and(|file| file.is_archived);
            (
                Reverse(found.score),
                found.is_fork,
                is_archived,
                found.time,
                found.file,
                found.span,
            )
        };
        if originality(&other) < originality(&self.found) {
            std::mem::swap(&mut other, &mut self.found);
        }
        self.copies.push(other.file);
    }
}
