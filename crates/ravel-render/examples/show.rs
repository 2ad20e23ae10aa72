//! Shows a session file, to look at the rendering.
//!
//! `cargo run -p ravel-render --example show -- FILE [--full] [--thinking] [--agents] [--all]
//! [--tree] [--text] [--md] [--color]`; agents' files in the folder named after the session and
//! beside it are read along.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::{env, fs};

use ravel_model::agent::AgentMeta;
use ravel_model::branch::branches;
use ravel_model::facts::facts;
use ravel_model::turn::turns;
use ravel_model::{Session, Transcript};
use ravel_render::style::{Background, ColorDepth, Palette};
use ravel_render::terminal::{Renderer, TerminalOptions, Thinking, Tools};
use ravel_render::{markdown_export, text_export};

fn main() -> io::Result<()> {
    let (flags, files): (Vec<String>, Vec<String>) = env::args()
        .skip(1)
        .partition(|argument| argument.starts_with("--"));
    let has = |flag: &str| flags.iter().any(|own| own == flag);
    let file = PathBuf::from(files.first().cloned().unwrap_or_default());
    let transcripts = load(&file)?;
    let session = Session::build(&transcripts);
    let segments = session.history();
    let mut options = TerminalOptions::new(columns(&flags));
    options.agents = has("--agents");
    options.everything = has("--all");
    if has("--full") {
        options.tools = Tools::Full;
    }
    if has("--thinking") {
        options.thinking = Thinking::Shown;
    }
    if has("--color") {
        options.palette = Palette::new(ColorDepth::TrueColor, Background::Dark);
    }
    let mut out = io::stdout().lock();
    if has("--text") {
        return text_export::write(&session, &segments, &options, &mut out);
    }
    if has("--md") {
        let options = markdown_export::MarkdownOptions {
            thinking: has("--thinking"),
            tools: options.tools,
            ..markdown_export::MarkdownOptions::default()
        };
        return markdown_export::write(&session, &segments, &options, &mut out);
    }
    let renderer = Renderer::new(&options);
    let painter = renderer.painter();
    painter.write(&renderer.header(&facts(&session, &segments)), &mut out)?;
    let Some(main) = session.main() else {
        return Ok(());
    };
    if has("--tree") {
        let branches = branches(&main.graph, &segments);
        return painter.write(&renderer.tree(&session, &segments, &branches), &mut out);
    }
    for turn in turns(&main.graph, &segments) {
        renderer.write_entries(&session, (0, &turn.entries), &mut out)?;
    }
    painter.write(&renderer.unlinked_agents(&session), &mut out)?;
    out.flush()
}

fn columns(flags: &[String]) -> usize {
    let given = flags.iter().find_map(|flag| flag.strip_prefix("--width="));
    given.and_then(|width| width.parse().ok()).unwrap_or(100)
}

fn load(file: &Path) -> io::Result<Vec<Transcript>> {
    let bytes = fs::read(file)?;
    let name = file
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let mut transcripts = vec![Transcript::from_bytes(bytes)];
    let beside = file.parent().unwrap_or(Path::new("."));
    for folder in [beside.join(&name).join("subagents"), beside.to_owned()] {
        for path in agent_files(&folder) {
            let bytes = fs::read(&path)?;
            let is_ours =
                folder != beside || memchr::memmem::find(&bytes, name.as_bytes()).is_some();
            if is_ours {
                let meta = meta(&path);
                transcripts.push(Transcript {
                    agent: Some(meta),
                    ..Transcript::from_bytes(bytes)
                });
            }
        }
    }
    Ok(transcripts)
}

fn agent_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("agent-") && name.ends_with(".jsonl")
        })
        .collect();
    paths.sort();
    paths
}

fn meta(path: &Path) -> AgentMeta {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let id = stem.strip_prefix("agent-").unwrap_or(&stem).to_owned();
    let text = fs::read_to_string(path.with_extension("meta.json")).unwrap_or_default();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let value = |key: &str| {
        json.get(key)
            .and_then(|value| value.as_str())
            .map(str::to_owned)
    };
    AgentMeta {
        id,
        kind: value("agentType"),
        description: value("description"),
        tool_use_id: value("toolUseId"),
        parent_agent_id: value("parentAgentId"),
    }
}
