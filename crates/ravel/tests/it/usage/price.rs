//! What tokens cost. Prices in nano-dollars a token, in the order input, output, write 5m, write 1h, read:
//! Opus 5.5 4 000, 20 000, 5 000, 8 000, 200; Sonnet 4.5 3 000, 15 000, 3 750, 6 000, 300.

use ravel_testkit::TestHome;
use serde_json::{Value, json};

use super::{FILE, OPUS, check, home_of, json_of, line, used, with};

fn home_with(model: &str, usage: Value) -> TestHome {
    home_of(&[(FILE, &[line("a m r", model, usage)])])
}

fn cached(written: u64, read: u64) -> Value {
    json!({
        "input_tokens": 0, "output_tokens": 1,
        "cache_creation_input_tokens": written, "cache_read_input_tokens": read,
    })
}

#[test]
fn cache_writes_have_a_price_for_each_lifetime() {
    let usage = json!({
        "input_tokens": 7, "output_tokens": 11, "cache_read_input_tokens": 1_000,
        "cache_creation_input_tokens": 500,
        "cache_creation": {"ephemeral_5m_input_tokens": 200, "ephemeral_1h_input_tokens": 300},
    });
    // 7 × 4 000 + 11 × 20 000 + 200 × 5 000 + 300 × 8 000 + 1 000 × 200.
    check(
        &home_with(OPUS, usage),
        1,
        [7, 11, 200, 300, 1_000],
        3_848_000,
    );
}

#[test]
fn cache_writes_without_a_lifetime_are_of_five_minutes() {
    // 1 × 20 000 + 500 × 5 000 + 1 000 × 200.
    check(
        &home_with(OPUS, cached(500, 1_000)),
        1,
        [0, 1, 500, 0, 1_000],
        2_720_000,
    );
}

#[test]
fn a_long_prompt_changes_the_price_of_the_whole_request() {
    let sonnet = "claude-sonnet-4-5-20250929";
    // At the border: 15 000 + 50 000 × 3 750 + 150 000 × 300.
    check(
        &home_with(sonnet, cached(50_000, 150_000)),
        1,
        [0, 1, 50_000, 0, 150_000],
        232_515_000,
    );
    // One token above it: 22 500 + 50 001 × 7 500 + 150 000 × 600.
    check(
        &home_with(sonnet, cached(50_001, 150_000)),
        1,
        [0, 1, 50_001, 0, 150_000],
        465_030_000,
    );
    // Output is no part of the prompt: 200 000 × 3 000 + 9 × 15 000.
    check(
        &home_with(sonnet, used(200_000, 9)),
        1,
        [200_000, 9, 0, 0, 0],
        600_135_000,
    );
    // Sonnet 4.6 has no such band: 200 001 × 3 000.
    check(
        &home_with("claude-sonnet-4-6", used(200_001, 0)),
        1,
        [200_001, 0, 0, 0, 0],
        600_003_000,
    );
}

#[test]
fn haiku_5_5_has_its_band_at_100_000() {
    // 100 000 × 100 + 10 × 500.
    check(
        &home_with("claude-haiku-5-5", used(100_000, 10)),
        1,
        [100_000, 10, 0, 0, 0],
        10_005_000,
    );
    // 100 001 × 500 + 10 × 2 500.
    check(
        &home_with("claude-haiku-5-5", used(100_001, 10)),
        1,
        [100_001, 10, 0, 0, 0],
        50_025_500,
    );
    // Halves of a nano-dollar are rounded up: 3 tokens of 5m writes at 125.
    let usage = json!({"output_tokens": 0, "cache_creation_input_tokens": 3});
    check(
        &home_with("claude-haiku-5-5", usage),
        1,
        [0, 0, 3, 0, 0],
        375,
    );
}

#[test]
fn factors_are_on_tokens_and_not_on_searches() {
    let with_usage = |model, change: Value| home_with(model, with(used(100, 10), change));
    let counted = [100, 10, 0, 0, 0];
    // 100 × 4 000 + 10 × 20 000 = 600 000, twice for fast mode.
    check(
        &with_usage(OPUS, json!({"speed": "fast"})),
        1,
        counted,
        1_200_000,
    );
    check(
        &with_usage(OPUS, json!({"speed": "standard"})),
        1,
        counted,
        600_000,
    );
    // Opus 4.6: (100 × 5 000 + 10 × 25 000) × 6.
    check(
        &with_usage("claude-opus-4-6", json!({"speed": "fast"})),
        1,
        counted,
        4_500_000,
    );
    check(
        &with_usage(OPUS, json!({"inference_geo": "us"})),
        1,
        counted,
        660_000,
    );
    check(
        &with_usage(OPUS, json!({"service_tier": "batch"})),
        1,
        counted,
        300_000,
    );
    check(
        &with_usage(OPUS, json!({"service_tier": "priority"})),
        1,
        counted,
        600_000,
    );
    // All three: 600 000 × 2 × 1.1 × 0.5.
    let all = json!({"speed": "fast", "inference_geo": "us", "service_tier": "batch"});
    check(&with_usage(OPUS, all), 1, counted, 660_000);
    // Three searches are three cents, whatever else is said.
    let searches = json!({"inference_geo": "us", "server_tool_use": {"web_search_requests": 3}});
    check(&with_usage(OPUS, searches), 1, counted, 30_660_000);
}

