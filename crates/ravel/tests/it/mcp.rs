//! `ravel mcp`: the real binary, spoken to over pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use ravel_testkit::{AgentTask, Outcome, SessionBuilder, TestHome, Version};
use serde_json::{Value, json};

use crate::home;

mod hostile;

/// A server and its client.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    n_sent: u64,
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "tests write their documents in place"
)]
impl Client {
    fn start(home: &TestHome, options: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ravel"))
            .arg("mcp")
            .args(options)
            .env_clear()
            .env("HOME", home.path())
            .env("USERPROFILE", home.path())
            .env("TZ", "UTC")
            .current_dir(home.work())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut client = Self {
            child,
            input,
            output,
            n_sent: 0,
        };
        client.greet();
        client
    }

    fn greet(&mut self) {
        let answer = self.ask(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            }),
        );
        assert_eq!(answer["serverInfo"]["name"], "ravel");
        assert!(answer["capabilities"]["tools"].is_object(), "{answer}");
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.n_sent += 1;
        let id = self.n_sent;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["id"], id, "{answer}");
        answer["result"].clone()
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Calls a tool that answers.
    #[track_caller]
    fn answer(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        result["structuredContent"].clone()
    }

    /// Calls a tool that refuses; returns what it says.
    #[track_caller]
    fn refusal(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        text(&result).to_owned()
    }

    /// Closes the input and returns the exit code, what was still printed, and the errors.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.output, &mut rest).unwrap();
        let output = self.child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        (output.status.code(), rest)
    }
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

fn key() -> String {
    format!("sk-ant-api03-{}", "a1B2c3D4".repeat(8))
}

fn glaze() -> SessionBuilder {
    let mut session = SessionBuilder::new(Version::V2_1_29, "mcp glaze").on_branch("slow");
    session.put_file("/home/robin/kiln/glaze.md", "clear\n");
    session.prompt("Which glaze is food safe?");
    session.thinking("Lead is not.");
    session.read_file("/home/robin/kiln/glaze.md");
    session.call(
        "Bash",
        json!({"command": "env"}),
        &Outcome::bash(&format!("KEY={}", key())),
    );
    session.reply("The clear \u{1b}]0;owned\u{7}one\u{202e}.");
    session.custom_title("Food safe glazes");
    session
}

#[test]
fn tools_are_listed_and_read_only() {
    let home = home();
    let mut client = Client::start(&home, &[]);
    let tools = client.ask("tools/list", json!({}))["tools"].clone();
    let names: Vec<&str> = tools
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "search_sessions",
            "list_sessions",
            "read_messages",
            "list_files",
            "usage"
        ]
    );
    for tool in tools.as_array().unwrap() {
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        assert_eq!(tool["inputSchema"]["type"], "object");
    }
    assert_eq!(client.end(), (Some(0), String::new()));
}

#[test]
fn the_end_of_the_input_is_the_end_of_the_server() {
    let home = home();
    let output = home.command().arg("mcp").run().unwrap();
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (0, ""),
        "{}",
        output.stderr
    );
}

#[test]
fn sessions_are_listed_page_by_page() {
    let home = home();
    for number in 0..5 {
        let mut session = SessionBuilder::new(Version::V2_1_29, &format!("mcp list {number}"));
        session.prompt(&format!("Question {number}"));
        session.reply("Answer.");
        home.add_session(&session);
    }
    home.add_session(&glaze());
    let mut client = Client::start(&home, &[]);
    let mut seen: Vec<String> = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let page = client.answer("list_sessions", json!({"limit": 4, "cursor": cursor}));
        let sessions = page["sessions"].as_array().unwrap();
        seen.extend(
            sessions
                .iter()
                .map(|session| session["session"].as_str().unwrap().to_owned()),
        );
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 6);
    let by = |client: &mut Client, arguments: Value| {
        client.answer("list_sessions", arguments)["n_fitting"].clone()
    };
    assert_eq!(by(&mut client, json!({"branch": "slow"})), 1);
    assert_eq!(by(&mut client, json!({"text": "food SAFE"})), 1);
    assert_eq!(by(&mut client, json!({"project": "nowhere"})), 0);
    assert_eq!(by(&mut client, json!({"since": "1h"})), 6);
    client.end();
}

