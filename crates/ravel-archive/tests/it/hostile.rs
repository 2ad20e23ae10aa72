//! Archives and homes that someone has tampered with.

use std::fs;

use ravel_archive::{Archive, ArchiveError};
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
