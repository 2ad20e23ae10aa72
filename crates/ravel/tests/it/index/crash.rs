//! Killed at any moment, the index is still right, and no session has lost a byte.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use ravel_testkit::TestHome;
use serde_json::json;

use super::{check_answers, index_file};
use crate::home;

const N_KILLS: usize = 200;
const N_FILES: u64 = 12;

/// A home that is written to all the time, and what its files have to be.
struct Busy {
    home: TestHome,
    files: BTreeMap<PathBuf, Vec<u8>>,
    n_lines: u64,
    random: u64,
}

impl Busy {
    fn new() -> Self {
        let mut busy = Self {
            home: home(),
            files: BTreeMap::new(),
            n_lines: 0,
            random: 0x9e37_79b9_7f4a_7c15,
        };
        for file in 0..N_FILES {
            busy.append(file, 60);
        }
        busy
    }

    fn below(&mut self, end: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % end
    }

    fn line(&mut self) -> String {
        self.n_lines += 1;
        let number = self.n_lines;
        let message = self.below(number) / 2;
        let words: Vec<String> = (0..12)
            .map(|_| format!("word{}", self.below(5_000)))
            .collect();
        let line = json!({
            "type": "assistant", "uuid": format!("{number:08}-0000-4000-8000-000000000000"),
            "sessionId": "s", "cwd": "/srv/kiln", "requestId": format!("request-{message}"),
            "timestamp": format!("2026-01-20T{:02}:{:02}:00.000Z", number / 60 % 24, number % 60),
            "message": {
                "id": format!("message-{message}"), "role": "assistant", "model": "claude-opus-5-5",
                "content": [{"type": "text", "text": format!("hot kiln {}", words.join(" "))}],
                "usage": {"input_tokens": number, "output_tokens": 7},
            },
        });
        format!("{line}\n")
    }

    fn append(&mut self, file: u64, n_lines: u64) {
        let text: String = (0..n_lines).map(|_| self.line()).collect();
        let path = self.path(file);
        let bytes = self.files.entry(path.clone()).or_default();
        bytes.extend_from_slice(text.as_bytes());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
    }

    fn path(&self, file: u64) -> PathBuf {
        let name = format!("projects/-srv-kiln-{}/session-{file}.jsonl", file % 3);
        self.home.claude().join(name)
    }

    /// Changes some files, mostly as the client does.
    fn change(&mut self) {
        for _ in 0..3 {
            let file = self.below(N_FILES);
            let path = self.path(file);
            match self.below(12) {
                0 if self.files.len() > 6 => {
                    self.files.remove(&path);
                    let _ = fs::remove_file(path);
                }
                1 => {
                    self.files.insert(path, Vec::new());
                    self.append(file, 5);
                }
                _ => {
                    let n_lines = 1 + self.below(20);
                    self.append(file, n_lines);
                }
            }
        }
    }

    fn start(&self) -> Child {
        Command::new(env!("CARGO_BIN_EXE_ravel"))
            .arg("index")
            .env_clear()
            .env("HOME", self.home.path())
            .current_dir(self.home.work())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// Starts indexing and ends it after a while, unless it is done before. Says whether it was.
    fn index_for(&self, patience: Duration) -> bool {
        let mut child = self.start();
        let mut output = child.stdout.take().unwrap();
        let (ended, end) = channel();
        let reader = thread::spawn(move || {
            let _ = output.read_to_end(&mut Vec::new());
            let _ = ended.send(());
        });
        let is_done = end.recv_timeout(patience).is_ok();
        let _ = child.kill();
        let _ = child.wait().unwrap();
        reader.join().unwrap();
        is_done
    }

    #[track_caller]
    fn check(&self) {
        assert_eq!(check_answers(&self.home), "");
        for (path, bytes) in &self.files {
            assert!(&fs::read(path).unwrap() == bytes, "{}", path.display());
        }
    }
}

#[test]
fn killed_at_any_moment_it_is_still_right() {
    let mut busy = Busy::new();
    let begin = Instant::now();
    assert!(busy.index_for(Duration::from_secs(60)));
    let whole = begin.elapsed().as_micros() as u64;
    let index = index_file(&busy.home);
    fs::remove_dir_all(index.parent().unwrap()).unwrap();
    let mut n_killed = 0;
    let mut round = 0;
    while n_killed < N_KILLS {
        round += 1;
        assert!(round < 10 * N_KILLS, "indexing is too quick to be killed");
        let patience = Duration::from_micros(busy.below(whole));
        let is_done = busy.index_for(patience);
        n_killed += usize::from(!is_done);
        if round % 20 == 0 {
            busy.check();
        }
        busy.change();
    }
    busy.check();
    assert!(busy.index_for(Duration::from_secs(60)));
    busy.check();
}
