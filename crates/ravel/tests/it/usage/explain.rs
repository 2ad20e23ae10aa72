//! `--explain`: the parts are the whole.

use ravel_testkit::TestHome;
use serde_json::{Value, json};

use super::{FILE, OPUS, OTHER, OTHER_FILE, home_of, json_of, line, tokens, used, with};

fn sum(items: &Value, key: &str) -> u64 {
    let items = items.as_array().unwrap().iter();
    items.map(|item| item[key].as_u64().unwrap()).sum()
}

/// A message on two lines and in a copy, one with all kinds of charges, one without a price.
fn mixed_home() -> TestHome {
    let cached = json!({
        "input_tokens": 3, "output_tokens": 500, "cache_read_input_tokens": 150_000,
        "cache_creation_input_tokens": 60_000, "cache_creation": {"ephemeral_1h_input_tokens": 777},
        "server_tool_use": {"web_search_requests": 2}, "inference_geo": "us",
    });
    let copy = with(
        line("b m r", OPUS, used(10, 30)),
        json!({"sessionId": OTHER}),
    );
    let lines = [
        line("a m r", OPUS, used(10, 1)),
        line("b m r", OPUS, used(10, 30)),
        line("c n s", "claude-sonnet-4-5", cached),
        line("d o t", "unheard-of", used(5, 5)),
    ];
    home_of(&[(FILE, &lines), (OTHER_FILE, &[copy])])
}

#[track_caller]
fn check_request(request: &Value, rows: &Value) {
    if !request["unpriced"].is_null() {
        return assert_eq!(request["cost_nanos"], 0);
    }
    let parts = &request["price"]["parts"];
    assert_eq!(sum(parts, "nanos"), request["cost_nanos"]);
    let row = request["price"]["row"].as_u64().unwrap() as usize;
    assert!(rows[row].is_object());
    for part in parts.as_array().unwrap() {
        let number = |key: &str| u128::from(part[key].as_u64().unwrap());
        let product = (number("count") * number("nanos_per_million") + 500_000) / 1_000_000;
        assert_eq!(number("nanos"), product);
    }
}

#[test]
fn requests_and_their_parts_add_up_to_the_figures() {
    let home = mixed_home();
    for options in [
        &["daily"][..],
        &["session"],
        &["model", "--model", "sonnet"],
        &["blocks"],
    ] {
        let options: Vec<&str> = options.iter().copied().chain(["--explain"]).collect();
        let answer = json_of(&home, &options);
        let requests = &answer["explain"]["requests"];
        let total = &answer["total"];
        assert_eq!(
            sum(requests, "cost_nanos"),
            total["cost_nanos"],
            "{options:?}"
        );
        assert_eq!(sum(&answer["rows"], "cost_nanos"), total["cost_nanos"]);
        let mut counted = [0; 5];
        for request in requests.as_array().unwrap() {
            for (sum, one) in counted.iter_mut().zip(tokens(request)) {
                *sum += one;
            }
            check_request(request, &answer["explain"]["prices"]);
        }
        assert_eq!(counted, tokens(total));
    }
}

#[test]
fn every_line_is_counted_or_has_a_reason() {
    let answer = json_of(&mixed_home(), &["--explain"]);
    let explained = &answer["explain"];
    let requests = explained["requests"].as_array().unwrap();
    let dropped = explained["dropped"].as_array().unwrap();
    assert_eq!((requests.len(), dropped.len()), (3, 2));
    assert_eq!(
        explained["lines"],
        json!({"counted": 3, "dropped": 2, "reasons": {"smaller-total": 1, "copy-in-other-session": 1}})
    );
    for line in dropped {
        let kept = &requests[line["counted"].as_u64().unwrap() as usize];
        assert_eq!(line["message"], kept["message"]);
    }
    let missing = explained["known_missing"].to_string();
    assert!(missing.contains("Web searches"), "{missing}");
    // What is filtered out is not explained.
    let answer = json_of(&mixed_home(), &["--explain", "--model", "sonnet"]);
    assert_eq!(
        answer["explain"]["lines"],
        json!({"counted": 1, "dropped": 0, "reasons": {}})
    );
}

#[test]
fn a_person_reads_reasons_prices_and_requests() {
    let home = home_of(&[(
        FILE,
        &[
            line("a m r", OPUS, used(10, 1)),
            line("b m r", OPUS, with(used(10, 30), json!({"speed": "fast"}))),
            line("c n s", "claude-haiku-5-5", used(100_001, 10)),
        ],
    )]);
    let output = home.ravel(["usage", "--explain", "-n", "1"]);
    insta::assert_snapshot!(output.stdout.replace('\u{202f}', "_"), @r"
    day         models                 input  output  write 5m  write 1h  read     cost
    2026-01-20  haiku-5-5, opus-5-5  100_011      40         0         0     0  $0.0513

    2 requests.

    Lines
      3 lines tell of 2 requests. One line of each counts; not counted: 1.
       smaller-total  1  an early line of a streamed message: another has more tokens

    Prices
      claude-haiku-5-5 (prompt > 100_000)
        row claude-haiku-5-5 (always, looked up 2026-11-15) in Ravel's list: platform.claude.com
        pricing; cache read: docs.rs/synaps 0.10.2; larger prompts' 1 h write and cache read derived
        input      100_001  × $0.50/M  = $0.0500005
        output          10  × $2.50/M   = $0.000025
        1 request                      = $0.0500255
      claude-opus-5-5 (fast mode 2x)
        row claude-opus-5-5 (always, looked up 2026-11-15) in Ravel's list: platform.claude.com pricing;
        fast mode: apidog
        input      10   × $8.00/M  = $0.00008
        output     30  × $40.00/M   = $0.0012
        1 request                  = $0.00128
      Together $0.0513055.

    Requests, the costliest first
      2026-01-20 09:00:00  claude-haiku-5-5  11111111  n s
        input 100_001 × $0.50/M + output 10 × $2.50/M = $0.0500255 (prompt > 100_000)
      … 1 more; -n 2 shows them, --json all with their lines

    Not in these figures
      Web searches of the client's own tool are made by a side call that no transcript has: their tokens
      and fees are missing, and the cost is too low by that.
      `priority` requests are priced like `standard`: they are paid for in advance and have no list
      price.
      Other providers' own prices, such as those of regions, are not in the book.
    ");
}
