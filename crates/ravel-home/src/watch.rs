//! Noticing changes anywhere in the home.
//!
//! The system's notifications are fast but not complete: they can be switched off,
//! run out, or miss what happens in a folder that has just been made. So a [`Watcher`]
//! also looks over everything every two seconds. Both ways lead through one thread
//! that remembers how each file looked, so that a change is reported once.
//!
//! It says that a file changed, not how; a [`Tail`](crate::Tail) finds that out.

mod look;

use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use notify::{RecursiveMode, Watcher as _};

use crate::home::Home;
use look::Look;

/// A file that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// What happened to it.
    pub kind: ChangeKind,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// It is new.
    Created,
    /// It has another size or time than before, or is another file.
    Modified,
    /// It is gone.
    Removed,
}

/// How to watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WatchOptions {
    /// How often to look over everything.
    pub poll_interval: Duration,
    /// Whether to ask the system for notifications.
    pub uses_notifications: bool,
}

/// Why watching could not begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WatchError {
    /// The thread could not be started.
    #[error("start watching {}", path.display())]
    Start {
        /// The home.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
}

/// Watches until it is stopped or dropped.
#[derive(Debug)]
pub struct Watcher {
    signals: Sender<Signal>,
    thread: Option<JoinHandle<()>>,
}

impl Default for WatchOptions {
    fn default() -> Self {
        Self {
            poll_interval: Duration::from_secs(2),
            uses_notifications: true,
        }
    }
}

impl Watcher {
    /// Starts watching. What is there now is the state that changes are told from.
    pub fn start(
        home: &Home,
        options: WatchOptions,
    ) -> Result<(Self, Receiver<Change>), WatchError> {
        let (signals, incoming) = mpsc::channel();
        let (changes, outgoing) = mpsc::channel();
        // Ask for notifications before looking, so that nothing falls in between.
        let system = options
            .uses_notifications
            .then(|| notifications(home, signals.clone()))
            .flatten();
        let mut guard = Guard {
            look: Look::at(home),
            changes,
            poll_interval: options.poll_interval,
            system,
        };
        let thread = thread::Builder::new()
            .name("ravel-watch".to_owned())
            .spawn(move || guard.run(&incoming))
            .map_err(|source| WatchError::Start {
                path: home.root().to_path_buf(),
                source,
            })?;
        let watcher = Self {
            signals,
            thread: Some(thread),
        };
        Ok((watcher, outgoing))
    }

    /// Stops watching and waits until the thread has ended.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        // Either may fail only when the thread has already ended.
        let _ = self.signals.send(Signal::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.end();
    }
}

/// What wakes the thread.
#[derive(Debug)]
enum Signal {
    /// The system says that something happened here.
    Touched(Vec<PathBuf>),
    /// The system says that it lost track.
    Lost,
    Stop,
}

/// What the thread owns.
struct Guard {
    look: Look,
    changes: Sender<Change>,
    poll_interval: Duration,
    /// Notifications end when this is dropped.
    system: Option<notify::RecommendedWatcher>,
}

impl Guard {
    fn run(&mut self, incoming: &Receiver<Signal>) {
        let mut next_poll = Instant::now() + self.poll_interval;
        loop {
            let wait = next_poll.saturating_duration_since(Instant::now());
            let changes = match incoming.recv_timeout(wait) {
                Ok(Signal::Touched(paths)) => {
                    self.watch_new_folders(&paths);
                    self.look.again_at(&paths)
                }
                Ok(Signal::Lost) | Err(RecvTimeoutError::Timeout) => {
                    let changes = self.look.again();
                    next_poll = Instant::now() + self.poll_interval;
                    changes
                }
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
            };
            for change in changes {
                if self.changes.send(change).is_err() {
                    return;
                }
            }
        }
    }

    /// A folder such as `projects` may be made after watching has begun.
    fn watch_new_folders(&mut self, paths: &[PathBuf]) {
        let Some(system) = &mut self.system else {
            return;
        };
        for path in paths.iter().filter(|path| self.look.watches_folder(path)) {
            // It may be gone again already; the slow way then has nothing to find.
            let _ = system.watch(path, RecursiveMode::Recursive);
        }
    }
}

/// Asks the system for notifications. `None` when it cannot give them; the regular
/// look over everything then has to do.
fn notifications(home: &Home, signals: Sender<Signal>) -> Option<notify::RecommendedWatcher> {
    let forward = move |event: notify::Result<notify::Event>| {
        let signal = match event {
            Ok(event) if event.need_rescan() => Signal::Lost,
            Ok(event) if event.kind.is_access() => return,
            Ok(event) => Signal::Touched(event.paths),
            Err(_) => Signal::Lost,
        };
        // Nobody listens any more once the watcher has been stopped.
        let _ = signals.send(signal);
    };
    let mut watcher = notify::recommended_watcher(forward).ok()?;
    watcher
        .watch(home.root(), RecursiveMode::NonRecursive)
        .ok()?;
    for folder in look::watched_folders(home) {
        // A folder that is not there yet is watched when it appears.
        let _ = watcher.watch(&folder, RecursiveMode::Recursive);
    }
    Some(watcher)
}

#[cfg(test)]
mod tests;
