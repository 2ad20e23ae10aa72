//! What went wrong, for the person who asked.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use ravel_home::{Candidate, HomeError, ResolveError};
use ravel_render::sanitize::sanitize_line;

use crate::context::display_path;

/// Something that ends a command.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: Kind,
    message: String,
    hints: Vec<String>,
}

/// Whose fault it is, as the exit code says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The request or the machine.
    Request,
    /// Nobody's: the reader of our output went away.
    ClosedPipe,
}

impl Failure {
    /// A request that cannot be met.
    pub(crate) fn request(message: impl Into<String>) -> Self {
        Self {
            kind: Kind::Request,
            message: message.into(),
            hints: Vec::new(),
        }
    }

    /// An operation on a file that failed.
    pub(crate) fn io(what: impl Display, error: &io::Error) -> Self {
        Self::request(format!("could not {what}: {error}"))
    }

    /// Writing that failed; a reader that has gone away is fine.
    pub(crate) fn output(what: impl Display, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self {
                kind: Kind::ClosedPipe,
                message: String::new(),
                hints: Vec::new(),
            };
        }
        Self::io(what, error)
    }

    /// Adds what to do about it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Returns what went wrong, without the hints.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Tells whether the reader of our output went away, which is fine.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        self.kind == Kind::ClosedPipe
    }

    /// Says what went wrong on standard error.
    pub(crate) fn report(&self) -> ExitCode {
        let mut err = io::stderr().lock();
        let message = sanitize_line(&self.message);
        // There is nobody left to tell when standard error is closed too.
        let _ = writeln!(err, "error: {message}");
        for hint in &self.hints {
            let _ = writeln!(err, "hint: {}", sanitize_line(hint));
        }
        ExitCode::from(2)
    }
}

/// Says that Ravel itself is at fault.
pub(crate) fn report_panic() -> ExitCode {
    let mut err = io::stderr().lock();
    let _ = writeln!(err, "error: this is a bug in Ravel; no session was changed");
    let _ = writeln!(err, "hint: please report it with the lines above");
    ExitCode::from(3)
}

/// What is written goes to standard output or a pager.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::output("write the output", &error)
    }
}

impl From<HomeError> for Failure {
    fn from(error: HomeError) -> Self {
        Self::request(format!("could not {error}"))
            .hint("name the folder with --home DIR, or look around in a sample with --demo")
    }
}

impl From<ResolveError> for Failure {
    fn from(error: ResolveError) -> Self {
        let failure = Self::request(format!("could not {error}"));
        match error {
            ResolveError::NotFound { nearest, .. } if nearest.is_empty() => {
                failure.hint("`ravel ls` lists the sessions there are")
            }
            ResolveError::NotFound { nearest, .. } => {
                let failure = with_candidates(failure, "did you mean", &nearest);
                failure.hint("`ravel ls` lists the sessions there are")
            }
            ResolveError::Ambiguous { candidates, .. } => {
                // Copies of one session can only be told apart by their places.
                let ids = candidates.iter().map(|candidate| &candidate.session_id);
                let is_copied = candidates
                    .first()
                    .is_some_and(|first| ids.clone().all(|id| *id == first.session_id));
                match is_copied {
                    true => {
                        with_paths(failure, &candidates).hint("give the path of the one you mean")
                    }
                    false => with_candidates(failure, "it may be", &candidates)
                        .hint("give more of its id, or its path"),
                }
            }
            ResolveError::NoSessions => {
                failure.hint("try `ravel --demo ls` to look around in a sample home")
            }
            ResolveError::NotASession(_) => failure.hint("a session is a .jsonl file"),
            _ => failure,
        }
    }
}

fn with_paths(failure: Failure, candidates: &[Candidate]) -> Failure {
    let paths = candidates
        .iter()
        .map(|candidate| display_path(&candidate.path));
    paths.fold(failure, |failure, path| {
        failure.hint(format!("it may be {path}"))
    })
}

fn with_candidates(failure: Failure, words: &str, candidates: &[Candidate]) -> Failure {
    const MAX_SHOWN: usize = 5;
    let shown = candidates.iter().take(MAX_SHOWN);
    let failure = shown.fold(failure, |failure, candidate| {
        failure.hint(format!("{words} {candidate}"))
    });
    match candidates.len().checked_sub(MAX_SHOWN) {
        Some(rest @ 1..) => failure.hint(format!("… or one of {rest} more")),
        _ => failure,
    }
}
