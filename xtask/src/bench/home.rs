//! Generates homes and single sessions to measure on, and keeps them between runs.

use std::fs::{self, File, OpenOptions};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::moment::Moment;
use super::random::Random;
use super::session::{Composer, Identity, Spawned, VERSIONS, pick_model};
use super::vocabulary::Vocabulary;
use crate::project;

/// Written last; another generation of the generator has another text.
const STAMP: &str = "generated-by";
const GENERATION: &str = "ravel bench data, generation 3\n";

const SEED: u64 = 0x5EED_0F7A_7E15;
const PROJECTS: &[&str] = &[
    "api", "web", "docs", "infra", "mobile", "parser", "site", "tools",
];
const BRANCHES: &[&str] = &["main", "develop", "feature/search", "fix/torn-lines", ""];
/// One in so many sessions is resumed under another id.
const SESSIONS_PER_FORK: usize = 25;
const HOUR: u64 = 3_600_000;
const YEAR: u64 = 365 * 24 * HOUR;

/// How much there is in a home.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    /// How many sessions.
    pub(super) sessions: usize,
    /// How many times as large as usual each of them is.
    pub(super) scale: usize,
}

/// Returns the folder of a home, generated when it is not there yet.
///
/// The home of another day is made anew: "today" must have sessions. Only the times
/// differ then.
pub(super) fn ensure_home(folder: &Path, extent: Extent) -> Result<PathBuf> {
    let name = match extent.scale {
        1 => format!("home-{}", extent.sessions),
        scale => format!("home-{}x{scale}", extent.sessions),
    };
    let home = folder.join(name);
    let now = Moment::now();
    let stamp = format!("{GENERATION}{}\n", now.day());
    once(&home, &stamp, || generate(&home, extent, now))?;
    Ok(home)
}

/// Returns a session file of about `megabytes`, generated when it is not there yet.
pub(super) fn ensure_session(folder: &Path, megabytes: usize) -> Result<PathBuf> {
    let folder = folder.join(format!("session-{megabytes}mb"));
    let file = folder.join("5eed0000-0000-4000-8000-000000000001.jsonl");
    once(&folder, GENERATION, || {
        let mut random = Random::new(SEED);
        let vocabulary = Vocabulary::new();
        let identity = identity(&mut random, 0, Moment::new(1_767_250_800_000));
        let out = BufWriter::new(File::create(&file)?);
        Composer::new(out, &mut random, &vocabulary, identity).session(megabytes * 1_000_000, 0)?;
        Ok(())
    })?;
    Ok(file)
}

/// Returns the files of all sessions and sub-agents of a home, sorted.
pub(super) fn session_files(home: &Path) -> Result<Vec<PathBuf>> {
    let mut files = project::files_below(&home.join("projects"))?;
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "jsonl")
    });
    Ok(files)
}

/// Returns the session that was written last, the one a person is in.
pub(super) fn newest_session(home: &Path) -> Result<PathBuf> {
    session_files(home)?
        .into_iter()
        .filter(|file| {
            !file
                .components()
                .any(|part| part.as_os_str() == "subagents")
        })
        .max_by_key(|file| {
            file.metadata()
                .and_then(|metadata| metadata.modified())
                .ok()
        })
        .context("the home has no sessions")
}

/// Returns the folder that a session was started in.
pub(super) fn cwd_of(session: &Path) -> Result<String> {
    let text = fs::read_to_string(session)
        .with_context(|| format!("could not read {}", session.display()))?;
    text.lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|record| Some(record.get("cwd")?.as_str()?.to_owned()))
        .with_context(|| format!("{} names no folder", session.display()))
}

/// Returns a line that a session could go on with.
pub(super) fn appended_line(session: &Path, number: usize) -> Value {
    let id = session.file_stem().unwrap_or_default().to_string_lossy();
    json!({
        "parentUuid": null, "isSidechain": false, "userType": "external",
        "cwd": "/home/sam/code/api-0", "sessionId": id, "version": "2.1.29", "gitBranch": "main",
        "type": "user", "message": {"role": "user", "content": format!("and now number {number}, please")},
        "uuid": format!("00000000-0000-4000-8000-{number:012x}"),
        "timestamp": Moment::now().to_string(),
    })
}

