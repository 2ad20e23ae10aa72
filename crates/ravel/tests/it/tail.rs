//! `ravel tail`, as a process that is fed while it runs.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use ravel_testkit::{AgentTask, Outcome, SessionBuilder, TestHome, Version};
use serde_json::json;

use crate::home;

/// Long enough for the slow look of a busy machine; nothing waits this long when all is well.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running `ravel tail`.
pub(crate) struct Tailing {
    child: Child,
    lines: Receiver<String>,
    pub(crate) seen: Vec<String>,
}

impl Tailing {
    pub(crate) fn start(home: &TestHome, arguments: &[&str]) -> Self {
        let mut child = spawn(home, arguments);
        let (sender, lines) = mpsc::channel();
        let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        forward(BufReader::new(out), sender.clone());
        forward(BufReader::new(err), sender);
        Self {
            child,
            lines,
            seen: Vec::new(),
        }
    }

    /// Reads until a line contains `text`.
    pub(crate) fn expect(&mut self, text: &str) {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("no {text:?} in {:#?}", self.seen));
            let is_found = line.contains(text);
            self.seen.push(line);
            if is_found {
                return;
            }
        }
    }

    /// Counts the lines so far that contain `text`.
    fn count(&self, text: &str) -> usize {
        self.seen.iter().filter(|line| line.contains(text)).count()
    }
}

