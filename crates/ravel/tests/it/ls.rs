//! `ravel ls`.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use ravel_testkit::{Output, SessionBuilder, TestHome, Version};
use serde_json::Value;

use crate::{home, parsed};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Makes a file look as if it was written so many seconds ago.
fn make_old(path: &Path, seconds: u64) {
    let modified = SystemTime::now() - Duration::from_secs(seconds);
    let file = File::options().append(true).open(path).unwrap();
    file.set_modified(modified).unwrap();
}

/// Three sessions: two of the kiln, one of the shop that is the last used.
fn three_sessions() -> TestHome {
    let home = home();
    let mut glaze = SessionBuilder::new(Version::V2_1_29, "ls glaze");
    glaze.prompt("Which glaze is food safe?");
    glaze.reply("The clear one.");
    glaze.custom_title("Food safe glazes");
    glaze.tag("kitchen");
    make_old(&home.add_session(&glaze), 3 * DAY + HOUR);

    let mut firing = SessionBuilder::new(Version::V2_1_29, "ls firing").on_branch("slow-firing");
    firing.prompt("Plan the firing of the tall vases.");
    firing.reply("Twelve hours.");
    firing.prompt("Make it fourteen.");
    firing.reply("Fourteen hours.");
    make_old(&home.add_session(&firing), 2 * HOUR + MINUTE);

    let mut prices = SessionBuilder::new(Version::V2_1_29, "ls prices").in_folder("/srv/shop");
    prices.prompt("Round the prices.");
    prices.reply("Done.");
    make_old(&home.add_session(&prices), 5 * MINUTE + 10);
    home
}

/// Returns the titles in the order of the listing.
fn titles(output: &Output) -> Vec<String> {
    let listed = parsed(output);
    let items = listed.as_array().unwrap();
    let title = |item: &Value| item["title"].as_str().unwrap().to_owned();
    items.iter().map(title).collect()
}

#[track_caller]
fn check_filter(home: &TestHome, options: &[&str], expected: &[&str]) {
    let arguments = ["ls", "--json"].iter().chain(options);
    assert_eq!(titles(&home.ravel(arguments)), expected, "{options:?}");
}

#[test]
fn the_last_used_session_comes_first_in_columns() {
    let output = three_sessions().ravel(["ls"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(output.stdout, @r"
    bf89c987  Round the prices.                   /srv/shop         main         2  5 m ago
    315ec17e  Plan the firing of the tall vases.  /home/robin/kiln  slow-firing  4  2 h ago
    70402aee  Food safe glazes #kitchen           /home/robin/kiln  main         2  3 d ago
    ");
}

#[test]
fn rows_fit_a_narrow_terminal() {
    let home = three_sessions();
    let output = home.command().arg("ls").env("COLUMNS", "60").run().unwrap();
    let widths = output.stdout.lines().map(|line| line.chars().count());
    assert_eq!(widths.clone().max(), Some(60), "{}", output.stdout);
    assert_eq!(widths.count(), 3);
}

#[test]
fn filters_choose_sessions() {
    let home = three_sessions();
    let (prices, firing, glaze) = (
        "Round the prices.",
        "Plan the firing of the tall vases.",
        "Food safe glazes",
    );
    check_filter(&home, &[], &[prices, firing, glaze]);
    check_filter(&home, &["--project", "KILN"], &[firing, glaze]);
    check_filter(&home, &["--project", "shop"], &[prices]);
    check_filter(&home, &["--branch", "slow-firing"], &[firing]);
    check_filter(&home, &["--branch", "slow"], &[]);
    check_filter(&home, &["--tag", "kitchen"], &[glaze]);
    check_filter(&home, &["--text", "fOOD"], &[glaze]);
    check_filter(&home, &["--since", "1h"], &[prices]);
    check_filter(&home, &["--since", "2d"], &[prices, firing]);
    check_filter(&home, &["--since", "2020-01-31"], &[prices, firing, glaze]);
    check_filter(&home, &["--limit", "2"], &[prices, firing]);
    check_filter(&home, &["-n", "0"], &[prices, firing, glaze]);
    check_filter(&home, &["--project", "kiln", "--since", "1d"], &[firing]);
    check_filter(&home, &["--tag", "kitchen", "--text", "firing"], &[]);
}

#[test]
fn a_dot_is_the_project_of_the_working_folder() {
    let home = three_sessions();
    let here = std::fs::canonicalize(home.work()).unwrap();
    let mut own =
        SessionBuilder::new(Version::V2_1_29, "ls here").in_folder(here.to_str().unwrap());
    own.prompt("Start here.");
    own.reply("Started.");
    home.add_session(&own);
    let beside = format!("{}-old", here.display());
    let mut other = SessionBuilder::new(Version::V2_1_29, "ls beside").in_folder(&beside);
    other.prompt("Start elsewhere.");
    home.add_session(&other);
    let below = here.join("below");
    let mut inner =
        SessionBuilder::new(Version::V2_1_29, "ls below").in_folder(below.to_str().unwrap());
    inner.prompt("Start below.");
    let inner = home.add_session(&inner);
    make_old(&inner, 3600);
    check_filter(&home, &["--project", "."], &["Start here.", "Start below."]);
}

#[test]
fn a_date_begins_at_midnight_where_the_person_is() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V2_1_29, "ls midnight");
    session.prompt("Late in the evening.");
    let path = home.add_session(&session);
    // 2026-01-30 at 22:00 in Greenwich.
    let modified = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_769_810_400);
    let file = std::fs::File::options().append(true).open(path).unwrap();
    file.set_modified(modified).unwrap();
    for (zone, n_found) in [("UTC", 0), ("<+02>-2", 1), ("<+01>-1", 0)] {
        let command = home.command().env("TZ", zone);
        let output = command
            .args(["ls", "--json", "--since", "2026-01-31"])
            .run();
        let found = crate::parsed(&output.unwrap());
        assert_eq!(found.as_array().unwrap().len(), n_found, "{zone}");
    }
}

