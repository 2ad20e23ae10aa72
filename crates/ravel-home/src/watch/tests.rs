use super::*;
use std::fs;
use std::io::Write;
use std::path::Path;

/// An upper bound only: every wait ends as soon as the change is there.
const PATIENCE: Duration = Duration::from_secs(30);

/// Polling alone, quickly.
const POLLING: WatchOptions = WatchOptions {
    poll_interval: Duration::from_millis(5),
    uses_notifications: false,
};

/// Notifications with a slow poll to fall back on.
const NOTIFIED: WatchOptions = WatchOptions {
    poll_interval: Duration::from_millis(200),
    uses_notifications: true,
};

/// Waits for one change of this path and kind; others may come before.
fn expect(changes: &Receiver<Change>, path: &Path, kind: ChangeKind) {
    let wanted = Change {
        path: path.to_path_buf(),
        kind,
    };
    loop {
        match changes.recv_timeout(PATIENCE) {
            Ok(change) if change == wanted => return,
            Ok(_) => {}
            Err(error) => panic!("{wanted:?}: {error}"),
        }
    }
}

fn append(path: &Path, text: &str) {
    let mut file = fs::File::options().append(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

fn check(options: WatchOptions) {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path().canonicalize().unwrap());
    let project = home.projects().join("p");
    fs::create_dir_all(&project).unwrap();
    let old = project.join("old.jsonl");
    fs::write(&old, "{}\n").unwrap();

    let (watcher, changes) = Watcher::start(&home, options).unwrap();
    append(&old, "{}\n");
    expect(&changes, &old, ChangeKind::Modified);
    let new = home.projects().join("q/s/subagents/agent-1.jsonl");
    fs::create_dir_all(new.parent().unwrap()).unwrap();
    fs::write(&new, "{}\n").unwrap();
    expect(&changes, &new, ChangeKind::Created);
    fs::write(home.history(), "{}\n").unwrap();
    expect(&changes, &home.history(), ChangeKind::Created);
    fs::remove_file(&old).unwrap();
    expect(&changes, &old, ChangeKind::Removed);
    watcher.stop();
    // A stopped watcher has closed its end, whatever was still on the way.
    assert!(changes.iter().count() < 100);
}

#[test]
fn changes_are_noticed_by_looking() {
    check(POLLING);
}

#[test]
fn changes_are_noticed_by_notification() {
    check(NOTIFIED);
}

#[test]
fn a_change_is_told_once() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    fs::create_dir_all(home.projects().join("p")).unwrap();
    let mut look = Look::at(&home);
    let path = home.projects().join("p/s.jsonl");
    fs::write(&path, "{}\n").unwrap();
    assert_eq!(
        look.again_at(&[path.clone(), home.projects().join("p")])
            .len(),
        1
    );
    assert_eq!(look.again(), []);
    assert_eq!(look.again_at(&[dir.path().join("debug/x.txt")]), []);
    fs::remove_dir_all(home.projects()).unwrap();
    assert_eq!(look.again_at(&[home.projects()]).len(), 1);
    assert_eq!(look.again(), []);
}

#[test]
fn a_watcher_that_is_dropped_ends() {
    let dir = tempfile::tempdir().unwrap();
    let (watcher, changes) =
        Watcher::start(&Home::at(dir.path()), WatchOptions::default()).unwrap();
    drop(watcher);
    assert_eq!(changes.recv(), Err(mpsc::RecvError));
}
