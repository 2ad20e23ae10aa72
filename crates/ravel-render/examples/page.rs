//! Writes a sample page with every kind of block, to look at the design.
//!
//! `cargo run -p ravel-render --example page > page.html`

use std::io;

use ravel_render::code::Language;
use ravel_render::diff::Diff;
use ravel_render::html::{self, Head, Icon, Markup, PageWriter, State, ToolCall};

const REPLY: &str = r#"The parser drops the last line when the file has **no line feed** at its end. Three things follow from that:

1. `read_lines` stops at the last `\n`
2. the tail is never handed on
   - which loses the newest record
   - and only on *torn* files
3. the count is off by one, see [the notes](https://example.org/notes)

## What I would change

> Keep the tail and mark it, so that nobody has to guess.

```rust
/// Returns the lines of `text`, the torn last one included.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let limit = 42; // A guess that held so far.
    text.split('\n').filter(move |line| line.len() > limit && *line != "none")
}
```

| file | before | after |
|:-----|-------:|------:|
| `src/lines.rs` | 120 | 134 |
| `src/tail.rs` | 88 | 61 |

- [x] write a failing test
- [ ] fix the reader

<b onclick="alert(1)">raw HTML stays text</b> and so do [bad links](javascript:alert(1)).
"#;

const OLD: &str = "pub fn lines(text: &str) -> Vec<&str> {\n    let mut found = Vec::new();\n    for line in text.lines() {\n        found.push(line);\n    }\n    found\n}\n";
const NEW: &str = "pub fn lines(text: &str) -> Vec<&str> {\n    let mut found = Vec::with_capacity(64);\n    for line in text.split('\\n') {\n        found.push(line);\n    }\n    // The torn tail is a line too.\n    found\n}\n";

fn main() -> io::Result<()> {
    let head = Head {
        title: "Fix the reader that loses the last line of a torn file",
        facts: &[
            ("Project", "ravel".to_owned()),
            ("Branch", "fix/torn-tail".to_owned()),
            ("Started", "2026-01-31 14:05".to_owned()),
            ("Lasted", "12 m 40 s".to_owned()),
            ("Model", "sonnet".to_owned()),
            ("Tokens", "158k".to_owned()),
        ],
    };
    let mut page = PageWriter::new(io::stdout().lock(), &head)?;
    for section in first_turn()
        .into_iter()
        .chain(second_turn())
        .chain(third_turn())
    {
        page.section(&section)?;
    }
    drop(page.finish()?);
    Ok(())
}

fn first_turn() -> Vec<Markup> {
    let read = ToolCall {
        icon: Icon::File,
        verb: "Read",
        object: "src/lines.rs 1–80",
        note: "",
        state: State::Done,
        time: "40 ms",
    };
    let edit = ToolCall {
        icon: Icon::Pencil,
        verb: "Edit",
        object: "src/lines.rs",
        note: "+3 −2",
        time: "120 ms",
        ..read
    };
    let source = html::code_html(OLD, Language::OfPath("lines.rs"));
    let diff = html::diff_html(&Diff::of_texts(OLD, NEW), 30);
    vec![
        html::prompt(
            "p1",
            asked("14:05"),
            &html::text_html(
                "The reader loses the last line of a torn file.\nFind out why and fix it, with a test.",
            ),
        ),
        html::thinking(
            "",
            "Thought for 12 s",
            &html::markdown_html("The tail has no line feed, so the *loop* never sees it."),
        ),
        html::tool("t1", &read, &source, false),
        html::tool("t2", &edit, &diff, true),
        html::reply("r1", &html::markdown_html(REPLY)),
        html::turn_end("3 m 4 s · 42k tokens · 9 calls"),
    ]
}

fn second_turn() -> Vec<Markup> {
    let bash = ToolCall {
        icon: Icon::Terminal,
        verb: "Bash",
        object: "cargo test -p reader",
        note: "exit 101",
        state: State::Failed,
        time: "8.2 s",
    };
    let output = "\u{1b}[32m   Compiling\u{1b}[0m reader v0.1.0\n\u{1b}[1;31merror\u{1b}[0m: test failed\n\u{1b}]0;title\u{7}  left: 3\n right: 4\n";
    let grep = ToolCall {
        icon: Icon::Search,
        verb: "Grep",
        object: "split\\('\\\\n'\\) in src",
        note: "7 matches",
        state: State::Done,
        time: "12 ms",
    };
    let inner = html::tool(
        "t5",
        &grep,
        &html::text_html("src/a.rs:1\nsrc/b.rs:2"),
        false,
    );
    let web = ToolCall {
        icon: Icon::Globe,
        verb: "Fetch",
        object: "https://example.org/notes",
        note: "",
        state: State::Running,
        time: "",
    };
    vec![
        html::prompt(
            "p2",
            asked("14:09"),
            &html::markdown_html("Now run `cargo test` and look at who calls it."),
        ),
        html::tool(
            "t3",
            &bash,
            &html::terminal_html("cargo test -p reader", output),
            true,
        ),
        html::calls("14 calls: 9 Read, 4 Grep, 1 Bash", &inner),
        sub_agent(),
        html::tool("t6", &web, &html::text_html(""), false),
        html::notice("", Icon::Hook, State::Done, "Hook PostToolUse ran in 80 ms"),
        html::notice(
            "",
            Icon::Alert,
            State::Waiting,
            "Overloaded; tried again, 2 of 10",
        ),
        html::notice(
            "",
            Icon::Alert,
            State::Failed,
            "The request failed: sign in again and send the prompt once more",
        ),
        html::divider(
            "",
            "Compacted · 158k → 12k tokens",
            Some(&html::markdown_html(
                "We fixed the reader and have to look at its callers.",
            )),
        ),
    ]
}

fn asked(time: &str) -> html::Asked<'_> {
    html::Asked { who: "You", time }
}

fn sub_agent() -> Markup {
    let card = html::AgentCard {
        kind: "Explore",
        description: "Find every caller of the line reader",
        state: State::Done,
        note: "12 messages · 34k tokens · 2 m",
    };
    let found = html::markdown_html("Four callers, all in `src/home`.");
    html::agent("a1", &card, &html::reply("r3", &found))
}

fn third_turn() -> Vec<Markup> {
    const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    vec![
        html::prompt(
            "p3",
            asked("14:16"),
            &html::image("image/png", PIXEL, "A screenshot"),
        ),
        html::reply(
            "r4",
            &html::markdown_html("Both tests pass now. 日本語 and 👩‍💻 work too."),
        ),
        html::notice(
            "",
            Icon::Question,
            State::Done,
            "You allowed: cargo publish --dry-run",
        ),
        html::divider("", "Cleared 34k tokens of tool results", None),
        html::unknown(
            "",
            "unknown record: new-thing",
            &html::json_html("{\n  \"type\": \"new-thing\",\n  \"count\": 3,\n  \"ok\": true\n}"),
        ),
        html::prompt(
            "p4",
            asked("14:20"),
            &html::details(
                "[Pasted text +92 lines]",
                &html::text_html("one\ntwo"),
                false,
            ),
        ),
        html::turn_end("4 m 12 s · 12k tokens · $0.21"),
    ]
}
