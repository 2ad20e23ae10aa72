//! `ravel repair`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ravel_testkit::{SessionBuilder, TestHome, Version};
use serde_json::value::RawValue;

use crate::{fixture_files, home, parsed};

/// A session whose middle is lost and whose end is torn.
fn damaged() -> (TestHome, PathBuf) {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_29, "repair");
    session.prompt("Before the gap.");
    session.reply("Still before.");
    session.branch_at("00000000-aaaa-4000-a000-000000000000");
    session.wait_minutes(1);
    session.prompt("After the gap.");
    session.reply("After it.");
    session.raw_line("{\"type\":\"user\",\"uuid\":");
    let path = home.write_work("broken.jsonl", session.to_bytes());
    (home, path)
}

fn check_code(home: &TestHome, path: &Path) -> i32 {
    home.ravel(["check", path.to_str().unwrap()]).code
}

#[test]
fn the_copy_is_healthy_and_the_original_untouched() {
    let (home, path) = damaged();
    let before = std::fs::read(&path).unwrap();
    assert_eq!(check_code(&home, &path), 1);
    let output = home.ravel(["repair", "broken.jsonl"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(output.stdout, @r"
    line 5  leave-out  left out 22 bytes that are no record
    line 3  relink  the parent is not in the file; it now follows a record written at 2026-01-20T09:00:00.850Z
    2 changes made · 2 → 4 messages reachable
    written to broken.repaired.jsonl
    ");
    let copy = home.work().join("broken.repaired.jsonl");
    assert_eq!(check_code(&home, &copy), 0);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let thread = parsed(&home.ravel(["show", "--json", "broken.repaired.jsonl"]));
    assert_eq!(thread["thread"].as_array().unwrap().len(), 4);
}

#[test]
fn the_copy_goes_where_it_is_told() {
    let (home, path) = damaged();
    let before = std::fs::read(&path).unwrap();
    let output = home.ravel(["repair", "broken.jsonl", "-o", "mended.jsonl"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    let mended = std::fs::read_to_string(home.work().join("mended.jsonl")).unwrap();
    let output = home.ravel(["repair", "broken.jsonl", "-o", "-"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert_eq!(output.stdout, mended);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert!(!home.work().join("broken.repaired.jsonl").exists());
}

#[test]
fn a_dry_run_writes_nothing() {
    let (home, _) = damaged();
    let output = home.ravel(["repair", "broken.jsonl", "--dry-run"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(output.stdout.contains(" to make · "), "{}", output.stdout);
    assert!(!output.stdout.contains("written to"), "{}", output.stdout);
    assert_eq!(std::fs::read_dir(home.work()).unwrap().count(), 1);

    let report = parsed(&home.ravel(["repair", "broken.jsonl", "--dry-run", "--json"]));
    assert_eq!(report["output"], serde_json::Value::Null);
    assert_eq!(report["changed"], true);
    assert_eq!(report["reached_before"], 2);
    assert_eq!(report["reached_after"], 4);
    let actions = report["actions"].as_array().unwrap();
    let relink = actions.iter().find(|action| action["line"] == 3);
    assert_eq!(relink.unwrap()["kind"], "relink");
}

#[test]
fn another_file_is_replaced_only_by_force() {
    let (home, _) = damaged();
    let taken = home.write_work("taken.jsonl", "mine\n");
    let refused = home.ravel(["repair", "broken.jsonl", "-o", "taken.jsonl"]);
    assert_eq!(refused.code, 2);
    assert_eq!(
        refused.stderr,
        "error: taken.jsonl exists already\nhint: replace it with --force\n"
    );
    assert_eq!(std::fs::read(&taken).unwrap(), b"mine\n");
    let forced = home.ravel(["repair", "broken.jsonl", "-o", "taken.jsonl", "--force"]);
    assert_eq!(forced.code, 0, "{}", forced.stderr);
    assert_eq!(check_code(&home, &taken), 0);
}

#[test]
fn the_original_is_never_replaced() {
    let (home, path) = damaged();
    let before = std::fs::read(&path).unwrap();
    for name in [
        "broken.jsonl",
        "../work/broken.jsonl",
        path.to_str().unwrap(),
    ] {
        let output = home.ravel(["repair", "broken.jsonl", "--force", "-o", name]);
        assert_eq!(output.code, 2);
        assert_eq!(
            output.stderr,
            "error: the copy would replace the original\nhint: name another file with --output\n"
        );
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
}

#[test]
fn a_hard_link_to_the_original_is_no_way_to_replace_it() {
    let (home, path) = damaged();
    let before = std::fs::read(&path).unwrap();
    std::fs::hard_link(&path, home.work().join("same.jsonl")).unwrap();
    home.ravel(["repair", "broken.jsonl", "--force", "-o", "same.jsonl"]);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    home.ravel(["export", "broken.jsonl", "-f", "md", "-o", "same.jsonl"]);
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_healthy_session_is_copied_byte_by_byte() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_325, "repair healthy");
    session.prompt("All is well.");
    session.reply("It is.");
    let path = home.add_session(&session);
    let output = home.ravel(["repair", path.to_str().unwrap(), "-o", "copy.jsonl"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(
        output.stdout.starts_with("nothing to repair · "),
        "{}",
        output.stdout
    );
    let copy = std::fs::read(home.work().join("copy.jsonl")).unwrap();
    assert_eq!(copy, std::fs::read(path).unwrap());
}

#[test]
fn every_damaged_fixture_can_be_repaired() {
    let home = home();
    let copy = home.work().join("copy.jsonl");
    for path in fixture_files("damaged") {
        let before = std::fs::read(&path).unwrap();
        let arguments = ["repair", path.to_str().unwrap(), "--force", "-o"];
        let output = home.ravel(arguments.iter().chain(&["copy.jsonl"]));
        assert_eq!(output.code, 0, "{}: {}", path.display(), output.stderr);
        assert_eq!(std::fs::read(&path).unwrap(), before);
        let n_before = n_messages(&home, &path);
        let n_after = n_messages(&home, &copy);
        assert!(
            n_after >= n_before,
            "{}: {n_before} → {n_after}",
            path.display()
        );
    }
}

fn n_messages(home: &TestHome, path: &Path) -> usize {
    let output = home.ravel(["show", "--json", path.to_str().unwrap()]);
    // Raw, because half surrogate pairs stay as they were written.
    let document: BTreeMap<String, &RawValue> = serde_json::from_str(&output.stdout).unwrap();
    let thread: Vec<&RawValue> = serde_json::from_str(document["thread"].get()).unwrap();
    thread.len()
}
