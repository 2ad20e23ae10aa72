//! Generates homes and single sessions to measure on, and keeps them between runs.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::json;

use super::random::{Prose, Random};
use super::session::{Composer, Identity, Spawned};

/// Written last; another generation of the generator has another text.
const STAMP: &str = "generated-by";
const GENERATION: &str = "ravel bench data, generation 2\n";

const SEED: u64 = 0x5EED_0F7A_7E15;
const PROJECTS: &[&str] = &[
    "api", "web", "docs", "infra", "mobile", "parser", "site", "tools",
];
const BRANCHES: &[&str] = &["main", "develop", "feature/search", "fix/torn-lines", ""];

/// Returns the folder of a home with `sessions` sessions, generated when it is not there yet.
pub(super) fn ensure_home(folder: &Path, sessions: usize) -> Result<PathBuf> {
    let home = folder.join(format!("home-{sessions}"));
    once(&home, || generate(&home, sessions))?;
    Ok(home)
}

/// Returns a session file of about `megabytes`, generated when it is not there yet.
pub(super) fn ensure_session(folder: &Path, megabytes: usize) -> Result<PathBuf> {
    let folder = folder.join(format!("session-{megabytes}mb"));
    let file = folder.join("5eed0000-0000-4000-8000-000000000001.jsonl");
    once(&folder, || {
        let mut random = Random::new(SEED);
        let prose = Prose::new(&mut random);
        let identity = identity(&mut random, 0);
        let out = BufWriter::new(File::create(&file)?);
        Composer::new(out, &mut random, &prose, identity).session(megabytes * 1_000_000, 0)?;
        Ok(())
    })?;
    Ok(file)
}

fn once(folder: &Path, generate: impl FnOnce() -> Result<()>) -> Result<()> {
    let stamp = folder.join(STAMP);
    if fs::read_to_string(&stamp).is_ok_and(|made_by| made_by == GENERATION) {
        return Ok(());
    }
    println!("generating {}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder)
            .with_context(|| format!("could not clear {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("could not make {}", folder.display()))?;
    generate().with_context(|| format!("could not generate {}", folder.display()))?;
    fs::write(&stamp, GENERATION).with_context(|| format!("could not write {}", stamp.display()))
}

/// Writes a home with `sessions` sessions over a few dozen projects.
pub(super) fn generate(home: &Path, sessions: usize) -> Result<()> {
    let mut random = Random::new(SEED);
    let prose = Prose::new(&mut random);
    for number in 0..sessions {
        write_session(home, &mut random, &prose, number)?;
    }
    Ok(())
}

fn write_session(home: &Path, random: &mut Random, prose: &Prose, number: usize) -> Result<()> {
    let identity = identity(random, number);
    let session = identity.session.clone();
    let project = home.join("projects").join(slug(&identity.cwd));
    fs::create_dir_all(&project)?;
    let out = BufWriter::new(File::create(project.join(format!("{session}.jsonl")))?);
    // Sizes double seven times: most sessions are small, most bytes are in large ones.
    let size = (4 << random.between(0, 7)) * random.between(700, 1_400);
    let agents = usize::from(random.chance(12));
    let owner = (identity.cwd.clone(), identity.branch.clone());
    let spawned = Composer::new(out, random, prose, identity).session(size, agents)?;
    for agent in spawned {
        write_agent(&project, random, prose, (&session, &owner, &agent))?;
    }
    if random.chance(20) {
        write_todos(home, &session)?;
    }
    Ok(())
}

fn write_agent(
    project: &Path,
    random: &mut Random,
    prose: &Prose,
    (session, (cwd, branch), spawned): (&str, &(String, String), &Spawned),
) -> Result<()> {
    let folder = project.join(session).join("subagents");
    fs::create_dir_all(&folder)?;
    let identity = Identity {
        session: session.to_owned(),
        cwd: cwd.clone(),
        branch: branch.clone(),
        agent: Some(spawned.agent.clone()),
    };
    let name = format!("agent-{}", spawned.agent);
    let out = BufWriter::new(File::create(folder.join(format!("{name}.jsonl")))?);
    Composer::new(out, random, prose, identity).agent_file(&spawned.prompt, 40_000)?;
    let meta = json!({"agentType": "general-purpose", "toolUseId": spawned.tool_use});
    fs::write(folder.join(format!("{name}.meta.json")), meta.to_string())?;
    Ok(())
}

fn write_todos(home: &Path, session: &str) -> Result<()> {
    let folder = home.join("todos");
    fs::create_dir_all(&folder)?;
    let todos = json!([
        {"content": "Read the parser", "status": "completed", "activeForm": "Reading the parser"},
        {"content": "Write the test", "status": "pending", "activeForm": "Writing the test"},
    ]);
    fs::write(
        folder.join(format!("{session}-agent-{session}.json")),
        todos.to_string(),
    )?;
    Ok(())
}

fn identity(random: &mut Random, number: usize) -> Identity {
    let project = random.pick(PROJECTS);
    Identity {
        session: random.uuid(),
        cwd: format!("/home/sam/code/{project}-{}", number % 5),
        branch: random.pick(BRANCHES).to_owned(),
        agent: None,
    }
}

fn slug(cwd: &str) -> String {
    cwd.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}
