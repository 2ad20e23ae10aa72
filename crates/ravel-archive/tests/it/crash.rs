//! Killed anywhere, two hundred times.
//!
//! The test starts itself as another process, which archives and stops for good before the Nth
//! change of a file; the first process sees it stop and kills it. What is left must be whole.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicI64, Ordering};

use ravel_archive::{Archive, Progress, Selection};
use ravel_home::{Home, KEPT_SUFFIX};

use crate::{Case, content, lines};

const VARIABLE: &str = "RAVEL_ARCHIVE_TEST_CRASH";

/// Stops for good before a change.
struct Fuse {
    n_left: AtomicI64,
}

impl Progress for Fuse {
    fn step(&self) {
        if self.n_left.fetch_sub(1, Ordering::SeqCst) == 0 {
            let mut out = std::io::stdout();
            writeln!(out, "\nstopped").unwrap();
            out.flush().unwrap();
            loop {
                std::thread::park();
            }
        }
    }
}

/// Not a test by itself: what the other process does.
#[test]
fn the_process_that_is_killed() {
    let Ok(order) = std::env::var(VARIABLE) else {
        return;
    };
    let (n_steps, folder) = order.split_once(' ').unwrap();
    let folder = Path::new(folder);
    let fuse = Fuse {
        n_left: AtomicI64::new(n_steps.parse().unwrap()),
    };
    let (home, archive) = (
        Home::at(folder.join("claude")),
        Archive::at(folder.join("archive")),
    );
    let lock = archive.lock().unwrap();
    archive
        .keep(&lock, &home, &Selection::Everything, &fuse)
        .unwrap();
}

/// Archives in another process and kills it before a change; tells whether it got that far.
fn archive_and_kill(folder: &Path, n_steps: u64) -> bool {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "crash::the_process_that_is_killed",
            "--exact",
            "--nocapture",
        ])
        .env(VARIABLE, format!("{n_steps} {}", folder.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let has_stopped = out
        .lines()
        .map_while(Result::ok)
        .any(|line| line == "stopped");
    child.kill().unwrap();
    child.wait().unwrap();
    has_stopped
}

/// Every kept file below a folder, with what it stands for.
fn kept_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false => found.push(entry.path()),
            }
        }
    }
    found
}

/// The states that the files of the home have had.
#[derive(Default)]
struct States {
    by_name: BTreeMap<String, Vec<Vec<u8>>>,
    /// Those that were seen in the archive, by their numbers.
    archived: BTreeMap<String, BTreeSet<usize>>,
}

impl States {
    fn set(&mut self, case: &Case, name: &str, bytes: Vec<u8>) {
        // Not through the same file: the client replaces some of its files.
        case.write(name, &bytes);
        self.by_name.entry(name.to_owned()).or_default().push(bytes);
    }

    fn add(&mut self, case: &Case, name: &str, bytes: &[u8]) {
        case.append(name, bytes);
        let states = self.by_name.get_mut(name).unwrap();
        let mut state = states.last().unwrap().clone();
        state.extend(bytes);
        states.push(state);
    }

    /// Whatever is in the archive is the whole of a state that was, whatever was in it still is,
    /// and the home is untouched.
    #[track_caller]
    fn check(&mut self, case: &Case) {
        let mirror = case.archive.mirror();
        let mut kept: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for path in kept_files(&mirror) {
            let name = path.strip_prefix(&mirror).unwrap().to_str().unwrap();
            let name = &name[..name.rfind(KEPT_SUFFIX).unwrap()];
            let bytes = content(&path);
            let state = self.by_name[name].iter().rposition(|state| *state == bytes);
            let state = state.unwrap_or_else(|| panic!("{} is no state of it", path.display()));
            kept.entry(name.to_owned()).or_default().insert(state);
        }
        for (name, archived) in &mut self.archived {
            let states = &self.by_name[name];
            let is_there = |old: &usize| {
                let mut kept = kept[name].iter();
                kept.any(|&state| states[state].starts_with(&states[*old]))
            };
            assert!(archived.iter().all(is_there), "something of {name} is lost");
        }
        for (name, states) in kept {
            self.archived.entry(name).or_default().extend(states);
        }
        for (name, states) in &self.by_name {
            assert!(std::fs::read(case.path(name)).unwrap() == *states.last().unwrap());
        }
    }

    /// The last states are in the archive.
    #[track_caller]
    fn check_current(&self, case: &Case) {
        for (name, states) in &self.by_name {
            case.assert_kept(name, states.last().unwrap());
        }
    }
}

#[test]
fn an_archive_is_whole_wherever_the_process_ends() {
    // Side by side, because most of the time is spent waiting for the disk.
    let outcomes: Vec<(u64, u64)> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..8)
            .map(|part| scope.spawn(move || kill_often(part)))
            .collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    let n_killed: u64 = outcomes.iter().map(|outcome| outcome.0).sum();
    let n_finished: u64 = outcomes.iter().map(|outcome| outcome.1).sum();
    assert_eq!(n_killed + n_finished, 200);
    assert!(n_killed > 100 && n_finished > 5, "{n_killed} {n_finished}");
}

/// Kills twenty-five times; tells how often the process was killed and how often it was quicker.
fn kill_often(part: u64) -> (u64, u64) {
    let case = Case::new();
    let mut states = States::default();
    let main = |number: u64| {
        format!("projects/-srv-{number}/{number:08}-3c4e-4a57-9d38-0a4b8a1f2c11.jsonl")
    };
    let n_sessions = 3;
    for number in 0..n_sessions {
        states.set(&case, &main(number), lines(350 << 10, number));
    }
    let (mut n_killed, mut n_finished) = (0, 0);
    for round in part * 25..(part + 1) * 25 {
        // Something has always changed: a file has grown, is new, was cut or was replaced.
        let number = round % n_sessions;
        match round % 7 {
            0 => states.set(&case, &main(number), lines(290 << 10, round)),
            1 => {
                let name = format!("todos/{round}-x.json");
                states.set(&case, &name, format!("[{round}]").into_bytes());
            }
            2 => {
                let state = states.by_name[&main(number)].last().unwrap();
                let half = state[..state.len() / 2].to_vec();
                states.set(&case, &main(number), half);
            }
            _ => states.add(&case, &main(number), &lines(20 << 10, round)),
        }
        match archive_and_kill(case.folder.path(), (round * 7) % 29) {
            true => n_killed += 1,
            false => n_finished += 1,
        }
        states.check(&case);
    }
    case.keep();
    states.check(&case);
    states.check_current(&case);
    case.assert_sound();
    (n_killed, n_finished)
}
