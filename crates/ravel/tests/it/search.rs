//! `ravel search`, with and without an index.

use std::fs;
use std::path::PathBuf;

use ravel_testkit::{AgentTask, Outcome, Output, SessionBuilder, TestHome, Version};
use serde_json::{Value, json};

use crate::{home, parsed};

/// A shop and a kiln: two sessions, one of them with an agent, a branch and a copy.
struct Shop {
    home: TestHome,
    /// The session of the kiln and its file.
    id: String,
    path: PathBuf,
}

fn shop() -> Shop {
    let home = home();
    let mut kiln = SessionBuilder::new(Version::V2_1_325, "search kiln");
    let start = kiln.prompt("Why is the Straße sensor \"off by one\"?");
    kiln.thinking("The sensor may be upside down.");
    kiln.put_file("/home/robin/kiln/heat.py", "limit = 900\n");
    kiln.edit_file("/home/robin/kiln/heat.py", "900", "1200");
    kiln.call(
        "Bash",
        json!({"command": "python heat.py", "description": "Try it"}),
        &Outcome::bash("sensor: out of memory"),
    );
    let fixed = kiln.reply("The limit is 1200 now.");
    kiln.prompt("Paint the abandoned vase.");
    kiln.reply("Red it is.");
    kiln.branch_at(&fixed);
    kiln.prompt("Ask somebody else.");
    let task = AgentTask::new("Look around", "Look for a drawer.");
    kiln.agent(&task, |agent| {
        agent.reply("The spare one lies in the drawer.");
    });
    kiln.custom_title("Upside down");
    let path = home.add_session(&kiln);
    assert!(!start.is_empty());

    let mut prices = SessionBuilder::new(Version::V2_1_29, "search prices")
        .in_folder("/srv/shop")
        .on_branch("rounding")
        .with_model("claude-haiku-5")
        .starting_at("2026-02-03T10:00:00.000Z");
    prices.prompt("Round the prices \u{1b}]0;owned\u{7}\u{1b}[2Jof the cart.");
    prices.reply("The shoppingCart rounds now.");
    home.add_session(&prices);
    Shop {
        id: kiln.session_id().to_owned(),
        home,
        path,
    }
}

impl Shop {
    fn search(&self, arguments: &[&str]) -> Output {
        self.home.ravel(["search"].iter().chain(arguments))
    }

