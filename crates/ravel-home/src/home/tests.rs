use super::*;
use std::collections::HashMap;
use std::fs;

fn env<'a>(pairs: &'a [(&'a str, &'a Path)]) -> impl Fn(&str) -> Option<OsString> + 'a {
    let map: HashMap<_, _> = pairs.iter().copied().collect();
    move |name| map.get(name).map(|path| path.as_os_str().to_owned())
}

#[test]
fn the_explicit_path_wins_then_the_variable_then_the_default() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (dir.path().join("a"), dir.path().join("b"));
    fs::create_dir_all(&a).unwrap();
    fs::create_dir_all(&b).unwrap();
    fs::create_dir_all(dir.path().join(".claude")).unwrap();
    let check = |explicit: Option<&Path>, pairs: &[(&str, &Path)], root: &Path, origin| {
        let home = Home::locate(explicit, env(pairs)).unwrap();
        assert_eq!((home.root(), home.origin()), (root, origin));
    };
    let all: &[(&str, &Path)] = &[("CLAUDE_CONFIG_DIR", &b), ("HOME", dir.path())];
    check(Some(&a), all, &a, HomeOrigin::Explicit);
    check(None, all, &b, HomeOrigin::ConfigDir);
    check(
        None,
        &all[1..],
        &dir.path().join(".claude"),
        HomeOrigin::Default,
    );
    let empty: &[(&str, &Path)] = &[("CLAUDE_CONFIG_DIR", Path::new("")), ("HOME", dir.path())];
    check(
        None,
        empty,
        &dir.path().join(".claude"),
        HomeOrigin::Default,
    );
}

#[test]
fn errors_say_what_was_looked_for() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("none");
    let error = Home::locate(
        None,
        env(&[("CLAUDE_CONFIG_DIR", &missing), ("HOME", dir.path())]),
    );
    let message = error.unwrap_err().to_string();
    assert!(
        message.contains("none") && message.contains("CLAUDE_CONFIG_DIR"),
        "{message}"
    );

    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let error = Home::locate(Some(&file), env(&[])).unwrap_err();
    assert!(matches!(error, HomeError::NotAFolder { .. }), "{error}");
    assert_eq!(
        Home::locate(None, env(&[])).unwrap_err(),
        HomeError::Nowhere
    );
}

#[test]
fn ids_that_are_paths_are_not_names() {
    let check = |name: &str, expect: bool| assert_eq!(is_plain_name(name), expect, "{name}");
    check("5f0c7a52", true);
    check("a.b", true);
    check("..", false);
    check("", false);
    check("a/b", false);
    check("/etc", false);
    check("a\\b", false);
    check("./a", false);
}