impl Drop for Tailing {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(home: &TestHome, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_ravel"))
        .arg("tail")
        .args(arguments)
        .env_clear()
        .env("HOME", home.path())
        .env("USERPROFILE", home.path())
        // A process that is killed leaves its sample home behind; here it goes with the test.
        .env("TMPDIR", home.path())
        .env("TZ", "UTC")
        .env("COLUMNS", "80")
        .env("NO_COLOR", "1")
        .current_dir(home.work())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn forward(reader: impl BufRead + Send + 'static, sender: mpsc::Sender<String>) {
    thread::spawn(move || {
        for line in reader.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
}

/// A session whose file is written bit by bit.
struct Growing {
    session: SessionBuilder,
    path: PathBuf,
    n_written: usize,
}

impl Growing {
    fn new(home: &TestHome, mut session: SessionBuilder) -> Self {
        session.prompt("Begin here.");
        let path = home.add_session(&session);
        let n_written = session.to_bytes().len();
        Self {
            session,
            path,
            n_written,
        }
    }

    /// Appends what the session has more than the file.
    fn write(&mut self) {
        let bytes = self.session.to_bytes();
        append(&self.path, &bytes[self.n_written..]);
        self.n_written = bytes.len();
    }
}

fn append(path: &Path, bytes: &[u8]) {
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .unwrap();
    file.write_all(bytes).unwrap();
}

#[test]
fn messages_as_they_come_each_once() {
    let home = home();
    let mut growing = Growing::new(&home, SessionBuilder::new(Version::V2_1_29, "tail"));
    let mut tailing = Tailing::start(&home, &[]);
    tailing.expect("Begin here.");

    growing.session.reply("A first reply.\u{1b}[2J");
    growing.write();
    tailing.expect("A first reply.␛[2J");

    let call = growing
        .session
        .tool_use("Bash", json!({"command": "ls kiln"}));
    growing.write();
    tailing.expect("ls kiln");
    growing
        .session
        .tool_result(&call, &Outcome::bash("bowl.txt"));
    growing.session.reply("One file.");
    growing.write();
    tailing.expect("bowl.txt");
    tailing.expect("One file.");
    for text in [
        "Begin here.",
        "A first reply.",
        "ls kiln",
        "bowl.txt",
        "One file.",
    ] {
        assert_eq!(tailing.count(text), 1, "{text}: {:#?}", tailing.seen);
    }
}

#[test]
fn a_torn_line_waits_for_its_end() {
    let home = home();
    let mut growing = Growing::new(&home, SessionBuilder::new(Version::V2_1_29, "torn"));
    let mut tailing = Tailing::start(&home, &["--json", "latest", "-n", "1"]);
    tailing.expect("Begin here.");
    growing.session.reply("In two parts.");
    let bytes = growing.session.to_bytes()[growing.n_written..].to_vec();
    let (front, back) = bytes.split_at(bytes.len() / 2);
    append(&growing.path, front);
    append(&growing.path, back);
    tailing.expect("In two parts.");
    let last = tailing.seen.last().unwrap();
    assert_eq!(
        format!("{last}\n").as_bytes(),
        bytes,
        "the line is unchanged"
    );
    assert_eq!(tailing.seen.len(), 2);
}

#[test]
fn the_last_messages_first_and_a_replaced_file_starts_over() {
    let home = home();
    let mut growing = Growing::new(&home, SessionBuilder::new(Version::V2_1_29, "replaced"));
    growing.session.reply("An answer.");
    growing.session.prompt("Again.");
    growing.session.reply("Another answer.");
    growing.write();
    let mut tailing = Tailing::start(&home, &["-n", "2"]);
    tailing.expect("Another answer.");
    assert_eq!(tailing.count("Again."), 1);
    assert_eq!(tailing.count("An answer."), 0);

    let mut other = SessionBuilder::new(Version::V2_1_29, "other");
    other.prompt("All new.");
    let new = growing.path.with_extension("new");
    fs::write(&new, other.to_bytes()).unwrap();
    fs::rename(new, &growing.path).unwrap();
    tailing.expect("starting over");
    tailing.expect("All new.");
}

#[test]
fn new_agents_are_followed_beside_a_rail() {
    let home = home();
    let mut growing = Growing::new(&home, SessionBuilder::new(Version::V2_1_325, "agents"));
    let mut tailing = Tailing::start(&home, &[]);
    tailing.expect("Begin here.");
    growing
        .session
        .agent(&AgentTask::new("Look", "Look around."), |agent| {
            agent.reply("Nothing but clay.");
        });
    let folder = growing.path.parent().unwrap();
    for (name, bytes) in growing
        .session
        .files()
        .iter()
        .filter(|(name, _)| name.contains("agent-"))
    {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    tailing.expect("┌ agent");
    tailing.expect("│   Nothing but clay.");
}

#[test]
fn the_first_session_is_waited_for() {
    let home = home();
    let mut tailing = Tailing::start(&home, &[]);
    tailing.expect("waiting for a session");
    let _growing = Growing::new(&home, SessionBuilder::new(Version::V2_1_29, "first"));
    tailing.expect("Begin here.");
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let home = home();
    let mut growing = Growing::new(&home, SessionBuilder::new(Version::V2_1_29, "pipe"));
    let mut child = spawn(&home, &["--json"]);
    let mut line = String::new();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut line).unwrap();
    drop(reader);
    growing.session.reply("Nobody reads this.");
    growing.write();
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || sender.send(child.wait_with_output()));
    let output = ended.recv_timeout(PATIENCE).unwrap().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_file_outside_of_any_home_is_followed_too() {
    let home = home();
    let session = SessionBuilder::new(Version::V2_1_29, "loose");
    let mut growing = Growing::new(&home, session);
    let loose = home.work().join("copy.jsonl");
    fs::copy(&growing.path, &loose).unwrap();
    growing.path = loose;
    let mut tailing = Tailing::start(&home, &["copy.jsonl"]);
    tailing.expect("Begin here.");
    growing.session.reply("Found all the same.");
    growing.write();
    tailing.expect("Found all the same.");
}

#[test]
fn wrong_requests() {
    let home = home();
    for name in ["-", "nosuch"] {
        let output = home.ravel(["tail", name]);
        assert_eq!(output.code, 2, "{name}");
        assert!(output.stderr.contains("hint: "), "{}", output.stderr);
    }
}

#[test]
fn the_sample_can_be_followed() {
    let home = home();
    let mut tailing = Tailing::start(&home, &["--demo", "3583", "-n", "3"]);
    tailing.expect("pull request #31");
}
