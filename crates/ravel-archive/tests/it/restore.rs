//! Putting sessions back.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ravel_archive::{
    Existing, RestoreError, RestoreRequest, RestoreState, Restored, Times, Version,
};

use crate::{Case, SID, belongings, content};

const NOW: SystemTime = SystemTime::UNIX_EPOCH;

fn restore(
    case: &Case,
    adjust: impl FnOnce(&mut RestoreRequest<'_>),
) -> Result<Restored, RestoreError> {
    let session = case.session();
    let mut request = RestoreRequest {
        session: &session,
        version: None,
        to: None,
        existing: Existing::Refuse,
        times: Times::At(NOW + Duration::from_secs(2_000_000_000)),
    };
    adjust(&mut request);
    case.archive.restore(&case.home, &request)
}

/// Puts the session back over whatever is there.
fn replace(case: &Case, to: Option<&Path>) -> Result<Restored, RestoreError> {
    let lock = case.archive.lock().unwrap();
    let request = RestoreRequest {
        session: &case.session(),
        version: None,
        to,
        existing: Existing::Replace(&lock),
        times: Times::At(NOW + Duration::from_secs(2_000_000_000)),
    };
    case.archive.restore(&case.home, &request)
}

/// What is kept of the main file, by number, the last state first.
fn states(case: &Case) -> Vec<(Option<u32>, Vec<u8>)> {
    let versions = case.archive.versions(&case.home, &case.session());
    let state = |one: &Version| (one.number, content(&one.path));
    versions.iter().map(state).collect()
}

fn main_name() -> String {
    format!("projects/-srv-a/{SID}.jsonl")
}

#[test]
fn everything_comes_back_where_it_was() {
    let case = Case::with_session();
    case.keep();
    fs::remove_dir_all(case.home.root()).unwrap();
    let restored = restore(&case, |_| {}).unwrap();
    assert_eq!(restored.main, case.path(&main_name()));
    assert_eq!(restored.files.len(), belongings().len());
    for (name, text) in belongings() {
        assert_eq!(
            fs::read_to_string(case.path(&name)).unwrap(),
            text,
            "{name}"
        );
        let modified = case.path(&name).metadata().unwrap().modified().unwrap();
        assert_eq!(modified, NOW + Duration::from_secs(2_000_000_000));
    }
    let again = restore(&case, |_| {}).unwrap();
    assert!(
        again
            .files
            .iter()
            .all(|file| file.state == RestoreState::Same)
    );
    assert_eq!(case.keep().n_stored_bytes, 0);
    assert!(!case.session().is_archived);
}

#[test]
fn times_can_be_kept() {
    let case = Case::with_session();
    let time = NOW + Duration::new(1_700_000_000, 123_456_700);
    let file = fs::File::options()
        .append(true)
        .open(case.path(&main_name()));
    file.unwrap().set_modified(time).unwrap();
    case.keep();
    fs::remove_file(case.path(&main_name())).unwrap();
    restore(&case, |request| request.times = Times::Kept).unwrap();
    let modified = case
        .path(&main_name())
        .metadata()
        .unwrap()
        .modified()
        .unwrap();
    assert_eq!(modified, time);
}

#[test]
fn another_file_in_its_place_is_overwritten_only_by_wish() {
    let case = Case::with_session();
    case.keep();
    case.write(&main_name(), b"something else\n");
    fs::remove_file(case.path("plans/calm-fox.md")).unwrap();
    let error = restore(&case, |_| {}).unwrap_err();
    let RestoreError::Exists(paths) = error else {
        panic!("{error}")
    };
    assert_eq!(paths, [case.path(&main_name())]);
    assert!(!case.path("plans/calm-fox.md").exists());
    assert_eq!(
        fs::read(case.path(&main_name())).unwrap(),
        b"something else\n"
    );
    replace(&case, None).unwrap();
    assert_eq!(
        fs::read_to_string(case.path(&main_name())).unwrap(),
        belongings()[0].1
    );
    assert!(case.path("plans/calm-fox.md").exists());
}

#[test]
fn what_is_replaced_is_in_the_archive_first() {
    let case = Case::with_session();
    case.keep();
    let old = belongings()[0].1.clone().into_bytes();
    // The client has gone on since, and so has the plan.
    case.append(&main_name(), b"{\"new\":1}\n");
    case.write("plans/calm-fox.md", b"# Another\n");
    let new = fs::read(case.path(&main_name())).unwrap();
    let restored = replace(&case, None).unwrap();
    let n_replaced = restored
        .files
        .iter()
        .filter(|file| file.state == RestoreState::Replaced)
        .count();
    assert_eq!(n_replaced, 2);
    assert_eq!(fs::read(case.path(&main_name())).unwrap(), old);
    assert_eq!(states(&case), [(None, old.clone()), (Some(1), new.clone())]);
    let plan = case.kept("plans/calm-fox.md").with_extension("kept.1");
    assert_eq!(content(&plan), b"# Another\n");
    // Neither pruning nor doing it again changes that.
    assert_eq!(case.keep().n_replaced, 0);
    case.write(&main_name(), &new);
    replace(&case, None).unwrap();
    assert_eq!(states(&case), [(None, old), (Some(1), new)]);
    case.assert_sound();
}

#[test]
fn what_is_replaced_in_another_folder_is_kept_too() {
    let case = Case::with_session();
    case.keep();
    let elsewhere = case.folder.path().join("elsewhere");
    let path = elsewhere.join(main_name());
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "somebody's\n").unwrap();
    replace(&case, Some(&elsewhere)).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), belongings()[0].1);
    assert_eq!(states(&case)[1], (Some(1), b"somebody's\n".to_vec()));
}

