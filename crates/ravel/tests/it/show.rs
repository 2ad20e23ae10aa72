//! `ravel show`.

use std::path::PathBuf;

use ravel_testkit::{AgentTask, Outcome, SessionBuilder, TestHome, Trigger, Version};
use serde_json::{Value, json};

use crate::{home, parsed};

/// A session with most of what a person looks for.
struct Kiln {
    home: TestHome,
    path: PathBuf,
    id: String,
    rewound: String,
    second_prompt: String,
}

fn kiln() -> Kiln {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_325, "show kiln");
    session.prompt("Fix the thermostat.");
    session.thinking("The sensor may be upside down.");
    session.put_file("/home/robin/kiln/heat.py", "limit = 900\nstep = 5\n");
    session.edit_file("/home/robin/kiln/heat.py", "900", "1200");
    let lines: Vec<String> = (1..=40).map(|number| format!("cone {number}")).collect();
    session.call(
        "Bash",
        json!({"command": "seq 40", "description": "Count cones"}),
        &Outcome::bash(&lines.join("\n")),
    );
    let fixed = session.reply("The limit is **1200** now.");
    let rewound = session.prompt("Paint it red.");
    session.reply("Red it is.");
    session.branch_at(&fixed);
    let second_prompt = session.prompt("Ask somebody else.");
    let outer = AgentTask::new("Look around", "Look for another sensor.");
    session.agent(&outer, |agent| {
        agent.reply("I will ask my own helper.");
        let inner = AgentTask::new("Dig", "Dig deeper.").of_kind("Explore");
        agent.agent(&inner, |nested| {
            nested.reply("Found it in the drawer.");
        });
        agent.reply("It is in the drawer.");
    });
    session.reply("There is one in the drawer.");
    Kiln {
        path: home.add_session(&session),
        id: session.session_id().to_owned(),
        rewound,
        second_prompt,
        home,
    }
}

impl Kiln {
    fn show(&self, options: &[&str]) -> String {
        let output = self
            .home
            .ravel(["show", self.id.as_str()].iter().chain(options));
        assert_eq!(
            (output.code, output.stderr.as_str()),
            (0, ""),
            "{options:?}"
        );
        output.stdout
    }
}

#[track_caller]
fn check_text(text: &str, contains: &[&str], lacks: &[&str]) {
    for wanted in contains {
        assert!(text.contains(wanted), "{wanted:?} is missing in:\n{text}");
    }
    for unwanted in lacks {
        assert!(!text.contains(unwanted), "{unwanted:?} is in:\n{text}");
    }
}

#[test]
fn the_main_thread_reads_from_top_to_bottom() {
    let text = kiln().show(&[]);
    insta::assert_snapshot!(text, @r"
    Fix the thermostat.
    /home/robin/kiln · main · claude-opus-5-5 · v2.1.325
    2026-01-20 09:00 · 16 s · 2 turns, 11 messages, 3 calls, 2 agents

    ▌ Fix the thermostat.                                                                          09:00

    ∴ Thought  The sensor may be upside down.

    ● Edit heat.py +1 −1
        1 - limit = 900
        1 + limit = 1200
        2   step = 5

    ● Bash seq 40
        cone 1
        cone 2
        cone 3
        … 34 more lines
        cone 38
        cone 39
        cone 40

      The limit is 1200 now.

    ▌ Ask somebody else.                                                                           09:00

    ● Agent general-purpose: Look around  · 1 call · 13k tokens · 6 s
      └ 5 messages · agent a26afef07cf9583d6
        It is in the drawer.

      There is one in the drawer.
    ");
}

#[test]
fn options_show_more_or_less() {
    let kiln = kiln();
    check_text(
        &kiln.show(&["--thinking"]),
        &["The sensor may be upside down."],
        &[],
    );
    check_text(
        &kiln.show(&["--tools", "full"]),
        &["cone 1\n", "cone 40"],
        &[],
    );
    check_text(
        &kiln.show(&["--tools", "none"]),
        &["Fix the thermostat.", "The limit is"],
        &["cone 1", "1200\n+", "seq 40"],
    );
    check_text(
        &kiln.show(&["--agents"]),
        &["I will ask my own helper.", "Found it in the drawer."],
        &[],
    );
}

#[test]
fn everything_includes_what_is_meant_for_the_model() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_29, "show meta");
    session.prompt("Fire it.");
    session.meta("Remember the gloves.");
    session.reply("Firing.");
    home.add_session(&session);
    check_text(&home.ravel(["show"]).stdout, &["Firing."], &["gloves"]);
    let text = home.ravel(["show", "--everything"]).stdout;
    check_text(&text, &["Firing.", "Remember the gloves."], &[]);
}

