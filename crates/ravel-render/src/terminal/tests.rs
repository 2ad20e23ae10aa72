//! Small sessions as the terminal shows them.

use ravel_model::branch::branches;
use ravel_model::facts::facts;
use ravel_model::turn::turns;
use ravel_testkit::{AgentTask, Outcome, SessionBuilder, Trigger};
use serde_json::json;

use super::{Renderer, TerminalOptions, Thinking, Tools};
use crate::style::Line;
use crate::testing::{find_control, hostile, with_session};

fn text(lines: &[Line]) -> String {
    let lines: Vec<String> = lines.iter().map(Line::text).collect();
    lines.join("\n")
}

/// Shows a whole session: header, turns, agents without a call.
fn show(options: &TerminalOptions, write: impl FnOnce(&mut SessionBuilder)) -> String {
    with_session(write, |session| {
        let segments = session.history();
        let renderer = Renderer::new(options);
        let mut lines = renderer.header(&facts(session, &segments));
        for turn in turns(&session.main().unwrap().graph, &segments) {
            lines.extend(renderer.turn(session, 0, &turn));
        }
        lines.extend(renderer.unlinked_agents(session));
        let wide = lines.iter().find(|line| line.width() > options.width);
        assert_eq!(wide.map(Line::text), None, "wider than {}", options.width);
        text(&lines)
    })
}

#[track_caller]
fn check(name: &str, change: impl FnOnce(&mut TerminalOptions), write: fn(&mut SessionBuilder)) {
    let mut options = TerminalOptions::new(80);
    change(&mut options);
    insta::assert_snapshot!(name, show(&options, write));
}

fn talk(session: &mut SessionBuilder) {
    session.custom_title("Glaze the pots");
    session.prompt("Which glaze fits a **stoneware** bowl?\n\nKeep it short.");
    session.thinking("Stoneware fires at about 1250 degrees, so the glaze must melt there and not run off the bowl.");
    session.reply(
        "Use a *celadon*:\n\n- melts at 1240 °C\n- food safe\n\n```rust\nlet cone = 9;\n```",
    );
    session.turn_duration(64_000);
    session.wait_minutes(5);
    session.prompt("Thanks");
    session.reply("You are welcome.");
}

#[test]
fn words_and_thoughts() {
    check("talk", |_| {}, talk);
    check(
        "talk-thinking",
        |options| options.thinking = Thinking::Shown,
        talk,
    );
    let hidden = show(
        &TerminalOptions {
            thinking: Thinking::Hidden,
            ..TerminalOptions::new(80)
        },
        talk,
    );
    assert!(!hidden.contains("Thought"));
}

fn work(session: &mut SessionBuilder) {
    session.put_file(
        "src/kiln.rs",
        "fn heat(to: u32) {\n    let step = 50;\n    ramp(step, to);\n}\n",
    );
    session.put_file("src/main.rs", "fn main() {}\n");
    session.prompt("Heat slower");
    for path in ["src/kiln.rs", "src/main.rs", "src/kiln.rs"] {
        session.read_file(path);
    }
    session.call(
        "Grep",
        json!({"pattern": "ramp"}),
        &Outcome::grep_files(&["src/kiln.rs"]),
    );
    session.reply("Found it.");
    session.read_file("src/kiln.rs");
    session.edit_file("src/kiln.rs", "let step = 50;", "let step = 20;");
    session.write_file("notes.md", "# Notes\n\nslower\n");
    let output: String = (1..=12).map(|n| format!("test {n} ... ok\n")).collect();
    session.call(
        "Bash",
        json!({"command": "cargo test"}),
        &Outcome::bash(&output),
    );
    session.call(
        "Bash",
        json!({"command": "cargo build \\\n  --release"}),
        &Outcome::bash_error(101, "error: no kiln"),
    );
    session.call(
        "Edit",
        json!({"file_path": "/home/robin/kiln/a", "old_string": "a", "new_string": "b"}),
        &Outcome::failed("<tool_use_error>File has not been read.</tool_use_error>"),
    );
    session.call(
        "Bash",
        json!({"command": "rm -r kiln"}),
        &Outcome::refused("The user doesn't want to do this."),
    );
    session.write_todos(&[
        ("Heat slower", "completed"),
        ("Cool slower", "in_progress"),
        ("Rest", "pending"),
    ]);
    session.call(
        "mcp__shed__look",
        json!({"shelf": "top"}),
        &Outcome::mcp("three bowls"),
    );
    session.call(
        "Frobnicate",
        json!({"deep": {"a": [1, 2]}, "what": "it"}),
        &Outcome::text("done", json!({"x": 1})),
    );
    session.tool_use("Bash", json!({"command": "sleep 100"}));
}

#[test]
fn tool_calls() {
    check("tools-brief", |_| {}, work);
    check("tools-full", |options| options.tools = Tools::Full, work);
    check("tools-none", |options| options.tools = Tools::None, work);
}

fn ask(session: &mut SessionBuilder) {
    session.prompt("Plan a firing");
    let questions = json!([{"question": "How hot?", "header": "Heat", "multiSelect": false, "options": [{"label": "Cone 6", "description": "mid"}, {"label": "Cone 10", "description": "high"}]}]);
    let answered = json!({"questions": questions, "answers": {"How hot?": "Cone 6"}});
    session.call(
        "AskUserQuestion",
        json!({"questions": questions}),
        &Outcome::text("Cone 6", answered),
    );
    let found = json!({"query": "cone 6", "results": [{"tool_use_id": "s", "content": [{"title": "Cones", "url": "https://example.org/cones"}]}, "words"], "durationSeconds": 1.2});
    session.call(
        "WebSearch",
        json!({"query": "cone 6"}),
        &Outcome::text("found", found),
    );
    let plan = "# Firing\n\n1. Heat to **1222 °C**\n2. Hold";
    session.call(
        "ExitPlanMode",
        json!({"plan": plan}),
        &Outcome::text("ok", json!({"plan": plan, "isAgent": false})),
    );
}

