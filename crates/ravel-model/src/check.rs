//! Says what is wrong with a file, and counts what is in it.
//!
//! Nearly everything is answered by the outline and the graph. What is inside strings needs the
//! bytes themselves: a [`LineChecker`] sees each line once, while the file is being read for its
//! outline, so a home of gigabytes is read once. Findings are kept up to [`MAX_KEPT`] of a code
//! and counted beyond, so that a hostile file cannot fill the memory.

use ravel_format::{Fault, Kind, Outline, Source};

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::graph::Graph;
use crate::thread::Thread;

mod census;
mod damage;
mod field;
mod finding;
mod image;
mod line;
mod link;
mod paper;
mod session;
#[cfg(test)]
mod tests;
mod tool;

pub use census::{Counts, KindCount};
pub use finding::MAX_KEPT;
pub use line::{LineChecker, for_each_line};

pub(crate) use census::across_compactions;
pub(crate) use link::is_broken_reply;
pub(crate) use paper::{Dialect, dialect};
pub(crate) use session::main_session;

use finding::Findings;

/// What a check found.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Findings in file order, at most [`MAX_KEPT`] of each code.
    pub diagnostics: Vec<Diagnostic>,
    /// How many findings of a code there are beyond those kept, for codes with more.
    pub more: Vec<(Code, u64)>,
    /// What is in the file.
    pub counts: Counts,
}

impl Report {
    /// Returns the number of findings of one severity, kept or not.
    pub fn n_findings(&self, severity: Severity) -> u64 {
        let kept = self
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == severity)
            .count() as u64;
        let more = self
            .more
            .iter()
            .filter(|(code, _)| code.severity() == severity);
        kept + more.map(|(_, n_more)| n_more).sum::<u64>()
    }

    /// Tells whether the official client or SDK would lose something or refuse the file.
    pub fn has_errors(&self) -> bool {
        self.n_findings(Severity::Error) > 0
    }
}

/// Checks a file whose lines were not checked while it was read.
pub fn check(graph: &Graph<'_>, source: &dyn Source) -> Report {
    let mut lines = LineChecker::default();
    for_each_line(source, graph.outline().n_bytes(), |line| lines.line(line));
    check_with(graph, source, lines)
}

/// Checks a file whose lines went through `lines` while it was read.
pub fn check_with(graph: &Graph<'_>, source: &dyn Source, lines: LineChecker) -> Report {
    let mut findings = Findings::default();
    let subject = Subject {
        graph,
        source,
        thread: Thread::main(graph),
        dialect: dialect(graph.outline(), source),
        is_stream: is_stream(graph.outline()),
    };
    damage::check(&subject, &mut findings);
    lines.report(graph.outline(), &mut findings);
    field::check(&subject, &mut findings);
    link::check(&subject, &mut findings);
    tool::check(&subject, &mut findings);
    session::check(&subject, &mut findings);
    paper::check(&subject, &mut findings);
    let counts = census::count(&subject, &mut findings);
    let (diagnostics, more) = findings.finish();
    Report {
        diagnostics,
        more,
        counts,
    }
}

/// What the rules look at.
struct Subject<'a> {
    graph: &'a Graph<'a>,
    source: &'a dyn Source,
    thread: Thread,
    dialect: Dialect,
    is_stream: bool,
}

impl Subject<'_> {
    fn outline(&self) -> &Outline {
        self.graph.outline()
    }

    /// Tells whether a root lost its link to messages before it, in a file that links at all.
    fn is_cut_off(&self, root: usize) -> bool {
        self.has_links() && link::is_cut_off(self.graph, root)
    }

    /// Tells whether missing links are damage: on paper roots are free, and standard output has
    /// no links.
    fn has_links(&self) -> bool {
        self.dialect == Dialect::Client && !self.is_stream
    }

    /// Tells whether the file has records of sessions at all, not only titles or nothing.
    fn has_messages(&self) -> bool {
        self.outline()
            .entries()
            .iter()
            .any(|entry| entry.kind.is_message())
    }
}

/// Tells whether the lines are those of standard output, which has other rules.
pub(crate) fn is_stream(outline: &Outline) -> bool {
    let is_frame = |kind| {
        matches!(
            kind,
            Kind::Result
                | Kind::StreamEvent
                | Kind::ControlRequest
                | Kind::ControlResponse
                | Kind::RateLimitEvent
        )
    };
    let entries = outline.entries();
    entries.iter().any(|entry| is_frame(entry.kind))
}

/// Tells whether the bytes of an entry hold a record.
fn is_readable(fault: Option<Fault>) -> bool {
    matches!(fault, None | Some(Fault::Nul | Fault::Glued))
}
