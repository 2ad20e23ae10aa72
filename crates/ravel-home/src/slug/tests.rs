use super::*;

#[test]
fn every_unit_that_is_not_alphanumeric_becomes_a_dash() {
    let check = |path: &str, expect: &str| assert_eq!(slug_of(path), expect, "{path}");
    check("/srv/shop", "-srv-shop");
    check("/srv/My.App_2 x", "-srv-My-App-2-x");
    check("/srv/Ünï", "-srv--n-");
    check("/a/😀b/日本", "-a---b---");
    check("C:\\work\\x", "C--work-x");
    check("", "");
}

#[test]
fn a_long_name_is_cut_and_hashed_over_the_whole_path() {
    let path = format!("/{}", "d".repeat(250));
    let slug = slug_of(&path);
    assert_eq!(&slug[..201], format!("-{}-", "d".repeat(199)));
    assert_eq!(slug_of(&format!("/{}", "d".repeat(199))).len(), 200);
    assert_ne!(slug, slug_of(&format!("/{}", "d".repeat(251))));
}

#[test]
fn the_hash_is_javas() {
    let check = |text: &str, expect: &str| {
        assert_eq!(
            base36(java_hash(text.encode_utf16().map(u32::from))),
            expect,
            "{text}"
        );
    };
    // "hello".hashCode() is 99162322; the second one overflows to i32::MIN.
    check("hello", "1n1e4y");
    check("polygenelubricants", "zik0zk");
    check("", "0");
}

#[test]
fn composed_and_code_point_names_are_tried_too() {
    assert_eq!(slugs_of("/srv/shop"), ["-srv-shop"]);
    assert_eq!(slugs_of("/e\u{301}"), ["-e-", "--"]);
    assert_eq!(slugs_of("/😀"), ["---", "--"]);
}

#[test]
fn guesses_are_readable() {
    let check = |slug: &str, expect: &str| assert_eq!(path_guess(slug), expect, "{slug}");
    check("-srv-shop", "/srv/shop");
    check("C--work-x", "C:\\work\\x");
    check("_srv_my-app", "/srv/my-app");
    check("", "");
}

#[test]
fn project_folders_are_found_by_directory() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    let long = format!("/{}", "d".repeat(250));
    let make = |path: PathBuf| {
        fs::create_dir_all(&path).unwrap();
        path
    };
    let shop = make(home.projects().join("-nowhere-shop"));
    let old_shop = make(home.conversations().join("_nowhere_shop"));
    let other_hash = make(
        home.projects()
            .join(format!("{}-zzz", &slug_of(&long)[..200])),
    );
    assert_eq!(
        find_project_dirs(&home, Path::new("/nowhere/shop")),
        [shop, old_shop]
    );
    assert_eq!(find_project_dirs(&home, Path::new(&long)), [other_hash]);
    assert!(find_project_dirs(&home, Path::new("/nowhere/else")).is_empty());
}

#[cfg(unix)]
#[test]
fn existing_directories_are_found_from_the_name() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    for name in ["my-app/web", "my/app-web", "my/app", "other"] {
        fs::create_dir_all(root.join(name)).unwrap();
    }
    let slug = slug_of(root.join("my-app/web").to_str().unwrap());
    assert_eq!(
        existing_paths(&slug),
        [root.join("my/app-web"), root.join("my-app/web")]
    );

    let deep = root.join("x".repeat(120)).join("y".repeat(120));
    fs::create_dir_all(&deep).unwrap();
    assert_eq!(existing_paths(&slug_of(deep.to_str().unwrap())), [deep]);
    assert!(existing_paths("-no-such-place-at-all").is_empty());
}

#[test]
fn uuids_are_told_by_form() {
    let check = |text: &str, expect: bool| assert_eq!(is_uuid(text), expect, "{text}");
    check("5f0c7a52-3c4e-4a57-9d38-0a4b8a1f2c11", true);
    check("5F0C7A52-3C4E-4A57-9D38-0A4B8A1F2C11", true);
    check("5f0c7a52-3c4e-4a57-9d38-0a4b8a1f2c1", false);
    check("5f0c7a52x3c4e-4a57-9d38-0a4b8a1f2c11", false);
    check("agent-a2f8621", false);
}