    /// What a person sees; how long ago it was is left out.
    fn text(&self, arguments: &[&str]) -> String {
        let output = self.search(arguments);
        assert_eq!(output.stderr, "", "{arguments:?}");
        let lines = output.stdout.lines().map(without_age);
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The hits, which have to be the same with and without an index if there is one.
    fn hits(&self, arguments: &[&str]) -> Vec<Value> {
        let run = |more: &[&str]| {
            let output = self.search(&[&["--json"], more, arguments].concat());
            assert!(output.code < 2, "{arguments:?}: {}", output.stderr);
            let answer: Value = serde_json::from_str(&output.stdout).unwrap();
            let hits = answer["hits"].as_array().unwrap().clone();
            assert_eq!(output.code, i32::from(hits.is_empty()), "{arguments:?}");
            assert_eq!(answer["found"], hits.len(), "{arguments:?}");
            assert_eq!(answer["complete"], true);
            hits
        };
        let hits = run(&[]);
        assert_eq!(hits, run(&["--no-index"]), "{arguments:?}");
        hits
    }

    #[track_caller]
    fn check(&self, arguments: &[&str], expected: &[&str]) {
        let hits = self.hits(arguments);
        let words = |hit: &Value| {
            let tool = hit["tool"].as_str().map(|tool| format!(" {tool}"));
            format!(
                "{}{}",
                hit["role"].as_str().unwrap(),
                tool.unwrap_or_default()
            )
        };
        let found: Vec<String> = hits.iter().map(words).collect();
        assert_eq!(found, expected, "{arguments:?}");
    }
}

fn without_age(line: &str) -> String {
    let parts = line.split(" · ").map(|part| match part.ends_with(" ago") {
        true => "long ago",
        false => part,
    });
    parts.collect::<Vec<_>>().join(" · ")
}

#[test]
fn people_see_session_message_and_how_to_open_it() {
    let shop = shop();
    insta::assert_snapshot!(shop.text(&["sensor"]), @r#"
    4da946b0  Upside down  /home/robin/kiln · main · long ago
      a9c5297e  prompt       Why is the Straße sensor "off by one"?
      4c18eb77  thinking     The sensor may be upside down.
      86fe8798  Bash         sensor: out of memory

    3 messages
    open one with `ravel show 4da946b0 --at a9c5297e-ab23-40e7-a7fa-96eb169047ff`
    "#);
    insta::assert_snapshot!(shop.text(&["cart"]), @r"
    519723b8  Round the prices ␛]0;owned␇␛[2Jof the cart.  /srv/shop · rounding · long ago
      facf6740  prompt       …s ␛]0;owned␇␛[2Jof the cart.
      b3b3155c  reply        The shoppingCart rounds now.

    2 messages
    open one with `ravel show 519723b8 --at facf6740-7838-4b88-a06a-f3d5abb58dac`
    ");
    insta::assert_snapshot!(shop.text(&["sensor", "-n", "1"]), @r#"
    4da946b0  Upside down  /home/robin/kiln · main · long ago
      a9c5297e  prompt       Why is the Straße sensor "off by one"?

    1 of 3 messages; -n 0 shows all
    open one with `ravel show 4da946b0 --at a9c5297e-ab23-40e7-a7fa-96eb169047ff`
    "#);
    let nothing = shop.search(&["unheard of"]);
    assert_eq!(
        (nothing.stdout.as_str(), nothing.code),
        ("nothing found\n", 1)
    );
}

#[test]
fn filters_let_through_what_they_say() {
    let shop = shop();
    for is_indexed in [false, true] {
        if is_indexed {
            assert_eq!(shop.home.ravel(["index"]).code, 0);
        }
        shop.check(&["sensor", "--role", "prompt"], &["prompt"]);
        shop.check(
            &["sensor", "--role", "thinking,tool-result"],
            &["thinking", "tool-result Bash"],
        );
        shop.check(&["sensor", "--tool", "bash"], &["tool-result Bash"]);
        shop.check(
            &["--tool", "Bash"],
            &["tool-input Bash", "tool-result Bash"],
        );
        shop.check(
            &["1200", "--path", "heat.py", "--role", "tool-input"],
            &["tool-input Edit"],
        );
        shop.check(&["rounds", "--model", "haiku"], &["reply"]);
        shop.check(&["rounds", "--model", "opus"], &[]);
        shop.check(&["cart", "--branch", "rounding"], &["prompt", "reply"]);
        shop.check(&["cart", "--branch", "main"], &[]);
        shop.check(&["cart", "--project", "shop"], &["prompt", "reply"]);
        shop.check(&["cart", "--project", "kiln"], &[]);
        shop.check(
            &["sensor", "--until", "2026-01-21", "--role", "prompt"],
            &["prompt"],
        );
        shop.check(&["sensor", "--since", "2026-01-21"], &[]);
        // A date is the whole day, on both ends.
        for (until, roles) in [
            ("2026-02-02", &[][..]),
            ("2026-02-03", &["prompt", "reply"]),
            ("2026-02-03T10:00", &[]),
            ("2026-02-03T00:00", &[]),
            ("9999-12-31", &["prompt", "reply"]),
        ] {
            shop.check(&["cart", "--since", "2026-02-03", "--until", until], roles);
        }
        shop.check(&["\"off by one\""], &["prompt"]);
        shop.check(&["\"off by one\"?"], &["prompt"]);
        shop.check(&["STRASSE"], &[]);
        shop.check(&["straße"], &["prompt"]);
        shop.check(&["straße", "--case"], &[]);
        shop.check(&["--regex", r"out of \w+ory"], &["tool-result Bash"]);
        shop.check(&["--regex", "OUT OF", "--case"], &[]);
        shop.check(&["drawer", "--role", "reply"], &["reply"]);
        shop.check(&["Upside", "--role", "other"], &["other"]);
    }
}

#[test]
fn a_bad_request_ends_with_2_and_says_why() {
    let shop = shop();
    for (arguments, words) in [
        (
            &["--regex", "a("][..],
            "could not read the regular expression",
        ),
        (
            &["--regex", "(a{1000}){1000}"],
            "could not use the regular expression",
        ),
        (&[], "nothing to look for"),
        (&["  "], "nothing to look for"),
        (&["\"\""], "nothing to look for"),
        (&["\"\"", "\""], "nothing to look for"),
        (&["--regex", ""], "nothing to look for"),
        (&["a", "--role", "nobody"], "invalid value 'nobody'"),
        (&["a", "--since", "whenever"], "invalid value 'whenever'"),
        (
            &[&*"a".repeat(5000)],
            "could not take a query of more than 4096 bytes",
        ),
    ] {
        let output = shop.search(arguments);
        assert_eq!(output.code, 2, "{arguments:?}");
        assert!(output.stderr.contains(words), "{}", output.stderr);
        assert_eq!(output.stdout, "");
    }
}

#[test]
fn a_query_without_words_leaves_all_to_the_filter() {
    let shop = shop();
    for query in [&["\"\""][..], &["--regex", ""], &[]] {
        let filter = ["--tool", "Bash"];
        shop.check(
            &[query, &filter].concat(),
            &["tool-input Bash", "tool-result Bash"],
        );
    }
    // A space and a quote are something to look for, if they are meant as such.
    shop.check(&["--regex", " ", "--tool", "Edit", "--role", "prompt"], &[]);
    assert!(!shop.hits(&["--regex", " ", "-n", "0"]).is_empty());
    shop.check(&["\\\"off"], &["prompt"]);
}

#[test]
fn days_are_those_where_the_person_is() {
    let shop = shop();
    for (zone, day, n_hits) in [
        ("UTC", "2026-02-03", 2),
        ("Pacific/Kiritimati", "2026-02-03", 0),
        ("Pacific/Kiritimati", "2026-02-04", 2),
    ] {
        let command = shop.home.command().env("TZ", zone);
        let arguments = ["search", "cart", "--json", "--since", day, "--until", day];
        let output = command.args(arguments).run().unwrap();
        let answer: Value = serde_json::from_str(&output.stdout).unwrap();
        assert_eq!(answer["found"], n_hits, "{zone} {day}");
    }
}

#[test]
fn hits_are_shown_by_session_in_the_order_of_the_best() {
    let shop = shop();
    let arguments = ["-n", "0", "--role", "prompt,reply"];
    let text = shop.text(&arguments);
    let ids = |group: &str| -> Vec<String> {
        let hits = group.lines().filter(|line| line.starts_with("  "));
        hits.filter_map(|line| Some(line.get(2..10)?.to_owned()))
            .collect()
    };
    let mut shown: Vec<Vec<String>> = text.split("\n\n").map(ids).collect();
    // After the last one is the sum.
    assert_eq!(shown.pop(), Some(Vec::new()), "{text}");

    let mut expected: Vec<(String, Vec<String>)> = Vec::new();
    for hit in shop.hits(&arguments) {
        let [path, uuid] = ["path", "uuid"].map(|key| hit[key].as_str().unwrap().to_owned());
        let id = uuid.get(..8).unwrap().to_owned();
        match expected.iter_mut().find(|(known, _)| *known == path) {
            Some((_, ids)) => ids.push(id),
            None => expected.push((path, vec![id])),
        }
    }
    let expected: Vec<Vec<String>> = expected.into_iter().map(|(_, ids)| ids).collect();
    assert_eq!(shown, expected, "{text}");
    assert_eq!(shown.len(), 3);
}

#[test]
fn what_an_agent_said_is_named_after_its_session() {
    let shop = shop();
    let title = |hits: &[Value]| hits[0]["title"].clone();
    let of_agent = shop.hits(&["\"spare one lies\""]);
    assert!(of_agent[0]["agent"].is_string());
    assert_eq!(title(&of_agent), "Upside down");
    // Also when the archive has the one and the home the other.
    assert_eq!(shop.home.ravel(["archive"]).code, 0);
    fs::remove_dir_all(shop.path.with_extension("")).unwrap();
    let of_agent = shop.hits(&["\"spare one lies\""]);
    assert_eq!(of_agent[0]["archived"], true);
    assert_eq!(title(&of_agent), "Upside down");
}

#[test]
fn nothing_in_a_command_acts_on_the_shell() {
    let shop = shop();
    shop.home.write(
        "projects/-srv-shop/~it's $(reboot).jsonl",
        json!({
            "type": "user", "uuid": "a; reboot", "timestamp": "2026-02-03T10:00:00.000Z",
            "message": {"role": "user", "content": "hostile"},
        })
        .to_string(),
    );
    let hits = shop.hits(&["hostile"]);
    assert_eq!(
        hits[0]["open"],
        r"ravel show ~/'.claude/projects/-srv-shop/~it'\''s $(reboot).jsonl' --at 'a; reboot'"
    );
}

#[test]
fn programs_get_all_there_is_to_know() {
    let shop = shop();
    let mut hit = shop.hits(&["memory"]).remove(0);
    let path = hit["path"].take();
    let uuid = hit["uuid"].take();
    let text = fs::read_to_string(path.as_str().unwrap()).unwrap();
    let [offset, length] =
        ["offset", "bytes"].map(|key| hit[key].take().as_u64().unwrap() as usize);
    let record: Value = serde_json::from_str(&text[offset..offset + length]).unwrap();
    assert_eq!(record["uuid"], uuid);
    let uuid = uuid.as_str().unwrap();
    let id = shop.id.get(..8).unwrap();
    assert_eq!(hit["open"].take(), format!("ravel show {id} --at {uuid}"));
    assert_eq!(hit["time"].take(), record["timestamp"]);
    let snippet = hit["snippet"].as_str().unwrap();
    let marked = hit["highlights"][0].as_array().unwrap();
    let marked = [0, 1].map(|end| marked[end].as_u64().unwrap() as usize);
    assert_eq!(&snippet[marked[0]..marked[1]], "memory");
    assert_eq!(
        hit,
        json!({
            "session": shop.id,
            "title": "Upside down",
            "project": "/home/robin/kiln",
            "slug": "-home-robin-kiln",
            "agent": null,
            "archived": false,
            "uuid": null,
            "time": null,
            "role": "tool-result",
            "tool": "Bash",
            "file": null,
            "model": hit["model"],
            "branch": "main",
            "snippet": "sensor: out of memory",
            "highlights": [[15, 21]],
            "path": null,
            "offset": null,
            "bytes": null,
            "copies": [],
            "open": null,
        })
    );
}

#[test]
fn commands_that_open_a_hit_show_it() {
    let shop = shop();
    for (word, arguments) in [
        ("1200 now", &["\"1200 now\""][..]),
        ("lies in the drawer", &["\"spare one lies\""]),
        ("abandoned vase", &["abandoned"]),
        ("rounds now", &["rounds"]),
    ] {
        let hits = shop.hits(arguments);
        let open = hits[0]["open"].as_str().unwrap();
        let words: Vec<String> = open
            .split(' ')
            .skip(1)
            .map(|word| match word.strip_prefix("~/") {
                Some(rest) => shop.home.path().join(rest).to_string_lossy().into_owned(),
                None => word.to_owned(),
            })
            .collect();
        let shown = shop.home.ravel(&words);
        assert_eq!((shown.code, shown.stderr.as_str()), (0, ""), "{open}");
        assert!(shown.stdout.contains(word), "{open}: {}", shown.stdout);
    }
}

#[test]
fn copies_of_a_message_are_one_result() {
    let shop = shop();
    let copy = format!("projects/-elsewhere/{}.jsonl", shop.id);
    shop.home.write(&copy, fs::read(&shop.path).unwrap());
    for _ in 0..2 {
        let hits = shop.hits(&["memory"]);
        assert_eq!(hits.len(), 1);
        assert_eq!(hits[0]["copies"].as_array().unwrap().len(), 1);
        assert!(shop.text(&["memory"]).contains("(+1 copy)"));
        assert_eq!(shop.home.ravel(["index"]).code, 0);
    }
}

#[test]
fn nothing_in_a_message_acts_on_the_terminal() {
    let shop = shop();
    shop.home.write(
        "projects/-srv-shop/\u{1b}]2;x\u{7}.jsonl",
        json!({
            "type": "user", "uuid": "\u{1b}[31m", "sessionId": "\u{1b}[5m", "cwd": "/\u{1b}[8m",
            "gitBranch": "\u{9b}31m", "timestamp": "2026-02-03T10:00:00.000Z",
            "message": {"role": "user", "content": "hostile\u{1b}[2J\u{202e}cart\u{0}"},
        })
        .to_string(),
    );
    for arguments in [&["cart"][..], &["hostile"], &["--project", "shop"]] {
        for option in ["--color=always", "--color=never"] {
            let output = shop.search(&[&[option], arguments].concat());
            assert_eq!(output.code, 0, "{}", output.stderr);
            let text = output.stdout + &output.stderr;
            for bad in [
                "\u{1b}]",
                "\u{1b}[2J",
                "\u{7}",
                "\u{9b}",
                "\u{202e}",
                "\u{1b}[5m",
                "\0",
            ] {
                assert!(!text.contains(bad), "{bad:?} in {text:?}");
            }
        }
    }
}

#[test]
fn an_archived_session_is_found_and_marked() {
    let shop = shop();
    for is_indexed in [false, true] {
        if is_indexed {
            assert_eq!(shop.home.ravel(["index"]).code, 0);
        } else {
            assert_eq!(shop.home.ravel(["archive"]).code, 0);
            fs::remove_file(&shop.path).unwrap();
        }
        let hits = shop.hits(&["memory"]);
        assert_eq!(hits.len(), 1);
        assert_eq!(hits[0]["archived"], true);
        assert_eq!(hits[0]["title"], "Upside down");
        let text = shop.text(&["memory"]);
        assert!(text.contains(" · archived"), "{text}");
    }
}

#[test]
fn a_line_that_has_not_ended_is_found_in_an_archived_session_too() {
    let shop = shop();
    let line = json!({
        "type": "user", "uuid": "a1b2c3d4-0000-4000-8000-000000000000", "sessionId": shop.id,
        "timestamp": "2026-02-03T10:00:00.000Z",
        "message": {"role": "user", "content": "unfinished business"},
    });
    let mut bytes = fs::read(&shop.path).unwrap();
    bytes.extend_from_slice(line.to_string().as_bytes());
    fs::write(&shop.path, bytes).unwrap();
    assert_eq!(shop.home.ravel(["archive"]).code, 0);
    fs::remove_file(&shop.path).unwrap();
    assert_eq!(shop.home.ravel(["index"]).code, 0);
    assert_eq!(shop.hits(&["unfinished"]).len(), 1);
}

#[test]
fn what_was_just_written_is_found_at_once() {
    let shop = shop();
    assert_eq!(parsed(&shop.home.ravel(["index", "--json"]))["new"], 3);
    let mut bytes = fs::read(&shop.path).unwrap();
    for (number, end) in ["", "\n"].into_iter().enumerate() {
        let line = json!({
            "type": "user", "uuid": format!("a1b2c3d{number}-0000-4000-8000-000000000000"),
            "sessionId": shop.id, "timestamp": "2026-02-03T10:00:00.000Z",
            "message": {"role": "user", "content": format!("brandnew{number} words")},
        });
        bytes.extend_from_slice(line.to_string().as_bytes());
        fs::write(&shop.path, &bytes).unwrap();
        assert_eq!(shop.hits(&[&format!("brandnew{number}")]).len(), 1);
        bytes.extend_from_slice(b"\n");
        if end == "\n" {
            fs::write(&shop.path, &bytes).unwrap();
        }
    }
    assert_eq!(shop.hits(&["brandnew", "words"]).len(), 2);
}

/// One file whose name is not text must not keep the others away.
#[cfg(unix)]
#[test]
fn names_that_are_no_text_are_shown_as_well_as_they_can_be() {
    use std::os::unix::ffi::OsStrExt as _;
    let home = home();
    let folder = home.claude().join("projects/-srv-shop");
    std::fs::create_dir_all(&folder).unwrap();
    let line = r#"{"type":"user","uuid":"u","message":{"role":"user","content":"wordy"}}"#;
    let name = std::ffi::OsStr::from_bytes(b"\xff.jsonl");
    std::fs::write(folder.join(name), format!("{line}\n")).unwrap();
    for command in [
        &["search", "wordy", "--json"][..],
        &["ls", "--json"],
        &["check", "--all", "--json"],
    ] {
        let output = home.ravel(command);
        // The line has no timestamp, which `check` minds.
        assert!(output.code < 2, "{command:?}: {}", output.stderr);
        assert!(
            output.stdout.contains('\u{fffd}'),
            "{command:?}: {}",
            output.stdout
        );
    }
}