#[test]
fn what_cannot_be_kept_is_not_replaced() {
    let case = Case::with_session();
    case.keep();
    case.append(&main_name(), b"{\"new\":1}\n");
    let new = fs::read(case.path(&main_name())).unwrap();
    // A folder in the place of a file cannot be read as one.
    let plan = case.path("plans/calm-fox.md");
    fs::remove_file(&plan).unwrap();
    fs::create_dir_all(plan.join("inside")).unwrap();
    replace(&case, None).unwrap_err();
    assert_eq!(fs::read(case.path(&main_name())).unwrap(), new);
    assert!(plan.join("inside").exists());
}

#[test]
fn an_earlier_version_goes_into_another_folder() {
    let case = Case::with_session();
    case.keep();
    case.write(&main_name(), b"{\"rewritten\":1}\n");
    case.keep();
    let elsewhere = case.folder.path().join("elsewhere");
    let restored = restore(&case, |request| {
        request.version = Some(1);
        request.to = Some(Box::leak(elsewhere.clone().into_boxed_path()));
    });
    let restored = restored.unwrap();
    assert_eq!(restored.main, elsewhere.join(main_name()));
    assert_eq!(
        fs::read_to_string(restored.main).unwrap(),
        belongings()[0].1
    );
    assert_eq!(
        fs::read(case.path(&main_name())).unwrap(),
        b"{\"rewritten\":1}\n"
    );
    let none = restore(&case, |request| request.version = Some(2)).unwrap_err();
    assert!(matches!(none, RestoreError::NoVersion { number: 2, .. }));
}

#[test]
fn what_is_not_in_the_archive_is_not_found() {
    let case = Case::with_session();
    let error = restore(&case, |_| {}).unwrap_err();
    assert!(matches!(error, RestoreError::NotKept(id) if id == SID));
}

#[test]
fn a_damaged_sidecar_does_not_hold_the_session_back() {
    let case = Case::with_session();
    case.keep();
    fs::remove_dir_all(case.home.root()).unwrap();
    fs::write(case.kept("plans/calm-fox.md"), "damaged").unwrap();
    let restored = restore(&case, |_| {}).unwrap();
    assert_eq!(restored.files.len(), belongings().len() - 1);
    assert_eq!(restored.findings.len(), 1);
    fs::write(case.kept(&main_name()), "damaged").unwrap();
    fs::remove_file(case.path(&main_name())).unwrap();
    let found = ravel_home::discover_with_archive(
        &case.home,
        Some(case.archive.root()),
        ravel_home::Depth::Sessions,
    );
    assert!(found.session(SID).is_none());
    assert_eq!(found.findings.len(), 1);
}

#[cfg(unix)]
#[test]
fn a_link_does_not_lead_a_restore_out_of_the_home() {
    let case = Case::with_session();
    case.keep();
    let outside: PathBuf = case.folder.path().join("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::remove_dir_all(case.path("projects/-srv-a")).unwrap();
    std::os::unix::fs::symlink(&outside, case.path("projects/-srv-a")).unwrap();
    let error = restore(&case, |_| {}).unwrap_err();
    assert!(matches!(error, RestoreError::Outside(_)), "{error}");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
}
