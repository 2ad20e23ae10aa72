//! Archives and homes that someone has tampered with.

use std::fs;

use ravel_archive::{Archive, ArchiveError, Progress, Selection};
use ravel_home::{Manifest, chunk_path};

use crate::{Case, SID, lines};

fn main_name() -> String {
    format!("projects/-srv-a/{SID}.jsonl")
}

#[test]
fn damage_is_found_and_named() {
    let case = Case::with_session();
    case.write(&main_name(), &lines(3 << 20, 9));
    case.keep();
    let chunks = case.archive.root().join("chunks");
    let manifest = Manifest::load(&case.kept(&main_name())).unwrap();
    let [missing, damaged] = [0, 1].map(|number| manifest.chunks[number].id);
    fs::remove_file(chunk_path(&chunks, &missing)).unwrap();
    fs::write(chunk_path(&chunks, &damaged), "nonsense").unwrap();
    fs::write(case.kept("plans/calm-fox.md"), "nonsense").unwrap();
    let verified = case.archive.verify(&()).unwrap();
    let mut messages: Vec<String> = verified
        .findings
        .iter()
        .map(|one| one.message.clone())
        .collect();
    messages.sort();
    let mut expected = [
        format!("chunk {damaged} of the archive is damaged"),
        format!("chunk {missing} of the archive is missing"),
        "the kept file is not one of Ravel's".to_owned(),
    ];
    expected.sort();
    assert_eq!(messages, expected);
}

#[test]
fn nothing_is_pruned_while_a_kept_file_is_damaged() {
    let case = Case::with_session();
    case.keep();
    fs::remove_dir_all(case.home.root()).unwrap();
    let text = fs::read(case.kept(&main_name())).unwrap();
    fs::write(case.kept(&main_name()), &text[..text.len() - 9]).unwrap();
    let lock = case.archive.lock().unwrap();
    let findings = case.archive.prune(&lock, &()).unwrap().unwrap_err();
    assert_eq!(findings[0].path, case.kept(&main_name()));
    drop(lock);
    assert_eq!(case.keep().pruned.n_chunks, 0);
    fs::write(case.kept(&main_name()), &text).unwrap();
    case.assert_sound();
    // Without the kept file its chunk is of no use to anyone.
    fs::remove_file(case.kept(&main_name())).unwrap();
    let lock = case.archive.lock().unwrap();
    assert_eq!(case.archive.prune(&lock, &()).unwrap().unwrap().n_chunks, 1);
}

#[test]
fn a_damaged_kept_file_makes_room_and_stays_aside() {
    let case = Case::with_session();
    case.keep();
    fs::write(case.kept(&main_name()), "nonsense").unwrap();
    assert_eq!(case.keep().n_replaced, 1);
    let versions = case.archive.versions(&case.home, &case.session());
    assert!(versions[0].facts.is_some() && versions[1].facts.is_none());
    assert_eq!(fs::read(&versions[1].path).unwrap(), b"nonsense");
}

#[test]
fn names_of_plans_do_not_lead_out() {
    let case = Case::with_session();
    case.write("secret.md", b"secret");
    let line =
        format!("{{\"sessionId\":\"{SID}\",\"slug\":\"../secret\",\"b\":{{\"slug\":\"..\"}}}}\n");
    case.write(&main_name(), line.as_bytes());
    let lock = case.archive.lock().unwrap();
    let sessions = [case.session()];
    let selection = ravel_archive::Selection::Sessions(&sessions);
    case.archive
        .keep(&lock, &case.home, &selection, &())
        .unwrap();
    assert!(!case.kept("secret.md").exists());
    assert!(!case.kept("plans/../secret.md").exists());
}

