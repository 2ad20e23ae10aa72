//! Files that grow, are cut, replaced, renamed, deleted.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use ravel_archive::{Archive, Selection};
use ravel_home::{Manifest, is_kept};

use crate::{Case, SID, belongings, content, lines};

const MAIN: &str = "projects/-srv-a/5f0c7a52-3c4e-4a57-9d38-0a4b8a1f2c11.jsonl";

#[test]
fn everything_of_a_session_is_kept_and_nothing_is_read_twice() {
    let case = Case::with_session();
    case.write("history.jsonl", b"{}\n");
    case.write("paste-cache/0123456789abcdef.txt", b"pasted");
    case.write("debug/log.txt", b"not kept");
    case.write("settings.json", b"{}");
    case.write("projects/-srv-a/notes.txt", b"not kept");
    case.write("projects/-srv-a/memory/MEMORY.md", b"not kept");
    let first = case.keep();
    assert_eq!((first.n_sessions, first.n_files, first.n_new), (1, 13, 13));
    assert_eq!(first.findings, []);
    for (name, text) in belongings() {
        case.assert_kept(&name, text.as_bytes());
    }
    case.assert_kept("history.jsonl", b"{}\n");
    let again = case.keep();
    assert_eq!(
        (again.n_files, again.n_new_bytes, again.n_stored_bytes),
        (13, 0, 0)
    );
    assert_eq!((again.n_new, again.n_grown, again.n_replaced), (0, 0, 0));
    case.assert_sound();
}

#[test]
fn named_sessions_are_kept_with_what_belongs_to_them() {
    let case = Case::with_session();
    case.write("projects/-srv-a/other.jsonl", b"{}\n");
    case.write(
        "projects/-srv-a/agent-c1.jsonl",
        b"{\"sessionId\":\"other\"}\n",
    );
    case.write("plans/other-plan.md", b"# Other\n");
    let lock = case.archive.lock().unwrap();
    let sessions = [case.session()];
    let selection = Selection::Sessions(&sessions);
    let planned = case.archive.plan(&case.home, &selection).unwrap();
    let done = case
        .archive
        .keep(&lock, &case.home, &selection, &())
        .unwrap();
    assert_eq!(
        (done.n_files, done.n_sessions),
        (belongings().len() as u64, 1)
    );
    assert_eq!(
        (planned.n_files, planned.n_new_bytes),
        (done.n_files, done.n_new_bytes)
    );
    for (name, text) in belongings() {
        case.assert_kept(&name, text.as_bytes());
    }
    assert!(!case.kept("projects/-srv-a/other.jsonl").exists());
    assert!(!case.kept("plans/other-plan.md").exists());
}

#[test]
fn growth_adds_what_is_new_and_shares_the_rest() {
    let case = Case::new();
    let bytes = lines(9 << 20, 1);
    case.write(MAIN, &bytes[..3 << 20]);
    let first = case.keep();
    for end in [(3 << 20) + 10, 5 << 20, bytes.len()] {
        let start = fs::metadata(case.path(MAIN)).unwrap().len() as usize;
        case.append(MAIN, &bytes[start..end]);
        let grown = case.keep();
        assert_eq!((grown.n_grown, grown.n_replaced), (1, 0));
        assert_eq!(grown.n_new_bytes, (end - start) as u64);
        case.assert_kept(MAIN, &bytes[..end]);
        case.assert_sound();
    }
    assert!(first.n_stored_bytes < first.n_new_bytes / 2);
    // Kept at once, the file has the same chunks.
    let at_once = Archive::at(case.folder.path().join("other"));
    let lock = at_once.lock().unwrap();
    at_once
        .keep(&lock, &case.home, &Selection::Everything, &())
        .unwrap();
    let other = Manifest::load(&ravel_home::kept_path(&at_once.mirror().join(MAIN))).unwrap();
    assert_eq!(
        Manifest::load(&case.kept(MAIN)).unwrap().chunks,
        other.chunks
    );
}

#[test]
fn a_torn_last_line_is_kept_and_said() {
    let case = Case::new();
    case.write(MAIN, b"{}\n{\"torn");
    case.keep();
    assert!(Manifest::load(&case.kept(MAIN)).unwrap().is_open_ended);
    case.append(MAIN, b"\":1}\n");
    assert_eq!(case.keep().n_grown, 1);
    assert!(!Manifest::load(&case.kept(MAIN)).unwrap().is_open_ended);
    case.assert_kept(MAIN, b"{}\n{\"torn\":1}\n");
}

#[test]
fn what_is_cut_or_rewritten_is_kept_as_it_was_too() {
    let case = Case::new();
    let states: [&[u8]; 5] = [
        b"{\"a\":1}\n{\"b\":2}\n",
        b"{\"a\":1}\n",
        b"{\"c\":3}\n",
        b"",
        b"{\"d\":4}\n{\"e\":5}\n",
    ];
    for state in states {
        case.write(MAIN, state);
        case.keep();
        case.assert_kept(MAIN, state);
    }
    let versions = case.archive.versions(&case.home, &case.session());
    let found: Vec<_> = versions
        .iter()
        .map(|one| (one.number, content(&one.path)))
        .collect();
    let expected = [
        (None, states[4]),
        (Some(3), states[2]),
        (Some(2), states[1]),
        (Some(1), states[0]),
    ];
    assert_eq!(
        found,
        expected.map(|(number, bytes)| (number, bytes.to_vec()))
    );
    case.assert_sound();
}

