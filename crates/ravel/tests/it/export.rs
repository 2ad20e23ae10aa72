//! `ravel export`.

use ravel_testkit::{Outcome, SessionBuilder, TestHome, Version};
use serde_json::json;
use serde_json::value::RawValue;

use crate::roundtrip::{Printed, run_with};
use crate::{fixture_files, home, parsed};

/// A short session with a call, a thought and something to escape.
fn one_session() -> TestHome {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_325, "export");
    session.prompt("Is 5 < 6 & 7 > 6?");
    session.thinking("Compare them.");
    session.call(
        "Bash",
        json!({"command": "test 5 -lt 6 && echo yes", "description": "Compare"}),
        &Outcome::bash("yes"),
    );
    session.reply("Yes, *both* hold:\n\n```sh\necho yes\n```");
    home.add_session(&session);
    home
}

fn export(home: &TestHome, options: &[&str]) -> String {
    let output = home.ravel(["export"].iter().chain(options));
    assert_eq!(
        (output.code, output.stderr.as_str()),
        (0, ""),
        "{options:?}"
    );
    output.stdout
}

#[track_caller]
fn check_holds(text: &str, wanted: &[&str]) {
    for words in wanted {
        assert!(text.contains(words), "{words:?} is missing in:\n{text}");
    }
}

#[test]
fn jsonl_is_the_file_byte_by_byte() {
    let home = home();
    let files = fixture_files("");
    assert!(files.len() > 90);
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let arguments = ["export", "--format", "jsonl", path.to_str().unwrap()];
        let Printed { stdout, code, .. } = run_with(&home, &arguments, Vec::new());
        assert_eq!((code, stdout == bytes), (0, true), "{}", path.display());
        let arguments = ["export", "--format", "jsonl", "-"];
        let Printed { stdout, code, .. } = run_with(&home, &arguments, bytes.clone());
        assert_eq!(
            (code, stdout == bytes),
            (0, true),
            "{} by stdin",
            path.display()
        );
    }
}

#[test]
fn jsonl_keeps_bytes_that_are_no_text() {
    let home = home();
    let cases: [&[u8]; 8] = [
        b"\xef\xbb\xbf{\"type\":\"user\"}\n",
        b"{\"type\":\"user\"}\r\n\r\n{}\r\n",
        b"\0\0\0\0{\"type\":\"user\"}\n\0\0\n",
        b"{\"type\":\"\xff\xfe\"}\n\xc3\n",
        b"{\"a\": \"\\ud83d\"}\n{}{}\n[[[\n",
        b"\n\n\n",
        b"{\"type\":\"user\",\"mess",
        b"",
    ];
    for bytes in cases {
        let path = home.write_work("odd.jsonl", bytes);
        let arguments = ["export", "-f", "jsonl", "odd.jsonl"];
        let printed = run_with(&home, &arguments, Vec::new());
        assert_eq!((printed.code, printed.stderr.as_str()), (0, ""));
        assert_eq!(printed.stdout, bytes);
        let to_file = home.ravel(arguments.iter().chain(&["-o", "copy.jsonl", "--force"]));
        assert_eq!(to_file.code, 0, "{}", to_file.stderr);
        let copy = std::fs::read(home.work().join("copy.jsonl")).unwrap();
        assert_eq!(copy, bytes);
        assert_eq!(std::fs::read(path).unwrap(), bytes);
    }
}

#[test]
fn json_is_what_show_prints() {
    let home = one_session();
    let exported = parsed(&home.ravel(["export", "--format", "json"]));
    let shown = parsed(&home.ravel(["show", "--json"]));
    assert_eq!(exported, shown);
    for path in fixture_files("") {
        let path = path.to_str().unwrap();
        let output = home.ravel(["export", "-f", "json", path]);
        let shown = home.ravel(["show", "--json", path]);
        assert_eq!(output, shown, "{path}");
        // Raw, because half surrogate pairs stay as they were written.
        let document = serde_json::from_str::<&RawValue>(&output.stdout);
        assert!(output.code == 0 && document.is_ok(), "{path}");
    }
}