#[test]
fn a_branch_is_shown_by_number_and_by_record() {
    let kiln = kiln();
    for name in ["1", &kiln.rewound, &kiln.rewound[..8]] {
        check_text(
            &kiln.show(&["--branch", name]),
            &["Fix the thermostat.", "Paint it red.", "Red it is."],
            &["Ask somebody else."],
        );
    }
    let output = kiln.home.ravel(["show", &kiln.id, "--branch", "7"]);
    assert_eq!(output.code, 2);
    assert_eq!(
        output.stderr,
        "error: no branch \"7\"\nhint: `ravel tree` numbers the branches\n"
    );
}

#[test]
fn reading_starts_late_when_asked_to() {
    let kiln = kiln();
    for options in [
        ["--last", "1"],
        ["--at", &kiln.second_prompt],
        ["--at", &kiln.second_prompt[..8]],
    ] {
        check_text(
            &kiln.show(&options),
            &["Ask somebody else."],
            &["▌ Fix the thermostat.", "The limit is"],
        );
    }
    check_text(
        &kiln.show(&["--last", "99"]),
        &["▌ Fix the thermostat."],
        &[],
    );
    let output = kiln.home.ravel(["show", &kiln.id, "--at", "nosuch"]);
    assert_eq!(output.code, 2);
    assert_eq!(
        output.stderr,
        "error: no record \"nosuch\" on this thread\nhint: it may be on a branch: see `ravel tree`, and show it with --branch ID\n"
    );
}

#[test]
fn a_session_goes_by_path_id_prefix_title_or_latest() {
    let kiln = kiln();
    let mut other = SessionBuilder::new(Version::V2_1_29, "show other");
    other.prompt("Something else.");
    other.reply("Yes.");
    let older = kiln.home.add_session(&other);
    let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    std::fs::File::options()
        .append(true)
        .open(older)
        .unwrap()
        .set_modified(long_ago)
        .unwrap();
    let path = kiln.path.to_str().unwrap();
    let relative = format!("../.claude/{}", path.split("/.claude/").last().unwrap());
    let upper = kiln.id.to_uppercase();
    let names = [
        path,
        &relative,
        &kiln.id,
        &upper,
        &kiln.id[..6],
        "Fix the thermostat.",
        "latest",
    ];
    for name in names {
        let document = parsed(&kiln.home.ravel(["show", "--json", name]));
        assert_eq!(document["facts"]["session_id"], *kiln.id, "{name}");
    }
    let document = parsed(&kiln.home.ravel(["show", "--json"]));
    assert_eq!(document["facts"]["session_id"], *kiln.id);
}

#[test]
fn standard_input_is_a_session_too() {
    let kiln = kiln();
    let bytes = std::fs::read(&kiln.path).unwrap();
    let output = kiln
        .home
        .command()
        .args(["show", "-"])
        .stdin(bytes)
        .run()
        .unwrap();
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    check_text(
        &output.stdout,
        &["Fix the thermostat.", "in the drawer"],
        &[],
    );
}

#[test]
fn the_file_of_an_agent_is_shown_by_its_path() {
    let kiln = kiln();
    let folder = kiln.path.with_extension("").join("subagents");
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "jsonl") {
            let output = kiln.home.ravel(["show", path.to_str().unwrap()]);
            assert_eq!(output.code, 0, "{}", output.stderr);
            texts.push(output.stdout);
        }
    }
    assert_eq!(texts.len(), 2);
    texts.sort_by_key(|text| text.contains("Dig deeper."));
    check_text(
        &texts[0],
        &["Look for another sensor.", "It is in the drawer."],
        &[],
    );
    check_text(&texts[1], &["Dig deeper.", "Found it in the drawer."], &[]);
}

