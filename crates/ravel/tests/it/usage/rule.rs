//! Which lines are one request, and which of them counts.
//!
//! Opus 5.5 costs 4 000 nano-dollars for a token of input and 20 000 for one of output.

use serde_json::{Value, json};

use super::{
    FILE, OPUS, OTHER, OTHER_FILE, SESSION, check, check_reasons, home_of, json_of, line, tokens,
    used, with,
};

fn one(ids: &str, output: u64) -> Value {
    line(ids, OPUS, used(10, output))
}

fn in_other(line: Value) -> Value {
    with(line, json!({"sessionId": OTHER}))
}

fn aside(line: Value) -> Value {
    with(line, json!({"isSidechain": true}))
}

#[test]
fn lines_of_a_streamed_message_are_one_request_with_its_last_numbers() {
    let home = home_of(&[(
        FILE,
        &[
            one("a m r", 1),
            one("b m r", 30),
            one("c m r", 1),
            one("d m r", 30),
        ],
    )]);
    // 10 × 4 000 + 30 × 20 000.
    check(&home, 1, [10, 30, 0, 0, 0], 640_000);
    check_reasons(&home, &json!({"smaller-total": 2, "repeated-line": 1}));
}

#[test]
fn the_larger_total_wins_as_it_is() {
    // The second line has less input but more in all; nothing is mixed from both.
    let home = home_of(&[(
        FILE,
        &[
            line("a m r", OPUS, used(50, 5)),
            line("b m r", OPUS, used(20, 40)),
        ],
    )]);
    // 20 × 4 000 + 40 × 20 000.
    check(&home, 1, [20, 40, 0, 0, 0], 880_000);
}

#[test]
fn of_equal_totals_the_line_with_a_speed_wins() {
    let fast = with(
        one("b m r", 30),
        json!({"message": {"usage": {"speed": "fast"}}}),
    );
    let home = home_of(&[(FILE, &[one("a m r", 30), fast, one("c m r", 30)])]);
    // Fast mode of Opus 5.5 doubles: 10 × 8 000 + 30 × 40 000.
    check(&home, 1, [10, 30, 0, 0, 0], 1_280_000);
    check_reasons(&home, &json!({"no-speed": 2}));
}

#[test]
fn a_resumed_copy_counts_once_with_and_without_its_request_id() {
    let copy = in_other(one("a m r", 30));
    let home = home_of(&[(FILE, &[one("a m r", 30)]), (OTHER_FILE, &[copy])]);
    check(&home, 1, [10, 30, 0, 0, 0], 640_000);
    check_reasons(&home, &json!({"copy-in-other-session": 1}));
    // Version 1.0 leaves the request id out when it resumes, but keeps the id of the record.
    let bare = in_other(one("a m -", 30));
    let home = home_of(&[(FILE, &[one("a m r", 30)]), (OTHER_FILE, &[bare])]);
    check(&home, 1, [10, 30, 0, 0, 0], 640_000);
}

#[test]
fn a_fork_counts_once_and_for_the_original() {
    let forked =
        json!({"sessionId": OTHER, "forkedFrom": {"sessionId": SESSION, "messageUuid": "a"}});
    let fork = with(one("z m -", 30), forked);
    let own = in_other(one("y n q", 7));
    let home = home_of(&[(FILE, &[one("a m r", 30)]), (OTHER_FILE, &[fork, own])]);
    // (10 × 4 000 + 30 × 20 000) + (10 × 4 000 + 7 × 20 000).
    check(&home, 2, [20, 37, 0, 0, 0], 820_000);
    let by_session = json_of(&home, &["session"]);
    let outputs: Vec<u64> = [SESSION, OTHER]
        .map(|id| {
            let mut rows = by_session["rows"].as_array().unwrap().iter();
            let row = rows.find(|row| row["session"] == id).unwrap();
            tokens(row)[1]
        })
        .into();
    assert_eq!(outputs, [30, 7]);
}

#[test]
fn a_replaying_side_question_does_not_count_and_its_own_answer_does() {
    // The replay is larger, and still the main thread's line counts.
    let replay = aside(one("x m q", 99));
    let own = aside(one("y n s", 5));
    let log = format!("projects/-srv-shop/{SESSION}/subagents/agent-abtw.jsonl");
    let home = home_of(&[(FILE, &[one("a m r", 30)]), (&log, &[replay, own])]);
    // (40 000 + 600 000) + (40 000 + 100 000).
    check(&home, 2, [20, 35, 0, 0, 0], 780_000);
    check_reasons(&home, &json!({"sidechain-replay": 1}));
}

