//! From the name of a session to its files.

use std::io;
use std::path::Path;

use ravel_home::{
    AgentFile, Candidate, Discovery, ResolveError, Scope, SessionBytes, SessionFile, Target,
    agents_of, latest, load_agent_meta, resolve,
};
use ravel_model::{AgentMeta, Transcript};
use rayon::prelude::*;

use crate::answer::Refusal;
use crate::recall::Recall;

/// Finds a session by its id, the start of it, its title, or `latest`.
///
/// A path is no name here: an agent gets to the sessions of this home and to nothing else.
pub(crate) fn find(recall: &Recall, found: &Discovery, name: &str) -> Result<SessionFile, Refusal> {
    let name = name.trim();
    if name.is_empty() || name.contains(['/', '\\']) {
        return Err(
            Refusal::new("a session is named by its id, its title, or `latest`")
                .hint("list_sessions and search_sessions give the ids"),
        );
    }
    let name = name.strip_suffix(".jsonl").unwrap_or(name);
    if let Some(session) = found.session(name) {
        return Ok(session.clone());
    }
    match resolve(found, name, &Scope::All) {
        Ok(Target::Session(session)) if found.sessions.contains(&session) => Ok(session),
        Ok(_) => Err(not_found(recall, found, name, &[])),
        Err(ResolveError::NotFound { nearest, .. }) => {
            Err(not_found(recall, found, name, &nearest))
        }
        Err(ResolveError::Ambiguous { candidates, .. }) => {
            let message = format!("{:?} fits {} sessions", recall.line(name), candidates.len());
            Err(with_candidates(recall, Refusal::new(message), &candidates))
        }
        Err(_) => Err(Refusal::new("there are no sessions in this home")),
    }
}

fn not_found(recall: &Recall, found: &Discovery, name: &str, nearest: &[Candidate]) -> Refusal {
    let refusal = Refusal::new(format!("no session is called {:?}", recall.line(name)));
    let refusal = with_candidates(recall, refusal, nearest);
    let newest = latest(found, &Scope::All).filter(|_| nearest.is_empty());
    let refusal = match newest {
        Some(newest) => refusal.hint(format!(
            "the latest session is {}",
            recall.line(&newest.session_id)
        )),
        None => refusal,
    };
    refusal.hint("list_sessions lists the sessions there are")
}

fn with_candidates(recall: &Recall, refusal: Refusal, candidates: &[Candidate]) -> Refusal {
    const MAX_SHOWN: usize = 5;
    let shown = candidates.iter().take(MAX_SHOWN);
    shown.fold(refusal, |refusal, candidate| {
        let title = recall.line(candidate.title.as_deref().unwrap_or_default());
        let id = recall.line(&candidate.session_id);
        refusal.hint(format!("it may be {id} {title:?}"))
    })
}

/// Opens the files of a session, the main one first.
pub(crate) fn open(recall: &Recall, session: &SessionFile) -> Result<Vec<Transcript>, Refusal> {
    let could_not = |error: io::Error| {
        let (id, error) = (
            recall.line(&session.session_id),
            recall.line(&error.to_string()),
        );
        Refusal::new(format!("could not read session {id}: {error}"))
    };
    let main = load(&session.path, None).map_err(could_not)?;
    // An agent that cannot be read is left out: the session itself can be.
    let agents: Vec<Transcript> = agents_of(session)
        .items
        .par_iter()
        .filter_map(|file| load(&file.path, Some(agent_meta(file))).ok())
        .collect();
    Ok(std::iter::once(main).chain(agents).collect())
}

fn load(path: &Path, agent: Option<AgentMeta>) -> io::Result<Transcript> {
    let source = SessionBytes::open(path)?;
    Ok(Transcript {
        outline: source.outline()?,
        source: Box::new(source),
        agent,
    })
}

fn agent_meta(file: &AgentFile) -> AgentMeta {
    let meta = file.meta.as_deref().map(load_agent_meta);
    let meta = meta.and_then(Result::ok).flatten().unwrap_or_default();
    AgentMeta {
        id: file.agent_id.clone(),
        kind: meta.agent_type,
        description: meta.description,
        tool_use_id: meta.tool_use_id,
        parent_agent_id: meta.parent_agent_id,
    }
}
