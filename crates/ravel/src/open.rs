//! From what a person typed to the files of a session.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ravel_format::Span;
use ravel_home::{
    AgentFile, Depth, Discovery, Finding, Home, Listing, ResolveError, Scope, SessionBytes, Target,
    agents_of, discover_with_archive, load_agent_meta, mirror_of, resolve,
};
use ravel_model::{AgentMeta, Transcript};
use rayon::prelude::*;

use crate::context::Context;
use crate::failure::Failure;
use crate::finding::report_findings;
use crate::folders;

/// The files of a session, read.
pub(crate) struct Opened {
    /// The main file first, then the agents.
    pub(crate) transcripts: Vec<Transcript>,
    /// Where the files are, in the same order; `-` for standard input.
    pub(crate) paths: Vec<PathBuf>,
    /// The session in its home, unless it came from standard input.
    pub(crate) target: Option<Target>,
}

/// Whether the files of sub-agents are opened too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Agents {
    /// They are.
    Included,
    /// They are not.
    Left,
}

/// Lists the sessions of the home, and those that only its archive has.
pub(crate) fn discover_all(context: &Context, depth: Depth) -> Result<Discovery, Failure> {
    // Without a place for Ravel's own files there is no archive.
    let archive = folders::archive_folder(context).ok();
    Ok(discover_with_archive(
        context.home()?,
        archive.as_deref(),
        depth,
    ))
}

/// Finds the session a person means.
pub(crate) fn find(context: &Context, query: &str) -> Result<Target, Failure> {
    let path = Path::new(query);
    let is_place = path.components().count() > 1 && path.exists();
    // A path needs no home: the file may lie anywhere.
    if is_place {
        return Ok(resolve(&Discovery::default(), query, &Scope::All)?);
    }
    if path.extension().is_some_and(|ending| ending == "jsonl") {
        // What is gone from there may be in the archive.
        let found = discover_all(context, Depth::Sessions).unwrap_or_default();
        return Ok(resolve(&found, query, &Scope::All)?);
    }
    let found = discover_all(context, Depth::Sessions)?;
    report_findings(&found.findings);
    match resolve(&found, query, &Scope::All) {
        Err(error @ ResolveError::NotFound { .. }) => find_here(query, error),
        other => Ok(other?),
    }
}

/// Finds the session whose folder lies in the working folder. No session of the home has this
/// name, so nothing is hidden by it.
fn find_here(query: &str, error: ResolveError) -> Result<Target, Failure> {
    let here = Path::new(".").join(query);
    if here.is_dir() {
        let target = resolve(&Discovery::default(), &here.to_string_lossy(), &Scope::All);
        return target.map_err(|_| error.into());
    }
    let failure = Failure::from(error);
    Err(match here.is_file() {
        true => failure.hint(format!("the file here is {}", here.display())),
        false => failure,
    })
}

/// Opens the session a person means; `-` is standard input.
pub(crate) fn open(context: &Context, query: &str, agents: Agents) -> Result<Opened, Failure> {
    if query == "-" {
        return from_stdin();
    }
    let target = find(context, query)?;
    open_target(target, agents)
}

/// Opens the files of a session that was found.
pub(crate) fn open_target(target: Target, agents: Agents) -> Result<Opened, Failure> {
    let main = load(target.path(), None)?;
    let files = match (&target, agents) {
        (Target::Session(session), Agents::Included) => found_agents(agents_of(session)),
        _ => Vec::new(),
    };
    let loaded: Vec<(Transcript, PathBuf)> =
        files.par_iter().map(load_agent).collect::<Result<_, _>>()?;
    let mut opened = Opened {
        transcripts: vec![main],
        paths: vec![target.path().to_owned()],
        target: Some(target),
    };
    for (transcript, path) in loaded {
        opened.transcripts.push(transcript);
        opened.paths.push(path);
    }
    Ok(opened)
}