#[test]
fn a_conversation_reads_across_its_compaction() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_29, "show compaction");
    session.prompt("First half.");
    session.reply("Half done.");
    session.compact(Trigger::Auto, "We did the first half.");
    session.prompt("Second half.");
    session.reply("All done.");
    home.add_session(&session);
    let text = home.ravel(["show"]).stdout;
    check_text(&text, &["First half.", "Compacted", "Second half."], &[]);
    let place = |words: &str| text.find(words).unwrap();
    assert!(place("Half done.") < place("Compacted"));
    assert!(place("Compacted") < place("▌ Second half."));
    let document = parsed(&home.ravel(["show", "--json"]));
    assert_eq!(document["facts"]["n_compactions"], 1);
    assert_eq!(document["segments"].as_array().unwrap().len(), 2);
    let thread = document["thread"].to_string();
    check_text(&thread, &["All done."], &["Half done."]);
}

#[test]
fn missing_lines_are_marked_where_they_are_missing() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_29, "show gap");
    session.prompt("Before the gap.");
    session.reply("Still before.");
    session.branch_at("00000000-aaaa-4000-a000-000000000000");
    session.wait_minutes(1);
    session.prompt("After the gap.");
    session.reply("After it.");
    home.add_session(&session);
    let text = home.ravel(["show"]).stdout;
    let note = "── lines are missing here; `ravel check` says which ──";
    check_text(&text, &["Still before.", note, "After it."], &[]);
    assert!(text.find("Still before.") < text.find(note));
    assert!(text.find(note) < text.find("▌ After the gap."));
}

#[test]
fn text_folds_to_a_narrow_terminal() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_29, "show narrow");
    session.prompt("Tell me about clay bodies, and take your time with all of the details of it.");
    session
        .reply("Stoneware is fired between 1200 and 1300 degrees and holds water without a glaze.");
    home.add_session(&session);
    let output = home
        .command()
        .arg("show")
        .env("COLUMNS", "40")
        .run()
        .unwrap();
    let widest = output.stdout.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(40), "{}", output.stdout);
    let words: Vec<&str> = output.stdout.split_whitespace().collect();
    let joined = words.join(" ");
    check_text(&joined, &["holds water without a glaze."], &[]);
    check_text(
        &joined.replace("▌ ", ""),
        &["with all of the details of it."],
        &[],
    );
}

#[test]
fn json_has_the_thread_the_turns_and_the_agents() {
    let kiln = kiln();
    let document = parsed(&kiln.home.ravel(["show", "--json", &kiln.id]));
    let thread = document["thread"].as_array().unwrap();
    let types: Vec<&str> = thread
        .iter()
        .map(|record| record["type"].as_str().unwrap())
        .collect();
    assert_eq!(types.first(), Some(&"user"));
    assert!(
        types
            .iter()
            .all(|kind| ["user", "assistant"].contains(kind))
    );
    let uuids: Vec<&str> = thread
        .iter()
        .map(|record| record["uuid"].as_str().unwrap())
        .collect();
    assert!(uuids.contains(&kiln.second_prompt.as_str()));
    assert!(!uuids.contains(&kiln.rewound.as_str()));

    let turns = document["turns"].as_array().unwrap();
    let prompts: Vec<&str> = turns
        .iter()
        .map(|turn| turn["prompt"]["text"].as_str().unwrap())
        .collect();
    assert_eq!(prompts, ["Fix the thermostat.", "Ask somebody else."]);
    check_agents(document["agents"].as_array().unwrap());
    assert_eq!(document["branches"].as_array().unwrap().len(), 1);
    assert_eq!(document["diagnostics"], json!([]));
}

fn check_agents(agents: &[Value]) {
    let by_depth = |depth: u64| {
        agents
            .iter()
            .find(|agent| agent["depth"] == depth)
            .unwrap_or_else(|| panic!("no agent of depth {depth}: {agents:?}"))
    };
    assert_eq!(agents.len(), 2);
    let (outer, inner) = (by_depth(0), by_depth(1));
    assert_eq!(outer["description"], "Look around");
    assert_eq!(outer["parent"]["agent"], Value::Null);
    assert_eq!(inner["kind"], "Explore");
    assert_eq!(inner["parent"]["agent"], outer["id"]);
}