#[cfg(unix)]
#[test]
fn links_out_of_the_home_are_not_followed() {
    use std::os::unix::fs::symlink;
    let case = Case::with_session();
    let outside = case.folder.path().join("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::write(outside.join("secret.jsonl"), "secret").unwrap();
    symlink(&outside, case.path("projects/-srv-b")).unwrap();
    symlink(
        outside.join("secret.jsonl"),
        case.path("projects/-srv-a/x.jsonl"),
    )
    .unwrap();
    symlink(
        case.path("projects"),
        case.path(&format!("projects/-srv-a/{SID}/loop")),
    )
    .unwrap();
    let summary = case.keep();
    let messages: Vec<&str> = summary
        .findings
        .iter()
        .map(|one| one.message.as_str())
        .collect();
    assert!(messages.contains(&"a link that leads out of the home"));
    assert!(!case.kept("projects/-srv-a/x.jsonl").exists());
    assert!(!case.archive.mirror().join("projects/-srv-b").exists());
    assert!(summary.n_files < 2_000, "{}", summary.n_files);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_does_not_stop_the_others() {
    let case = Case::with_session();
    // A pipe would be waited on for ever.
    let pipe = case.path("projects/-srv-a/pipe.jsonl");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    assert_eq!(case.keep().n_sessions, 1);
}

#[test]
fn a_folder_with_other_things_is_not_written_into() {
    let case = Case::with_session();
    let full = case.folder.path().join("full");
    fs::create_dir_all(&full).unwrap();
    fs::write(full.join("letter.txt"), "dear").unwrap();
    let error = Archive::at(&full).lock().unwrap_err();
    assert!(matches!(error, ArchiveError::NotAnArchive(_)));
    assert_eq!(fs::read_dir(&full).unwrap().count(), 1);
    case.keep();
    fs::write(
        case.archive.root().join("ravel-archive"),
        "ravel-archive 2\n",
    )
    .unwrap();
    assert!(matches!(
        case.archive.lock().unwrap_err(),
        ArchiveError::Newer(_)
    ));
}

#[test]
fn what_others_put_among_the_chunks_stays_and_does_no_harm() {
    let case = Case::with_session();
    case.keep();
    let chunks = case.archive.root().join("chunks");
    let manifest = Manifest::load(&case.kept(&main_name())).unwrap();
    let chunk = chunk_path(&chunks, &manifest.chunks[0].id);
    let shelf = chunk.parent().unwrap();
    let name = chunk.file_name().unwrap().to_str().unwrap();
    let strays = [
        shelf.join("letter.txt"),
        shelf.join(format!("{name}.sync-conflict")),
        chunks.join("letter.txt"),
        // The name of a chunk in a place where none is looked for.
        chunks.join("00").join(name.replacen(&name[..1], "f", 1)),
    ];
    fs::create_dir_all(chunks.join("00")).unwrap();
    for stray in &strays {
        fs::write(stray, "dear").unwrap();
    }
    let folders = [
        shelf.join(".sync"),
        chunks.join(".sync"),
        // Even with the name of a chunk that nothing needs.
        chunks.join("ab").join(format!("{}.zst", "ab".repeat(32))),
    ];
    for folder in &folders {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("state"), "theirs").unwrap();
    }
    // This one is a chunk, and goes.
    let unneeded = chunks.join("cd").join(format!("{}.zst", "cd".repeat(32)));
    fs::create_dir_all(unneeded.parent().unwrap()).unwrap();
    fs::write(&unneeded, "unneeded").unwrap();
    for n_chunks in [1, 0] {
        let pruned = case.keep().pruned;
        assert_eq!((pruned.n_chunks, pruned.n_strays), (n_chunks, 7));
        assert!(!unneeded.exists());
        assert!(strays.iter().all(|stray| stray.is_file()));
        assert!(folders.iter().all(|folder| folder.join("state").is_file()));
        case.assert_sound();
    }
    assert_eq!(case.archive.verify(&()).unwrap().n_strays, 7);
}

#[test]
fn a_damaged_chunk_is_put_aside_and_written_again() {
    let case = Case::with_session();
    let bytes = lines(3 << 20, 9);
    case.write(&main_name(), &bytes);
    case.write("plans/gone.md", b"# Gone\n");
    case.keep();
    fs::remove_file(case.path("plans/gone.md")).unwrap();
    let chunks = case.archive.root().join("chunks");
    let id = |name: &str| Manifest::load(&case.kept(name)).unwrap().chunks[0].id;
    let [mended, lost] = [id(&main_name()), id("plans/gone.md")];
    for id in [&mended, &lost] {
        fs::write(chunk_path(&chunks, id), "nonsense").unwrap();
    }
    // Nothing says that it is damaged until it is read.
    case.keep();
    assert_eq!(case.archive.verify(&()).unwrap().findings.len(), 2);
    let lock = case.archive.lock().unwrap();
    let verify = || case.archive.verify_and_put_aside(&lock, &()).unwrap();
    let verified = verify();
    assert_eq!((verified.findings.len(), verified.n_put_aside), (2, 2));
    let again = verify();
    assert_eq!((again.findings.len(), again.n_put_aside), (2, 0));
    drop(lock);
    let aside = |id: &ravel_home::ChunkId| case.archive.root().join(format!("damaged/{id}.zst"));
    assert_eq!(fs::read(aside(&mended)).unwrap(), b"nonsense");
    assert_eq!(case.keep().findings, []);
    case.assert_kept(&main_name(), &bytes);
    assert_eq!(case.archive.versions(&case.home, &case.session()).len(), 1);
    let left = case.archive.verify(&()).unwrap().findings;
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].path, case.kept("plans/gone.md"));
    // What is whole again has replaced what was damaged; perhaps someone can save the other.
    assert!(!aside(&mended).exists() && aside(&lost).exists());
    case.write("plans/gone.md", b"# Gone\n");
    case.keep();
    case.assert_sound();
    assert!(!aside(&lost).exists());
}

