//! From what a person typed to the file they mean.
//!
//! A session is named by a path, its id, the start of its id, its exact title, or
//! `latest`. [`resolve`] tries them in this order and never guesses: what fits more
//! than one session is [`ResolveError::Ambiguous`] with the candidates, and what fits
//! none comes back with the nearest names.

mod loose;
mod nearest;

use std::cmp::Reverse;
use std::fmt;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::discover::{AgentFile, Discovery, SessionFile};
use crate::finding::Finding;
use crate::head::{SessionHead, list_heads};
use crate::home::Home;
use crate::slug;

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A main session.
    Session(SessionFile),
    /// A sub-agent, which only a path can name.
    Agent(AgentFile),
}

/// Which sessions a name may stand for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Scope {
    /// All of them.
    #[default]
    All,
    /// Those in these project folders.
    Projects(Vec<PathBuf>),
}

/// A session that a name could mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Its id.
    pub session_id: String,
    /// The file.
    pub path: PathBuf,
    /// The name of its project folder.
    pub project: String,
    /// Its title, when titles were looked at.
    pub title: Option<String>,
}

/// Why a name does not lead to one session.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// No session has this name.
    #[error("find a session named {query:?}")]
    NotFound {
        /// What was asked for.
        query: String,
        /// Sessions with a similar id or title.
        nearest: Vec<Candidate>,
    },
    /// More than one session has this name.
    #[error("choose a session: {query:?} fits {}", candidates.len())]
    Ambiguous {
        /// What was asked for.
        query: String,
        /// The sessions it fits, the last modified first.
        candidates: Vec<Candidate>,
    },
    /// There is no session at all, so none is the latest.
    #[error("find a session: there is none")]
    NoSessions,
    /// The path names a file or folder, but no session.
    #[error("read a session at {0}")]
    NotASession(Finding),
}

impl Target {
    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            Target::Session(session) => &session.path,
            Target::Agent(agent) => &agent.path,
        }
    }

    /// The id of the session it is or belongs to, where its place says so.
    pub fn session_id(&self) -> Option<&str> {
        match self {
            Target::Session(session) => Some(&session.session_id),
            Target::Agent(agent) => agent.session_id.as_deref(),
        }
    }
}

impl Scope {
    /// The sessions that were started in a directory.
    pub fn of_directory(home: &Home, directory: &Path) -> Self {
        Scope::Projects(slug::find_project_dirs(home, directory))
    }

    /// Whether a session is in this scope.
    pub fn admits(&self, session: &SessionFile) -> bool {
        match self {
            Scope::All => true,
            Scope::Projects(dirs) => dirs.contains(&session.project.dir),
        }
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.session_id, self.project)?;
        match &self.title {
            Some(title) => write!(out, " {title:?}"),
            None => Ok(()),
        }
    }
}

/// Finds the session a person means.
pub fn resolve(found: &Discovery, query: &str, scope: &Scope) -> Result<Target, ResolveError> {
    if query == "latest" {
        let newest = latest(found, scope).ok_or(ResolveError::NoSessions)?;
        return Ok(Target::Session(newest.clone()));
    }
    if let Some(target) = loose::by_path(found, Path::new(query)) {
        return target.map_err(ResolveError::NotASession);
    }
    let mut sessions: Vec<_> = found
        .sessions
        .iter()
        .filter(|one| scope.admits(one))
        .collect();
    sessions.sort_by_key(|session| Reverse(session.modified));

    let exact = with_content(&sessions, |session| {
        session.session_id.eq_ignore_ascii_case(query)
    });
    if !exact.is_empty() {
        return one_of(query, &exact, &[]);
    }
    let started = with_content(&sessions, |session| starts_with(&session.session_id, query));
    if let [session] = started.as_slice() {
        return Ok(Target::Session((*session).clone()));
    }
    by_title(query, &sessions, &started)
}

/// The session that was written to last. Empty files are passed over.
pub fn latest<'a>(found: &'a Discovery, scope: &Scope) -> Option<&'a SessionFile> {
    found
        .sessions
        .iter()
        .filter(|session| session.size > 0 && scope.admits(session))
        .max_by(|one, other| {
            let by_time = one.modified.cmp(&other.modified);
            by_time.then_with(|| other.path.cmp(&one.path))
        })
}

/// The sessions that fit. An empty file counts only when nothing else does: clients
/// leave one behind when a session is resumed from the wrong directory.
fn with_content<'a>(
    sessions: &[&'a SessionFile],
    fits: impl Fn(&SessionFile) -> bool,
) -> Vec<&'a SessionFile> {
    let fitting: Vec<_> = sessions.iter().copied().filter(|one| fits(one)).collect();
    if fitting.iter().any(|session| session.size > 0) {
        return fitting.into_iter().filter(|one| one.size > 0).collect();
    }
    fitting
}

fn starts_with(id: &str, start: &str) -> bool {
    !start.is_empty()
        && id
            .get(..start.len())
            .is_some_and(|beginning| beginning.eq_ignore_ascii_case(start))
}

fn by_title(
    query: &str,
    sessions: &[&SessionFile],
    started: &[&SessionFile],
) -> Result<Target, ResolveError> {
    let owned: Vec<SessionFile> = sessions.iter().copied().cloned().collect();
    let heads = list_heads(&owned).items;
    let titled: FxHashSet<&Path> = heads
        .iter()
        .filter(|head| has_title(head, query))
        .map(|head| head.path.as_path())
        .collect();
    let titled = with_content(sessions, |session| titled.contains(session.path.as_path()));
    if !titled.is_empty() {
        return one_of(query, &titled, &heads);
    }
    if !started.is_empty() {
        return one_of(query, started, &heads);
    }
    Err(ResolveError::NotFound {
        query: query.to_owned(),
        nearest: nearest::nearest(query, &heads),
    })
}

fn has_title(head: &SessionHead, query: &str) -> bool {
    let query = query.trim();
    head.title == query
        || [&head.custom_title, &head.ai_title, &head.agent_name]
            .into_iter()
            .flatten()
            .any(|title| title.trim() == query)
}

fn one_of(
    query: &str,
    fitting: &[&SessionFile],
    heads: &[SessionHead],
) -> Result<Target, ResolveError> {
    if let [session] = fitting {
        return Ok(Target::Session((*session).clone()));
    }
    let title_of = |session: &SessionFile| {
        let mut heads = heads.iter();
        Some(heads.find(|head| head.path == session.path)?.title.clone())
    };
    let candidates = fitting
        .iter()
        .map(|session| Candidate {
            session_id: session.session_id.clone(),
            path: session.path.clone(),
            project: session.project.slug.clone(),
            title: title_of(session),
        })
        .collect();
    Err(ResolveError::Ambiguous {
        query: query.to_owned(),
        candidates,
    })
}

#[cfg(test)]
mod tests;
