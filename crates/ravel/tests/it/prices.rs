//! `ravel prices`.

use serde_json::json;

use crate::usage::price::{OWN, write_own};
use crate::{home, parsed};

#[test]
fn the_book_is_shown_with_dates_sources_bands_and_fees() {
    let home = home();
    let listed = parsed(&home.ravel(["prices", "--json"]));
    assert_eq!(listed["own_file"], json!(null));
    let rows = listed["prices"].as_array().unwrap();
    let sonnet = rows
        .iter()
        .find(|row| row["model"] == "claude-sonnet-4-5")
        .unwrap();
    assert_eq!(sonnet["usd_per_million"]["cache_write_5m"], "3.75");
    assert_eq!(sonnet["nanos_per_million"]["cache_read"], 300_000_000);
    assert_eq!(sonnet["bands"][0]["above"], 200_000);
    assert_eq!(sonnet["bands"][0]["usd_per_million"]["output"], "22.50");
    assert_eq!(
        (&sonnet["read"], &sonnet["file"]),
        (&json!("2026-11-15"), &json!("bundled"))
    );
    assert_eq!(listed["fees"]["us_only_factor"], "1.1");
    assert_eq!(listed["fees"]["batch_factor"], "0.5");
    assert_eq!(listed["fees"]["web_search_usd_per_1000"], "10.00");
    let shown = home.ravel(["prices"]).stdout;
    assert!(shown.contains("prompt > 200k"), "{shown}");
    assert!(shown.contains("web searches $10.00 a thousand"), "{shown}");
    for width in ["40", "60", "80", "200"] {
        let output = home
            .command()
            .env("COLUMNS", width)
            .arg("prices")
            .run()
            .unwrap();
        let table = output.stdout.split("\n\n").next().unwrap();
        let widest = table
            .lines()
            .map(|line| line.chars().count())
            .max()
            .unwrap();
        assert!(widest <= width.parse().unwrap_or(0).max(45), "{table}");
    }
}

#[test]
fn own_rows_are_marked_and_dated() {
    let home = home();
    write_own(&home, OWN);
    let listed = parsed(&home.ravel(["prices", "--json"]));
    assert!(
        listed["own_file"]
            .as_str()
            .unwrap()
            .ends_with("prices.toml")
    );
    let rows = listed["prices"].as_array().unwrap().iter();
    let opus: Vec<_> = rows
        .filter(|row| row["model"] == "claude-opus-5-5")
        .collect();
    assert_eq!(opus.len(), 2, "the row inside holds before the own one");
    assert_eq!(
        (&opus[1]["from"], &opus[1]["source"]),
        (&json!("2026-01-21"), &json!("our contract"))
    );
    let shown = home.ravel(["prices"]).stdout;
    assert!(shown.contains("yours"), "{shown}");
    assert!(shown.contains("~/.config/ravel/prices.toml"), "{shown}");
    let looked_up = parsed(&home.ravel(["prices", "house-model", "--json"]));
    assert_eq!(
        (&looked_up["model"], &looked_up["alias"]),
        (&json!("claude-opus-5-5"), &json!("house-model"))
    );
    assert_eq!(looked_up["price"]["usd_per_million"]["input"], "1.00");
}

#[test]
fn a_name_leads_to_its_row_and_says_why() {
    let home = home();
    let output = home.ravel(["prices", "us.anthropic.Claude-Opus-4-1-20250805-v1:0"]);
    assert_eq!(output.code, 0);
    assert!(
        output.stdout.contains("is claude-opus-4-1: case, provider"),
        "{}",
        output.stdout
    );
    assert!(output.stdout.contains("$15.00"), "{}", output.stdout);
    let unknown = home.ravel(["prices", "claude-opus-9", "--json"]);
    assert_eq!(unknown.code, 1);
    assert!(
        unknown.stdout.contains("unknown-model"),
        "{}",
        unknown.stdout
    );
    let shown = home.ravel(["prices", "gpt-5\u{1b}[2J"]);
    assert_eq!(shown.code, 1);
    assert!(!shown.stdout.contains('\u{1b}'), "{}", shown.stdout);
}

#[test]
fn the_path_of_the_own_file_is_told_before_there_is_one() {
    let home = home();
    let expected = home.path().join(".config/ravel/prices.toml");
    let output = home.ravel(["prices", "--path"]);
    assert_eq!(output.stdout, format!("{}\n", expected.display()));
    let told = parsed(&home.ravel(["prices", "--path", "--json"]));
    assert_eq!(
        (told["path"].as_str(), &told["exists"]),
        (expected.to_str(), &json!(false))
    );
    let elsewhere = home.path().join("settings");
    let output = home
        .command()
        .env("XDG_CONFIG_HOME", &elsewhere)
        .args(["prices", "--path"])
        .run()
        .unwrap();
    assert_eq!(
        output.stdout,
        format!("{}\n", elsewhere.join("ravel/prices.toml").display())
    );
}