fn once(folder: &Path, made_by: &str, generate: impl FnOnce() -> Result<()>) -> Result<()> {
    let stamp = folder.join(STAMP);
    if fs::read_to_string(&stamp).is_ok_and(|text| text == made_by) {
        return Ok(());
    }
    println!("generating {}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder)
            .with_context(|| format!("could not clear {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("could not make {}", folder.display()))?;
    generate().with_context(|| format!("could not generate {}", folder.display()))?;
    fs::write(&stamp, made_by).with_context(|| format!("could not write {}", stamp.display()))
}

/// Writes a home with sessions of the year before `now`, over a few dozen projects.
pub(super) fn generate(home: &Path, extent: Extent, now: Moment) -> Result<()> {
    let mut random = Random::new(SEED);
    let vocabulary = Vocabulary::new();
    for number in 0..extent.sessions {
        let started = now.earlier(age(&mut random, number));
        let identity = identity(&mut random, number, started);
        let project = home.join("projects").join(slug(&identity.cwd));
        fs::create_dir_all(&project)?;
        Generator {
            home,
            project: &project,
            random: &mut random,
            vocabulary: &vocabulary,
            now,
            scale: extent.scale,
        }
        .session(&identity, number)?;
    }
    Ok(())
}

/// Writes the sessions of one project.
struct Generator<'a> {
    home: &'a Path,
    project: &'a Path,
    random: &'a mut Random,
    vocabulary: &'a Vocabulary,
    now: Moment,
    scale: usize,
}

impl Generator<'_> {
    fn session(&mut self, identity: &Identity, number: usize) -> Result<()> {
        // Sizes double seven times: most sessions are small, most bytes are in large ones.
        let size = self.scale * (4 << self.random.between(0, 7)) * self.random.between(900, 1_800);
        let agents = usize::from(self.random.chance(12));
        let file = self.file(identity);
        let out = BufWriter::new(File::create(&file)?);
        let written = Composer::new(out, self.random, self.vocabulary, identity.clone())
            .session(size, agents)?;
        self.date(&file, written.ended)?;
        for agent in written.spawned {
            self.agent(identity, agent)?;
        }
        if self.random.chance(20) {
            write_todos(self.home, &identity.session)?;
        }
        if number.is_multiple_of(SESSIONS_PER_FORK) {
            self.fork(identity, &file)?;
        }
        Ok(())
    }

    fn agent(&mut self, owner: &Identity, spawned: Spawned) -> Result<()> {
        let folder = self.project.join(&owner.session).join("subagents");
        fs::create_dir_all(&folder)?;
        let name = format!("agent-{}", spawned.agent);
        let identity = Identity {
            agent: Some(spawned.agent),
            model: owner.model.of_agent(self.random),
            started: spawned.started,
            ..owner.clone()
        };
        let file = folder.join(format!("{name}.jsonl"));
        let out = BufWriter::new(File::create(&file)?);
        let ended = Composer::new(out, self.random, self.vocabulary, identity)
            .agent_file(&spawned.prompt, 40_000)?;
        self.date(&file, ended)?;
        let meta = json!({"agentType": "general-purpose", "toolUseId": spawned.tool_use});
        fs::write(folder.join(format!("{name}.meta.json")), meta.to_string())?;
        Ok(())
    }

    /// Resumes a session under another id: its lines so far are copied, then it goes on.
    fn fork(&mut self, original: &Identity, file: &Path) -> Result<()> {
        let lines = fs::read_to_string(file)?;
        let wanted = lines.floor_char_boundary(self.random.between(1, lines.len()));
        let (before, _) = lines.split_at(wanted);
        let Some(end) = before.rfind('\n') else {
            return Ok(());
        };
        let identity = Identity {
            session: self.random.uuid(),
            started: original.started.later(6 * HOUR).min(self.now.earlier(HOUR)),
            ..original.clone()
        };
        let copied = before
            .get(..=end)
            .unwrap_or_default()
            .replace(&original.session, &identity.session);
        let Some(last) = last_uuid(&copied) else {
            return Ok(());
        };
        let fork = self.file(&identity);
        let out = BufWriter::new(File::create(&fork)?);
        let written = Composer::new(out, self.random, self.vocabulary, identity)
            .copy(&copied, last)?
            .session(8_000, 0)?;
        self.date(&fork, written.ended)
    }

    fn file(&self, identity: &Identity) -> PathBuf {
        self.project.join(format!("{}.jsonl", identity.session))
    }

    /// A file was last changed when its session ended.
    fn date(&self, file: &Path, ended: Moment) -> Result<()> {
        let file = OpenOptions::new().append(true).open(file)?;
        Ok(file.set_modified(ended.min(self.now).system_time())?)
    }
}

/// Returns how long ago a session began, in milliseconds: most lately, a few just now.
fn age(random: &mut Random, number: usize) -> u64 {
    let share = random.next() % 1_000;
    if number.is_multiple_of(500) {
        return HOUR + share * 8 * HOUR / 1_000;
    }
    HOUR + YEAR / 1_000 * (share * share / 1_000) + random.next() % (YEAR / 1_000)
}

fn last_uuid(lines: &str) -> Option<&str> {
    let (_, after) = lines.rsplit_once("\"uuid\":\"")?;
    after.get(..36)
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

fn identity(random: &mut Random, number: usize, started: Moment) -> Identity {
    let project = random.pick(PROJECTS);
    Identity {
        session: random.uuid(),
        cwd: format!("/home/sam/code/{project}-{}", number % 5),
        branch: random.pick(BRANCHES).to_owned(),
        version: random.pick(VERSIONS),
        model: pick_model(random),
        started,
        agent: None,
    }
}

fn slug(cwd: &str) -> String {
    cwd.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}
