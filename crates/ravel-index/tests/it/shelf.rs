//! A home in a temporary folder, and what can happen to its files.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ravel_home::Home;
use ravel_index::{Index, Library, Patience, Updated};
use tempfile::TempDir;

use crate::line::{Recipe, Writer};

/// A home and the place for its index.
pub(crate) struct Shelf {
    folder: TempDir,
    files: Vec<Kept>,
    /// Each write gets a time of its own, so that the clock of the file system does not matter.
    n_writes: u64,
    n_sessions: u64,
}

/// A file of the home.
struct Kept {
    path: PathBuf,
    writer: Writer,
    /// The rest of a line that was not written yet.
    rest: Vec<u8>,
}

pub(crate) const FOLDERS: [&str; 4] = ["/srv/shop", "/srv/Shop front", "", "/home/é"];

impl Shelf {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            files: Vec::new(),
            n_writes: 0,
            n_sessions: 0,
        }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn library(&self) -> Library {
        Library::open(&Home::at(self.root()), None)
    }

    pub(crate) fn index_path(&self) -> PathBuf {
        self.folder.path().join("cache/index.sqlite")
    }

    /// Opens the index and brings it up to date.
    pub(crate) fn index(&self) -> Index {
        self.indexed().0
    }

    pub(crate) fn indexed(&self) -> (Index, Updated) {
        let mut index = Index::create(&self.index_path()).unwrap();
        let updated = index.update(&self.library(), Patience::Wait, &()).unwrap();
        assert_eq!(updated.findings, []);
        (index, updated)
    }

    /// Makes an index of its own, as if there was no other.
    pub(crate) fn fresh_index(&self) -> Index {
        let path = self.folder.path().join("fresh/index.sqlite");
        let _ = fs::remove_dir_all(path.parent().unwrap());
        let mut index = Index::create(&path).unwrap();
        let _ = index.update(&self.library(), Patience::Wait, &()).unwrap();
        index
    }

    /// Writes any file below the home.
    pub(crate) fn write(&mut self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        self.touch(&path);
        path
    }

    /// Appends to any file below the home.
    pub(crate) fn append(&mut self, path: &Path, bytes: &[u8]) {
        let mut all = fs::read(path).unwrap();
        all.extend_from_slice(bytes);
        // In place, as the client does: a new file would have another number.
        fs::write(path, all).unwrap();
        self.touch(path);
    }

    pub(crate) fn touch(&mut self, path: &Path) {
        self.n_writes += 1;
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000 + self.n_writes);
        let file = File::options().append(true).open(path).unwrap();
        file.set_modified(time).unwrap();
    }

    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        self.files.iter().map(|kept| kept.path.clone()).collect()
    }

    /// Adds a session, or a sub-agent to one, with some lines.
    pub(crate) fn add(&mut self, place: Place, lines: &[Recipe]) {
        let (name, mut writer) = self.place(place);
        let bytes: Vec<u8> = lines.iter().flat_map(|line| writer.line(line)).collect();
        let path = self.write(&name, &bytes);
        self.files.push(Kept {
            path,
            writer,
            rest: Vec::new(),
        });
    }

    fn place(&mut self, place: Place) -> (String, Writer) {
        self.n_sessions += 1;
        let number = self.n_sessions;
        let session = format!("{number:08}-1111-4111-8111-111111111111");
        let parent = match place {
            Place::Session { .. } => None,
            Place::Agent { file } | Place::AgentBeside { file } => self.pick(file),
        };
        let parent = parent.map(|file| {
            let kept = &self.files[file];
            (kept.path.clone(), kept.writer.clone())
        });
        let folder = match place {
            Place::Session { project } => FOLDERS[usize::from(project) % FOLDERS.len()],
            _ => FOLDERS[0],
        };
        let Some((path, writer)) = parent else {
            let writer = Writer {
                session: session.clone(),
                folder: folder.to_owned(),
                is_agent: false,
                n_lines: 0,
            };
            return (format!("projects/{}/{session}.jsonl", slug(folder)), writer);
        };
        let below = path.strip_prefix(self.root()).unwrap();
        let project: PathBuf = below.iter().take(2).collect();
        let agent = match place {
            Place::AgentBeside { .. } => project.join(format!("agent-{number:08}.jsonl")),
            _ => {
                let folder = project.join(&writer.session).join("subagents");
                folder.join(format!("agent-{number:08}.jsonl"))
            }
        };
        let writer = Writer {
            is_agent: true,
            // Ids of lines are those of the session and a number: start where it does not.
            n_lines: number * 1_000,
            ..writer
        };
        (agent.to_string_lossy().into_owned(), writer)
    }

    fn pick(&self, file: u8) -> Option<usize> {
        match self.files.len() {
            0 => None,
            n => Some(usize::from(file) % n),
        }
    }

    /// Does something to a file. Says whether there was one.
    pub(crate) fn change(&mut self, file: u8, change: &Change) -> bool {
        let Some(number) = self.pick(file) else {
            return false;
        };
        let path = self.files[number].path.clone();
        let before = fs::read(&path).unwrap();
        match change {
            Change::Append(line) => {
                let kept = &mut self.files[number];
                let mut bytes = std::mem::take(&mut kept.rest);
                bytes.extend(kept.writer.line(line));
                self.append(&path, &bytes);
            }
            Change::AppendHalf(line, cut) => {
                let kept = &mut self.files[number];
                let mut bytes = std::mem::take(&mut kept.rest);
                let line = kept.writer.line(line);
                let at = usize::from(*cut) * line.len() / 256;
                bytes.extend_from_slice(&line[..at]);
                kept.rest = line[at..].to_vec();
                self.append(&path, &bytes);
            }
            Change::Truncate(cut) => {
                let length = before.len() as u64 * u64::from(*cut) / 256;
                let opened = File::options().write(true).open(&path).unwrap();
                opened.set_len(length).unwrap();
                self.touch(&path);
            }
            Change::Replace(lines) => self.replace(number, lines),
            Change::Rewrite => self.rewrite(&path, &before),
            Change::Delete => {
                fs::remove_file(&path).unwrap();
                self.files.remove(number);
            }
            Change::Rename(project) => {
                let to = self.elsewhere(&path, *project);
                if !to.exists() {
                    fs::rename(&path, &to).unwrap();
                    self.files[number].path = to;
                }
            }
            Change::Copy(project) => {
                let to = self.elsewhere(&path, *project);
                if !to.exists() {
                    self.adopt(number, to, &before);
                }
            }
            Change::Fork => {
                let (bytes, session) = forked(&before, &self.files[number].writer.session);
                let to = path.with_file_name(format!("{session}.jsonl"));
                if !to.exists() && !self.files[number].writer.is_agent {
                    self.adopt(number, to, &bytes);
                    self.files.last_mut().unwrap().writer.session = session;
                }
            }
        }
        true
    }

    fn replace(&mut self, number: usize, lines: &[Recipe]) {
        let kept = &mut self.files[number];
        kept.rest.clear();
        let lines = lines.iter().flat_map(|line| kept.writer.line(line));
        let bytes: Vec<u8> = lines.collect();
        let path = kept.path.clone();
        let other = path.with_extension("new");
        fs::write(&other, bytes).unwrap();
        fs::rename(&other, &path).unwrap();
        self.touch(&path);
    }

    fn rewrite(&mut self, path: &Path, before: &[u8]) {
        let text = String::from_utf8_lossy(before);
        let swapped = match text.contains("cart") {
            true => text.replace("cart", "barn"),
            false => text.replace("output_tokens\":1", "output_tokens\":2"),
        };
        fs::write(path, swapped.as_bytes()).unwrap();
        self.touch(path);
    }

    /// Adds a file that goes on from another one.
    fn adopt(&mut self, from: usize, path: PathBuf, bytes: &[u8]) {
        fs::write(&path, bytes).unwrap();
        self.touch(&path);
        self.files.push(Kept {
            path,
            writer: self.files[from].writer.clone(),
            rest: Vec::new(),
        });
    }

    fn elsewhere(&self, path: &Path, project: u8) -> PathBuf {
        let folder = format!("projects/-other-{}", project % 4);
        let folder = self.root().join(folder);
        fs::create_dir_all(&folder).unwrap();
        folder.join(path.file_name().unwrap())
    }
}

