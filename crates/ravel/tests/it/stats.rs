//! `ravel stats`.

use std::fmt::Write as _;

use ravel_testkit::TestHome;
use serde_json::{Value, json};

use crate::{home, parsed};

/// Writes lines of a session: `kind time words`, with tools that an assistant calls, `#` for a sidechain.
fn session(cwd: &str, lines: &[&str]) -> String {
    let mut text = String::new();
    for (n, line) in lines.iter().enumerate() {
        let mut words = line.split_whitespace();
        let kind = words.next().unwrap();
        let time = words.next().unwrap();
        let words: Vec<&str> = words.collect();
        let tools = words.iter().filter(|word| **word != "#");
        let blocks: Vec<Value> = tools
            .map(|name| json!({"type": "tool_use", "id": "t", "name": name, "input": {}}))
            .collect();
        let mut record = json!({
            "type": kind, "uuid": format!("{cwd}-{n}-{time}"), "timestamp": time, "cwd": cwd,
            "isSidechain": words.contains(&"#"),
            "message": {"role": kind, "content": blocks},
        });
        if kind == "assistant" {
            // Two lines of one reply name the same request.
            let id = format!("{cwd} {}", &time[..16]);
            record["requestId"] = json!(format!("req {id}"));
            record["message"]["id"] = json!(format!("msg {id}"));
            record["message"]["model"] = json!("claude-opus-5-5");
            record["message"]["usage"] = json!({
                "input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 100,
                "cache_creation_input_tokens": 20, "server_tool_use": {"web_search_requests": 1},
            });
        }
        writeln!(text, "{record}").unwrap();
    }
    text
}

const SHOP: &str = "11111111-1111-4111-8111-111111111111";
const BLOG: &str = "22222222-2222-4222-8222-222222222222";

/// Two sessions and a sub-agent, with figures that can be counted by hand.
fn sample() -> TestHome {
    let home = home();
    let shop = [
        "user 2026-01-05T22:30:00Z",
        "assistant 2026-01-05T22:31:00Z Read",
        "assistant 2026-01-05T22:31:01Z Bash",
        "user 2026-01-05T22:32:00Z",
        "assistant 2026-01-05T22:33:00Z Grep #",
        "system 2026-01-05T22:34:00Z",
        "user 2026-01-06T09:00:00Z",
        "assistant 2026-01-06T09:10:00Z Read",
    ];
    let blog = [
        "user 2026-01-05T08:00:00Z",
        "assistant 2026-01-05T08:01:00Z",
    ];
    let agent = [
        "user 2026-01-06T09:01:00Z #",
        "assistant 2026-01-06T09:02:00Z Read Read #",
    ];
    home.write(
        &format!("projects/-srv-shop/{SHOP}.jsonl"),
        session("/srv/shop", &shop),
    );
    home.write(
        &format!("projects/-srv-blog/{BLOG}.jsonl"),
        session("/srv/blog", &blog),
    );
    home.write(
        &format!("projects/-srv-shop/{SHOP}/subagents/agent-a1.jsonl"),
        session("/srv/elsewhere", &agent),
    );
    home
}

/// What the client would say of the sample.
fn cache() -> Value {
    json!({
        "version": 1, "lastComputedDate": "2026-01-06",
        "dailyActivity": [{"date": "2026-01-05", "messageCount": 8, "sessionCount": 2, "toolCallCount": 3}],
        "dailyModelTokens": [
            {"date": "2026-01-05", "tokensByModel": {"claude-opus-5-5": 45}},
            {"date": "2026-01-06", "tokensByModel": {"claude-opus-5-5": 30}},
        ],
        "modelUsage": {"claude-opus-5-5": {
            "inputTokens": 50, "outputTokens": 25, "cacheReadInputTokens": 500,
            "cacheCreationInputTokens": 100, "webSearchRequests": 5, "costUSD": 0, "contextWindow": 0,
        }},
        "totalSessions": 2, "totalMessages": 8,
        "longestSession": {
            "sessionId": SHOP, "duration": 38_400_000, "messageCount": 6,
            "timestamp": "2026-01-05T22:30:00.000Z",
        },
        "firstSessionDate": "2026-01-05T08:00:00.000Z",
        "hourCounts": {"8": 1, "22": 1},
    })
}