#[test]
fn questions_links_and_plans() {
    check("ask", |_| {}, ask);
}

fn delegate(session: &mut SessionBuilder) {
    session.prompt("Look everywhere");
    let task = AgentTask::new("Look in the shed", "Find all bowls in the shed.").of_kind("Explore");
    session.agent(&task, |agent| {
        agent.call(
            "Glob",
            json!({"pattern": "**/bowl"}),
            &Outcome::glob(&["a/bowl"]),
        );
        let deeper = AgentTask::new("Look in the box", "Open the box.");
        agent.agent(&deeper, |inner| {
            inner.reply("The box is empty.");
        });
        agent.reply("One bowl.");
    });
    session.reply("There is **one** bowl.");
    session.unlinked_agent("Warm up", |agent| {
        agent.reply("Ready.");
    });
}

#[test]
fn agents() {
    check("agents-folded", |_| {}, delegate);
    check("agents-shown", |options| options.agents = true, delegate);
}

fn events(session: &mut SessionBuilder) {
    session.session_start_hook("setup.sh", "ready\n");
    session.opening_attachments();
    session.local_command("cost", "now", "5 cents");
    session.bash_mode("ls", "bowl\nmug");
    session.prompt_blocks(&json!([
        {"type": "text", "text": "What is this?"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgoAAAAN"}},
    ]));
    session.api_retry(529, "Overloaded", 2);
    session.api_error("API Error: still overloaded", "overloaded");
    session.prompt("Again");
    let call = session.call("Bash", json!({"command": "make"}), &Outcome::bash(""));
    session.tool_hook("PostToolUse", &call, "fmt.sh", "ok\n");
    session.microcompact(&[&call.id]);
    session.reply("Half a sen");
    session.interrupted();
    session.informational("The kiln is hot.");
    session.blocks(&json!([{"type": "hologram", "of": "a bowl"}]));
    session.stop_hook_summary("lint.sh");
    session.compact(Trigger::Manual, "We glazed **bowls**.");
    session.prompt("Go on");
    session.reply("Gladly.");
}

#[test]
fn what_the_client_reports() {
    check("events", |_| {}, events);
    check(
        "events-everything",
        |options| (options.everything, options.tools) = (true, Tools::Full),
        events,
    );
}

#[test]
fn the_outline_has_forks_compactions_and_agents() {
    let write = |session: &mut SessionBuilder| {
        session.prompt("First");
        let fork = session.reply("One.");
        session.prompt("Another way");
        session.reply("Two.");
        session.branch_at(&fork);
        session.prompt("This way");
        session.reply("Three.");
        session.compact(Trigger::Auto, "So far.");
        delegate(session);
    };
    let lines = with_session(write, |session| {
        let segments = session.history();
        let branches = branches(&session.main().unwrap().graph, &segments);
        Renderer::new(&TerminalOptions::new(80)).tree(session, &segments, &branches)
    });
    insta::assert_snapshot!("tree", text(&lines));
}

#[test]
fn nothing_hostile_reaches_the_terminal() {
    for tools in [Tools::Full, Tools::Brief] {
        let options = TerminalOptions {
            tools,
            thinking: Thinking::Shown,
            agents: true,
            everything: true,
            ..TerminalOptions::new(100)
        };
        let shown = show(&options, hostile);
        assert_eq!(find_control(&shown), None);
        let tree = with_session(hostile, |session| {
            let segments = session.history();
            let branches = branches(&session.main().unwrap().graph, &segments);
            text(&Renderer::new(&options).tree(session, &segments, &branches))
        });
        assert_eq!(find_control(&tree), None);
    }
}

#[test]
fn a_closed_pipe_stops_the_work() {
    struct Closed(usize);
    impl std::io::Write for Closed {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += 1;
            if self.0 > 3 {
                return Err(std::io::ErrorKind::BrokenPipe.into());
            }
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    with_session(work, |session| {
        let entries = session.history().remove(0).thread.entries;
        let mut closed = Closed(0);
        let renderer = Renderer::new(&TerminalOptions::new(80));
        let end = renderer.write_entries(session, (0, &entries), &mut closed);
        assert_eq!(end.unwrap_err().kind(), std::io::ErrorKind::BrokenPipe);
        assert_eq!(closed.0, 4);
    });
}

#[test]
fn narrow_and_empty_are_no_problem() {
    for width in [0, 1, 7, 30] {
        let options = TerminalOptions {
            agents: true,
            ..TerminalOptions::new(width)
        };
        let wide = |write: fn(&mut SessionBuilder)| {
            with_session(write, |session| {
                let segments = session.history();
                let renderer = Renderer::new(&options);
                let lines = segments
                    .iter()
                    .flat_map(|segment| renderer.entries(session, 0, &segment.thread.entries))
                    .count();
                lines + renderer.tree(session, &segments, &[]).len()
            })
        };
        assert!(wide(work) > 0 && wide(delegate) > 0);
        assert_eq!(wide(|_| {}), 0);
    }
}
