//! `ravel doctor`.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use ravel_testkit::{Output, SessionBuilder, TestHome, Version};
use serde_json::{Value, json};

use crate::{home, parsed};

const DAY: u64 = 24 * 60 * 60;

fn add(home: &TestHome, title: &str, days_ago: u64) {
    let mut session = SessionBuilder::new(Version::V2_1_29, title);
    session.prompt(title);
    session.reply("Yes.");
    let path = home.add_session(&session);
    let modified = SystemTime::now() - Duration::from_secs(days_ago * DAY + DAY / 2);
    let file = File::options().append(true).open(path).unwrap();
    file.set_modified(modified).unwrap();
}

/// The checks of a topic: their states and messages.
fn checks(output: &Output, topic: &str) -> Vec<(String, String)> {
    let document: Value = serde_json::from_str(&output.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let checks = document["checks"].as_array().unwrap().iter();
    checks
        .filter(|check| check["topic"] == topic)
        .map(|check| (text(&check["state"]), text(&check["message"])))
        .collect()
}

fn doctor(home: &TestHome) -> Output {
    home.ravel(["doctor", "--json"])
}

fn said(state: &str, message: &str) -> (String, String) {
    (state.to_owned(), message.to_owned())
}

#[test]
fn sessions_that_will_be_deleted_are_named_until_they_are_archived() {
    let home = home();
    add(&home, "Fresh", 1);
    add(&home, "Soon", 25);
    add(&home, "Overdue", 40);
    let output = doctor(&home);
    assert_eq!(output.code, 0);
    assert_eq!(
        checks(&output, "deletion"),
        [
            said(
                "warn",
                "Claude Code deletes 1 session at its next start; 1 not archived"
            ),
            said(
                "warn",
                "Claude Code deletes 1 session within a week; 1 not archived"
            ),
        ]
    );
    let text = home.ravel(["doctor"]).stdout;
    assert!(text.contains("now  Overdue"), "{text}");
    assert!(text.contains("in 5 days  Soon"), "{text}");
    assert!(!text.contains("Fresh"), "{text}");
    assert_eq!(checks(&output, "archive"), [said("warn", "there is none")]);
    home.ravel(["archive"]);
    let output = doctor(&home);
    assert_eq!(
        checks(&output, "deletion"),
        [
            said(
                "ok",
                "Claude Code deletes 1 session at its next start; the archive has them"
            ),
            said(
                "ok",
                "Claude Code deletes 1 session within a week; the archive has them"
            ),
        ]
    );
    assert!(checks(&output, "archive")[0].1.starts_with("up to date"));
}

#[test]
fn the_period_comes_from_the_settings() {
    let home = home();
    add(&home, "Old", 40);
    let cases = [
        (json!(null), "warn", "is null"),
        (json!(0), "warn", "2.1.89"),
        (json!(-1), "warn", "is -1"),
        (json!("x"), "warn", "is \"x\""),
        (json!(90), "ok", "90 days after"),
    ];
    for (value, state, part) in cases {
        home.add_settings(&json!({"cleanupPeriodDays": value}));
        let check = checks(&doctor(&home), "cleanup").remove(0);
        assert_eq!(check.0, state, "{value}");
        assert!(check.1.contains(part), "{value}: {}", check.1);
    }
    let none = said("ok", "Claude Code deletes no session within a week");
    assert_eq!(checks(&doctor(&home), "deletion"), [none]);
    home.write("settings.json", "not JSON");
    let output = doctor(&home);
    assert_eq!(checks(&output, "settings").len(), 1);
    assert!(checks(&output, "cleanup")[0].1.contains("30 days"));
}

#[test]
fn what_cannot_be_read_is_a_problem() {
    let home = home();
    add(&home, "Fine", 1);
    assert_eq!(parsed(&doctor(&home))["ok"], true);
    home.ravel(["archive"]);
    let archive = fs::read_dir(home.path().join(".local/share/ravel/archive"));
    let archive = archive.unwrap().next().unwrap().unwrap().path();
    let broken = archive.join("home/projects/-srv-x/broken.jsonl.kept");
    fs::create_dir_all(broken.parent().unwrap()).unwrap();
    fs::write(&broken, "nonsense").unwrap();
    let output = doctor(&home);
    assert_eq!(output.code, 1);
    assert_eq!(
        checks(&output, "files"),
        [said("problem", "1 file cannot be read")]
    );
}

#[test]
fn a_price_file_that_cannot_be_used_is_a_problem() {
    let home = home();
    let file = home.path().join(".config/ravel/prices.toml");
    fs::create_dir_all(file.parent().unwrap_or(Path::new(""))).unwrap();
    fs::write(file, "nonsense").unwrap();
    let output = doctor(&home);
    assert_eq!(output.code, 1);
    assert_eq!(checks(&output, "prices")[0].0, "problem");
}

#[test]
fn an_empty_home_is_fine() {
    let output = home().ravel(["doctor"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert!(
        output.stdout.contains("sessions: 0 sessions"),
        "{}",
        output.stdout
    );
}