#[test]
fn what_search_finds_can_be_read() {
    let home = home();
    let session = glaze();
    home.add_session(&session);
    let mut client = Client::start(&home, &[]);
    let found = client.answer(
        "search_sessions",
        json!({"query": "food safe", "role": "prompt"}),
    );
    let hit = &found["hits"][0];
    assert_eq!(hit["session"], session.session_id());
    assert_eq!(hit["title"], "Food safe glazes");
    assert!(
        hit["snippet"].as_str().unwrap().contains("food safe"),
        "{hit}"
    );
    let read = client.answer(
        "read_messages",
        json!({"session": hit["session"], "around": hit["uuid"], "before": 0, "after": 0}),
    );
    assert_eq!(read["messages"].as_array().unwrap().len(), 1);
    assert_eq!(read["messages"][0]["number"], 1);
    assert_eq!(
        read["messages"][0]["parts"][0]["text"],
        "Which glaze is food safe?"
    );
    assert_eq!(read["next_from"], 2);
    let none = client.answer("search_sessions", json!({"query": "porcelain"}));
    assert_eq!(none["n_found"], 0);
    client.end();
}

#[test]
fn tools_and_thoughts_are_shown_as_asked() {
    let home = home();
    home.add_session(&glaze());
    let mut client = Client::start(&home, &[]);
    let mut types = |arguments: Value| {
        let mut all = json!({"session": "latest"});
        all.as_object_mut()
            .unwrap()
            .extend(arguments.as_object().unwrap().clone());
        let read = client.answer("read_messages", all);
        let messages = read["messages"].as_array().unwrap();
        let parts = messages
            .iter()
            .flat_map(|message| message["parts"].as_array().unwrap());
        parts
            .map(|part| part["type"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        types(json!({})),
        ["text", "tool call Read", "tool call Bash", "text"]
    );
    assert_eq!(types(json!({"include_tools": "none"})), ["text", "text"]);
    assert_eq!(
        types(json!({"include_tools": "none", "include_thinking": true})),
        ["text", "thinking", "text"]
    );
}

#[test]
fn a_huge_session_is_read_in_bounded_pieces() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_29, "mcp huge");
    for number in 0..60 {
        session.prompt(&format!("Question {number} {}", "why ".repeat(400)));
        session.reply(&format!("Answer {number} {}", "because ".repeat(100_000)));
    }
    home.add_session(&session);
    let mut client = Client::start(&home, &["--max-bytes", "8000"]);
    let mut from = json!(1);
    let mut numbers: Vec<u64> = Vec::new();
    while !from.is_null() {
        let read = client.call("read_messages", json!({"session": "latest", "from": from}));
        assert!(text(&read).len() <= 8000, "{}", text(&read).len());
        let document = &read["structuredContent"];
        assert!(document.to_string().len() <= 16_000);
        let messages = document["messages"].as_array().unwrap();
        numbers.extend(
            messages
                .iter()
                .map(|message| message["number"].as_u64().unwrap()),
        );
        from = document["next_from"].clone();
        assert!(text(&read).contains("bytes cut"));
    }
    assert_eq!(numbers, (1..=120).collect::<Vec<u64>>());
    client.end();
}

#[test]
fn files_are_listed_by_session_and_by_path() {
    let home = home();
    let session = glaze();
    home.add_session(&session);
    let mut client = Client::start(&home, &[]);
    for arguments in [
        json!({"session": "latest"}),
        json!({"path": "glaze.md"}),
        json!({"path": "/home/robin/kiln"}),
    ] {
        let files = client.answer("list_files", arguments);
        let row = &files["files"][0];
        assert_eq!(files["n_rows"], 1);
        assert_eq!(
            (&row["path"], &row["tool"], &row["n_times"]),
            (
                &json!("/home/robin/kiln/glaze.md"),
                &json!("Read"),
                &json!(1)
            )
        );
        assert_eq!(row["session"], session.session_id());
        assert_eq!(row["title"], "Food safe glazes");
    }
    assert_eq!(
        client.answer("list_files", json!({"path": "laze.md"}))["n_rows"],
        0
    );
    assert!(
        client
            .refusal("list_files", json!({}))
            .contains("session or a path")
    );
    client.end();
}

#[test]
fn a_path_is_found_however_it_is_written_and_whatever_touched_it() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_29, "mcp path");
    session.prompt("Look.");
    session.call(
        "Grep",
        json!({"pattern": "cone", "path": "/home/robin/Öfen/kiln"}),
        &Outcome::bash("cone 6"),
    );
    session.reply("Done.");
    let path = home.add_session(&session);
    let written = std::fs::read_to_string(&path).unwrap();
    let escaped = written.replace("Öfen/kiln", "\\u00d6fen\\/k\\u0069ln");
    assert_ne!(written, escaped);
    std::fs::write(&path, escaped).unwrap();
    let mut client = Client::start(&home, &[]);
    for part in ["/home/robin/Öfen/kiln", "öfen/KILN", "kiln/"] {
        let files = client.answer("list_files", json!({"path": part}));
        assert_eq!(files["n_rows"], 1, "{part}: {files}");
        assert_eq!(files["files"][0]["path"], "/home/robin/Öfen/kiln");
    }
    let arguments = json!({"query": "cone", "path": "öfen/KILN", "role": "tool-input"});
    assert_eq!(client.answer("search_sessions", arguments)["n_found"], 1);
    client.end();
}

