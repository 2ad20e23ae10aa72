//! Rows: days, weeks, months, sessions, projects, models and blocks; filters and tables.

use ravel_testkit::{SessionBuilder, TestHome, Version};
use serde_json::{Value, json};

use super::{FILE, OPUS, OTHER, OTHER_FILE, home_of, json_of, line, run, tokens, used, with};

fn at(time: &str, output: u64) -> Value {
    let ids = format!("u{output} m{output} r{output}");
    with(
        line(&ids, OPUS, used(0, output)),
        json!({"timestamp": time}),
    )
}

/// Sunday the first of February around midnight, the Monday after it, and a March day.
fn four_days() -> TestHome {
    home_of(&[(
        FILE,
        &[
            at("2026-01-31T23:30:00.000Z", 1),
            at("2026-02-01T12:00:00.000Z", 2),
            at("2026-02-02T04:59:00.000Z", 4),
            at("2026-03-29T00:30:00.000Z", 8),
        ],
    )])
}

/// Checks the name and the output of each row.
#[track_caller]
fn check_rows(home: &TestHome, options: &[&str], key: &str, expected: &[(&str, u64)]) {
    let answer = json_of(home, options);
    let rows = answer["rows"].as_array().unwrap();
    let found: Vec<(&str, u64)> = rows
        .iter()
        .map(|row| (row[key].as_str().unwrap_or("-"), tokens(row)[1]))
        .collect();
    assert_eq!(found, expected, "{options:?}");
}

#[test]
fn days_are_those_of_the_time_zone() {
    let home = four_days();
    let utc = [
        ("2026-01-31", 1),
        ("2026-02-01", 2),
        ("2026-02-02", 4),
        ("2026-03-29", 8),
    ];
    check_rows(&home, &[], "period", &utc);
    check_rows(&home, &["daily", "--tz", "UTC"], "period", &utc);
    let berlin = [("2026-02-01", 3), ("2026-02-02", 4), ("2026-03-29", 8)];
    check_rows(&home, &["--tz", "Europe/Berlin"], "period", &berlin);
    check_rows(&home, &["--tz", "+01:00"], "period", &berlin);
    let west = [("2026-01-31", 1), ("2026-02-01", 6), ("2026-03-28", 8)];
    check_rows(&home, &["--tz", "America/New_York"], "period", &west);
    let output = home
        .command()
        .env("TZ", "Europe/Berlin")
        .args(["usage", "--json"])
        .run()
        .unwrap();
    assert_eq!(crate::parsed(&output)["zone"], "Europe/Berlin");
    assert_eq!(crate::parsed(&output)["rows"][0]["period"], "2026-02-01");
}

#[test]
fn weeks_begin_where_a_person_says() {
    let home = four_days();
    let monday = [("2026-01-26", 3), ("2026-02-02", 4), ("2026-03-23", 8)];
    check_rows(&home, &["weekly"], "period", &monday);
    let sunday = [("2026-01-25", 1), ("2026-02-01", 6), ("2026-03-29", 8)];
    check_rows(
        &home,
        &["weekly", "--week-start", "sunday"],
        "period",
        &sunday,
    );
    let months = [("2026-01", 1), ("2026-02", 6), ("2026-03", 8)];
    check_rows(&home, &["monthly"], "period", &months);
}