#[test]
fn a_copy_in_a_sidechain_loses_to_the_line_of_the_main_thread() {
    let log = format!("projects/-srv-shop/{SESSION}/subagents/agent-a1.jsonl");
    let home = home_of(&[
        (FILE, &[one("a m r", 30)]),
        (&log, &[aside(one("b m r", 30))]),
    ]);
    check(&home, 1, [10, 30, 0, 0, 0], 640_000);
    check_reasons(&home, &json!({"sidechain-copy": 1}));
}

#[test]
fn sub_agents_count_for_their_session() {
    let nested = format!("projects/-srv-shop/{SESSION}/subagents/agent-a1.jsonl");
    let beside = "projects/-srv-shop/agent-b2.jsonl";
    let workflow = format!("projects/-srv-shop/{SESSION}/subagents/workflows/wf_1/agent-c3.jsonl");
    let home = home_of(&[
        (FILE, &[one("a m r", 30)]),
        (&nested, &[aside(one("b n s", 5))]),
        (beside, &[aside(one("c o t", 7))]),
        (&workflow, &[aside(one("d p u", 1))]),
    ]);
    let answer = json_of(&home, &["session"]);
    let rows = answer["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "{rows:#?}");
    assert_eq!(rows[0]["session"], SESSION);
    assert_eq!(tokens(&rows[0]), [40, 43, 0, 0, 0]);
    // 40 × 4 000 + 43 × 20 000.
    assert_eq!(rows[0]["cost_nanos"], 1_020_000);
}

#[test]
fn a_message_without_a_request_id_is_known_in_its_session_only() {
    let elsewhere = in_other(one("c m -", 30));
    let home = home_of(&[
        (FILE, &[one("a m -", 3), one("b m -", 30)]),
        (OTHER_FILE, &[elsewhere]),
    ]);
    // Twice 40 000 + 600 000.
    check(&home, 2, [20, 60, 0, 0, 0], 1_280_000);
}

#[test]
fn lines_without_ids_are_copies_of_nothing_but_themselves() {
    let home = home_of(&[(FILE, &[one("- - -", 3), one("- - -", 3)])]);
    check(&home, 2, [20, 6, 0, 0, 0], 200_000);
    // With the id of its record, a line is the same in every copy of the file.
    let home = home_of(&[(FILE, &[one("a - -", 3)]), (OTHER_FILE, &[one("a - -", 3)])]);
    check(&home, 1, [10, 3, 0, 0, 0], 100_000);
}

#[test]
fn what_no_model_wrote_and_what_repeats_an_agents_file_is_not_looked_at() {
    let synthetic = line("b n s", "<synthetic>", used(1_000, 1_000));
    let progress = json!({
        "type": "progress", "uuid": "c", "sessionId": SESSION,
        "data": {"type": "agent_progress", "message": one("d o t", 500)},
    });
    let result = json!({
        "type": "user", "uuid": "e", "sessionId": SESSION,
        "toolUseResult": {"agentId": "a1", "totalTokens": 9, "usage": used(700, 700)},
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]},
    });
    let home = home_of(&[(FILE, &[one("a m r", 30), synthetic, progress, result])]);
    check(&home, 1, [10, 30, 0, 0, 0], 640_000);
}

