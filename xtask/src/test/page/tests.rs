//! Tests of how the browser is found; opening pages is the job of `tests/page`.

use std::fs;

use super::find_program;

#[test]
fn the_first_known_name_is_taken_wherever_it_lies() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = std::env::join_paths([one.path(), other.path()]).unwrap();
    assert_eq!(find_program(&path, &["chromium", "google-chrome"]), None);

    let ending = std::env::consts::EXE_SUFFIX;
    let chrome = one.path().join(format!("google-chrome{ending}"));
    let chromium = other.path().join(format!("chromium{ending}"));
    fs::write(&chrome, "").unwrap();
    assert_eq!(
        find_program(&path, &["chromium", "google-chrome"]),
        Some(chrome)
    );
    fs::write(&chromium, "").unwrap();
    assert_eq!(
        find_program(&path, &["chromium", "google-chrome"]),
        Some(chromium)
    );
}
