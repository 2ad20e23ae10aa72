//! Turns, rendered side by side and written in order.

use std::io;

use maud::PreEscaped;
use ravel_model::Turn;
use rayon::prelude::*;

use super::flow::{self, At};
use super::paper::Paper;
use crate::html::PageWriter;

/// Bytes of the file that are rendered before anything is written: enough to keep cores busy.
const BATCH_BYTES: u64 = 4 << 20;

/// Turns in a batch, since small ones cost more than their bytes.
const BATCH_TURNS: usize = 256;

/// Writes all turns; those before the segment `current` are marked as earlier.
pub(super) fn write<W: io::Write>(
    paper: &Paper<'_, '_>,
    turns: &[Turn],
    current: usize,
    page: &mut PageWriter<W>,
) -> io::Result<()> {
    let mut rest = turns;
    while !rest.is_empty() {
        let (batch, later) = rest.split_at(batch_length(paper, rest));
        let sections: Vec<String> = batch
            .par_iter()
            .map(|turn| section(paper, turn, turn.segment < current))
            .collect();
        for section in sections {
            page.section(&PreEscaped(section))?;
        }
        rest = later;
    }
    Ok(())
}

/// Returns how many turns to render at once, one at least.
fn batch_length(paper: &Paper<'_, '_>, turns: &[Turn]) -> usize {
    let mut n_bytes = 0;
    let fits = |turn: &&Turn| {
        let is_first = n_bytes == 0;
        n_bytes += size(paper, turn).max(1);
        is_first || n_bytes <= BATCH_BYTES
    };
    turns.iter().take(BATCH_TURNS).take_while(fits).count()
}

/// Returns how many bytes of the main file a turn is.
fn size(paper: &Paper<'_, '_>, turn: &Turn) -> u64 {
    let entry = |&index: &usize| paper.session.main()?.graph.entry(index);
    let entries = turn.entries.iter().filter_map(entry);
    entries.map(|entry| entry.span.len).sum()
}

fn section(paper: &Paper<'_, '_>, turn: &Turn, is_earlier: bool) -> String {
    let mut out = String::from(if is_earlier {
        "<section class=\"turn earlier\">"
    } else {
        "<section class=\"turn\">"
    });
    let at = At { part: 0, depth: 0 };
    out.push_str(&flow::entries(paper, at, &turn.entries));
    out.push_str("</section>");
    out
}
