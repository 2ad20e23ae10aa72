//! The archive through its interface.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot go on must stop"
)]

mod change;
mod crash;
mod hostile;
mod restore;

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use ravel_archive::{Archive, Selection, Summary};
use ravel_home::{Depth, Home, SessionFile, StoredFile, discover_with_archive, kept_path};

/// A session of the tests.
const SID: &str = "5f0c7a52-3c4e-4a57-9d38-0a4b8a1f2c11";

/// A home with an archive.
struct Case {
    folder: tempfile::TempDir,
    home: Home,
    archive: Archive,
}

impl Case {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            home: Home::at(folder.path().join("claude")),
            archive: Archive::at(folder.path().join("archive")),
            folder,
        }
    }

    /// A session with one of everything that belongs to it.
    fn with_session() -> Self {
        let case = Self::new();
        for (name, text) in belongings() {
            case.write(&name, text.as_bytes());
        }
        case
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.root().join(name)
    }

    fn kept(&self, name: &str) -> PathBuf {
        kept_path(&self.archive.mirror().join(name))
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn append(&self, name: &str, bytes: &[u8]) {
        let file = File::options().append(true).open(self.path(name));
        file.unwrap().write_all(bytes).unwrap();
    }

    fn keep(&self) -> Summary {
        let lock = self.archive.lock().unwrap();
        self.archive
            .keep(&lock, &self.home, &Selection::Everything, &())
            .unwrap()
    }

    fn session(&self) -> SessionFile {
        let found = discover_with_archive(&self.home, Some(self.archive.root()), Depth::Sessions);
        found.session(SID).unwrap().clone()
    }

    #[track_caller]
    fn assert_kept(&self, name: &str, bytes: &[u8]) {
        assert!(
            content(&self.kept(name)) == bytes,
            "{name} is not as it was"
        );
    }

    #[track_caller]
    fn assert_sound(&self) {
        let verified = self.archive.verify(&()).unwrap();
        assert_eq!(verified.findings, []);
        assert_eq!(verified.n_unneeded, 0);
    }
}

/// The names and texts of everything that is kept for one session.
fn belongings() -> Vec<(String, String)> {
    let line = |text: &str| {
        format!("{{\"sessionId\":\"{SID}\",\"slug\":\"calm-fox\",\"text\":\"{text}\"}}\n")
    };
    [
        (format!("projects/-srv-a/{SID}.jsonl"), line("main")),
        (
            format!("projects/-srv-a/{SID}/custom-title.json"),
            "{\"customTitle\":\"A\"}".into(),
        ),
        (
            format!("projects/-srv-a/{SID}/subagents/agent-a1.jsonl"),
            line("nested"),
        ),
        (
            format!("projects/-srv-a/{SID}/subagents/agent-a1.meta.json"),
            "{}".into(),
        ),
        (
            format!("projects/-srv-a/{SID}/subagents/w/x/agent-a2.jsonl"),
            line("deep"),
        ),
        (
            format!("projects/-srv-a/{SID}/tool-results/big.txt"),
            "much".into(),
        ),
        ("projects/-srv-a/agent-b1.jsonl".into(), line("beside")),
        (format!("todos/{SID}-agent-{SID}.json"), "[]".into()),
        (format!("tasks/{SID}/1.json"), "{\"id\":\"1\"}".into()),
        (
            format!("file-history/{SID}/0123456789abcdef@v1"),
            "old".into(),
        ),
        ("plans/calm-fox.md".into(), "# Plan\n".into()),
    ]
    .into()
}

/// What a kept file stands for.
fn content(kept: &Path) -> Vec<u8> {
    StoredFile::open(kept)
        .unwrap()
        .read_start(u64::MAX)
        .unwrap()
}

/// Lines that pack about as well as those of a session.
fn lines(n_bytes: usize, seed: u64) -> Vec<u8> {
    let mut text = Vec::new();
    let mut state = seed.wrapping_mul(2) + 1;
    while text.len() < n_bytes {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let filling = "word ".repeat((state >> 60) as usize * 8);
        writeln!(text, "{{\"uuid\":\"{state:016x}\",\"text\":\"{filling}\"}}").unwrap();
    }
    text
}
