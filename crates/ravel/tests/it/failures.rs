//! Mistakes a person can make get one clear line, a hint and exit code 2.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use ravel_testkit::{SessionBuilder, TestHome, Version};

use crate::home;

/// Runs the binary and compares what it says, with the home's path as `HOME`.
#[track_caller]
fn check(home: &TestHome, arguments: &[&str], expected: &str) {
    let output = home.ravel(arguments);
    let stderr = output.stderr.replace(home.path().to_str().unwrap(), "HOME");
    assert_eq!(stderr, expected, "{arguments:?}");
    assert_eq!((output.code, output.stdout.as_str()), (2, ""));
}

/// Two sessions whose ids begin alike.
fn twins() -> TestHome {
    let home = home();
    for (id, prompt) in [
        ("abcd1111-0000-4000-a000-000000000001", "Mix the clay."),
        ("abcd2222-0000-4000-a000-000000000002", "Wedge the clay."),
    ] {
        let mut session = SessionBuilder::new(Version::V2_1_29, prompt).with_session_id(id);
        session.prompt(prompt);
        session.reply("Done.");
        home.add_session(&session);
    }
    home
}

#[test]
fn a_session_that_is_not_there_brings_up_the_nearest() {
    check(
        &twins(),
        &["show", "abcd1112"],
        "error: could not find a session named \"abcd1112\"\n\
         hint: did you mean abcd1111-0000-4000-a000-000000000001 -home-robin-kiln \"Mix the clay.\"\n\
         hint: `ravel ls` lists the sessions there are\n",
    );
    check(
        &twins(),
        &["show", "Wedge the clay"],
        "error: could not find a session named \"Wedge the clay\"\n\
         hint: did you mean abcd2222-0000-4000-a000-000000000002 -home-robin-kiln \"Wedge the clay.\"\n\
         hint: `ravel ls` lists the sessions there are\n",
    );
    check(
        &twins(),
        &["show", "qqqqqqqq"],
        "error: could not find a session named \"qqqqqqqq\"\n\
         hint: `ravel ls` lists the sessions there are\n",
    );
}

#[test]
fn every_command_that_takes_a_session_says_the_same() {
    let expected = "error: could not find a session named \"qqqqqqqq\"\n\
                    hint: `ravel ls` lists the sessions there are\n";
    for command in ["show", "tree", "check", "repair", "export"] {
        check(&twins(), &[command, "qqqqqqqq"], expected);
        check(&twins(), &[command, "qqqqqqqq", "--json"], expected);
    }
}

#[test]
fn an_ambiguous_start_lists_what_it_may_be() {
    let home = twins();
    let output = home.ravel(["show", "abcd"]);
    assert_eq!((output.code, output.stdout.as_str()), (2, ""));
    let mut lines: Vec<&str> = output.stderr.lines().collect();
    assert_eq!(
        lines[0],
        "error: could not choose a session: \"abcd\" fits 2"
    );
    // Which of the two was written last is up to the clock of the disk.
    lines[1..3].sort_unstable();
    assert!(lines[1].starts_with("hint: it may be abcd1111-0000-4000-a000-000000000001 -home"));
    assert!(lines[2].starts_with("hint: it may be abcd2222-0000-4000-a000-000000000002 -home"));
    assert_eq!(lines[3..], ["hint: give more of its id, or its path"]);
}

#[test]
fn copies_of_one_session_are_told_apart_by_their_paths() {
    let home = twins();
    let id = "abcd1111-0000-4000-a000-000000000001";
    let own = home
        .claude()
        .join(format!("projects/-home-robin-kiln/{id}.jsonl"));
    home.write(
        &format!("projects/-srv-copy/{id}.jsonl"),
        std::fs::read(own).unwrap(),
    );
    let output = home.ravel(["show", id]);
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("-srv-copy"), "{}", output.stderr);
    assert!(
        output
            .stderr
            .ends_with("hint: give the path of the one you mean\n"),
        "{}",
        output.stderr
    );
}

#[test]
fn no_session_at_all() {
    check(
        &home(),
        &["show"],
        "error: could not find a session: there is none\n\
         hint: try `ravel --demo ls` to look around in a sample home\n",
    );
}

#[test]
fn a_home_that_is_not_there() {
    let hint = "hint: name the folder with --home DIR, or look around in a sample with --demo\n";
    let home = home();
    let missing = home.path().join("missing");
    check(
        &home,
        &["ls", "--home", missing.to_str().unwrap()],
        &format!("error: could not find the Claude folder HOME/missing (from --home)\n{hint}"),
    );
    let file = home.write_work("file", "no folder");
    check(
        &home,
        &["ls", "--home", file.to_str().unwrap()],
        &format!(
            "error: could not use HOME/work/file as the Claude folder (from --home): it is not a folder\n{hint}"
        ),
    );
    std::fs::remove_dir_all(home.claude()).unwrap();
    let output = home.ravel(["ls"]);
    assert_eq!(output.code, 2);
    assert!(
        output
            .stderr
            .starts_with("error: could not find the Claude folder "),
        "{}",
        output.stderr
    );
    assert!(output.stderr.ends_with(hint), "{}", output.stderr);
}

#[test]
fn no_home_folder_in_the_environment() {
    let home = home();
    let command = home.command().arg("ls");
    let output = command
        .env_remove("HOME")
        .env_remove("USERPROFILE")
        .run()
        .unwrap();
    assert_eq!(output.code, 2);
    assert_eq!(
        output.stderr,
        "error: could not find the Claude folder: neither CLAUDE_CONFIG_DIR nor a home folder is set\n\
         hint: name the folder with --home DIR, or look around in a sample with --demo\n"
    );
}

