use ravel_model::branch::branches;
use ravel_model::{Session, Transcript};
use ravel_testkit::{AgentTask, Outcome, SessionBuilder, Trigger};
use serde_json::json;

use super::*;
use crate::testing::{hostile, with_session};

fn page_of(session: &Session<'_>) -> String {
    let segments = session.history();
    let graph = session.main().map(|main| branches(&main.graph, &segments));
    let mut out = Vec::new();
    let options = PageOptions {
        max_text: 1000,
        ..PageOptions::default()
    };
    export(
        session,
        &segments,
        &graph.unwrap_or_default(),
        &options,
        &mut out,
    )
    .unwrap();
    String::from_utf8(out).unwrap()
}

fn page(write: impl FnOnce(&mut SessionBuilder)) -> String {
    let page = with_session(write, page_of);
    check_tags(&page);
    page
}

#[track_caller]
fn check(write: impl FnOnce(&mut SessionBuilder), expected: &[&str]) {
    let page = page(write);
    let body = &page[page.find("<main>").unwrap()..];
    for expected in expected {
        assert!(body.contains(expected), "{expected} in\n{body}");
    }
}

/// Walks over every tag of a page: all must be of our making.
#[track_caller]
fn check_tags(page: &str) {
    assert!(page.contains("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"));
    let (mut n_scripts, mut n_styles) = (0, 0);
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        let tag = &rest[at + 1..];
        let tag = &tag[..tag.find('>').expect("a tag that ends")];
        rest = &rest[at + 1 + tag.len()..];
        let name = tag.trim_start_matches('/').split(' ').next().unwrap();
        match tag {
            "script" | "style" => {
                n_scripts += usize::from(tag == "script");
                n_styles += usize::from(tag == "style");
                rest = &rest[rest.find(&format!("</{tag}>")).unwrap()..];
            }
            "!DOCTYPE html" => {}
            _ => assert!(TAGS.contains(&name), "tag <{tag}>"),
        }
        check_attributes(tag);
    }
    assert_eq!((n_scripts, n_styles), (1, 1));
}

const TAGS: &[&str] = &[
    "a",
    "b",
    "blockquote",
    "body",
    "br",
    "button",
    "code",
    "dd",
    "del",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "img",
    "input",
    "ins",
    "kbd",
    "li",
    "link",
    "main",
    "mark",
    "meta",
    "nav",
    "ol",
    "output",
    "p",
    "path",
    "pre",
    "script",
    "section",
    "small",
    "span",
    "strong",
    "style",
    "summary",
    "svg",
    "symbol",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "time",
    "title",
    "tr",
    "ul",
    "use",
];

#[track_caller]
fn check_attributes(tag: &str) {
    let mut pieces = tag.split('"');
    while let (Some(name), Some(value)) = (pieces.next(), pieces.next()) {
        let name = name.trim().trim_end_matches('=');
        let name = name.rsplit(' ').next().unwrap();
        assert!(!name.starts_with("on") && name != "style", "<{tag}>");
        let is_safe = match name {
            "href" => {
                ["#", "https://", "http://", "mailto:"]
                    .iter()
                    .any(|start| value.starts_with(start))
                    || value == "data:,"
            }
            "src" => value.starts_with("data:image/"),
            "id" => value
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)),
            _ => !value.contains('<'),
        };
        assert!(is_safe, "<{tag}>");
    }
}

