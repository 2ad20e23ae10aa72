//! Nothing from a transcript reaches the terminal unescaped.
//!
//! One session carries control sequences in every text a person can come to see: titles, prompts,
//! tool names, paths, results, branches, folders, agents, tags. Every command then prints it, with
//! and without colors, and only line ends and our own colors may come out.

use ravel_testkit::{AgentTask, Outcome, SessionBuilder, TestHome, Trigger, Version};
use serde_json::json;
use serde_json::value::RawValue;

use crate::home;
use crate::tail::Tailing;

/// Clears the screen, sets the title, moves the cursor, links, rings; in C0, C1 and bidi.
const EVIL: &str = "evil\u{1b}[2J\u{1b}]0;owned\u{7}\u{1b}]8;;http://x\u{1b}\\\u{9b}31m\u{9d}0;t\u{9c}\u{90}q\u{8}\u{7f}\u{0}\u{b}\u{c}\u{202e}txt\u{2066}\u{200f}\u{feff}\u{85}\u{2028}end";

/// The name of a file with versions.
pub(crate) const CUP: &str = "\u{1b}[2J\u{202e}\u{9b}cup.py";

fn evil(words: &str) -> String {
    format!("{words} {EVIL}")
}

fn hostile_session() -> SessionBuilder {
    let folder = format!("/home/robin/{EVIL}");
    let mut session = SessionBuilder::new(Version::V2_1_325, "hostile")
        .in_folder(&folder)
        .on_branch(&evil("branch"))
        .with_model(&evil("model"))
        .with_slug(&evil("slug"))
        .interactive();
    let cup = format!("/home/robin/{CUP}");
    session.put_file(&cup, &evil("old"));
    session.prompt(&evil("prompt"));
    session.edit_file(&cup, "old", &evil("new"));
    session.thinking(&evil("thinking"));
    let path = format!("/home/robin/{EVIL}.py");
    session.put_file(&path, &evil("old"));
    session.read_file(&path);
    session.edit_file(&path, "old", &evil("new"));
    session.call(
        &evil("Tool"),
        json!({EVIL: EVIL, "nested": {EVIL: [EVIL]}}),
        &Outcome::mcp(&evil("mcp")),
    );
    session.call(
        "Bash",
        json!({"command": evil("ls"), "description": evil("list")}),
        &Outcome::bash(&evil("stdout")),
    );
    session.call(
        "Bash",
        json!({"command": evil("false")}),
        &Outcome::bash_error(1, &evil("stderr")),
    );
    session.call(
        "Bash",
        json!({"command": "progress"}),
        &Outcome::bash(&format!("hidden\r{EVIL}\r\n{EVIL}\r")),
    );
    session.write_todos(&[(EVIL, "in_progress"), (EVIL, EVIL)]);
    let task = AgentTask::new(&evil("task"), &evil("agent prompt")).of_kind(&evil("kind"));
    session.agent(&task, |agent| {
        agent.reply(&evil("agent reply"));
    });
    let reply = format!(
        "# {EVIL}\n\n- {EVIL}\n\n`{EVIL}` [{EVIL}](http://x/{EVIL}) ![{EVIL}](x)\n\n```{EVIL}\n{EVIL}\n```\n\n| {EVIL} |\n|---|\n| {EVIL} |\n"
    );
    let reply = session.reply(&reply);
    session.prompt(&evil("rewound"));
    session.branch_at(&reply);
    add_notes(&mut session);
    session
}

fn add_notes(session: &mut SessionBuilder) {
    session.local_command(&evil("/cmd"), EVIL, &evil("output"));
    session.bash_mode(&evil("ls"), &evil("bash"));
    session.informational(&evil("info"));
    session.api_error(&evil("error"), EVIL);
    session.session_start_hook(&evil("hook"), &evil("hook output"));
    session.attachment(&json!({"type": EVIL, "text": EVIL}), &[evil("reminder")]);
    session.pr_link(7, EVIL);
    session.compact(Trigger::Auto, &evil("summary"));
    session.prompt(&evil("last"));
    session.block(&json!({"type": EVIL, "text": EVIL}));
    session.reply(&evil("done"));
    session.append(json!({"type": EVIL, "uuid": EVIL, EVIL: EVIL}));
    session.loose(json!({"type": "system", "subtype": EVIL, "content": EVIL, "uuid": "u1"}));
    session.custom_title(&evil("title"));
    session.agent_name(&evil("name"));
    session.tag(EVIL);
    session.raw_line(format!("{{\"type\": \"{EVIL}\n"));
}