#[test]
fn a_kept_file_that_lies_about_a_chunk_does_not_put_it_aside() {
    let case = Case::with_session();
    case.keep();
    let mut manifest = Manifest::load(&case.kept("plans/calm-fox.md")).unwrap();
    manifest.chunks[0].length += 1;
    manifest.size += 1;
    fs::write(case.kept("plans/a.md"), manifest.to_text()).unwrap();
    let lock = case.archive.lock().unwrap();
    let verified = case.archive.verify_and_put_aside(&lock, &()).unwrap();
    assert_eq!((verified.findings.len(), verified.n_put_aside), (1, 0));
    case.assert_kept("plans/calm-fox.md", b"# Plan\n");
}

#[test]
fn a_folder_without_the_mark_is_somebody_elses() {
    let case = Case::with_session();
    for name in ["tmp", "home", "chunks"] {
        let folder = case.folder.path().join(format!("only-{name}"));
        fs::create_dir_all(folder.join(name)).unwrap();
        fs::write(folder.join(name).join("1"), "dear").unwrap();
        let error = Archive::at(&folder).lock().unwrap_err();
        assert!(matches!(error, ArchiveError::NotAnArchive(_)), "{name}");
        assert_eq!(fs::read(folder.join(name).join("1")).unwrap(), b"dear");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }
    // A process was killed after the lock, or while it wrote the mark.
    for mark in [None, Some(""), Some("ravel-arch")] {
        let begun = case.folder.path().join(format!("begun-{mark:?}"));
        fs::create_dir_all(&begun).unwrap();
        fs::write(begun.join("lock"), "").unwrap();
        if let Some(mark) = mark {
            fs::write(begun.join("ravel-archive"), mark).unwrap();
        }
        let archive = Archive::at(&begun);
        drop(archive.lock().unwrap());
        let mark = fs::read_to_string(begun.join("ravel-archive")).unwrap();
        assert_eq!(mark, "ravel-archive 1\n");
    }
}

#[test]
fn only_what_was_being_written_goes_from_tmp() {
    let case = Case::with_session();
    case.keep();
    let tmp = case.archive.root().join("tmp");
    fs::write(tmp.join("17"), "half").unwrap();
    fs::write(tmp.join("letter.txt"), "dear").unwrap();
    fs::create_dir_all(tmp.join("0")).unwrap();
    fs::write(tmp.join("0/letter.txt"), "dear").unwrap();
    case.write("plans/new.md", b"# New\n");
    assert_eq!(case.keep().n_new, 1);
    assert!(!tmp.join("17").exists());
    assert!(tmp.join("letter.txt").exists() && tmp.join("0/letter.txt").exists());
    case.assert_kept("plans/new.md", b"# New\n");
}

/// Takes a folder away as soon as there is something in it.
struct Thief(std::path::PathBuf);

impl Progress for Thief {
    fn step(&self) {
        let is_full = |mut entries: fs::ReadDir| entries.next().is_some();
        if fs::read_dir(&self.0).is_ok_and(is_full) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_pruned_before_the_names_are_on_the_disk() {
    let case = Case::new();
    case.write("todos/1.json", b"[]");
    let chunks = case.archive.root().join("chunks");
    let unneeded = chunks.join("cd").join(format!("{}.zst", "cd".repeat(32)));
    let lock = case.archive.lock().unwrap();
    fs::create_dir_all(unneeded.parent().unwrap()).unwrap();
    fs::write(&unneeded, "unneeded").unwrap();
    let todos = case.archive.mirror().join("todos");
    let thief = Thief(todos.clone());
    let outcome = case
        .archive
        .keep(&lock, &case.home, &Selection::Everything, &thief);
    let Err(ArchiveError::Write { path, .. }) = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!(path, todos);
    assert!(unneeded.exists());
    drop(lock);
    assert_eq!(case.keep().pruned.n_chunks, 1);
}