#[test]
fn filters_order_and_limit() {
    let home = four_days();
    let check =
        |options: &[&str], expected: &[(&str, u64)]| check_rows(&home, options, "period", expected);
    check(
        &["--since", "2026-02-02"],
        &[("2026-02-02", 4), ("2026-03-29", 8)],
    );
    check(
        &["--until", "2026-02-01"],
        &[("2026-01-31", 1), ("2026-02-01", 2)],
    );
    check(
        &["--since", "2026-02-01", "--until", "2026-02-01"],
        &[("2026-02-01", 2)],
    );
    check(
        &[
            "--since",
            "2026-02-01",
            "--until",
            "2026-02-01",
            "--tz",
            "+01:00",
        ],
        &[("2026-02-01", 3)],
    );
    check(
        &["--since", "2026-02-01T12:00", "--until", "2026-02-02T04:59"],
        &[("2026-02-01", 2)],
    );
    check(&["-n", "1"], &[("2026-03-29", 8)]);
    check(
        &["-n", "2", "--desc"],
        &[("2026-03-29", 8), ("2026-02-02", 4)],
    );
    check(
        &[
            "--project",
            "SHOP",
            "--model",
            "Opus",
            "--session",
            "1111",
            "-n",
            "1",
        ],
        &[("2026-03-29", 8)],
    );
    check(&["--project", "kiln"], &[]);
    check(&["--model", "haiku"], &[]);
    check(&["--session", "2"], &[]);
    let limited = json_of(&home, &["-n", "1"]);
    assert_eq!(
        (&limited["rows_left_out"], &limited["total"]["requests"]),
        (&json!(3), &json!(4))
    );
}

#[test]
fn a_request_counts_at_the_time_of_its_winner() {
    let early = with(
        line("a m r", OPUS, used(0, 1)),
        json!({"timestamp": "2026-01-20T23:59:00.000Z"}),
    );
    let late = with(
        line("b m r", OPUS, used(0, 9)),
        json!({"timestamp": "2026-01-21T00:01:00.000Z"}),
    );
    let home = home_of(&[(FILE, &[early, late])]);
    check_rows(&home, &[], "period", &[("2026-01-21", 9)]);
    check_rows(&home, &["--until", "2026-01-20"], "period", &[]);
    check_rows(
        &home,
        &["--since", "2026-01-21"],
        "period",
        &[("2026-01-21", 9)],
    );
}

#[test]
fn lines_without_a_time_have_a_row_unless_a_time_is_asked_for() {
    let mut timeless = line("a m r", OPUS, used(0, 3));
    timeless.as_object_mut().unwrap().remove("timestamp");
    let home = home_of(&[(FILE, &[timeless, at("2026-01-20T09:00:00.000Z", 5)])]);
    check_rows(&home, &[], "period", &[("-", 3), ("2026-01-20", 5)]);
    check_rows(
        &home,
        &["--since", "2020-01-01"],
        "period",
        &[("2026-01-20", 5)],
    );
    check_rows(
        &home,
        &["blocks"],
        "start",
        &[("2026-01-20T09:00:00.000Z", 5)],
    );
}

#[test]
fn projects_and_models_come_by_cost() {
    let haiku = with(
        line("x y z", "claude-haiku-4-5", used(0, 16)),
        json!({"sessionId": OTHER, "cwd": "/srv/kiln"}),
    );
    let home = home_of(&[
        (FILE, &[at("2026-01-20T09:00:00.000Z", 5)]),
        (
            "projects/-srv-kiln/22222222-2222-4222-8222-222222222222.jsonl",
            &[haiku],
        ),
    ]);
    // 5 × 20 000 against 16 × 5 000.
    check_rows(
        &home,
        &["project"],
        "project",
        &[("/srv/shop", 5), ("/srv/kiln", 16)],
    );
    check_rows(
        &home,
        &["model"],
        "model",
        &[(OPUS, 5), ("claude-haiku-4-5", 16)],
    );
    check_rows(
        &home,
        &["model", "--asc"],
        "model",
        &[("claude-haiku-4-5", 16), (OPUS, 5)],
    );
    check_rows(
        &home,
        &["--project", "kiln"],
        "period",
        &[("2026-01-20", 16)],
    );
}