/// A home full of it, file names included.
pub(crate) fn hostile_home() -> (TestHome, SessionBuilder) {
    let home = home();
    let session = hostile_session();
    home.add_session(&session);
    home.add_todos(session.session_id(), session.todos());
    home.add_task(
        session.session_id(),
        &json!({"id": "1", "subject": EVIL, "status": "pending"}),
    );
    let typed = json!({
        "display": format!("{EVIL} [Pasted text #1]"),
        "pastedContents": {"1": {"id": 1, "type": "text", "content": EVIL}},
        "timestamp": 1_768_900_000_000_i64, "project": EVIL, "sessionId": session.session_id(),
    });
    home.write("history.jsonl", format!("{typed}\n"));
    home.add_settings(&json!({EVIL: EVIL, "env": {EVIL: EVIL}}));
    home.add_plan("plan", &evil("# plan"));
    (home, session)
}

/// Returns a text without the colors that only we write.
fn without_colors(text: &str) -> String {
    let mut rest = text;
    let mut left = String::new();
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        left.push_str(before);
        let end = after.find(|letter: char| !letter.is_ascii_digit() && letter != ';');
        match end.filter(|&end| after[end..].starts_with('m')) {
            Some(end) => rest = &after[end + 1..],
            None => {
                left.push('\u{1b}');
                rest = after;
            }
        }
    }
    left + rest
}

/// Tells whether a terminal would do something else with it than show it.
fn is_dangerous(letter: char) -> bool {
    let is_bidi = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (letter.is_control() && letter != '\n') || is_bidi
}

#[track_caller]
pub(crate) fn check_tame(text: &str, what: &str) {
    let text = without_colors(text);
    if let Some(place) = text.find(is_dangerous) {
        let around: String = text[..place].chars().rev().take(60).collect();
        let around: String = around.chars().rev().collect();
        let letter = text[place..].chars().next().unwrap();
        panic!("{what} prints {letter:?} after {around:?}");
    }
}

pub(crate) const COMMANDS: &[&[&str]] = &[
    &["ls"],
    &["show"],
    &[
        "show",
        "--thinking",
        "--tools",
        "full",
        "--agents",
        "--everything",
    ],
    &["show", "--branch", "1"],
    &["tree"],
    &["check"],
    &["check", "--all", "--verbose"],
    &["repair", "latest", "--dry-run"],
    &[
        "export",
        "--format",
        "text",
        "--thinking",
        "--tools",
        "full",
    ],
    &["export", "--format", "md", "--thinking", "--tools", "full"],
    &["export", "--format", "html"],
    &["export", "--format", "json"],
    &["export", "--format", "api"],
    &["todos"],
    &["todos", "--over-time"],
    &["plans"],
    &["plans", "plan"],
    &["history"],
    &["history", "--pastes"],
    &["files"],
    &["files", "latest", CUP],
    &["files", "latest", CUP, "--diff", "--to", "v1"],
    &["settings"],
    &["paths"],
    &["paths", "latest"],
];

pub(crate) const JSON_COMMANDS: &[&[&str]] = &[
    &["ls"],
    &["show"],
    &["tree"],
    &["todos"],
    &["todos", "--over-time"],
    &["plans"],
    &["plans", "plan"],
    &["history", "--pastes"],
    &["settings"],
    &["files"],
    &["files", "latest", CUP, "--show", "v1"],
    // These have names and numbers to tell, not texts.
    &["check"],
    &["check", "--all"],
    &["repair", "latest", "--dry-run"],
    &["paths"],
    &["paths", "latest"],
];

#[test]
fn control_sequences_never_reach_the_terminal() {
    let (home, _) = hostile_home();
    for arguments in COMMANDS {
        for color in ["--color=never", "--color=always"] {
            let command = home.command().args(*arguments).arg(color);
            let output = command.env_remove("NO_COLOR").run().unwrap();
            let what = format!("{arguments:?} {color}");
            assert!(matches!(output.code, 0 | 1), "{what}: {}", output.stderr);
            assert!(!output.stdout.is_empty(), "{what}");
            check_tame(&output.stdout, &what);
            check_tame(&output.stderr, &format!("{what} on standard error"));
        }
    }
}

