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
    assert_eq!(exported["thread"], shown["thread"]);
    assert_eq!(exported["turns"], shown["turns"]);
    for path in fixture_files("") {
        let output = home.ravel(["export", "-f", "json", path.to_str().unwrap()]);
        // Raw, because half surrogate pairs stay as they were written.
        let document = serde_json::from_str::<&RawValue>(&output.stdout);
        assert!(output.code == 0 && document.is_ok(), "{}", path.display());
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