#[test]
fn every_kind_of_step_is_on_the_page() {
    check(
        |session| {
            session.session_start_hook("warm up", "warm");
            session.prompt("Build a kiln.");
            session.thinking("Bricks first.");
            session.redacted_thinking();
            session.reply("I **begin**.");
            session.informational("All is well");
            session.api_retry(529, "overloaded", 2);
            session.api_error("It is over", "server_error");
            session.turn_duration(64_000);
            session.local_command("cost", "", "two cents");
            session.bash_mode("ls -l", "bricks");
            session.meta("only for the model");
            session.blocks(&json!([{"type": "sculpture"}]));
            session.interrupted();
        },
        &[
            "Build a kiln.",
            "Thought",
            "Bricks first.",
            "no text of this thought",
            "I <strong>begin</strong>.",
            "SessionStart",
            "All is well",
            "attempt 2 of",
            "It is over",
            "<p class=\"turn-end\">1 m 4 s</p>",
            "two cents",
            "<span class=\"command\">ls -l</span>",
            "entry unknown aside",
            "only for the model",
            "unknown record: sculpture",
            "Interrupted by the person",
        ],
    );
}

#[test]
fn every_tool_has_its_view() {
    check(
        |session| {
            session.prompt("go");
            session.put_file("a.rs", "fn a() {}\nfn b() {}\n");
            session.read_file("a.rs");
            session.edit_file("a.rs", "fn b", "fn c");
            session.write_file("new.txt", "one\ntwo\n");
            session.write_todos(&[("fire", "completed"), ("glaze", "in_progress")]);
            let red = Outcome::bash("\u{1b}[31mred\u{1b}[0m");
            session.call("Bash", json!({"command": "make"}), &red);
            let found = Outcome::glob(&["x/y.rs", "z.rs"]);
            session.call("Glob", json!({"pattern": "*.rs"}), &found);
            let answer = Outcome::mcp("{\"cm\":3}");
            session.call("mcp__river__level", json!({"at": "weir"}), &answer);
            session.call(
                "Teleport",
                json!({"to": "studio"}),
                &Outcome::failed("no such tool"),
            );
        },
        &[
            "<pre class=\"gutter\" data-n=\"1\n2\n\">",
            "<span class=\"del\" data-n=\"2\">",
            "<div class=\"numbered new\">",
            "<li class=\"done\"><span class=\"mark\">✓</span><span>fire</span></li>",
            "<span class=\"e\">red</span>",
            "<ul class=\"lines\"><li>x/y.rs</li>",
            "<dt>at</dt>",
            "<span class=\"p\">&quot;cm&quot;</span>",
            "no such tool",
        ],
    );
}

#[test]
fn runs_of_calls_fold_and_edits_stay_in_sight() {
    check(
        |session| {
            session.prompt("go");
            for _ in 0..4 {
                session.call("Bash", json!({"command": "ls"}), &Outcome::bash("a"));
            }
            session.call(
                "Grep",
                json!({"pattern": "x"}),
                &Outcome::grep_content("a:1:x"),
            );
            session.put_file("a.rs", "a\n");
            session.edit_file("a.rs", "a", "b");
        },
        &[
            "<span>5 calls: 4 Bash, 1 Grep</span>",
            "</div></details><details class=\"entry tool\"",
        ],
    );
}

#[test]
fn agents_are_inside_their_calls_and_the_others_at_the_end() {
    let page = page(|session| {
        session.prompt("go");
        session.agent(
            &AgentTask::new("Outer work", "do it").of_kind("Explore"),
            |agent| {
                agent.agent(&AgentTask::new("Inner work", "do that"), |inner| {
                    inner.reply("deep");
                });
                agent.reply("done");
            },
        );
        session.reply("fin");
        session.unlinked_agent("warm up", |agent| {
            agent.reply("warm");
        });
    });
    let at = |text: &str| {
        page.find(text)
            .unwrap_or_else(|| panic!("{text} in {page}"))
    };
    assert!(at("Sub-agent Explore") < at("Inner work"));
    assert!(at("Inner work") < at("<p>deep</p>") && at("<p>deep</p>") < at("<p>fin</p>"));
    assert!(at("<p>fin</p>") < at("Sub-agents without a call"));
    assert!(at("Sub-agents without a call") < at("<p>warm</p>"));
    assert_eq!(page.matches("<b>Sub-agent").count(), 3, "each stands once");
}