#[test]
fn api_is_a_list_of_messages_that_alternate() {
    let home = one_session();
    let document = parsed(&home.ravel(["export", "--format", "api"]));
    let messages = document.as_array().unwrap();
    let roles: Vec<&str> = messages
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["user", "assistant", "user", "assistant"]);
    let call = &messages[1]["content"].as_array().unwrap().last().unwrap();
    assert_eq!(call["type"], "tool_use");
    let results = messages[2]["content"].as_array().unwrap();
    let result = results.iter().find(|block| block["type"] == "tool_result");
    assert_eq!(result.unwrap()["tool_use_id"], call["id"]);
}

#[test]
fn markdown_and_text_hold_the_conversation() {
    let home = one_session();
    let markdown = export(&home, &["--format", "md"]);
    check_holds(
        &markdown,
        &["Yes, *both* hold:", "```sh\necho yes\n```", "test 5 -lt 6"],
    );
    assert_eq!(markdown, export(&home, &[]), "Markdown is the default");
    assert!(!markdown.contains("Compare them."));
    check_holds(&export(&home, &["--thinking"]), &["Compare them."]);

    let text = export(&home, &["--format", "text"]);
    check_holds(&text, &["Is 5 < 6 & 7 > 6?", "Yes, both hold:", "echo yes"]);
    let colored = home
        .command()
        .args(["export", "-f", "text", "--color=always"])
        .env_remove("NO_COLOR")
        .run()
        .unwrap();
    assert!(!colored.stdout.contains('\u{1b}'), "text has no colors");
}

#[test]
fn html_is_one_page_that_loads_nothing() {
    let home = one_session();
    let page = export(&home, &["--format", "html"]);
    assert!(page.starts_with("<!DOCTYPE html>") || page.starts_with("<!doctype html>"));
    check_holds(
        &page,
        &[
            "Content-Security-Policy",
            "default-src 'none'",
            "Is 5 &lt; 6 &amp; 7 &gt; 6?",
            "<style",
            "<script",
        ],
    );
    // The empty icon keeps browsers from asking for one.
    let page = page.replace("<link rel=\"icon\" href=\"data:,\">", "");
    for loading in [
        "<link",
        "@import",
        "url(",
        " src=\"http",
        " src=\"//",
        "<base",
    ] {
        assert!(!page.contains(loading), "{loading} in the page");
    }
}

#[test]
fn a_file_is_written_and_named() {
    let home = one_session();
    for format in ["jsonl", "json", "md", "html", "api", "text"] {
        let name = format!("session.{format}");
        let arguments = ["export", "--format", format, "-o", &name];
        let output = home.ravel(arguments);
        assert_eq!((output.code, output.stderr.as_str()), (0, ""));
        assert_eq!(output.stdout, format!("written to {name}\n"));
        let written = std::fs::read_to_string(home.work().join(&name)).unwrap();
        assert_eq!(written, export(&home, &["--format", format]), "{format}");
    }
}

#[test]
fn the_session_itself_is_never_replaced() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_29, "export self");
    session.prompt("Keep me.");
    let path = home.write_work("own.jsonl", session.to_bytes());
    for name in ["own.jsonl", "../work/own.jsonl"] {
        let output = home.ravel(["export", "own.jsonl", "-f", "md", "-o", name]);
        assert_eq!(output.code, 2);
        assert_eq!(
            output.stderr,
            "error: the export would replace the session itself\nhint: name another file with --output\n"
        );
    }
    assert_eq!(std::fs::read(path).unwrap(), session.to_bytes());
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let output = one_session().ravel(["export", "-o", "no/such/folder.md"]);
    assert_eq!(output.code, 2);
    assert!(
        output
            .stderr
            .starts_with("error: could not write no/such/folder.md: "),
        "{}",
        output.stderr
    );
}

#[test]
fn a_page_has_the_times_of_the_person() {
    let home = one_session();
    let page = |zone: &str| {
        let command = home.command().args(["export", "-f", "html"]);
        command.env("TZ", zone).run().unwrap().stdout
    };
    let (utc, east) = (page("UTC"), page("<+05>-5"));
    let (nine, two) = ("<time>09:00:00</time>", "<time>14:00:00</time>");
    assert!(utc.contains(nine) && !utc.contains(two));
    assert!(east.contains(two) && !east.contains(nine));
}

#[test]
fn options_that_change_nothing_are_refused() {
    let home = one_session();
    for (format, option) in [
        ("html", "--thinking"),
        ("html", "--tools=full"),
        ("json", "--everything"),
        ("api", "--agents"),
        ("jsonl", "--tools=brief"),
        ("md", "--everything"),
    ] {
        let output = home.ravel(["export", "-f", format, option]);
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{format}");
        let option = option.split('=').next().unwrap();
        let expected = format!("error: {option} does not apply to --format {format}\nhint: ");
        assert!(output.stderr.starts_with(&expected), "{}", output.stderr);
    }
}