#[test]
fn sessions_have_their_titles_and_the_last_used_comes_first() {
    let home = crate::home();
    let mut first = SessionBuilder::new(Version::V2_1_29, "usage glaze");
    first.prompt("Which glaze is food safe?");
    first.reply("The clear one.");
    first.custom_title("Food safe glazes");
    home.add_session(&first);
    let mut second = SessionBuilder::new(Version::V2_1_29, "usage firing")
        .starting_at("2026-01-25T10:00:00.000Z");
    second.prompt("Plan the firing.");
    second.reply("Twelve hours.");
    home.add_session(&second);
    let answer = json_of(&home, &["session"]);
    let titles: Vec<_> = answer["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["title"])
        .collect();
    assert_eq!(titles, ["Plan the firing.", "Food safe glazes"]);
    assert_eq!(answer["rows"][1]["project"], "/home/robin/kiln");
    let shown = run(&home, &["session"], "--no-chart").stdout;
    assert!(shown.contains("Food safe glazes"), "{shown}");
    assert!(shown.contains("2026-01-25 10:00"), "{shown}");
}

#[test]
fn blocks_are_five_hours_from_the_full_hour_of_their_first_request() {
    let home = home_of(&[(
        FILE,
        &[
            at("2026-01-20T09:40:00.000Z", 6_000),
            at("2026-01-20T13:40:00.000Z", 18_000),
            at("2026-01-20T14:00:00.000Z", 1),
            at("2026-01-21T09:00:00.000Z", 2),
        ],
    )]);
    let expected = [
        ("2026-01-20T09:00:00.000Z", 24_000),
        ("2026-01-20T14:00:00.000Z", 1),
        ("2026-01-21T09:00:00.000Z", 2),
    ];
    check_rows(&home, &["blocks"], "start", &expected);
    let answer = json_of(&home, &["blocks"]);
    let first = &answer["rows"][0];
    assert_eq!(first["end"], "2026-01-20T14:00:00.000Z");
    assert_eq!(
        (&first["active"], &first["used_minutes"]),
        (&json!(false), &json!(240))
    );
    // 24 000 tokens in 240 minutes; 24 000 × 20 000 nano-dollars in four hours.
    assert_eq!(first["burn_rate"]["tokens_per_minute"], 100);
    assert_eq!(first["burn_rate"]["cost_nanos_per_hour"], 120_000_000);
    assert_eq!(first["projection"], Value::Null);
    // Five hours after the last request the gap begins.
    let gap = json!({"from": "2026-01-20T19:00:00.000Z", "until": "2026-01-21T09:00:00.000Z"});
    assert_eq!(answer["rows"][2]["gap_before"], gap);
    assert_eq!(answer["rows"][1]["gap_before"], Value::Null);
    // A filter takes whole blocks, by their first request.
    check_rows(
        &home,
        &["blocks", "--since", "2026-01-20T13:00"],
        "start",
        &expected[1..],
    );
    check_rows(&home, &["blocks", "--active"], "start", &[]);
    check_rows(&home, &["blocks", "--recent"], "start", &[]);
    let shown = run(&home, &["blocks"], "--no-chart").stdout;
    assert!(shown.contains("14 h idle"), "{shown}");
    assert_eq!(
        run(&home, &["blocks"], "--active").stdout,
        "no block is active\n"
    );
    assert_eq!(run(&home, &["daily"], "--active").code, 2);
}

#[test]
fn the_block_that_is_not_over_has_a_projection() {
    let now = std::time::SystemTime::now();
    let before = |minutes: u64| {
        let then = now - std::time::Duration::from_secs(60 * minutes);
        let since = then.duration_since(std::time::UNIX_EPOCH).unwrap();
        json!(since.as_millis() as u64)
    };
    // Within an hour of now, so that both are in a block that has not ended.
    let early = with(
        line("a m r", OPUS, used(0, 300)),
        json!({"timestamp": before(30)}),
    );
    let late = with(
        line("b n s", OPUS, used(0, 300)),
        json!({"timestamp": before(20)}),
    );
    let home = home_of(&[(FILE, &[early, late])]);
    let answer = json_of(&home, &["blocks", "--active"]);
    let row = &answer["rows"][0];
    assert_eq!(row["active"], true, "{answer:#}");
    assert_eq!(row["burn_rate"]["tokens_per_minute"], 60);
    let left = row["projection"]["minutes_left"].as_u64().unwrap();
    let tokens = row["projection"]["tokens"].as_u64().unwrap();
    // 600 so far, and 60 for each minute that is left, the last one perhaps in part.
    assert!(
        (600 + 60 * left..600 + 60 * (left + 1)).contains(&tokens),
        "{row:#}"
    );
    assert_eq!(
        json_of(&home, &["blocks", "--recent"])["rows"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let shown = run(&home, &["blocks"], "--active").stdout;
    assert!(shown.contains("The active block ends at"), "{shown}");
}

#[test]
fn tables_fit_every_width_and_leave_columns_out() {
    let mut lines = vec![at("2026-01-20T09:00:00.000Z", 5)];
    let usage = json!({
        "input_tokens": 1_234_567, "output_tokens": 234_567, "cache_read_input_tokens": 98_765_432,
        "cache_creation_input_tokens": 7_654_321,
        "cache_creation": {"ephemeral_1h_input_tokens": 7_000_000},
    });
    lines.push(with(
        line("b n s", "claude-sonnet-5", usage),
        json!({"timestamp": "2026-01-21T09:00:00.000Z"}),
    ));
    let home = home_of(&[(FILE, &lines), (OTHER_FILE, &[])]);
    for by in ["daily", "session", "project", "model", "blocks"] {
        for width in [20, 40, 60, 80, 100, 120, 200] {
            let command = home.command().env("COLUMNS", width.to_string());
            let output = command.args(["usage", by, "--breakdown"]).run().unwrap();
            let table = output.stdout.split("\n\n").next().unwrap();
            let widest = table
                .lines()
                .map(|line| line.chars().count())
                .max()
                .unwrap();
            // A day and its cost stay, however narrow it is.
            assert!(widest <= width.max(28), "{by} at {width}:\n{table}");
            assert!(table.lines().next().unwrap().contains("cost"), "{table}");
        }
    }
    let command = home.command().env("COLUMNS", "72");
    let output = command.args(["usage"]).run().unwrap();
    insta::assert_snapshot!(output.stdout.replace('\u{202f}', "_"), @r"
    day         models    input  output  write 5m  write 1h  read    cost
    2026-01-20  opus-5-5      0       5         0         0     0  <$0.01
    2026-01-21  sonnet-5   1.2M    235k      654k        7M   99M  $54.20
    total                  1.2M    235k      654k        7M   99M  $54.20

    2026-01-20  <$0.01  ▏
    2026-01-21  $54.20  ████████████████████████████████████████████████████

    2 requests.
    ");
    let output = home
        .command()
        .env("COLUMNS", "130")
        .args(["usage"])
        .run()
        .unwrap();
    // Where there is room, all digits and bars beside them.
    let wide = output.stdout.replace('\u{202f}', "_");
    let last = wide.lines().nth(2).unwrap();
    assert!(
        last.contains("  7_000_000  98_765_432  $54.20  ████"),
        "{wide}"
    );
}

#[test]
fn nothing_is_said_in_words() {
    let home = crate::home();
    assert_eq!(home.ravel(["usage"]).stdout, "no requests here yet\n");
    assert_eq!(json_of(&home, &[])["total"]["requests"], 0);
    let home = four_days();
    assert_eq!(
        run(&home, &["--project"], "kiln").stdout,
        "no request fits\n"
    );
    for wrong in [
        ["usage", "--since", "yesterday"],
        ["usage", "--tz", "Mars"],
        ["usage", "--week-start", "tuesday"],
    ] {
        assert_eq!(home.ravel(wrong).code, 2, "{wrong:?}");
    }
    assert_eq!(home.ravel(["usage", "yearly"]).code, 2);
}
