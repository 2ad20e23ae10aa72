//! Collects findings, a bounded number of each code.

use rustc_hash::FxHashMap;

use crate::diagnostic::{Code, Diagnostic, Place};

/// How many findings of one code are kept.
pub const MAX_KEPT: u64 = 20;

/// Findings so far.
#[derive(Default)]
pub(super) struct Findings {
    kept: Vec<Diagnostic>,
    counts: FxHashMap<Code, u64>,
}

impl Findings {
    /// Adds a finding; the message is made only when it is kept.
    pub(super) fn add(&mut self, code: Code, place: Place, message: impl FnOnce() -> String) {
        let count = self.counts.entry(code).or_default();
        *count += 1;
        if *count <= MAX_KEPT {
            self.kept.push(Diagnostic::new(code, place, message()));
        }
    }

    /// Counts findings that nobody kept the place of.
    pub(super) fn add_unplaced(&mut self, code: Code, n_more: u64) {
        *self.counts.entry(code).or_default() += n_more;
    }

    /// Returns the findings in file order, and what was counted beyond them.
    pub(super) fn finish(mut self) -> (Vec<Diagnostic>, Vec<(Code, u64)>) {
        self.kept
            .sort_by_key(|finding| (finding.place.line, finding.place.span.start));
        let mut n_kept: FxHashMap<Code, u64> = FxHashMap::default();
        for finding in &self.kept {
            *n_kept.entry(finding.code).or_default() += 1;
        }
        let beyond = |code: Code, count: u64| count - n_kept.get(&code).copied().unwrap_or(0);
        let mut more: Vec<(Code, u64)> = self
            .counts
            .iter()
            .map(|(&code, &count)| (code, beyond(code, count)))
            .filter(|(_, n_more)| *n_more > 0)
            .collect();
        more.sort_unstable();
        (self.kept, more)
    }
}