#[test]
fn usage_is_summed_by_all_groups() {
    let home = home();
    home.add_session(&glaze());
    let mut client = Client::start(&home, &[]);
    for group in ["day", "session", "project", "model"] {
        let usage = client.answer("usage", json!({"group": group}));
        assert_eq!(usage["n_rows"], 1, "{usage}");
        assert!(usage["total"]["n_requests"].as_u64().unwrap() > 0);
        assert_eq!(
            usage["rows"][0]["output_tokens"],
            usage["total"]["output_tokens"]
        );
    }
    let later = client.answer("usage", json!({"group": "day", "since": "2100-01-01"}));
    assert_eq!(later["total"]["n_requests"], 0);
    client.end();
}

#[test]
fn agents_can_be_read() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_29, "mcp agents");
    session.prompt("Have it looked at.");
    session.agent(
        &AgentTask::new("look at it", "Look at the vase."),
        |agent| {
            agent.reply("The vase is cracked.");
        },
    );
    session.reply("It is cracked.");
    home.add_session(&session);
    let mut client = Client::start(&home, &[]);
    let found = client.answer(
        "search_sessions",
        json!({"query": "\"vase is cracked\"", "role": "reply"}),
    );
    let hit = found["hits"][0].clone();
    assert!(hit["agent"].is_string(), "{found}");
    let read = client.answer(
        "read_messages",
        json!({"session": hit["session"], "around": hit["uuid"]}),
    );
    assert!(read.to_string().contains("The vase is cracked."), "{read}");
    let by_name = client.answer(
        "read_messages",
        json!({"session": hit["session"], "agent": hit["agent"]}),
    );
    assert_eq!(by_name["messages"], read["messages"]);
    let refused = client.refusal(
        "read_messages",
        json!({"session": "latest", "agent": "zzz"}),
    );
    assert!(refused.contains("its agents are"), "{refused}");
    client.end();
}

#[test]
fn wrong_requests_are_answered_with_hints() {
    let home = home();
    let session = glaze();
    home.add_session(&session);
    let mut client = Client::start(&home, &[]);
    let id = session.session_id().to_owned();
    let mut wrong_id = id.clone();
    wrong_id.replace_range(3..4, "z");
    let cases = [
        ("nonsense", json!({}), "the tools are search_sessions"),
        (
            "list_sessions",
            json!({"colour": 1}),
            "unknown field `colour`",
        ),
        ("list_sessions", json!({"since": "soon"}), "say 90m"),
        ("list_sessions", json!({"cursor": "x"}), "leave it out"),
        ("read_messages", json!({}), "missing field `session`"),
        ("read_messages", json!({"session": wrong_id}), id.as_str()),
        (
            "read_messages",
            json!({"session": "/etc/passwd"}),
            "named by its id",
        ),
        (
            "read_messages",
            json!({"session": id, "from": 99}),
            "the messages are 1 to",
        ),
        (
            "read_messages",
            json!({"session": id, "from": 3, "to": 2}),
            "before `from`",
        ),
        (
            "read_messages",
            json!({"session": id, "around": "nobody-there"}),
            "search_sessions gives the uuids",
        ),
        (
            "search_sessions",
            json!({"query": " "}),
            "the query is empty",
        ),
        (
            "search_sessions",
            json!({"query": "x", "role": "king"}),
            "the roles are prompt",
        ),
        (
            "usage",
            json!({"group": "moon"}),
            "day, session, project, model",
        ),
    ];
    for (tool, arguments, expected) in cases {
        let said = client.refusal(tool, arguments);
        assert!(said.contains(expected), "{tool}: {said}");
    }
    assert_eq!(client.answer("list_sessions", json!({}))["n_fitting"], 1);
    assert_eq!(client.end(), (Some(0), String::new()));
}

#[test]
fn damaged_lines_and_unparsable_requests_do_not_end_it() {
    let home = home();
    let mut session = glaze();
    session.raw_line("{\"type\":\"assistant\",\"message\":{\"content\":[{");
    session.raw_line(vec![0xff, 0x00, 0xc3]);
    home.add_session(&session);
    let mut client = Client::start(&home, &[]);
    let input = client.input.as_mut().unwrap();
    writeln!(input, "this is no JSON {{").unwrap();
    for (tool, arguments) in [
        ("search_sessions", json!({"query": "glaze"})),
        ("list_sessions", json!({})),
        ("read_messages", json!({"session": "latest"})),
        ("list_files", json!({"session": "latest"})),
        ("usage", json!({"group": "day"})),
    ] {
        client.answer(tool, arguments);
    }
    assert_eq!(client.end().0, Some(0));
}
