//! The binary on a terminal: a pseudo terminal, whose other side the tests read.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Command, Stdio};

use ravel_testkit::{SessionBuilder, TestHome, Version};
use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::home;
use crate::hostile::{self, check_tame};

/// What a run printed on its terminal and beside it.
struct Shown {
    screen: String,
    stderr: String,
    code: i32,
}

/// Both ends of a new terminal: where it is looked at, and where programs write.
fn terminal() -> (File, File) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    let viewer = openpt(flags).unwrap();
    grantpt(&viewer).unwrap();
    unlockpt(&viewer).unwrap();
    let name = ptsname(&viewer, Vec::new()).unwrap();
    let name = std::ffi::OsStr::from_bytes(name.to_bytes());
    let writer = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(OFlags::NOCTTY.bits().cast_signed())
        .open(name)
        .unwrap();
    (File::from(viewer), writer)
}

fn run(home: &TestHome, arguments: &[&str], pager: &str) -> Shown {
    let (mut viewer, writer) = terminal();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ravel"));
    command
        .args(arguments)
        .env_clear()
        .env("HOME", home.path())
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("PAGER", pager)
        .env("TERM", "xterm-256color")
        .env("COLUMNS", "100")
        .env("TZ", "UTC")
        .current_dir(home.work())
        .stdin(Stdio::null())
        .stdout(Stdio::from(writer))
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    // The command holds the writing end; what is read ends when the last holder is gone.
    drop(command);
    let mut screen = Vec::new();
    let mut buffer = [0; 4096];
    // Linux reports the end of a terminal as an error.
    while let Ok(n_read @ 1..) = viewer.read(&mut buffer) {
        screen.extend_from_slice(&buffer[..n_read]);
    }
    let output = child.wait_with_output().unwrap();
    Shown {
        // The terminal itself puts a carriage return before each line feed.
        screen: String::from_utf8_lossy(&screen).replace("\r\n", "\n"),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code().unwrap_or(-1),
    }
}

#[test]
fn nothing_of_a_transcript_is_obeyed() {
    let (home, _) = hostile::hostile_home();
    let raw_texts: [&[&str]; 2] = [
        &["plans", "plan", "--raw"],
        &["files", "latest", hostile::CUP, "--show", "v1"],
    ];
    let json = hostile::JSON_COMMANDS.iter().map(|words| {
        let mut words = words.to_vec();
        words.push("--json");
        words
    });
    let text = hostile::COMMANDS.iter().chain(&raw_texts);
    for arguments in json.chain(text.map(|words| words.to_vec())) {
        let shown = run(&home, &arguments, "cat");
        let what = format!("{arguments:?} on a terminal");
        assert!(matches!(shown.code, 0 | 1), "{what}: {}", shown.stderr);
        assert!(!shown.screen.is_empty(), "{what}");
        check_tame(&shown.screen, &what);
        check_tame(&shown.stderr, &what);
    }
}

#[test]
fn raw_forms_are_for_files_and_pipes() {
    let (home, _) = hostile::hostile_home();
    // A link of our own: a mistake must not replace the device of the machine.
    std::os::unix::fs::symlink("/dev/stdout", home.work().join("device")).unwrap();
    for arguments in [
        &["export", "--format", "jsonl"][..],
        &["export", "--format", "jsonl", "-o", "device"],
        &["repair", "latest", "-o", "-"],
        &["tail", "--json", "-n", "1"],
    ] {
        let shown = run(&home, arguments, "cat");
        assert_eq!(
            (shown.code, shown.screen.as_str()),
            (2, ""),
            "{arguments:?}"
        );
        assert!(
            shown.stderr.contains("what a terminal obeys\nhint: write "),
            "{}",
            shown.stderr
        );
    }
}

#[test]
fn lines_that_are_whole_are_followed_tamely() {
    let (home, _) = hostile::hostile_home();
    // Its last line is damaged, which ends it here.
    let shown = run(&home, &["tail", "--json", "-n", "1000"], "cat");
    assert_eq!(shown.code, 2, "{}", shown.stderr);
    check_tame(&shown.screen, "tail --json");
    assert!(shown.screen.contains("\\u009b31m"), "{}", shown.screen);
    for line in shown.screen.lines() {
        assert!(
            serde_json::from_str::<serde_json::Value>(line).is_ok(),
            "{line}"
        );
    }
}

#[test]
fn a_pager_gets_what_is_long_and_only_on_a_terminal() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_29, "pager");
    session.prompt("Page through this.");
    home.add_session(&session);
    let pager = "sed s/^/paged:/";
    let shown = run(&home, &["show", "--color=never"], pager);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert!(shown.screen.contains("paged:▌ Page"), "{}", shown.screen);
    for option in ["--no-pager", "--json"] {
        let shown = run(&home, &["show", option], pager);
        assert!(!shown.screen.contains("paged:"), "{}", shown.screen);
    }
}
