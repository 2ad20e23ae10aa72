//! Whole sessions as Markdown.

use pulldown_cmark::{Event, Parser};
use ravel_testkit::{AgentTask, Outcome, SessionBuilder, Trigger};
use serde_json::json;

use super::mark::{code_span, fenced, plain, prose};
use super::{MarkdownOptions, write};
use crate::terminal::Tools;
use crate::testing::{find_control, hostile, with_session};

fn export(options: &MarkdownOptions, session: impl FnOnce(&mut SessionBuilder)) -> String {
    with_session(session, |session| {
        let mut out = Vec::new();
        write(session, &session.history(), options, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    })
}

fn sample(session: &mut SessionBuilder) {
    session.custom_title("Glaze *all* the pots");
    session.put_file("src/kiln.rs", "let step = 50;\n");
    session.prompt("Heat slower");
    session.thinking("Hm. </details> Slow.");
    session.read_file("src/kiln.rs");
    session.edit_file("src/kiln.rs", "50", "20");
    session.call(
        "Bash",
        json!({"command": "echo '```'"}),
        &Outcome::bash("```\n"),
    );
    session.call(
        "Bash",
        json!({"command": "false"}),
        &Outcome::bash_error(1, "no"),
    );
    session.write_todos(&[("Heat", "completed"), ("Cool", "in_progress")]);
    session.agent(
        &AgentTask::new("Look", "Find bowls.").of_kind("Explore"),
        |agent| {
            agent.call("Glob", json!({"pattern": "*"}), &Outcome::glob(&["a"]));
            agent.reply("One bowl.\n\n> said the shed");
        },
    );
    session.reply("Done: **slower**.");
    session.compact(Trigger::Auto, "So far.");
    session.local_command("cost", "", "5 cents");
    session.prompt("Go on");
    session.reply("```rust\nlet open = true;");
    session.prompt("Still there?");
    session.reply("Yes.");
}

#[test]
fn a_session_in_markdown() {
    insta::assert_snapshot!("brief", export(&MarkdownOptions::default(), sample));
    let full = MarkdownOptions {
        thinking: true,
        tools: Tools::Full,
        ..MarkdownOptions::default()
    };
    insta::assert_snapshot!("full", export(&full, sample));
    let bare = MarkdownOptions {
        tools: Tools::None,
        agents: false,
        ..MarkdownOptions::default()
    };
    insta::assert_snapshot!("bare", export(&bare, sample));
}

#[test]
fn nothing_hostile_is_written() {
    let options = MarkdownOptions {
        thinking: true,
        tools: Tools::Full,
        ..MarkdownOptions::default()
    };
    let text = export(&options, hostile);
    assert_eq!(find_control(&text), None);
    let is_ours = |html: &str| html.starts_with("<details>") || html.starts_with("</details>");
    for event in Parser::new_ext(&text, crate::markdown::syntax()) {
        if let Event::Html(html) | Event::InlineHtml(html) = event {
            assert!(is_ours(html.trim()), "{html}");
        }
    }
}

#[test]
fn text_cannot_leave_its_place() {
    for (made, expected) in [
        (plain("a *b* <c>\n# d"), r"a \*b\* \<c\> \# d"),
        (code_span("a"), "`a`"),
        (code_span("`a``b"), "``` `a``b ```"),
        (code_span(" "), ""),
        (fenced("```\nx\n````", "md"), "`````md\n```\nx\n````\n`````"),
        (prose("a <b>c</b> `<d>`"), r"a \<b>c\</b> `<d>`"),
        (prose("<!-- all gone"), r"\<!-- all gone"),
        (prose("~~~\nopen"), "~~~\nopen\n~~~"),
        (prose("```\nclosed\n```\n"), "```\nclosed\n```"),
    ] {
        assert_eq!(made, expected);
    }
}