#[test]
fn what_has_no_price_is_named_with_its_tokens() {
    let home = home_of(&[(
        FILE,
        &[
            line("a m r", OPUS, used(100, 10)),
            line("b n s", "glm-4.6", used(1_200, 34)),
            line(
                "c o t",
                "claude-sonnet-5",
                with(used(50, 0), json!({"speed": "fast"})),
            ),
        ],
    )]);
    check(&home, 3, [1_350, 44, 0, 0, 0], 600_000);
    let answer = json_of(&home, &[]);
    let unpriced = answer["unpriced"].as_array().unwrap();
    let named: Vec<_> = unpriced
        .iter()
        .map(|one| (&one["model"], &one["reason"], &one["tokens"]["total"]))
        .collect();
    assert_eq!(
        named,
        [
            (
                &json!("claude-sonnet-5"),
                &json!("unknown-speed"),
                &json!(50)
            ),
            (&json!("glm-4.6"), &json!("unknown-model"), &json!(1_234)),
        ]
    );
    let shown = home.ravel(["usage"]).stdout;
    insta::assert_snapshot!(shown.replace('\u{202f}', "_"), @r"
    day         models                       input  output  write 5m  write 1h  read      cost
    2026-01-20  glm-4.6, opus-5-5, sonnet-5  1_350      44         0         0     0  $0.0006+

    3 requests.
    No price for claude-sonnet-5: 50 tokens in 1 request cost more than shown (unknown-speed: the model has no price at this speed).
    No price for glm-4.6: 1.2k tokens in 1 request cost more than shown (unknown-model: no price list has the model).
    ");
}

/// Writes the person's own prices.
pub(crate) fn write_own(home: &TestHome, text: &str) {
    let folder = home.path().join(".config/ravel");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("prices.toml"), text).unwrap();
}

pub(crate) const OWN: &str = "read = 2026-02-01
[aliases]
house-model = \"claude-opus-5-5\"
[[price]]
models = [\"claude-opus-5-5\"]
from = 2026-01-21
input = 1
output = 2
cache-write-5m = 3
cache-write-1h = 4
cache-read = 0.5
source = \"our contract\"
[[price]]
models = [\"glm-4.6\"]
from = 2026-02-01
input = 1
output = 2
cache-write-5m = 3
cache-write-1h = 4
cache-read = 0.5
";

#[test]
fn a_row_holds_from_its_day_on_in_utc() {
    let at =
        |ids, time: &str, model| with(line(ids, model, used(100, 10)), json!({"timestamp": time}));
    let home = home_of(&[(
        FILE,
        &[
            at("a m r", "2026-01-20T23:59:59.999Z", OPUS),
            at("b n s", "2026-01-21T00:00:00.000Z", OPUS),
            at("c o t", "2026-01-22T00:00:00.000Z", "house-model"),
            at("d p u", "2026-01-31T23:00:00.000Z", "glm-4.6"),
        ],
    )]);
    write_own(&home, OWN);
    // 600 000 by the list inside; then twice 100 × 1 000 + 10 × 2 000. The last is before its first price.
    check(&home, 4, [400, 40, 0, 0, 0], 840_000);
    let answer = json_of(&home, &["--tz", "+02:00", "--explain"]);
    assert_eq!(answer["unpriced"][0]["reason"], "before-first-price");
    let rows = answer["explain"]["prices"].as_array().unwrap();
    let dates: Vec<_> = rows
        .iter()
        .map(|row| (&row["from"], &row["read"]))
        .collect();
    assert_eq!(
        dates,
        [
            (&Value::Null, &json!("2026-11-15")),
            (&json!("2026-01-21"), &json!("2026-02-01")),
        ]
    );
    assert_eq!(rows[0]["file"], "bundled");
    assert!(rows[1]["file"].as_str().unwrap().ends_with("prices.toml"));
}

#[test]
fn a_broken_price_file_ends_the_command_with_its_line() {
    let home = home_with(OPUS, used(1, 1));
    write_own(
        &home,
        "format = 1\n\n[[price]]\nmodels = [\"m\"]\ninptu = 3\n",
    );
    for arguments in [&["usage"][..], &["prices"], &["prices", "--json"]] {
        let output = home.ravel(arguments);
        assert_eq!(
            (output.code, output.stdout.as_str()),
            (2, ""),
            "{arguments:?}"
        );
        assert!(
            output.stderr.contains("~/.config/ravel/prices.toml:5:"),
            "{}",
            output.stderr
        );
        assert!(output.stderr.contains("inptu"), "{}", output.stderr);
        assert!(output.stderr.contains("hint: "), "{}", output.stderr);
    }
}
