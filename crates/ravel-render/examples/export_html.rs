//! Exports a session to a page, or to JSON, to look at it.
//!
//! `cargo run -p ravel-render --example export_html -- SESSION.jsonl > page.html`; with `--json`
//! first it writes JSON. The agents of the session are found beside and below the file.

use std::error::Error;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs};

use ravel_model::branch::branches;
use ravel_model::{AgentMeta, Session, Transcript};
use ravel_render::json;
use ravel_render::page::{PageOptions, export};

#[allow(
    clippy::print_stderr,
    reason = "the time is for the person who runs it"
)]
fn main() -> Result<(), Box<dyn Error>> {
    let mut paths: Vec<String> = env::args().skip(1).collect();
    let as_json = paths.first().is_some_and(|first| first == "--json");
    if as_json {
        paths.remove(0);
    }
    let path = paths.first().ok_or("which session?")?;
    let start = Instant::now();
    let transcripts = load(Path::new(path))?;
    let session = Session::build(&transcripts);
    let segments = session.history();
    let main = session.main().ok_or("no main file")?;
    let branches = branches(&main.graph, &segments);
    let built = start.elapsed();
    let out = BufWriter::new(io::stdout().lock());
    if as_json {
        json::show(&session, &segments, &branches, &[], out)?;
    } else {
        export(&session, &segments, &branches, &PageOptions::default(), out)?;
    }
    eprintln!("{built:?} to read, {:?} in all", start.elapsed());
    Ok(())
}

fn load(path: &Path) -> io::Result<Vec<Transcript>> {
    let mut transcripts = vec![Transcript::from_bytes(fs::read(path)?)];
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let below = path.with_extension("").join("subagents");
    let beside = path.parent().unwrap_or(Path::new("."));
    let mut files = agent_files(&below);
    files.extend(agent_files(beside).into_iter().filter(|file| {
        fs::read(file).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(&*name))
    }));
    for file in files {
        let mut transcript = Transcript::from_bytes(fs::read(&file)?);
        transcript.agent = Some(meta(&file));
        transcripts.push(transcript);
    }
    Ok(transcripts)
}

fn agent_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("agent-") && name.ends_with(".jsonl")
        })
        .collect();
    files.sort();
    files
}

fn meta(file: &Path) -> AgentMeta {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let sidecar = fs::read(file.with_extension("meta.json")).unwrap_or_default();
    let json: serde_json::Value = serde_json::from_slice(&sidecar).unwrap_or_default();
    let text = |key: &str| Some(json.get(key)?.as_str()?.to_owned());
    AgentMeta {
        id: stem.trim_start_matches("agent-").to_owned(),
        kind: text("agentType"),
        description: text("description"),
        tool_use_id: text("toolUseId"),
        parent_agent_id: text("parentAgentId"),
    }
}