#[test]
fn json_for_programs_has_no_raw_control_bytes() {
    let (home, _) = hostile_home();
    for arguments in JSON_COMMANDS {
        let output = home.ravel(arguments.iter().chain(&["--json"]));
        let document = serde_json::from_str::<&RawValue>(&output.stdout);
        assert!(document.is_ok(), "{arguments:?}: {document:?}");
        let text = output.stdout.replace('\n', "");
        let control = text.find(is_dangerous);
        assert_eq!(control, None, "{arguments:?}");
        let has_texts = !matches!(arguments[0], "check" | "repair" | "paths");
        assert!(
            !has_texts || text.contains("\\u001b"),
            "{arguments:?} tells what was there"
        );
    }
}

#[test]
fn following_is_tame_and_hands_lines_on_as_they_are() {
    let (home, session) = hostile_home();
    let mut tailing = Tailing::start(&home, &["-n", "1000", "--thinking", "--everything"]);
    tailing.expect("  done");
    check_tame(&tailing.seen.join("\n"), "tail");

    let bytes = session.to_bytes();
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    let mut tailing = Tailing::start(&home, &["--json", "-n", "1000"]);
    tailing.expect("\"agent-name\"");
    for line in &tailing.seen {
        let is_own = lines.contains(&line.as_bytes());
        assert!(is_own || line.contains("\"isSidechain\":true"), "{line}");
        assert!(serde_json::from_str::<&RawValue>(line).is_ok(), "{line}");
    }
}

#[test]
fn the_texts_are_still_there_to_read() {
    let (home, _) = hostile_home();
    let arguments = [
        "show",
        "--thinking",
        "--tools",
        "full",
        "--agents",
        "--everything",
    ];
    let text = home.ravel(arguments).stdout;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "▌ prompt",
        "thinking evil",
        "Tool evil",
        "stdout evil",
        "stderr evil",
        "agent reply │ evil",
        "done evil",
    ] {
        assert!(text.contains(words), "{words} is missing in:\n{text}");
    }
    assert!(
        text.contains("␛[2J"),
        "an escape is shown as a picture of it"
    );
}

#[test]
fn colors_are_only_ours() {
    let (home, _) = hostile_home();
    let command = home.command().args(["show", "--color=always"]);
    let colored = command.env_remove("NO_COLOR").run().unwrap().stdout;
    assert!(colored.contains("\u{1b}["), "there are colors");
    let plain = home.ravel(["show", "--color=never"]).stdout;
    assert!(!plain.contains('\u{1b}'));
    assert_eq!(without_colors(&colored), plain);
}

#[cfg(unix)]
#[test]
fn file_names_are_no_way_in() {
    let home = home();
    let session = hostile_session();
    let name = "a\u{1b}[2J\u{7}\u{202e}b";
    let path = home.write(
        &format!("projects/-x{name}/{name}.jsonl"),
        session.to_bytes(),
    );
    home.write_work(&format!("{name}.jsonl"), "torn {");
    home.write(&format!("plans/{name}.md"), "# Plan");
    std::os::unix::fs::symlink("/nowhere", path.with_file_name(format!("{name}2.jsonl"))).unwrap();
    let loose = format!("{name}.jsonl");
    let missing = format!("no{name}");
    for arguments in [
        &["ls"][..],
        &["show"],
        &["show", name],
        &["show", &missing],
        &["check", "--all", "-v"],
        &["check", "."],
        &["check", &loose],
        &["repair", &loose],
        &["repair", &loose],
        &["export", "-o", "x\u{1b}[2J.md"],
        &["export", "-o", "no\u{1b}[2J/x.md"],
        &["show", &loose],
        &["plans"],
        &["paths"],
        &["ls", "--home", &missing],
        &["show", "--branch", name],
        &["show", "--at", name],
    ] {
        let output = home.ravel(arguments);
        check_tame(&output.stdout, &format!("{arguments:?}"));
        check_tame(&output.stderr, &format!("{arguments:?} on standard error"));
    }
}