#[test]
fn compactions_branches_and_long_texts_are_shown() {
    let page = page(|session| {
        let first = session.prompt("first");
        session.reply("old answer");
        session.branch_at(&first);
        session.reply("new answer");
        session.compact(Trigger::Auto, "what happened");
        session.prompt("second");
        session.call(
            "Bash",
            json!({"command": "yes"}),
            &Outcome::bash(&"y\n".repeat(900)),
        );
    });
    assert!(page.contains("<section class=\"turn earlier\">"));
    assert!(page.contains("<span>Compacted · "));
    assert!(page.contains("what happened"));
    assert!(page.contains("<h2>Other branches</h2>"));
    assert!(page.contains("Answered differently · 1 message"));
    assert!(page.contains("of 1.8 kB are left out here"), "{page}");
    assert!(page.contains("2 prompts"));
}

const MARKUP: &str = "</script></style></title></pre></code></details><script>alert(1)</script>\
    <img src=x onerror=alert(2)><style>*{}</style>\"onclick=\"alert(3)' onload='x' \
    [a](javascript:alert(4)) ![b](data:text/html,x) <a href=\"javascript:x\">c</a> --><!-- ]]>";

#[test]
fn no_markup_of_a_transcript_reaches_the_page() {
    page(hostile);
    page(|session| {
        hostile(session);
        session.custom_title(MARKUP);
        session.prompt(MARKUP);
        session.reply(MARKUP);
        session.reply(&format!(
            "```{MARKUP}\n{MARKUP}\n```\n\n`{MARKUP}`\n\n- {MARKUP}"
        ));
        session.call(
            MARKUP,
            json!({MARKUP: MARKUP, "x": [MARKUP]}),
            &Outcome::failed(MARKUP),
        );
        session.put_file(MARKUP, "a\n");
        session.edit_file(MARKUP, "a", MARKUP);
        session.call(
            "Grep",
            json!({"pattern": MARKUP}),
            &Outcome::grep_content(MARKUP),
        );
        let hit = json!({"title": MARKUP, "url": format!("javascript:{MARKUP}")});
        let found = json!({"query": MARKUP, "results": [{"tool_use_id": "s", "content": [hit]}], "durationSeconds": 1});
        session.call(
            "WebSearch",
            json!({"query": MARKUP}),
            &Outcome::text(MARKUP, found),
        );
        let image = json!({"type": "base64", "media_type": "image/svg+xml", "data": MARKUP});
        session.prompt_blocks(&json!([{"type": "image", "source": image}]));
        session.append(
            json!({"type": "user", "uuid": MARKUP, "message": {"role": "user", "content": "id"}}),
        );
        session.loose(json!({"type": MARKUP, "x": MARKUP}));
        session.raw_line(format!("{MARKUP}\n"));
        session.agent(&AgentTask::new(MARKUP, MARKUP).of_kind(MARKUP), |agent| {
            agent.reply(MARKUP);
        });
        session.compact(Trigger::Manual, MARKUP);
    });
}

#[test]
fn ids_are_safe_and_uuids_stay() {
    let uuid = "0f0e0d0c-0b0a-4908-8706-050403020100";
    assert_eq!(crate::html::anchor(uuid).as_deref(), Some(uuid));
    assert_eq!(crate::html::anchor("find").as_deref(), Some("r-find"));
    assert_eq!(crate::html::anchor("a \"b").as_deref(), Some("r-a.20.22b"));
    assert_eq!(crate::html::anchor(""), None);
}

#[test]
fn the_same_session_makes_the_same_page() {
    let first = page(hostile);
    assert_eq!(first, page(hostile));
}

#[test]
fn all_fixtures_become_pages() {
    for path in crate::testing::session_files() {
        let transcripts = [Transcript::from_bytes(std::fs::read(&path).unwrap())];
        check_tags(&page_of(&Session::build(&transcripts)));
    }
}