#[test]
fn json_names_what_is_wrong() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_29, "show torn");
    session.prompt("Whole.");
    session.raw_line("{\"type\":\"user\",\"uuid\":");
    home.add_session(&session);
    let document = parsed(&home.ravel(["show", "--json"]));
    let finding = &document["diagnostics"][0];
    assert_eq!(finding["code"], "torn-tail");
    assert_eq!(finding["severity"], "error");
    assert_eq!(finding["line"], 2);
    assert!(finding["file"].as_str().unwrap().ends_with(".jsonl"));
}

#[test]
fn a_file_without_a_conversation_says_so() {
    let home = home();
    let path = home.write(
        "projects/-p/notes.jsonl",
        "{\"type\":\"mode\",\"mode\":\"normal\"}\n",
    );
    let output = home.ravel(["show", path.to_str().unwrap()]);
    assert_eq!(output.code, 0);
    check_text(
        &output.stdout,
        &["no conversation in ~/.claude/projects/-p/notes.jsonl"],
        &[],
    );
}

#[test]
fn a_name_here_hides_no_session() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_29, "show bare").in_folder("/srv");
    session.prompt("Say the word.");
    session.custom_title("glaze");
    home.add_session(&session);
    std::fs::create_dir(home.work().join("glaze")).unwrap();
    let output = home.ravel(["show", "glaze"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    check_text(&output.stdout, &["Say the word."], &[]);

    // A word that names nothing in the home may be the folder of a session here.
    home.write_work("bowl.jsonl", session.to_bytes());
    std::fs::create_dir(home.work().join("bowl")).unwrap();
    assert_eq!(home.ravel(["show", "bowl"]).code, 0);
    home.write_work("notes", "hello");
    let output = home.ravel(["show", "notes"]);
    assert_eq!(output.code, 2);
    check_text(&output.stderr, &["hint: the file here is ./notes"], &[]);
}

#[test]
fn json_is_whole_and_says_so() {
    let kiln = kiln();
    for option in [["--last", "1"], ["--at", &kiln.second_prompt]] {
        let arguments = ["show", "--json", &kiln.id].into_iter().chain(option);
        let output = kiln.home.ravel(arguments);
        assert_eq!((output.code, output.stdout.as_str()), (2, ""));
        let words = format!("error: {} does not apply to --json\nhint: ", option[0]);
        assert!(output.stderr.starts_with(&words), "{}", output.stderr);
    }
}

/// A session so long that its first turns are shown before it is read.
fn long_session(name: &str) -> SessionBuilder {
    let mut session = SessionBuilder::new(Version::V2_1_29, name);
    for number in 1..=3 {
        session.prompt(&format!("Question {number}?"));
        session.reply(&format!("Answer {number}."));
    }
    let filler = "clay ".repeat(33 << 20 >> 2);
    session.raw_line(format!("{{\"type\":\"filler\",\"data\":\"{filler}\"}}\n"));
    session
}

#[test]
fn a_long_session_is_shown_once() {
    let home = home();
    let mut session = long_session("show long");
    session.prompt("Last question?");
    session.reply("Last answer.");
    home.add_session(&session);
    let output = home.ravel(["show"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    for words in ["Question 2?", "Answer 1.", "Last question?", "Last answer."] {
        assert_eq!(output.stdout.matches(words).count(), 1, "{words}");
    }
    check_text(&output.stdout, &[], &["taken back"]);
}

#[test]
fn a_long_session_that_was_rewound_says_so() {
    let home = home();
    let mut session = long_session("show long rewound");
    session.rewind_to_start();
    session.wait_minutes(1);
    session.prompt("Another start.");
    session.reply("Started again.");
    home.add_session(&session);
    let output = home.ravel(["show"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let (before, after) = output
        .stdout
        .split_once("── the turns above were taken back; the conversation goes like this ──")
        .unwrap();
    check_text(before, &["Question 1?"], &["Another start."]);
    check_text(
        after,
        &["Another start.", "Started again."],
        &["Question 1?"],
    );
}
