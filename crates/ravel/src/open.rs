//! From what a person typed to the files of a session.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ravel_format::Span;
use ravel_home::{
    AgentFile, Depth, Discovery, Scope, SessionBytes, Target, agents_of, discover, load_agent_meta,
    load_outline, resolve,
};
use ravel_model::{AgentMeta, Transcript};
use rayon::prelude::*;

use crate::context::Context;
use crate::failure::Failure;

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

/// Finds the session a person means.
pub(crate) fn find(context: &Context, query: &str) -> Result<Target, Failure> {
    // A path needs no home: the file may lie anywhere.
    if query != "latest" && Path::new(query).exists() {
        return Ok(resolve(&Discovery::default(), query, &Scope::All)?);
    }
    let found = discover(context.home()?, Depth::Sessions);
    Ok(resolve(&found, query, &Scope::All)?)
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
        (Target::Session(session), Agents::Included) => agents_of(session).items,
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
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::io("read standard input", &error))?;
    Ok(Opened {
        transcripts: vec![Transcript::from_bytes(bytes)],
        paths: vec!["-".into()],
        target: None,
    })
}

fn load(path: &Path, agent: Option<AgentMeta>) -> Result<Transcript, Failure> {
    let failed = |error: &io::Error| Failure::io(format_args!("read {}", path.display()), error);
    let outline = load_outline(path).map_err(|error| failed(&error))?;
    let source = SessionBytes::open(path).map_err(|error| failed(&error))?;
    Ok(Transcript {
        outline,
        source: Box::new(source),
        agent,
    })
}

fn load_agent(file: &AgentFile) -> Result<(Transcript, PathBuf), Failure> {
    // A sidecar that cannot be read is missing; `check` reports it.
    let meta = file
        .meta
        .as_deref()
        .and_then(|path| load_agent_meta(path).ok().flatten())
        .unwrap_or_default();
    let agent = AgentMeta {
        id: file.agent_id.clone(),
        kind: meta.agent_type,
        description: meta.description,
        tool_use_id: meta.tool_use_id,
        parent_agent_id: meta.parent_agent_id,
    };
    Ok((load(&file.path, Some(agent))?, file.path.clone()))
}

impl Opened {
    /// Returns what to call the main file in a message.
    pub(crate) fn name(&self) -> String {
        self.paths
            .first()
            .map(|path| crate::context::display_path(path))
            .unwrap_or_default()
    }

    /// Returns the id of the session that the files belong to, where their places say it.
    pub(crate) fn session_id(&self) -> Option<&str> {
        match &self.target {
            Some(Target::Session(session)) => Some(&session.session_id),
            Some(Target::Agent(agent)) => agent.session_id.as_deref(),
            None => None,
        }
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