/// Where a new file is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    Session { project: u8 },
    Agent { file: u8 },
    AgentBeside { file: u8 },
}

/// What happens to a file.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    Append(Recipe),
    /// Part of a line; what is missing comes with the next append.
    AppendHalf(Recipe, u8),
    Truncate(u8),
    /// Another file with the same name.
    Replace(Vec<Recipe>),
    /// Other bytes, and as many.
    Rewrite,
    Delete,
    Rename(u8),
    Copy(u8),
    /// The client's copy, under another id that says where it is from.
    Fork,
}

fn slug(folder: &str) -> String {
    let plain = |letter: char| match letter.is_ascii_alphanumeric() {
        true => letter,
        false => '-',
    };
    match folder {
        "" => "-nowhere".to_owned(),
        folder => folder.chars().map(plain).collect(),
    }
}

/// Copies a session as the client forks it.
fn forked(bytes: &[u8], session: &str) -> (Vec<u8>, String) {
    let fork = format!("f{}", &session[1..]);
    let mut out = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let Ok(mut value) = serde_json::from_slice::<serde_json::Value>(line) else {
            out.extend_from_slice(line);
            continue;
        };
        value["forkedFrom"] =
            serde_json::json!({"sessionId": session, "messageUuid": value["uuid"]});
        value["sessionId"] = serde_json::json!(fork);
        value["uuid"] = serde_json::json!(format!("fork of {}", value["uuid"]));
        out.extend_from_slice(value.to_string().as_bytes());
        out.extend_from_slice(if line.ends_with(b"\n") { b"\n" } else { b"" });
    }
    (out, fork)
}