fn stats(home: &TestHome, arguments: &[&str]) -> Value {
    parsed(&home.ravel([&["stats", "--json"], arguments].concat()))
}

#[test]
fn figures_counted_by_hand() {
    let home = sample();
    let found = stats(&home, &[]);
    let expect = cache();
    for key in [
        "totalSessions",
        "totalMessages",
        "longestSession",
        "firstSessionDate",
        "hourCounts",
        "dailyActivity",
        "dailyModelTokens",
    ] {
        assert_eq!(found[key], expect[key], "{key}");
    }
    let used = &found["modelUsage"]["claude-opus-5-5"];
    for key in [
        "inputTokens",
        "outputTokens",
        "cacheReadInputTokens",
        "webSearchRequests",
    ] {
        assert_eq!(
            used[key], expect["modelUsage"]["claude-opus-5-5"][key],
            "{key}"
        );
    }
    assert_eq!(used["requests"], 5);
    assert_eq!(found["totalToolCalls"], 3);
    assert_eq!(found["agentMessages"], 3);
    assert_eq!(found["agentToolCalls"], 3);
    assert_eq!(found["tools"], json!({"Bash": 1, "Grep": 1, "Read": 4}));
    assert_eq!(
        found["days"],
        json!([
            {"date": "2026-01-05", "messageCount": 6, "sessionCount": 2, "toolCallCount": 2,
             "agentMessageCount": 1, "agentToolCallCount": 1},
            {"date": "2026-01-06", "messageCount": 2, "sessionCount": 1, "toolCallCount": 1,
             "agentMessageCount": 2, "agentToolCallCount": 2},
        ])
    );
    assert_eq!(found["hours"][8], 2);
    assert_eq!(found["hours"][9], 2);
    assert_eq!(found["hours"][22], 4);
    assert_eq!(
        found["projects"],
        json!([
            {"project": "/srv/blog", "messageCount": 2, "sessionCount": 1, "toolCallCount": 0,
             "agentMessageCount": 0, "agentToolCallCount": 0},
            {"project": "/srv/shop", "messageCount": 6, "sessionCount": 1, "toolCallCount": 3,
             "agentMessageCount": 3, "agentToolCallCount": 3},
        ])
    );
    assert_eq!(
        found["longestStreak"],
        json!({"days": 2, "first": "2026-01-05", "last": "2026-01-06"})
    );
    assert_eq!(found["currentStreak"], Value::Null);
    assert_eq!(found["cache"], Value::Null);
}

#[test]
fn days_and_hours_are_those_of_the_person() {
    let found = stats(&sample(), &["--tz", "+02:00"]);
    assert_eq!(found["timeZone"], "+02:00");
    assert_eq!(found["days"][0]["messageCount"], 2);
    assert_eq!(found["days"][1]["messageCount"], 6);
    assert_eq!(found["hours"][0], 4);
    assert_eq!(found["hourCounts"], json!({"0": 1, "10": 1}));
    // As the client has it, the days of sessions are those of Greenwich.
    assert_eq!(found["dailyActivity"], cache()["dailyActivity"]);
    assert_eq!(sample().ravel(["stats", "--tz", "Atlantis"]).code, 2);
}

#[test]
fn only_some_days_and_projects() {
    let home = sample();
    home.write("stats-cache.json", cache().to_string());
    let count = |arguments: &[&str]| {
        let found = stats(&home, arguments);
        assert_eq!(found["cache"], Value::Null);
        let figures = [
            &found["totalSessions"],
            &found["totalMessages"],
            &found["agentMessages"],
        ];
        let requests = &found["modelUsage"]["claude-opus-5-5"]["requests"];
        let numbers: Vec<u64> = figures
            .iter()
            .map(|figure| figure.as_u64().unwrap())
            .collect();
        (
            numbers[0],
            numbers[1],
            numbers[2],
            requests.as_u64().unwrap_or(0),
        )
    };
    assert_eq!(count(&["--since", "2026-01-06"]), (1, 2, 2, 2));
    assert_eq!(count(&["--until", "2026-01-05"]), (2, 6, 1, 3));
    assert_eq!(count(&["--since", "2026-01-07"]), (0, 0, 0, 0));
    assert_eq!(
        count(&["--since", "2026-01-05", "--until", "2026-01-05"]),
        (2, 6, 1, 3)
    );
    assert_eq!(count(&["--project", "BLOG"]), (1, 2, 0, 1));
    assert_eq!(count(&["--project", "nosuch"]), (0, 0, 0, 0));
    for day in ["soon", "3h", "2026-01-05T10:00"] {
        assert_eq!(home.ravel(["stats", "--since", day]).code, 2, "{day}");
    }
}

