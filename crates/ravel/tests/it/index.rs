//! `ravel index`: what it says, and that nothing that happens to it changes an answer.

use std::fs;
use std::path::PathBuf;

use ravel_testkit::{Output, SessionBuilder, TestHome, Version};
use serde_json::{Value, json};

use crate::{home, parsed};

mod crash;

/// Three sessions.
fn kilns() -> TestHome {
    let home = home();
    for name in ["one", "two", "three"] {
        let mut session = SessionBuilder::new(Version::V2_1_29, &format!("index {name}"));
        session.prompt(&format!("Fire kiln {name}."));
        session.reply(&format!("Kiln {name} is hot."));
        home.add_session(&session);
    }
    home
}

fn index_file(home: &TestHome) -> PathBuf {
    let status = parsed(&home.ravel(["index", "--status", "--json"]));
    status["path"].as_str().unwrap().into()
}

/// Checks that the answers are those of the files, and returns what was said on the way.
#[track_caller]
fn check_answers(home: &TestHome) -> String {
    let mut said = String::new();
    for arguments in [
        &["search", "kiln", "--json", "-n", "0"][..],
        &["search", "hot", "--json", "-n", "0", "--role", "reply"],
        &["usage", "--json"],
        &["usage", "session", "--json", "--explain"],
    ] {
        let with = home.ravel(arguments);
        let without = home.ravel(arguments.iter().chain(&["--no-index"]));
        assert_eq!(without.code, 0, "{arguments:?} {}", without.stderr);
        assert_eq!(
            (with.code, with.stdout),
            (0, without.stdout),
            "{arguments:?}"
        );
        assert_eq!(without.stderr, "", "{arguments:?}");
        said += &with.stderr;
    }
    said
}