#[test]
fn a_rewrite_of_the_same_size_and_time_is_noticed() {
    let case = Case::new();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    let set_time = || {
        let file = File::options().append(true).open(case.path(MAIN)).unwrap();
        file.set_modified(time).unwrap();
    };
    case.write(MAIN, b"{\"a\":1}\n");
    set_time();
    case.keep();
    case.write(MAIN, b"{\"b\":2}\n");
    set_time();
    assert_eq!(case.keep().n_replaced, 1);
    case.assert_kept(MAIN, b"{\"b\":2}\n");
}

#[test]
fn a_larger_file_in_its_place_is_no_growth() {
    let case = Case::new();
    let (one, other) = (lines(40 << 20, 1), lines(41 << 20, 2));
    case.write(MAIN, &one);
    case.keep();
    // Only the middle differs, as no client would do it: a new file is compared as a whole.
    let mut mixed = one.clone();
    mixed[20 << 20..21 << 20].copy_from_slice(&other[20 << 20..21 << 20]);
    mixed.extend(b"{}\n");
    fs::write(case.path("new"), &mixed).unwrap();
    fs::rename(case.path("new"), case.path(MAIN)).unwrap();
    let summary = case.keep();
    assert_eq!((summary.n_grown, summary.n_replaced), (0, 1));
    assert!(summary.n_stored_bytes < 2 << 20, "most chunks are shared");
    case.assert_kept(MAIN, &mixed);
    case.assert_sound();
}

#[test]
fn a_touched_or_moved_file_costs_no_space() {
    let case = Case::new();
    let bytes = lines(2 << 20, 3);
    case.write(MAIN, &bytes);
    case.keep();
    fs::copy(case.path(MAIN), case.path("copy")).unwrap();
    fs::rename(case.path("copy"), case.path(MAIN)).unwrap();
    let touched = case.keep();
    assert_eq!(
        (touched.n_grown, touched.n_replaced, touched.n_stored_bytes),
        (0, 0, 0)
    );
    let other = "projects/-srv-b/11111111-3c4e-4a57-9d38-0a4b8a1f2c11.jsonl";
    fs::create_dir_all(case.path(other).parent().unwrap()).unwrap();
    fs::rename(case.path(MAIN), case.path(other)).unwrap();
    let moved = case.keep();
    assert_eq!((moved.n_new, moved.n_stored_bytes), (1, 0));
    case.assert_kept(MAIN, &bytes);
    case.assert_kept(other, &bytes);
    case.assert_sound();
}

#[test]
fn what_is_deleted_stays_in_the_archive() {
    let case = Case::with_session();
    case.keep();
    fs::remove_dir_all(case.home.root()).unwrap();
    let summary = case.keep();
    assert_eq!((summary.n_files, summary.pruned.n_chunks), (0, 0));
    for (name, text) in belongings() {
        case.assert_kept(&name, text.as_bytes());
    }
    assert!(case.session().is_archived);
}

#[test]
fn a_chunk_that_was_lost_comes_back_while_the_file_is_there() {
    let case = Case::new();
    let bytes = lines(3 << 20, 4);
    case.write(MAIN, &bytes);
    case.keep();
    fs::remove_dir_all(case.archive.root().join("chunks")).unwrap();
    assert_ne!(case.archive.verify(&()).unwrap().findings, []);
    case.keep();
    case.assert_kept(MAIN, &bytes);
    case.assert_sound();
    assert_eq!(case.archive.versions(&case.home, &case.session()).len(), 1);
}

#[test]
fn the_second_process_waits_for_the_first() {
    let case = Case::with_session();
    let lock = case.archive.lock().unwrap();
    assert!(case.archive.try_lock().unwrap().is_none());
    let other = case.archive.clone();
    let second = std::thread::spawn(move || other.lock().map(drop));
    let summary = case
        .archive
        .keep(&lock, &case.home, &Selection::Everything, &());
    assert!(summary.is_ok());
    drop(lock);
    second.join().unwrap().unwrap();
    assert!(case.archive.try_lock().unwrap().is_some());
}

#[cfg(unix)]
#[test]
fn nobody_else_can_look_into_the_archive() {
    use std::os::unix::fs::PermissionsExt as _;
    let case = Case::with_session();
    case.keep();
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o077;
    assert_eq!(mode(case.archive.root()), 0);
    assert_eq!(mode(&case.kept(MAIN)), 0);
    assert!(is_kept(&case.kept(MAIN)) && case.kept(MAIN).to_string_lossy().contains(SID));
}
