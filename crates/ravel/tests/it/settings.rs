//! `ravel settings`.

use serde_json::json;

use crate::{home, parsed};

#[test]
fn each_value_knows_its_file() {
    let home = home();
    home.add_settings(&json!({
        "model": "sonnet",
        "permissions": {"allow": ["Bash(ls)"], "defaultMode": "plan"},
    }));
    home.write_work(
        ".claude/settings.json",
        r#"{"model": "opus", "permissions": {"allow": ["Read"]}}"#,
    );
    home.write_work(".claude/settings.local.json", "{broken");
    let output = home.ravel(["settings"]);
    assert_eq!(output.code, 0);
    let (values, _) = output.stdout.split_once("\n\n").unwrap();
    insta::assert_snapshot!(values, @r"
    model                    opus  (project)
                             sonnet  (overruled, user)
    permissions.allow        Bash(ls)  (user)
                             Read  (project)
    permissions.defaultMode  plan  (user)
    ");
    assert!(
        output
            .stdout
            .contains("settings.local.json  (not understood)"),
        "{}",
        output.stdout
    );
    assert!(
        output.stderr.contains("settings.local.json: not JSON"),
        "{}",
        output.stderr
    );

    let document = parsed(&home.ravel(["settings", "model", "--json"]));
    assert_eq!(document["merged"], json!({"model": "opus"}));
    assert_eq!(document["settings"][0]["source"], "project");
    assert_eq!(document["settings"][0]["overruled"][0]["value"], "sonnet");
    assert_eq!(document["findings"].as_array().unwrap().len(), 1);
}

#[test]
fn keys_and_projects() {
    let home = home();
    home.add_settings(&json!({"permissions": {"allow": ["A\u{1b}[1m"]}, "permissionsX": 1}));
    let text = home.ravel(["settings", "permissions"]).stdout;
    assert!(
        text.starts_with("permissions.allow  A␛[1m  (user)\n\n"),
        "{text}"
    );
    let text = home.ravel(["settings", "nosuch"]).stdout;
    assert!(text.starts_with("no setting is named nosuch\n"), "{text}");
    let output = home.ravel(["settings", "--project", "nosuch"]);
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("hint: "));
    let demo = parsed(&home.ravel(["--demo", "settings", "--json"]));
    assert_eq!(demo["merged"]["model"], "opus");
}