/// What is said, without the place of the index and its size on disk.
fn text(home: &TestHome, arguments: &[&str]) -> String {
    let file = index_file(home);
    let file = file
        .strip_prefix(home.path())
        .unwrap()
        .display()
        .to_string();
    let output = home.ravel(["index"].iter().chain(arguments));
    assert_eq!(
        (output.code, output.stderr.as_str()),
        (0, ""),
        "{arguments:?}"
    );
    let text = output.stdout.replace(&file, "INDEX");
    let lines = text.lines().map(|line| match line.split_once("INDEX (") {
        Some((before, after)) => {
            let (size, after) = after.split_once(')').unwrap();
            assert!(size.ends_with("kB") || size.ends_with("MB"), "{size}");
            format!("{before}INDEX (SIZE){after}")
        }
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn people_are_told_what_was_done() {
    let home = kilns();
    insta::assert_snapshot!(text(&home, &["--status"]), @"there is no index; `ravel index` makes one");
    insta::assert_snapshot!(text(&home, &[]), @r"
    read 3.4 kB: files 3 new
    3 files of 3.4 kB in ~/INDEX (SIZE)
    ");
    insta::assert_snapshot!(text(&home, &[]), @r"
    already up to date
    3 files of 3.4 kB in ~/INDEX (SIZE)
    ");
    insta::assert_snapshot!(text(&home, &["--status"]), @r"
    3 files of 3.4 kB in ~/INDEX (SIZE)
    up to date
    ");
    let mut files = fs::read_dir(home.claude().join("projects/-home-robin-kiln")).unwrap();
    let mut next = || files.next().unwrap().unwrap().path();
    fs::remove_file(next()).unwrap();
    let grown = next();
    let mut bytes = fs::read(&grown).unwrap();
    bytes.extend_from_slice(b"{\"type\":\"summary\",\"summary\":\"more\"}\n");
    fs::write(&grown, bytes).unwrap();
    insta::assert_snapshot!(text(&home, &["--status"]), @r"
    3 files of 3.4 kB in ~/INDEX (SIZE)
    1 file to read, 1 file to forget
    ");
    insta::assert_snapshot!(text(&home, &[]), @r"
    read 36 B: files 1 grown, 1 gone
    2 files of 2.3 kB in ~/INDEX (SIZE)
    ");
    insta::assert_snapshot!(text(&home, &["--status"]), @r"
    2 files of 2.3 kB in ~/INDEX (SIZE)
    up to date; terms of 1.1 kB that are gone still take space; --prune gives it back
    ");
    insta::assert_snapshot!(text(&home, &["--prune"]), @r"
    read 2.3 kB: files 2 new
    2 files of 2.3 kB in ~/INDEX (SIZE)
    ");
    insta::assert_snapshot!(text(&home, &["--status"]), @r"
    2 files of 2.3 kB in ~/INDEX (SIZE)
    up to date
    ");
    insta::assert_snapshot!(text(&home, &["--rebuild"]), @r"
    read 2.3 kB: files 2 new
    2 files of 2.3 kB in ~/INDEX (SIZE)
    ");
    assert_eq!(check_answers(&home), "");
}

#[test]
fn programs_are_told_what_was_done() {
    let home = kilns();
    assert_eq!(
        parsed(&home.ravel(["index", "--status", "--json"]))["status"],
        Value::Null
    );
    let mut made = parsed(&home.ravel(["index", "--json"]));
    assert!(
        made["path"]
            .take()
            .as_str()
            .unwrap()
            .ends_with("index.sqlite")
    );
    assert!(made["status"]["bytes"].take().as_u64().unwrap() > 0);
    let n_bytes = made["bytes_read"].clone();
    assert!(n_bytes.as_u64().unwrap() > 1000);
    let expected = json!({
        "path": null, "new": 3, "grown": 0, "replaced": 0, "gone": 0, "bytes_read": n_bytes,
        "status": {
            "files": 3, "bytes_read": n_bytes, "changed": 0, "gone": 0, "requests": 3,
            "forgotten_bytes": 0, "bytes": null,
        },
    });
    assert_eq!(made, expected);
}

#[test]
fn several_at_once_make_one_index() {
    let home = kilns();
    let run = || parsed(&home.ravel(["index", "--json"]));
    let made: Vec<Value> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let n_new: u64 = made.iter().map(|made| made["new"].as_u64().unwrap()).sum();
    assert_eq!(n_new, 3, "{made:#?}");
    for made in made {
        assert_eq!(made["status"]["requests"], 3);
        assert_eq!(made["status"]["changed"], 0);
    }
    assert_eq!(check_answers(&home), "");
}

/// What is left of a file.
type Damage = fn(&[u8]) -> Vec<u8>;

#[test]
fn a_damaged_index_changes_no_answer_and_can_be_mended() {
    let damages: [(&str, Damage); 5] = [
        ("noise", |bytes| {
            bytes
                .iter()
                .map(|byte| byte.wrapping_mul(31) ^ 0x5a)
                .collect()
        }),
        ("text", |_| {
            b"this is no database, whatever its name says".repeat(100)
        }),
        ("first half", |bytes| bytes[..bytes.len() / 2].to_vec()),
        ("a hole", |bytes| {
            let mut bytes = bytes.to_vec();
            let third = bytes.len() / 3;
            bytes[third..2 * third].fill(0);
            bytes
        }),
        ("empty", |_| Vec::new()),
    ];
    for (name, damage) in damages {
        let home = kilns();
        let file = index_file(&home);
        // Everything goes into the file itself, or the log beside it would make the damage good.
        assert_eq!(home.ravel(["index", "--prune"]).code, 0);
        fs::write(&file, damage(&fs::read(&file).unwrap())).unwrap();
        let said = check_answers(&home);
        // Nobody can tell an empty file from no index.
        if name != "empty" {
            assert!(said.contains("reading the files instead"), "{name}: {said}");
            assert!(said.contains("ravel index --rebuild"), "{name}: {said}");
        }
        let mended = home.ravel(["index", "--rebuild"]);
        assert_eq!((mended.code, mended.stderr.as_str()), (0, ""), "{name}");
        assert_eq!(check_answers(&home), "", "{name}");
        let status = parsed(&home.ravel(["index", "--status", "--json"]));
        assert_eq!(status["status"]["requests"], 3, "{name}");
    }
}

#[test]
fn an_index_that_cannot_be_had_changes_no_answer() {
    // A folder where the file should be.
    let home = kilns();
    let file = index_file(&home);
    fs::create_dir_all(&file).unwrap();
    assert!(check_answers(&home).contains("reading the files instead"));
    refuses(&home.ravel(["index"]));
    // A file where the folder should be: nothing can be written there, not even by root.
    let home = kilns();
    let folder = index_file(&home).parent().unwrap().to_path_buf();
    fs::create_dir_all(folder.parent().unwrap()).unwrap();
    fs::write(&folder, "").unwrap();
    assert_eq!(check_answers(&home), "");
    refuses(&home.ravel(["index"]));
    refuses(&home.ravel(["index", "--rebuild"]));
}

#[track_caller]
fn refuses(output: &Output) {
    assert_eq!(output.code, 2, "{}", output.stdout);
    assert!(
        output.stderr.starts_with("error: could not "),
        "{}",
        output.stderr
    );
}

#[test]
fn an_index_of_another_version_is_made_anew() {
    let home = kilns();
    let file = index_file(&home);
    assert_eq!(home.ravel(["index"]).code, 0);
    // SQLite keeps the number of the schema at 60, most significant byte first.
    let mut bytes = fs::read(&file).unwrap();
    bytes[60..64].copy_from_slice(&77_u32.to_be_bytes());
    fs::write(&file, bytes).unwrap();
    assert_eq!(check_answers(&home), "");
    let status = parsed(&home.ravel(["index", "--status", "--json"]));
    assert_eq!(status["status"]["requests"], 3);
    assert_eq!(status["status"]["changed"], 0);
}

#[test]
fn the_index_is_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = kilns();
    assert_eq!(home.ravel(["index"]).code, 0);
    let folder = index_file(&home).parent().unwrap().to_path_buf();
    let mode = fs::metadata(folder).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0);
}