#[test]
fn totals_do_not_depend_on_names_places_and_copies() {
    let lines = [
        one("a m r", 1),
        one("b m r", 30),
        in_other(one("c n s", 5)),
        aside(one("d m q", 99)),
        one("e o -", 8),
    ];
    let sum =
        |files: &[(&str, &[Value])]| json_of(&home_of(files), &[])["total"]["cost_nanos"].clone();
    let whole = sum(&[(FILE, &lines)]);
    // m: 640 000, n: 140 000, o: 200 000.
    assert_eq!(whole, 980_000);
    let reversed: Vec<Value> = lines.iter().rev().cloned().collect();
    assert_eq!(sum(&[(FILE, &reversed)]), whole);
    for cut in 0..=lines.len() {
        let (head, tail) = lines.split_at(cut);
        assert_eq!(
            sum(&[(FILE, head), (OTHER_FILE, tail)]),
            whole,
            "cut at {cut}"
        );
        assert_eq!(
            sum(&[(OTHER_FILE, head), (FILE, tail)]),
            whole,
            "cut at {cut}"
        );
    }
    let elsewhere = "projects/-srv-copy/11111111-1111-4111-8111-111111111111.jsonl";
    assert_eq!(sum(&[(FILE, &lines), (elsewhere, &lines)]), whole);
    let forked: Vec<Value> = lines
        .iter()
        .enumerate()
        .map(|(at, line)| {
            let from = json!({"sessionId": line["sessionId"], "messageUuid": line["uuid"]});
            with(line.clone(), json!({"uuid": format!("f{at}"), "sessionId": "33333333-3333-4333-8333-333333333333", "forkedFrom": from}))
        })
        .collect();
    assert_eq!(sum(&[(FILE, &lines), (OTHER_FILE, &forked)]), whole);
}

#[test]
fn damage_is_counted_and_named_and_never_fatal() {
    let odd = json!({
        "input_tokens": "10", "output_tokens": -5, "cache_read_input_tokens": 1.5,
        "cache_creation_input_tokens": 1e30, "server_tool_use": [], "cache_creation": "x",
    });
    let huge = json!({"input_tokens": u64::MAX, "output_tokens": u64::MAX});
    let mut bytes = super::text(&[
        one("a m r", 30),
        line("b n s", OPUS, odd),
        line("c o t", "m\u{1b}[2J", huge),
    ]);
    bytes.push_str("\0\0\0\n{\"type\":\"assistant\",\"message\":{\"usage\":{\"input_tok\n");
    bytes.push_str("[1,2\n\u{feff}\n{\"type\":\"assistant\",\"message\":{\"usage\":[]}}\n");
    let home = crate::home();
    home.write(FILE, &bytes);
    let output = home.ravel(["usage", "--json"]);
    let answer = crate::parsed(&output);
    assert_eq!(answer["total"]["requests"], 3);
    assert_eq!(answer["total"]["cost_nanos"], 640_000);
    assert!(
        answer["read"]["damaged_lines"].as_u64().unwrap() >= 2,
        "{answer:#}"
    );
    assert!(output.stderr.contains("damaged line"), "{}", output.stderr);
    assert!(output.stderr.contains("11111111-1111"), "{}", output.stderr);
    for options in [
        &["daily"][..],
        &["session"],
        &["blocks"],
        &["model", "--explain"],
    ] {
        let output = super::run(&home, options, "--no-chart");
        assert_eq!(output.code, 0, "{options:?}: {}", output.stderr);
        assert!(!output.stdout.contains('\u{1b}'), "{options:?}");
    }
}

#[test]
fn lines_that_another_program_wrote_again_count_the_same() {
    // One request of 1,000 output tokens of Opus 5.5 at 20 dollars a million.
    let line = line("u1 m1 r1", OPUS, used(0, 1_000)).to_string();
    let spaced = line.replace("\":", "\": ").replace(",\"", ", \"");
    for text in [&line, &spaced] {
        let home = crate::home();
        home.write(FILE, format!("{text}\n"));
        check(&home, 1, [0, 1_000, 0, 0, 0], 20_000_000);
        let projects = json_of(&home, &["project"]);
        assert_eq!(projects["rows"][0]["project"], "/srv/shop", "{projects:#}");
    }
}

#[test]
fn a_sub_agent_in_a_work_tree_counts_for_the_project_of_its_session() {
    let main = line("u1 m1 r1", OPUS, used(0, 1_000));
    let agent = with(
        line("u2 m2 r2", OPUS, used(0, 500)),
        json!({"cwd": "/srv/shop-trees/x", "isSidechain": true, "agentId": "a1"}),
    );
    let agent_file = FILE.replace(".jsonl", "/subagents/agent-a1.jsonl");
    let home = home_of(&[(FILE, &[main]), (&agent_file, &[agent])]);
    for _ in 0..2 {
        let projects = json_of(&home, &["project"]);
        let rows = projects["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 1, "{projects:#}");
        assert_eq!(rows[0]["project"], "/srv/shop");
        assert_eq!(home.ravel(["index"]).code, 0);
    }
}
