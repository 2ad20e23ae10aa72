//! `ravel files`.

use ravel_testkit::{SessionBuilder, TestHome, Version};

use crate::{home, parsed};

/// A session that edits a file of the working folder twice, and makes another one.
fn edited(version: Version) -> (TestHome, String) {
    let home = home();
    let work = home.work().display().to_string();
    let mut session = SessionBuilder::new(version, "files")
        .in_folder(&work)
        .interactive();
    session.put_file("cup.txt", "one\ntwo\n");
    session.prompt("Change the cup.");
    session.edit_file("cup.txt", "two", "2");
    session.write_file("lid.txt", "new\n");
    session.reply("Done.");
    session.prompt("Once more.");
    session.edit_file("cup.txt", "one", "1");
    session.reply("Done.");
    home.add_session(&session);
    home.write_work("cup.txt", "1\n2\nthree\n");
    (home, session.session_id().to_owned())
}

#[test]
fn versions_of_all_files() {
    for version in [Version::V2_1_29, Version::V2_1_325] {
        let (home, id) = edited(version);
        let document = parsed(&home.ravel(["files", "--json"]));
        assert_eq!(document["session_id"], *id);
        let cup = &document["files"][0];
        assert_eq!(cup["path"], "cup.txt");
        assert_eq!(cup["versions"][0]["state"], "kept");
        assert_eq!(cup["versions"][0]["bytes"], 8);
        assert_eq!(cup["versions"][0]["prompt"], "Change the cup.");
        assert_eq!(cup["versions"][1]["prompt"], "Once more.");
        let lid = &document["files"][1];
        assert_eq!(lid["versions"][0]["state"], "absent");
        let text = home.ravel(["files"]).stdout;
        assert!(
            text.starts_with("cup.txt  2 versions\n  v1  2026-01-20 09:00"),
            "{text}"
        );
        assert!(text.contains("no file yet"), "{text}");
    }
}

#[test]
fn what_changed() {
    let (home, id) = edited(Version::V2_1_29);
    let between = home.ravel(["files", &id, "cup.txt"]).stdout;
    let (_, diffs) = between.split_once("\n\n").unwrap();
    insta::assert_snapshot!(diffs, @r"
    v1 → v2  +1 −1
    1   one
    2 - two
    2 + 2
    ");
    insta::assert_snapshot!(home.ravel(["files", &id, "cup.txt", "--diff"]).stdout, @r"
    v1 → now  +3 −2
    1 - one
    2 - two
    1 + 1
    2 + 2
    3 + three
    ");
    let document = parsed(&home.ravel([
        "files", &id, "cup.txt", "--from", "2", "--to", "v1", "--json",
    ]));
    assert_eq!(document["diffs"][0]["from"], "v2");
    assert_eq!(
        document["diffs"][0]["hunks"][0]["lines"][1]["kind"],
        "removed"
    );
    assert_eq!(
        home.ravel(["files", &id, "cup.txt", "--show", "v1"]).stdout,
        "one\ntwo\n"
    );
    let shown = parsed(&home.ravel(["files", &id, "cup.txt", "--show", "now", "--json"]));
    assert_eq!(shown["text"], "1\n2\nthree\n");
}

#[test]
fn copies_that_are_gone() {
    let (home, id) = edited(Version::V2_1_325);
    std::fs::remove_dir_all(home.claude().join("file-history")).unwrap();
    let text = home.ravel(["files"]).stdout;
    assert!(text.contains("gone"), "{text}");
    let output = home.ravel(["files", &id, "cup.txt", "--show", "v1"]);
    assert_eq!(output.code, 2);
    assert!(
        output.stderr.contains("its copy is gone"),
        "{}",
        output.stderr
    );
    for arguments in [
        ["nosuch.txt", "--diff"],
        ["cup.txt", "--show=v9"],
        ["cup.txt", "--show=x"],
    ] {
        let output = home.ravel(["files", &id].into_iter().chain(arguments));
        assert_eq!(output.code, 2, "{arguments:?}");
    }
}

#[test]
fn copies_without_a_record_are_listed_too() {
    let (home, id) = edited(Version::V2_1_29);
    home.write(&format!("file-history/{id}/0123456789abcdef@v3"), "x");
    let document = parsed(&home.ravel(["files", &id, "--json"]));
    let files = document["files"].as_array().unwrap();
    assert_eq!(files.last().unwrap()["path"], "0123456789abcdef");
    assert_eq!(files.last().unwrap()["versions"][0]["version"], 3);
}

#[test]
fn no_files_is_fine_and_the_sample_has_some() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_29, "none");
    session.prompt("Hello.");
    home.add_session(&session);
    let output = home.ravel(["files"]);
    assert_eq!(output.code, 0);
    assert_eq!(
        output.stdout,
        "no edited files are recorded in this session\n"
    );
    let demo = home.ravel(["--demo", "files", "3583"]);
    assert!(
        demo.stdout.contains("src/cart.rs  2 versions"),
        "{}",
        demo.stdout
    );
}
