//! What a person may have meant by a name that fits nothing.

use super::Candidate;
use crate::head::SessionHead;

/// More suggestions than this are a listing.
const MOST_SUGGESTIONS: usize = 5;

/// The sessions whose id or title is most like the query, the most alike first.
pub(super) fn nearest(query: &str, heads: &[SessionHead]) -> Vec<Candidate> {
    let wanted = query.trim().to_lowercase();
    let mut ranked: Vec<_> = heads
        .iter()
        .filter_map(|head| Some((distance(&wanted, head)?, head)))
        .collect();
    // The sort is stable, so of equals the last modified stays first.
    ranked.sort_by_key(|(distance, _)| *distance);
    ranked.truncate(MOST_SUGGESTIONS);
    ranked
        .into_iter()
        .map(|(_, head)| Candidate {
            session_id: head.session_id.clone(),
            path: head.path.clone(),
            project: head.project.slug.clone(),
            title: Some(head.title.clone()),
        })
        .collect()
}

/// How unlike a session is; `None` when it is not worth a mention.
fn distance(wanted: &str, head: &SessionHead) -> Option<usize> {
    let n_wanted = wanted.chars().count();
    if n_wanted == 0 {
        return None;
    }
    let title = head.title.to_lowercase();
    if n_wanted >= 3 && title.contains(wanted) {
        return Some(0);
    }
    let id_start: String = head
        .session_id
        .to_lowercase()
        .chars()
        .take(n_wanted)
        .collect();
    let title_start: String = title.chars().take(n_wanted + n_wanted / 2).collect();
    let best = edits(wanted, &id_start).min(edits(wanted, &title_start));
    (best <= n_wanted / 3).then_some(best)
}

/// How many characters have to be added, removed or replaced. Queries are short, and
/// the other side is cut to about their length, so this stays small.
fn edits(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().take(128).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, left) in one.chars().take(128).enumerate() {
        let mut diagonal = at;
        let mut before = at + 1;
        for (right, cell) in other.iter().zip(row.iter_mut().skip(1)) {
            let replaced = diagonal + usize::from(left != *right);
            diagonal = *cell;
            *cell = replaced.min(before + 1).min(*cell + 1);
            before = *cell;
        }
        if let Some(first) = row.first_mut() {
            *first = at + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}