#[test]
fn a_moment_that_is_none_is_refused() {
    let output = three_sessions().ravel(["ls", "--since", "yesterday"]);
    assert_eq!(output.code, 2);
    assert!(
        output.stderr.contains("say 90m, 12h, 3d, 2w"),
        "{}",
        output.stderr
    );
}

#[test]
fn nothing_fits_is_said() {
    let output = three_sessions().ravel(["ls", "--text", "porcelain"]);
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (0, "no session fits\n")
    );
}

#[test]
fn an_empty_home_is_no_error() {
    let home = home();
    let output = home.ravel(["ls"]);
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (0, "no sessions here yet\n")
    );
    assert_eq!(parsed(&home.ravel(["ls", "--json"])), Value::Array(vec![]));
}

#[test]
fn json_tells_all_about_a_session() {
    let home = three_sessions();
    let listed = parsed(&home.ravel(["ls", "--json", "--tag", "kitchen"]));
    let glaze = &listed[0];
    let keys: Vec<&str> = glaze
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let mut expected = [
        "id",
        "title",
        "title_source",
        "project",
        "slug",
        "archived",
        "branch",
        "tag",
        "model",
        "version",
        "messages",
        "messages_exact",
        "created",
        "last_active",
        "modified",
        "bytes",
        "path",
        "first_prompt",
        "sidechain",
        "sdk_visible",
    ];
    expected.sort_unstable();
    let mut sorted = keys;
    sorted.sort_unstable();
    assert_eq!(sorted, expected);
    assert_eq!(glaze["title_source"], "custom-title");
    assert_eq!(glaze["project"], "/home/robin/kiln");
    assert_eq!(glaze["slug"], "-home-robin-kiln");
    assert_eq!(glaze["branch"], "main");
    assert_eq!(glaze["version"], "2.1.29");
    assert_eq!(glaze["messages"], 2);
    assert_eq!(glaze["messages_exact"], true);
    assert_eq!(glaze["first_prompt"], "Which glaze is food safe?");
    assert_eq!(glaze["created"], "2026-01-20T09:00:00Z");
    let path = Path::new(glaze["path"].as_str().unwrap());
    assert_eq!(glaze["bytes"], path.metadata().unwrap().len());
}

#[test]
fn the_old_conversations_folder_and_names_that_are_no_uuid_are_listed() {
    let home = home();
    let mut session = SessionBuilder::new(Version::V1_0_128, "ls old");
    session.prompt("From long ago.");
    session.reply("Indeed.");
    home.write(
        "conversations/_srv_old/2025-01-29.jsonl",
        session.to_bytes(),
    );
    home.write("projects/-srv-copy/my copy.jsonl", session.to_bytes());
    let listed = parsed(&home.ravel(["ls", "--json"]));
    let mut ids: Vec<&str> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["id"].as_str().unwrap())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, ["2025-01-29", "my copy"]);
    let shown = home.ravel(["show", "my copy"]);
    assert!(shown.stdout.contains("From long ago."), "{}", shown.stderr);
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_listed() {
    let home = three_sessions();
    home.write("conversations", "a file where a folder should be");
    let output = home.ravel(["ls"]);
    assert_eq!(output.code, 0);
    assert_eq!(output.stdout.lines().count(), 3);
    let warning = output.stderr.trim_end();
    assert!(warning.starts_with("warning: "), "{warning}");
    assert!(warning.contains("conversations: "), "{warning}");
    assert_eq!(warning.lines().count(), 1);
}

#[cfg(unix)]
#[test]
fn links_that_lead_nowhere_or_out_of_the_home_are_named() {
    use std::os::unix::fs::symlink;
    let home = three_sessions();
    let project = home.claude().join("projects/-srv-shop");
    let secret = home.write_work("secret.jsonl", "{}\n");
    symlink("/nowhere/at/all.jsonl", project.join("gone.jsonl")).unwrap();
    symlink(secret, project.join("out.jsonl")).unwrap();
    let output = home.ravel(["ls"]);
    assert_eq!((output.code, output.stdout.lines().count()), (0, 3));
    assert!(
        output
            .stderr
            .contains("gone.jsonl: a link that leads nowhere\n"),
        "{}",
        output.stderr
    );
    assert!(
        output
            .stderr
            .contains("out.jsonl: a link that leads out of the home\n"),
        "{}",
        output.stderr
    );
}