#[test]
fn a_cache_that_agrees() {
    let home = sample();
    home.write("stats-cache.json", cache().to_string());
    let found = stats(&home, &[]);
    assert_eq!(found["cache"]["differences"], json!([]));
    assert_eq!(found["cache"]["agrees"], true);
    assert_eq!(found["cache"]["lastComputedDate"], "2026-01-06");
    let output = home.ravel(["stats"]);
    assert!(
        output
            .stdout
            .contains("agrees in 41 figures up to 2026-01-06"),
        "{}",
        output.stdout
    );
}

#[test]
fn a_cache_that_disagrees() {
    let home = sample();
    let mut cache = cache();
    cache["totalMessages"] = json!(9);
    cache["hourCounts"] = json!({"7": 1, "22": 1});
    cache["dailyActivity"][0]["toolCallCount"] = json!(4);
    cache["longestSession"] = json!({"sessionId": BLOG, "created": "?"});
    cache["modelUsage"]["claude-opus-5-5"]["inputTokens"] = json!(90);
    home.write("stats-cache.json", cache.to_string());
    let found = stats(&home, &[]);
    assert_eq!(
        found["cache"]["differences"],
        json!([
            {"figure": "totalMessages", "cache": 9, "ravel": 8},
            {"figure": "longestSession sessionId", "cache": BLOG, "ravel": SHOP},
            {"figure": "hourCounts 7", "cache": 1, "ravel": 0},
            {"figure": "hourCounts 8", "cache": null, "ravel": 1},
            {"figure": "dailyActivity 2026-01-05 toolCallCount", "cache": 4, "ravel": 3},
            {"figure": "modelUsage claude-opus-5-5 inputTokens", "cache": 90, "ravel": 50},
        ])
    );
    let output = home.ravel(["stats"]);
    assert_eq!(output.code, 0);
    let shown = output.stdout.split("stats-cache.json\n").nth(1).unwrap();
    insta::assert_snapshot!(shown, @r"
    differs in 6 of 38 figures up to 2026-01-06
    figure                                     cache     Ravel
    totalMessages                                  9         8
    longestSession sessionId                22222222  11111111
    hourCounts 7                                   1         0
    hourCounts 8                                none         1
    dailyActivity 2026-01-05 toolCallCount         4         3
    modelUsage claude-opus-5-5 inputTokens        90        50
    ");
}

#[test]
fn what_came_after_the_cache_is_not_compared() {
    let home = sample();
    let mut cache = cache();
    cache["lastComputedDate"] = json!("2026-01-05");
    cache["dailyModelTokens"]
        .as_array_mut()
        .unwrap()
        .truncate(1);
    cache["modelUsage"]["claude-opus-5-5"] = json!({"inputTokens": 30, "webSearchRequests": 3});
    home.write("stats-cache.json", cache.to_string());
    let later = [
        "user 2026-01-07T08:00:00Z",
        "assistant 2026-01-07T08:01:00Z",
    ];
    home.write(
        "projects/-srv-blog/later.jsonl",
        session("/srv/blog", &later),
    );
    let found = &stats(&home, &[])["cache"];
    assert_eq!(found["differences"], json!([]));
    assert_eq!(found["agrees"], true);
}

#[test]
fn torn_and_hostile_caches_are_said_and_the_rest_is_shown() {
    let home = sample();
    home.write("stats-cache.json", &cache().to_string()[..300]);
    let output = home.ravel(["stats"]);
    assert_eq!(output.code, 0);
    assert!(
        output.stderr.contains("stats-cache.json: not JSON"),
        "{}",
        output.stderr
    );
    assert!(
        output.stdout.contains("has nothing that could be compared"),
        "{}",
        output.stdout
    );
    let found = stats(&home, &[]);
    assert_eq!(found["totalSessions"], 2);
    assert_eq!(found["cache"]["agrees"], false);

    let hostile = json!({
        "lastComputedDate": "\u{1b}[2J", "totalSessions": {"a": 1}, "dailyActivity": "x",
        "modelUsage": {"\u{1b}]0;evil\u{7}": {"inputTokens": 3, "outputTokens": []}},
    });
    home.write("stats-cache.json", hostile.to_string());
    let output = home.ravel(["stats"]);
    assert_eq!(output.code, 0);
    assert!(
        output.stderr.contains("`dailyActivity` is no list"),
        "{}",
        output.stderr
    );
    for text in [&output.stdout, &output.stderr] {
        assert!(!text.contains(['\u{1b}', '\u{7}']), "{text:?}");
    }
    home.write("stats-cache.json", "[1,2]");
    assert!(home.ravel(["stats"]).stderr.contains("not a JSON object"));
}

#[test]
fn broken_and_hostile_transcripts_count_for_what_can_be_read() {
    let home = sample();
    let long = "x".repeat(300);
    let lines = [
        r#"{"type":"user","timestamp":"2026-01-05T08:00:00Z","cwd":"/srv/\u001b[31mred"}"#
            .to_owned(),
        format!(
            r#"{{"type":"assistant","timestamp":9e18,"message":{{"content":[{{"type":"tool_use","name":"\u001b]0;{long}"}}]}}}}"#
        ),
        r#"{"type":"assistant","timestamp":"2026-01-05T08:0"#.into(),
        "[]".into(),
        "\u{0}\u{0}".into(),
    ];
    home.write("projects/-srv-odd/odd.jsonl", lines.join("\n"));
    home.write("projects/-srv-odd/empty.jsonl", "");
    let found = stats(&home, &[]);
    assert_eq!(found["totalSessions"], 3);
    assert_eq!(found["totalMessages"], 10);
    let output = home.ravel(["stats"]);
    assert_eq!(output.code, 0);
    assert!(output.stderr.contains("odd.jsonl"), "{}", output.stderr);
    assert!(!output.stdout.contains('\u{1b}'), "{:?}", output.stdout);
}

#[test]
fn nothing_there_yet() {
    let output = home().ravel(["stats"]);
    assert_eq!(output.code, 0);
    assert_eq!(output.stdout, "no messages\n");
    let found = stats(&home(), &[]);
    assert_eq!(found["totalSessions"], 0);
    assert_eq!(found["longestSession"], Value::Null);
}

#[test]
fn charts_for_people() {
    let home = sample();
    let show = |width: &str| {
        let command = home
            .command()
            .args(["stats", "--until", "2026-01-08"])
            .env("COLUMNS", width);
        command.run().unwrap().stdout
    };
    insta::assert_snapshot!(show("72"), @r"
    Sessions         2
    Messages         8           and 3 of sub-agents
    Tool calls       3           and 3 of sub-agents
    Tokens           675
    Active days      2
    Current streak   none
    Longest streak   2 days      2026-01-05 to 2026-01-06
    Longest session  10 h 40 m   2026-01-05 22:30 · 6 messages · 11111111-1…
    First session    2026-01-05  days are those of UTC

    Messages by day
          Nov       Dec     Jan
    Mon · · · · · · · · · · · █
        · · · · · · · · · · · ▒
    Wed · · · · · · · · · · · ·
        · · · · · · · · · · · ·
    Fri · · · · · · · · · · ·
        · · · · · · · · · · ·
        · · · · · · · · · · ·
        less · ░ ▒ ▓ █ more

    Messages by hour
                                                                      ██
                                                                      ██
                            ██ ██                                     ██
                            ██ ██                                     ██
    0                 6                 12                18

    Tokens by model
    claude-opus-5-5  675  ██████████████████████████████████████████████████

    Calls by tool
    Read  4  ████████████████████████████████████████████████████████████
    Bash  1  ███████████████
    Grep  1  ███████████████

    Messages by project
    /srv/shop  6  ██████████████████████████████████████████████████████████
    /srv/blog  2  ███████████████████▍
    ");
    for line in show("24").lines() {
        assert!(line.chars().count() <= 24, "{line:?}");
    }
}
