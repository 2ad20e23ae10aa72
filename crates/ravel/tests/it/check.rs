//! `ravel check`.

use std::path::{Path, PathBuf};

use ravel_testkit::{Output, SessionBuilder, TestHome, Version};

use crate::{fixture_files, home};

const TORN: &str = "{\"type\":\"user\",\"uuid\":\"torn\",\"mess";

/// A home with a healthy and a torn session; returns their paths.
fn mixed() -> (TestHome, PathBuf, PathBuf) {
    let home = home();
    let mut healthy = SessionBuilder::new(Version::V2_1_29, "check healthy");
    healthy.prompt("Is all well?");
    healthy.reply("It is.");
    let healthy = home.add_session(&healthy);
    let mut torn = SessionBuilder::new(Version::V2_1_29, "check torn").in_folder("/srv/shop");
    torn.prompt("Is all well?");
    torn.reply("It was.");
    torn.raw_line(TORN);
    let torn = home.add_session(&torn);
    (home, healthy, torn)
}

fn check(home: &TestHome, arguments: &[&str]) -> Output {
    home.ravel(["check"].iter().chain(arguments))
}

fn document(output: &Output) -> serde_json::Value {
    serde_json::from_str(&output.stdout).unwrap()
}

#[test]
fn a_healthy_session_is_ok() {
    let (home, healthy, _) = mixed();
    let output = check(&home, &[healthy.to_str().unwrap()]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let name = healthy.file_name().unwrap().to_str().unwrap();
    let text = output.stdout.replace(name, "ID.jsonl");
    insta::assert_snapshot!(text, @r"
    ok ~/.claude/projects/-home-robin-kiln/ID.jsonl  2 lines · 2 of 2 messages reachable · 2 on the main thread
    ");
}

#[test]
fn damage_is_named_with_its_line_and_what_to_do() {
    let (home, _, torn) = mixed();
    let output = check(&home, &[torn.to_str().unwrap()]);
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    let name = torn.file_name().unwrap().to_str().unwrap();
    let text = output.stdout.replace(name, "ID.jsonl");
    insta::assert_snapshot!(text, @r"
    error[torn-tail]: the last line stops in the middle of a record (34 bytes)
      --> ~/.claude/projects/-srv-shop/ID.jsonl:3
       = wait if the session is still running; else `ravel repair` closes or removes the line
    damaged ~/.claude/projects/-srv-shop/ID.jsonl  3 lines · 2 of 2 messages reachable · 2 on the main thread
    ");
}

#[test]
fn all_sessions_are_summed_up_and_only_the_damaged_named() {
    let (home, healthy, torn) = mixed();
    let output = check(&home, &["--all"]);
    assert_eq!(output.code, 1);
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    assert!(output.stdout.contains(&name(&torn)), "{}", output.stdout);
    assert!(!output.stdout.contains(&name(&healthy)));
    let summary = "2 files checked · ";
    assert!(output.stdout.contains(summary), "{}", output.stdout);
    assert!(
        output.stdout.contains("1 error in 1 file"),
        "{}",
        output.stdout
    );
    assert!(output.stdout.contains("hint: `ravel repair FILE`"));

    let verbose = check(&home, &["--all", "--verbose"]);
    assert!(verbose.stdout.contains(&name(&healthy)));
}

#[test]
fn a_folder_is_checked_with_all_that_is_below_it() {
    let (home, _, _) = mixed();
    let folder = home.claude().join("projects");
    let output = check(&home, &["--json", folder.to_str().unwrap()]);
    assert_eq!(output.code, 1);
    assert_eq!(document(&output)["totals"]["files"], 2);

    let healthy_only = folder.join("-home-robin-kiln");
    let output = check(&home, &[healthy_only.to_str().unwrap()]);
    assert_eq!(output.code, 0);

    let output = check(&home, &[home.work().to_str().unwrap()]);
    assert_eq!(output.code, 2);
    assert!(output.stderr.starts_with("error: no session files in "));
    assert!(
        output
            .stderr
            .ends_with("hint: a session is a .jsonl file\n")
    );
}

#[test]
fn standard_input_is_checked() {
    let (home, healthy, torn) = mixed();
    for (path, code) in [(healthy, 0), (torn, 1)] {
        let bytes = std::fs::read(path).unwrap();
        let command = home.command().args(["check", "-"]).stdin(bytes);
        let output = command.run().unwrap();
        assert_eq!(output.code, code, "{}", output.stdout);
        assert!(output.stdout.contains("2 of 2 messages reachable"));
    }
}

#[test]
fn json_counts_and_lists_findings() {
    let (home, _, torn) = mixed();
    let output = check(&home, &["--json", torn.to_str().unwrap()]);
    assert_eq!(output.code, 1);
    let document = document(&output);
    let file = &document["files"][0];
    assert_eq!(file["file"], torn.to_str().unwrap());
    assert_eq!(file["errors"], 1);
    assert_eq!(file["counts"]["messages"], 2);
    assert_eq!(file["counts"]["lines"], 3);
    let finding = &file["diagnostics"][0];
    assert_eq!(finding["code"], "torn-tail");
    assert_eq!(finding["line"], 3);
    assert_eq!(finding["length"], TORN.len());
    assert_eq!(document["totals"]["files_with_errors"], 1);
}

#[test]
fn warnings_alone_are_no_failure() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_29, "check note");
    session.prompt("Known.");
    session.raw_line("[1,2]\n");
    session.reply("Known, too.");
    let path = home.add_session(&session);
    let output = check(&home, &["--json", path.to_str().unwrap()]);
    assert_eq!(output.code, 0, "{}", output.stdout);
    let file = &document(&output)["files"][0];
    assert_eq!(file["errors"], 0);
    assert_ne!(file["diagnostics"], serde_json::json!([]));
}

#[test]
fn every_damaged_fixture_has_a_verdict() {
    let home = home();
    let damaged = fixture_files("damaged");
    assert!(damaged.len() > 20);
    for path in damaged {
        let output = check(&home, &["--json", path.to_str().unwrap()]);
        assert!(
            matches!(output.code, 0 | 1) && output.stderr.is_empty(),
            "{}: {} {}",
            path.display(),
            output.code,
            output.stderr
        );
        let document = document(&output);
        let is_wrong = document["files"][0]["errors"] != 0;
        assert_eq!(output.code == 1, is_wrong, "{}", path.display());
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let (home, healthy, _) = mixed();
    std::fs::set_permissions(&healthy, std::fs::Permissions::from_mode(0o000)).unwrap();
    // Permissions do not keep the superuser out; then the file is as healthy as it was.
    let is_open = std::fs::File::open(&healthy).is_ok();
    let output = check(&home, &[healthy.to_str().unwrap()]);
    let words = if is_open { "ok " } else { "error " };
    assert_eq!(output.code, i32::from(!is_open), "{}", output.stderr);
    assert!(output.stdout.starts_with(words), "{}", output.stdout);
    let missing = check(&home, &["missing.jsonl"]);
    assert_eq!((missing.code, missing.stdout.as_str()), (2, ""));
    assert_eq!(
        missing.stderr,
        "error: could not read a session at missing.jsonl: no such file\nhint: a session is a .jsonl file\n"
    );
}