fn from_stdin() -> Result<Opened, Failure> {
    let bytes = read_stdin().map_err(|error| Failure::io("read standard input", &error))?;
    Ok(Opened {
        transcripts: vec![Transcript::from_bytes(bytes)],
        paths: vec!["-".into()],
        target: None,
    })
}

/// Reads standard input to its end.
pub(crate) fn read_stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Says what could not be found of the agents of a session and returns the others.
fn found_agents(found: Listing<AgentFile>) -> Vec<AgentFile> {
    report_findings(&found.findings);
    found.items
}

fn load(path: &Path, agent: Option<AgentMeta>) -> Result<Transcript, Failure> {
    let failed = |error: io::Error| could_not_read(path, &error);
    let source = SessionBytes::open(path).map_err(failed)?;
    Ok(Transcript {
        outline: source.outline().map_err(failed)?,
        source: Box::new(source),
        agent,
    })
}

fn could_not_read(path: &Path, error: &io::Error) -> Failure {
    Failure::io(format_args!("read {}", path.display()), error)
}

fn load_agent(file: &AgentFile) -> Result<(Transcript, PathBuf), Failure> {
    let (agent, finding) = agent_meta(file);
    report_findings(&finding);
    Ok((load(&file.path, Some(agent))?, file.path.clone()))
}

/// Returns what the sidecar of an agent says about it, and what is wrong with the sidecar.
///
/// One that cannot be read says nothing; the agent is shown all the same.
pub(crate) fn agent_meta(file: &AgentFile) -> (AgentMeta, Option<Finding>) {
    let (meta, finding) = match file.meta.as_deref().map(load_agent_meta) {
        Some(Ok(meta)) => (meta, None),
        Some(Err(finding)) => (None, Some(finding)),
        None => (None, None),
    };
    let meta = meta.unwrap_or_default();
    let agent = AgentMeta {
        id: file.agent_id.clone(),
        kind: meta.agent_type,
        description: meta.description,
        tool_use_id: meta.tool_use_id,
        parent_agent_id: meta.parent_agent_id,
    };
    (agent, finding)
}

impl Opened {
    /// Returns the home with the sidecars of the session: the mirror of it in the archive, when
    /// the session is only there.
    pub(crate) fn home(&self, context: &Context) -> Option<Home> {
        let home = context.home().ok()?;
        let is_archived = match &self.target {
            Some(Target::Session(session)) => session.is_archived,
            Some(Target::Agent(agent)) => agent.is_archived,
            None => false,
        };
        if is_archived {
            let archive = folders::archive_folder(context).ok()?;
            return Some(Home::at(mirror_of(&archive)));
        }
        Some(home.clone())
    }

    /// Returns what to call the main file in a message.
    pub(crate) fn name(&self) -> String {
        self.paths
            .first()
            .map(|path| crate::context::display_path(path))
            .unwrap_or_default()
    }

    /// Returns the id of the session that the files belong to, where their places say it.
    pub(crate) fn session_id(&self) -> Option<&str> {
        self.target.as_ref().and_then(Target::session_id)
    }

    /// Fails when a file could not be read after all: what came of it has holes.
    pub(crate) fn check_read(&self) -> Result<(), Failure> {
        for (transcript, path) in self.transcripts.iter().zip(&self.paths) {
            if let Some(error) = transcript.source.take_error() {
                return Err(could_not_read(path, &error));
            }
        }
        Ok(())
    }

    /// Copies the bytes of the main file as they are.
    pub(crate) fn copy_main(&self, out: &mut dyn io::Write) -> io::Result<()> {
        const STEP: u64 = 1 << 20;
        let Some(main) = self.transcripts.first() else {
            return Ok(());
        };
        let size = main.outline.n_bytes();
        let mut start = 0;
        while start < size {
            let span = Span {
                start,
                len: STEP.min(size - start),
            };
            let bytes = main.source.read(span);
            if bytes.is_empty() {
                return Err(io::Error::new(
                    io::ErrorKind::UnexpectedEof,
                    "the file was cut short",
                ));
            }
            out.write_all(&bytes)?;
            start += bytes.len() as u64;
        }
        Ok(())
    }
}