#[test]
fn another_file_is_replaced_only_by_force() {
    let home = one_session();
    let taken = home.write_work("taken.md", "mine\n");
    let refused = home.ravel(["export", "-o", "taken.md"]);
    assert_eq!(refused.code, 2);
    assert_eq!(
        refused.stderr,
        "error: taken.md exists already\nhint: replace it with --force\n"
    );
    assert_eq!(std::fs::read(&taken).unwrap(), b"mine\n");
    let forced = home.ravel(["export", "-o", "taken.md", "--force"]);
    assert_eq!(forced.code, 0, "{}", forced.stderr);
    assert!(std::fs::read_to_string(taken).unwrap().contains("both"));
    let folder = home.ravel(["export", "--force", "-o", "../work"]);
    assert_eq!(folder.code, 2);
    assert!(
        folder.stderr.contains("it is a folder\nhint: "),
        "{}",
        folder.stderr
    );
}

#[test]
fn sessions_of_the_home_are_never_replaced() {
    let home = one_session();
    let mut other = SessionBuilder::new(Version::V2_1_29, "export other");
    other.prompt("Keep me, too.");
    let path = home.add_session(&other);
    let old = home.write("conversations/_srv/old.jsonl", other.to_bytes());
    let own = home.write_work("own.jsonl", other.to_bytes());
    for path in [path, old] {
        let name = path.to_str().unwrap();
        for command in ["export", "repair"] {
            let output = home.ravel([command, "own.jsonl", "--force", "-o", name]);
            assert_eq!(output.code, 2, "{command}");
            assert!(
                output.stderr.contains(" is a session of the home\nhint: "),
                "{}",
                output.stderr
            );
        }
        assert_eq!(std::fs::read(path).unwrap(), other.to_bytes());
    }
    assert_eq!(std::fs::read(own).unwrap(), other.to_bytes());
}

#[cfg(unix)]
#[test]
fn devices_are_written_into_and_links_replaced() {
    use std::os::unix::fs::symlink;
    let home = one_session();
    let printed = export(&home, &[]);
    // By links in a folder of our own: a mistake must not replace the devices of the machine.
    for (device, expected) in [("/dev/stdout", printed.as_str()), ("/dev/null", "")] {
        let link = home.work().join("device");
        symlink(device, &link).unwrap();
        assert_eq!(export(&home, &["-o", "device"]), expected, "{device}");
        assert!(link.symlink_metadata().unwrap().is_symlink(), "{device}");
        std::fs::remove_file(link).unwrap();
    }

    let target = home.write_work("target.md", "mine\n");
    let link = home.work().join("link.md");
    symlink("target.md", &link).unwrap();
    assert_eq!(home.ravel(["export", "-o", "link.md"]).code, 2);
    let forced = home.ravel(["export", "-o", "link.md", "--force"]);
    assert_eq!(forced.code, 0, "{}", forced.stderr);
    assert_eq!(std::fs::read(&target).unwrap(), b"mine\n");
    assert!(link.symlink_metadata().unwrap().is_file());
    assert_eq!(std::fs::read_to_string(link).unwrap(), printed);

    symlink("nowhere.md", home.work().join("dangling.md")).unwrap();
    let refused = home.ravel(["export", "-o", "dangling.md"]);
    assert!(
        refused.stderr.contains("exists already"),
        "{}",
        refused.stderr
    );
}

#[cfg(unix)]
#[test]
fn exports_are_as_readable_as_other_files_and_repaired_copies_private() {
    use std::os::unix::fs::PermissionsExt;
    let home = one_session();
    let mode = |name: &str| {
        let metadata = std::fs::metadata(home.work().join(name)).unwrap();
        metadata.permissions().mode() & 0o777
    };
    home.write_work("usual", "");
    export(&home, &["-o", "session.md"]);
    assert_eq!(mode("session.md"), mode("usual"));
    let repaired = home.ravel(["repair", "latest", "-o", "copy.jsonl"]);
    assert_eq!(repaired.code, 0, "{}", repaired.stderr);
    assert_eq!(mode("copy.jsonl"), 0o600);
}