#[test]
fn a_folder_in_place_of_a_session() {
    let home = home();
    std::fs::create_dir(home.work().join("folder.jsonl")).unwrap();
    for command in ["show", "tree", "repair", "export"] {
        check(
            &home,
            &[command, "folder.jsonl"],
            "error: could not read a session at folder.jsonl: a folder, but not that of a session\n\
             hint: a session is a .jsonl file\n",
        );
    }
}

#[test]
fn a_file_that_is_no_session() {
    let home = home();
    home.write_work("notes.txt", "hello\n");
    let output = home.ravel(["show", "notes.txt"]);
    assert_eq!(output.code, 2, "{}", output.stdout);
    assert!(
        output.stderr.starts_with("error: could not "),
        "{}",
        output.stderr
    );
    assert!(output.stderr.contains("notes.txt"), "{}", output.stderr);
}

/// A session with an agent; returns the path of the agent's sidecar.
fn with_sidecar() -> (TestHome, PathBuf) {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_325, "failures sidecar");
    session.prompt("Ask somebody.");
    session.agent(&ravel_testkit::AgentTask::new("Ask", "Ask."), |agent| {
        agent.reply("Asked.");
    });
    let path = home.add_session(&session);
    let folder = path.with_extension("").join("subagents");
    let mut files = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let sidecar = files.find(|path| path.extension().is_some_and(|ending| ending == "json"));
    (home, sidecar.unwrap())
}

#[test]
fn the_sidecar_of_an_agent_that_is_a_folder_hides_nothing() {
    let (home, sidecar) = with_sidecar();
    std::fs::remove_file(&sidecar).unwrap();
    std::fs::create_dir(&sidecar).unwrap();
    let output = home.ravel(["show", "--agents"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(output.stdout.contains("Asked."), "{}", output.stdout);
}

#[test]
fn a_broken_sidecar_is_named() {
    let (home, sidecar) = with_sidecar();
    std::fs::write(&sidecar, "{broken").unwrap();
    let output = home.ravel(["show", "--agents"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(output.stdout.contains("Asked."), "{}", output.stdout);
    let is_named = |text: &str| text.starts_with("warning: ") && text.contains(".meta.json: ");
    assert!(is_named(&output.stderr), "{}", output.stderr);
    for arguments in [&["check", "--json"][..], &["check", "--all", "--json"]] {
        let output = home.ravel(arguments);
        assert_eq!(output.code, 0, "{}", output.stdout);
        assert!(is_named(&output.stderr), "{}", output.stderr);
        let document: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
        let finding = document["findings"][0]["path"].as_str().unwrap();
        assert!(finding.ends_with(".meta.json"), "{finding}");
    }
    let mut tailing = crate::tail::Tailing::start(&home, &[]);
    tailing.expect("warning: ");
}

#[test]
fn options_nobody_knows_are_refused() {
    let home = home();
    for arguments in [
        &["ls", "--colour"][..],
        &["--bogus"],
        &["dance"],
        &["show", "--tools", "some"],
        &["export", "--format", "pdf"],
        &["check", "--all", "folder"],
        &["tail", "--agents"],
        &["--demo", "--home", "x", "ls"],
    ] {
        let output = home.ravel(arguments);
        assert_eq!(output.code, 2, "{arguments:?}");
        assert!(output.stderr.starts_with("error: "), "{}", output.stderr);
        assert_eq!(output.stdout, "");
    }
}

#[test]
fn help_and_version_are_no_mistakes() {
    let home = home();
    for arguments in [&["--help"][..], &["--version"], &["show", "--help"]] {
        let output = home.ravel(arguments);
        assert_eq!((output.code, output.stderr.as_str()), (0, ""));
        assert!(output.stdout.contains("ravel"), "{arguments:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_fine() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_29, "failures pipe");
    for number in 0..3000 {
        session.prompt(&format!("Bowl {number}: {}", "clay ".repeat(20)));
        session.reply(&format!("Thrown {number}. {}", "More of it. ".repeat(20)));
    }
    let path = home.add_session(&session);
    let path = path.to_str().unwrap();
    for arguments in [
        &["show", path][..],
        &["show", "--json", path],
        &["export", "-f", "jsonl", path],
        &["export", "-f", "html", path],
        &["repair", path, "-o", "-"],
        &["tree", path],
    ] {
        read_one_line_of(arguments);
    }
}

/// Reads one line of what the binary prints and closes the pipe, as `head -1` does.
fn read_one_line_of(arguments: &[&str]) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ravel"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = Vec::new();
    let mut stdout = BufReader::with_capacity(64, child.stdout.take().unwrap());
    stdout.read_until(b'\n', &mut first).unwrap();
    drop(stdout);
    let mut stderr = String::new();
    let mut errors = child.stderr.take().unwrap();
    errors.read_to_string(&mut stderr).unwrap();
    let status = child.wait().unwrap();
    assert!(!first.is_empty(), "{arguments:?}");
    assert_eq!(
        (status.code(), stderr.as_str()),
        (Some(0), ""),
        "{arguments:?}"
    );
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_around_a_session_is_named() {
    let home = twins();
    let project = home.claude().join("projects/-home-robin-kiln");
    let link = project.join("abcd1111-0000-4000-a000-000000000001");
    std::fs::create_dir_all(link.join("subagents")).unwrap();
    let lost = link.join("subagents/agent-lost.jsonl");
    std::os::unix::fs::symlink("/nowhere", &lost).unwrap();
    for command in ["show", "check", "paths"] {
        let output = home.ravel([command, "abcd1111"]);
        assert_eq!(output.code, 0, "{}", output.stderr);
        let expected = "agent-lost.jsonl: a link that leads nowhere\n";
        assert!(
            output.stderr.ends_with(expected),
            "{command}: {}",
            output.stderr
        );
    }
}
